import assert from 'node:assert/strict';
import type { Cluster } from '../../src/events/kafka-cluster.ts';
import { ensureTopic } from '../../src/events/kafka-topic.ts';

describe('the event log topic', () => {
  const electing = Object.assign(new Error('There is no leader for this topic-partition'), {
    type: 'LEADER_NOT_AVAILABLE',
  });
  /** Returns a cluster that first answers with these errors, and then that the topic has a leader. */
  function cluster(...errors: Error[]) {
    const left = [...errors];
    return {
      async addTargetTopic() {
        const error = left.shift();
        if (error !== undefined) throw error;
      },
      findTopicPartitionMetadata: () => [{ leader: 1 }],
      refreshMetadata: async () => {},
      left,
    } as unknown as Cluster & { left: Error[] };
  }

  it('is waited for while it elects a leader, even if the library wraps the broker’s error', async () => {
    const one = cluster(electing, new Error('wrapped', { cause: electing }), electing);
    await ensureTopic(one, 'events');
    assert.deepEqual(one.left, []);
  });

  it('is not waited for after an unrelated error', async () => {
    const refused = new Error('wrapped', { cause: new Error('the password is wrong') });
    await assert.rejects(ensureTopic(cluster(refused), 'events'), refused);
  });
});
