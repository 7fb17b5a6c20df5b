/** Tests that a new process gets its share of the open streams, without any client losing or repeating an event. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStream, type StreamHandle } from '../../src/client/stream.ts';
import { playing } from '../contracts/streams-over-pods.ts';
import { type Cluster, openCluster } from '../support/cluster.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { LONG_FORMS } from '../support/long-forms.ts';
import { until } from '../support/until.ts';

const CLIENTS = 120;
const PATIENCE_MS = 300_000;

describe('streams in a cluster to which processes are added', function () {
  this.timeout(600_000);
  let db: TestDatabase;
  let cluster: Cluster;
  const handles: StreamHandle[] = [];
  before(async function () {
    // The test takes minutes, since a stream is not moved in its first minute.
    if (!LONG_FORMS) this.skip();
    db = await createTestDatabase();
    cluster = await openCluster({ db, maxStreams: 3 });
  });
  after(async () => {
    for (const handle of handles) handle.close();
    await cluster?.close();
    await db?.drop();
  });

  const connections = () =>
    Promise.all(
      cluster.streams.map(async (pod) => {
        if (pod === undefined) return 0;
        const metrics = await (await fetch(`${pod.adminUrl}/metrics`)).text();
        return Number(/^touchline_stream_connections\{protocol="sse"\} (\d+)/m.exec(metrics)?.[1] ?? 0);
      }),
    );

  it('are within a fifth of the mean on each process after five minutes', async () => {
    const received = Array.from({ length: CLIENTS }, (): string[] => []);
    let live = 0;
    for (const ids of received) {
      let wasLive = false;
      const handle = openStream({
        url: cluster.url,
        key: cluster.key,
        transport: 'sse',
        onEvent: ({ id }) => void ids.push(id),
        onState: ({ phase }) => {
          if (phase === 'live' && !wasLive) live += 1;
          wasLive ||= phase === 'live';
        },
      });
      handles.push(handle);
    }
    await until('all clients are live', () => live === CLIENTS, 60_000);
    assert.deepEqual(await connections(), [60, 60, 0]);
    await cluster.startStream(2);
    const play = playing(cluster.ingest.url, 'growth');
    const mean = CLIENTS / 3;
    await until(
      'each has its share',
      async () => {
        await play.tell();
        await sleep(2_000);
        const counts = await connections();
        return counts.every((count) => Math.abs(count - mean) <= mean / 5);
      },
      PATIENCE_MS,
    );
    const { rows } = await db.pool.query<{ events: number }>('SELECT sum(sequence)::int AS events FROM match');
    await until('all have all events', () => received.every(({ length }) => length >= rows[0]!.events), 60_000);
    for (const ids of received) {
      assert.equal(new Set(ids).size, ids.length);
      assert.deepEqual(ids, received[0]);
    }
  });
});
