import assert from 'node:assert/strict';
import { EVERYTHING, type EventFilter } from '../../src/events/filter.ts';
import type { LiveConnection } from '../../src/stream/connection-owner.ts';
import { type Hub, type HubDeps, startHub } from '../../src/stream/hub.ts';
import { createStreamMetrics } from '../../src/stream/metrics.ts';
import { sseEncoder } from '../../src/stream/sse-frames.ts';
import { record } from '../support/events.ts';
import { type MemoryLog, memoryLog } from '../support/memory-log.ts';
import { Reader } from '../support/reader.ts';
import { lastId } from '../support/sse.ts';
import { until } from '../support/until.ts';

const links = { sync: 'http://t/v1/sync', replay: (from: number) => `http://t/v1/stream/replay?since=${from}` };
const upTo = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + 1 + index);

describe('a delayed stream', () => {
  let log: MemoryLog;
  let hub: Hub;
  let now = 0;
  const logger = { error() {}, warn() {}, info() {} };

  beforeEach(() => {
    log = memoryLog();
    now = Date.parse('2026-03-01T12:00:00Z');
  });
  afterEach(async () => {
    await hub.close();
    assert.equal(log.listeners(), 0);
  });

  const open = async (options: Partial<HubDeps> = {}) => {
    hub = await startHub({ log, clock: { now: () => now }, logger, lookEveryMs: 1, ...options });
  };
  async function join(delay: number, cursor: number | null = null, reader = new Reader()) {
    let live: LiveConnection | null = null;
    const owner = {
      opened(one: LiveConnection) {
        live = one;
      },
      left() {},
    };
    await hub.connect({ socket: reader, encoder: sseEncoder, filter: EVERYTHING, cursor, links, delay, owner });
    return Object.assign(reader, { live: live! as LiveConnection });
  }
  /** Appends events that are `ageMs` old, and waits until the hub has read them. */
  async function append(count: number, ageMs = 0, over = {}): Promise<void> {
    const { head } = await log.range();
    log.append(...upTo(head, head + count).map((cursor) => record(cursor, { appendedAt: now - ageMs, ...over })));
    await until('the hub has read them', () => hub === undefined || hub.head() >= head + count);
  }
  /** Resolves when the reader of a later delay has surely been given its events, too. */
  const settled = () => new Promise((resolve) => setTimeout(resolve, 60));

  describe('time', () => {
    it('gets an event when the delay has passed, and not a millisecond before', async () => {
      await open();
      const [delayed, longer, live] = [await join(60), await join(600), await join(0)];
      await append(2);
      await until('without a delay it is there', () => live.cursors().length === 2);
      now += 59_999;
      await settled();
      assert.equal(delayed.text, ': connected cursor=0\nretry: 1000\nid: 0\n\n');
      now += 1;
      await until('60 s have passed', () => delayed.cursors().length === 2);
      now += 539_999;
      await settled();
      assert.deepEqual(longer.cursors(), []);
      now += 1;
      await until('600 s have passed', () => longer.cursors().length === 2);
    });

    it('keeps the order if a later event has an earlier time', async () => {
      await open();
      const reader = await join(10);
      log.append(record(1, { appendedAt: now + 5_000 }), record(2, { appendedAt: now }));
      now += 10_000;
      await settled();
      assert.deepEqual(reader.cursors(), []);
      now += 5_000;
      await until('both are there', () => reader.cursors().length === 2);
      assert.deepEqual(reader.cursors(), [1, 2]);
    });

    it('gets nothing early after the clock was set back', async () => {
      await open();
      const reader = await join(10);
      await append(1);
      now -= 3_600_000;
      await append(1);
      await settled();
      now += 3_609_999;
      await settled();
      assert.deepEqual(reader.cursors(), []);
      now += 1;
      await until('both are there', () => reader.cursors().length === 2);
    });

    it('uses the machine’s time if the clock is set to another', async () => {
      await open({ clock: { now: () => now, isSet: true } });
      const reader = await join(1);
      log.append(record(1, { appendedAt: Date.now() - 900 }), record(2, { appendedAt: Date.now() + 3_600_000 }));
      await until('the first is there', () => reader.cursors().length === 1);
    });
  });

  describe('the position', () => {
    it('begins at the newest event that is old enough', async () => {
      await open();
      await append(5, 60_000);
      await append(5, 59_999);
      const reader = await join(60);
      assert.equal(reader.text, ': connected cursor=5\nretry: 1000\nid: 5\n\n');
      now += 1;
      await until('the rest is there', () => reader.cursors().length === 5);
      assert.deepEqual(reader.cursors(), [6, 7, 8, 9, 10]);
    });

    it('is in the keep-alive and in the last frame', async () => {
      await open();
      await append(5, 61_000);
      await append(5, 15_000);
      const reader = await join(60, 3);
      now += 15_000;
      await until('a keep-alive', () => reader.text.includes('keep-alive'));
      assert.deepEqual(reader.cursors(), [4, 5]);
      assert.equal(lastId(reader.frames()), 5);
      await hub.close();
      assert.ok(reader.text.endsWith(': server-cycle; reconnect with Last-Event-Id\nid: 5\n\n'));
    });

    it('waits at a cursor that is ahead, without a gap frame', async () => {
      await open();
      await append(10, 0);
      const reader = await join(60, 7);
      const atHead = await join(60, 10);
      now += 59_999;
      await settled();
      assert.equal(atHead.text.split('\n', 1)[0], ': connected cursor=10');
      now += 1;
      await until('the rest is there', () => reader.cursors().length === 3);
      await append(1, 60_000);
      await until('the next is there', () => atHead.cursors().length === 1 && reader.cursors().length === 4);
      assert.deepEqual([reader.cursors(), atHead.cursors()], [[8, 9, 10, 11], [11]]);
      assert.ok(!(reader.text + atHead.text).includes('gap'));
    });

    it('names the delayed position in every gap frame', async () => {
      await open();
      await append(600, 61_000);
      await append(50, 0);
      assert.match((await join(60, 0)).text, /gap\ndata: {"from":500,"to":600,"reason":"limit"/);
      assert.match((await join(60, 651)).text, /gap\ndata: {"from":651,"to":600,"reason":"ahead"/);
      log.drop(620);
      await until('the floor is known', async () => (await join(0, 10)).text.includes('expired'));
      // Events up to 600 are due. That later ones were dropped becomes known when they would have been due.
      assert.match((await join(60, 10)).text, /gap\ndata: {"from":10,"to":600,"reason":"expired"/);
      assert.ok(!(await join(60, 600)).text.includes('gap'));
    });

    it('is what a reply names as the newest cursor that may be seen', async () => {
      await open();
      await append(5, 61_000);
      await append(5, 0);
      assert.deepEqual([await hub.lastDue(60), await hub.lastDue(0)], [5, Number.POSITIVE_INFINITY]);
    });
  });

  describe('a position without a stream', () => {
    for (const ringEvents of [1_000, 40])
      it(`is that of the newest event that is old enough, with ${ringEvents} events in memory`, async () => {
        await open({ ringEvents });
        await append(700, 61_000);
        await append(50, 0);
        assert.equal(await hub.lastDue(60), 700);
        now += 60_000;
        assert.equal(await hub.lastDue(60), 750);
        now -= 3_600_000;
        assert.equal(await hub.lastDue(60), 0);
      });
  });

  describe('events that the ring no longer has', () => {
    it('come from the log in pages, in order', async () => {
      await open({ ringEvents: 40 });
      await append(30, 0);
      const reader = await join(60);
      for (let batch = 0; batch < 40; batch += 1) {
        now += 100;
        await append(30);
      }
      now += 56_000;
      await until('the first are there', () => reader.cursors().length >= 30);
      now += 3_000;
      await until('more are there', () => reader.cursors().length >= 700);
      assert.ok(reader.cursors().length < 1_230, 'but not all');
      now += 60_000;
      await until('all are there', () => reader.cursors().length === 1_230);
      assert.deepEqual(reader.cursors(), upTo(0, 1_230));
    });

    it('come when the log can be read again', async () => {
      await open({ ringEvents: 40 });
      const reader = await join(60);
      await append(100);
      log.fail(true);
      now += 60_000;
      await settled();
      log.fail(false);
      await until('all are there', () => reader.cursors().length === 100);
    });

    it('are a gap once they would have been due, if the log no longer has them', async () => {
      await open({ ringEvents: 40 });
      const reader = await join(60);
      await append(50);
      now += 1_000;
      await append(50);
      log.drop(55);
      now += 59_999;
      await settled();
      assert.ok(!reader.text.includes('server-cycle'));
      now += 1;
      await until('it has to reconnect', () => reader.text.includes('server-cycle'));
      assert.equal(lastId(reader.frames()), 0);
      const again = await join(60, 0);
      await until('it goes on after the gap', () => again.cursors().length === 45);
      assert.match(again.text, /gap\ndata: {"from":0,"to":\d+,"reason":"expired"/);
      assert.deepEqual(again.cursors(), upTo(55, 100));
    });
  });

  describe('a changed delay', () => {
    const football: EventFilter = { sports: ['football'], leagues: [], types: [] };

    it('that is shorter gives what is due by now', async () => {
      await open();
      const reader = await join(60);
      await append(3, 30_000);
      await append(3, 5_000, { sport: 'tennis' });
      await append(3, 5_000);
      await reader.live.subscribeWithDelay(football, 10);
      await until('three are due', () => reader.cursors().length === 3);
      assert.equal(reader.live.delay, 10);
      now += 5_000;
      await until('the rest is due', () => reader.cursors().length === 6);
      await append(1);
      await reader.live.subscribeWithDelay(EVERYTHING, 0);
      await until('without a delay', () => reader.cursors().length === 7);
      assert.deepEqual(reader.cursors(), [1, 2, 3, 7, 8, 9, 10]);
    });

    it('that is longer holds what has not been sent, and repeats nothing', async () => {
      await open();
      const reader = await join(0);
      await append(3);
      await until('without a delay', () => reader.cursors().length === 3);
      await reader.live.subscribeWithDelay(EVERYTHING, 60);
      await append(2);
      now += 59_999;
      await settled();
      assert.deepEqual(reader.cursors(), [1, 2, 3]);
      now += 1;
      await until('the rest is due', () => reader.cursors().length === 5);
      assert.deepEqual(reader.cursors(), [1, 2, 3, 4, 5]);
    });

    it('counts after the missed events, which are sent as before', async () => {
      await open();
      await append(20, 0, { envelope: `{"a":"${'x'.repeat(20_000)}"}` });
      const slow = new Reader();
      slow.stop();
      let live: LiveConnection | null = null;
      const owner = {
        opened(one: LiveConnection) {
          live = one;
        },
        left() {},
      };
      const joined = hub.connect({ socket: slow, encoder: sseEncoder, filter: EVERYTHING, cursor: 0, links, owner });
      await until('it does not read', () => slow.writableLength > 64 * 1024);
      const changed = live!.subscribeWithDelay(EVERYTHING, 60);
      await settled();
      assert.equal(live!.delay, 0);
      slow.go();
      await Promise.all([joined, changed]);
      assert.equal(live!.delay, 60);
      await append(1);
      now += 59_999;
      await settled();
      assert.deepEqual(slow.cursors(), upTo(0, 20));
      now += 1;
      await until('the next is due', () => slow.cursors().length === 21);
    });

    it('gives a gap frame for more than 500 missed events', async () => {
      await open();
      const reader = await join(600);
      await append(700, 60_000);
      await reader.live.subscribeWithDelay(EVERYTHING, 1);
      await until('it is told', () => reader.text.includes('gap'));
      assert.match(reader.text, /gap\ndata: {"from":500,"to":700,"reason":"limit"/);
      await append(1, 2_000);
      await until('it goes on', () => reader.cursors().at(-1) === 701);
    });
  });

  it('reports as age how late an event was', async () => {
    const ages: number[] = [];
    await open({ metrics: { ...createStreamMetrics(), written: (age) => void ages.push(age) } });
    const reader = await join(60);
    await append(1, 0, { committedAt: now - 250 });
    now += 61_000;
    await until('it is there', () => reader.cursors().length === 1);
    assert.deepEqual(ages, [1.25]);
  });

  it('forgets a delay that no connection has', async () => {
    await open({ forgetDelayMs: 20 });
    await append(1);
    const reader = await join(1);
    reader.destroy();
    await until('nothing is held', () => hub.held() === 0);
    let asked = 0;
    log.delay = async () => {
      asked += 1;
    };
    await until('the log is asked for the position again', async () => {
      await settled();
      asked = 0;
      await hub.lastDue(1);
      return asked > 0;
    });
  });

  it('leaves nothing behind when its client has left', async () => {
    await open();
    const readers = [await join(60), await join(60), await join(61)];
    assert.ok(hub.held() > 0);
    await readers[0]!.live.subscribeWithDelay(EVERYTHING, 0);
    for (const reader of readers) reader.destroy();
    await until('nothing is held', () => hub.held() === 0);
  });
});
