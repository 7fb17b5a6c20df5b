/**
 * Tests roles whose Kafka takes a second and a half for each answer. The feed and REST do not wait for Kafka, and
 * streams are only delayed.
 */
import assert from 'node:assert/strict';
import { openStream, type StreamHandle } from '../../../src/client/stream.ts';
import { playing } from '../../contracts/streams-over-pods.ts';
import { type Cluster, openCluster } from '../../support/cluster.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { canRunKafka, sharedKafka, stopSharedKafka } from '../../support/kafka.ts';
import { openSlowProxy, type SlowProxy } from '../../support/slow-proxy.ts';
import { until } from '../../support/until.ts';

const DELAY_MS = 1_500;
const ROUNDS = 5;
const PATIENCE_MS = 60_000;

after(stopSharedKafka);

describe('a slow Kafka', function () {
  this.timeout(240_000);
  let db: TestDatabase;
  let cluster: Cluster;
  let proxy: SlowProxy;
  let handle: StreamHandle;
  before(async function () {
    if (process.env.KAFKA_BROKERS !== undefined || !canRunKafka()) this.skip();
    const kafka = await sharedKafka();
    db = await createTestDatabase();
    proxy = await openSlowProxy(kafka.behind, Number(kafka.proxied.split(':')[1]));
    cluster = await openCluster({ db, maxStreams: 2, env: { KAFKA_BROKERS: kafka.proxied } });
  });
  after(async () => {
    handle?.close();
    await cluster?.close();
    await proxy?.close();
    await db?.drop();
  });

  it('delays streams, but loses and repeats no event, and delays neither the feed nor the stored match', async () => {
    const ids: string[] = [];
    const seen: [match: number, sequence: number][] = [];
    let live = false;
    handle = openStream({
      url: cluster.url,
      key: cluster.key,
      transport: 'sse',
      onEvent: ({ id, data }) => {
        ids.push(id);
        seen.push([data.match.id, data.sequence]);
      },
      onState: ({ phase }) => {
        live ||= phase === 'live';
      },
    });
    await until('the stream is live', () => live, PATIENCE_MS);
    const play = playing(cluster.ingest.url, 'slow');
    await play.tell();
    await until('events arrive', () => ids.length > 0, PATIENCE_MS);

    proxy.slow(DELAY_MS);
    for (let round = 0; round < ROUNDS; round++) {
      await play.tell();
      const { rows } = await cluster.pool.query<{ home_score: number }>('SELECT DISTINCT home_score FROM match');
      assert.deepEqual(rows, [{ home_score: round + 2 }]);
    }
    const arrived = ids.length;
    for (const pod of [cluster.ingest, ...cluster.streams])
      if (pod !== undefined) assert.equal((await fetch(`${pod.adminUrl}/readyz`)).status, 200);
    await until('events arrive while it is slow', () => ids.length > arrived, PATIENCE_MS);

    proxy.slow(0);
    const { rows } = await cluster.pool.query<{ id: number; sequence: number }>('SELECT id, sequence FROM match');
    const total = rows.reduce((sum, { sequence }) => sum + sequence, 0);
    await until('all have arrived', () => ids.length >= total, PATIENCE_MS);
    assert.equal(new Set(ids).size, ids.length);
    for (const { id, sequence } of rows)
      assert.deepEqual(
        seen.filter(([match]) => match === id).map(([, number]) => number),
        Array.from({ length: sequence }, (_, n) => n + 1),
      );
  });
});
