import assert from 'node:assert/strict';
import { type Follower, followLog } from '../../src/events/follower.ts';
import { createRing, type Ring } from '../../src/events/ring.ts';
import { record } from '../support/events.ts';
import { type MemoryLog, memoryLog } from '../support/memory-log.ts';
import { until } from '../support/until.ts';

const EVERY_MS = 60;

describe('the follower', () => {
  let log: MemoryLog;
  let ring: Ring;
  let follower: Follower | undefined;
  /** For each page, its time, and the ring's length at that time. */
  let pages: { at: number; end: number }[];
  let gaps: number;
  let logged: string[];
  let onEntries: () => Promise<void>;

  beforeEach(() => {
    log = memoryLog();
    ring = createRing(0, 5_000);
    pages = [];
    gaps = 0;
    logged = [];
    onEntries = async () => {};
  });
  afterEach(() => follower?.stop());

  const note = (level: string) => (details: unknown, text?: string) => void logged.push(`${level}: ${text ?? details}`);
  async function follow(): Promise<void> {
    follower = await followLog({
      log,
      ring,
      capacity: 5_000,
      everyMs: EVERY_MS,
      logger: { error: note('error'), warn: note('warn'), info: note('info') },
      onEntries: async () => {
        pages.push({ at: performance.now(), end: ring.end() });
        await onEntries();
      },
      onGap: async () => {
        gaps += 1;
      },
    });
  }
  const records = (from: number, count: number, bytes = 60) =>
    Array.from({ length: count }, (_, index) => record(from + index, {}, bytes));

  it('has read the log up to its end when it opens', async () => {
    log.append(...records(1, 2_500));
    await follow();
    assert.equal(ring.end(), 2_500);
    assert.deepEqual(
      pages.map(({ end }) => end),
      [1_000, 2_000, 2_500],
    );
  });

  it('reads the first event after a quiet time at once', async () => {
    await follow();
    const begun = performance.now();
    log.append(record(1));
    await until('it is in the ring', () => ring.end() === 1);
    assert.ok(pages[0]!.at - begun < EVERY_MS / 2, `${pages[0]!.at - begun} ms`);
  });

  it('puts events that arrive too quickly for its pace into the next page', async () => {
    await follow();
    log.append(record(1));
    await until('it is in the ring', () => ring.end() === 1);
    for (let cursor = 2; cursor <= 9; cursor += 1) {
      log.append(record(cursor));
      await new Promise(setImmediate);
    }
    await until('all are in the ring', () => ring.end() === 9);
    assert.deepEqual(
      pages.map(({ end }) => end),
      [1, 9],
    );
    const gap = pages[1]!.at - pages[0]!.at;
    assert.ok(gap >= EVERY_MS - 2, `${gap} ms`);
  });

  it('reads the next page without being called if a page may have left records unread', async () => {
    await follow();
    log.appendUnseen(...records(1, 1_500));
    log.show();
    await until('all are in the ring', () => ring.end() === 1_500);
    assert.deepEqual(
      pages.map(({ end }) => end),
      [1_000, 1_500],
    );
  });

  it('reads the next page without being called if large envelopes have filled a page', async () => {
    await follow();
    log.append(...records(1, 200, 64 * 1024));
    await until('all are in the ring', () => ring.end() === 200);
    assert.equal(pages.length, 2);
    assert.ok(pages[0]!.end >= 128 && pages[0]!.end < 200, `${pages[0]!.end} in the first page`);
  });

  it('adds no entries to the ring while new entries are being handled', async () => {
    await follow();
    let done: () => void = () => {};
    onEntries = () =>
      new Promise((resolve) => {
        done = resolve;
      });
    log.append(record(1));
    await until('it is in the ring', () => pages.length === 1);
    let reads = 0;
    log.delay = async () => {
      reads += 1;
    };
    log.append(record(2));
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS + 20));
    assert.deepEqual([reads, ring.end()], [0, 1]);
    onEntries = async () => {};
    done();
    await until('the next one is in the ring', () => ring.end() === 2);
  });

  it('continues the ring after events that were deleted before they were read', async () => {
    await follow();
    log.append(record(1));
    await until('it is in the ring', () => ring.end() === 1);
    log.appendUnseen(...records(2, 10));
    log.drop(8);
    log.show();
    await until('the rest is in the ring', () => ring.cursorBefore(ring.end()) === 11);
    assert.equal(gaps, 1);
    assert.equal(ring.indexAfter(1), null);
    assert.deepEqual(logged, ['warn: events were dropped from the log before they were read, continuing after them']);
  });

  it('logs an event log outage once, and its recovery once', async () => {
    await follow();
    log.fail(true);
    for (let call = 0; call < 5; call += 1) {
      log.append(record(call + 1));
      await new Promise(setImmediate);
    }
    log.fail(false);
    log.wake();
    await until('all are in the ring', () => ring.end() === 5);
    await until('its end is logged', () => logged.length === 2);
    assert.deepEqual(logged, [
      'error: reading the event log failed, retrying',
      'info: reading the event log works again',
    ]);
  });

  it('reads no more records and has no listener once it is stopped', async () => {
    await follow();
    await follower!.stop();
    assert.equal(log.listeners(), 0);
    log.append(record(1));
    assert.equal(ring.end(), 0);
  });
});
