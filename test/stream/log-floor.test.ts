import assert from 'node:assert/strict';
import { EVERYTHING } from '../../src/events/filter.ts';
import { type Hub, startHub } from '../../src/stream/hub.ts';
import { LogFloor } from '../../src/stream/log-floor.ts';
import { sseEncoder } from '../../src/stream/sse-frames.ts';
import { record } from '../support/events.ts';
import { type MemoryLog, memoryLog } from '../support/memory-log.ts';
import { Reader } from '../support/reader.ts';

const logger = { error() {}, warn() {}, info() {} };
const links = { sync: 'http://t/v1/sync', replay: (from: number) => `http://t/replay?since=${from}` };

describe('a cursor below the log’s floor', () => {
  let log: MemoryLog;
  let hub: Hub;
  beforeEach(async () => {
    log = memoryLog();
    hub = await startHub({ log, clock: { now: () => 0 }, logger });
    log.append(...[1, 2, 3, 4, 5].map((cursor) => record(cursor)));
    await join(5);
  });
  afterEach(() => hub.close());

  async function join(cursor: number): Promise<Reader> {
    const reader = new Reader();
    await hub.connect({ socket: reader, encoder: sseEncoder, filter: EVERYTHING, cursor, links });
    return reader;
  }

  it('gets the reply that the cursor has expired, even if memory has the events', async () => {
    log.drop(3);
    const reader = await join(2);
    assert.match(reader.text, /event: stream\.gap\ndata: {"from":2,"to":5,"reason":"expired","sync":"[^"]+"}/);
    assert.deepEqual(reader.cursors(), []);
    assert.deepEqual((await join(3)).cursors(), [4, 5]);
  });

  it('is served from memory while the log is unavailable or does not answer', async () => {
    log.fail(true);
    assert.deepEqual((await join(2)).cursors(), [3, 4, 5]);
    log.fail(false);
    log.delay = () => new Promise(() => {});
    assert.deepEqual((await join(2)).cursors(), [3, 4, 5]);
    // Only the first client waits for the log, which does not answer.
    const begun = performance.now();
    for (let n = 0; n < 10; n += 1) await join(2);
    assert.ok(performance.now() - begun < 450);
  });

  it('causes one query for all streams that open at the same time', async () => {
    let asked = 0;
    const floor = new LogFloor(
      {
        async range() {
          asked += 1;
          return { head: 9, oldest: asked };
        },
      },
      0,
    );
    assert.deepEqual(await Promise.all([1, 2, 3].map(() => floor.oldest())), [1, 1, 1]);
    assert.equal(await floor.oldest(), 2);
  });
});
