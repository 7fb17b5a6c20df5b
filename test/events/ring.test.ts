import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { LogRecord } from '../../src/events/event-log.ts';
import { createRing, RING_BYTES, RING_EVENTS, type Ring } from '../../src/events/ring.ts';
import { record } from '../support/events.ts';

const kept = (ring: Ring) =>
  Array.from({ length: ring.end() - ring.start() }, (_, offset) => ring.at(ring.start() + offset).cursor);
const records = (...cursors: number[]) => cursors.map((cursor) => record(cursor));

describe('the ring', () => {
  it('starts empty at its origin', () => {
    const ring = createRing(40);
    assert.deepEqual([ring.start(), ring.end(), ring.cursorBefore(0)], [0, 0, 40]);
    assert.equal(ring.indexAfter(40), 0);
    assert.equal(ring.indexAfter(99), 0);
    assert.equal(ring.indexAfter(39), null);
  });

  it('keeps the newest events, and knows the cursor before the oldest', () => {
    const ring = createRing(0, 3);
    ring.append(records(1, 2, 5));
    assert.equal(ring.indexAfter(0), 0);
    ring.append(records(6, 9));
    assert.deepEqual(kept(ring), [5, 6, 9]);
    assert.deepEqual([ring.start(), ring.end()], [2, 5]);
    assert.equal(ring.cursorBefore(2), 2);
    assert.equal(ring.cursorBefore(5), 9);
    assert.equal(ring.indexAfter(1), null);
    assert.equal(ring.indexAfter(2), 2);
    assert.equal(ring.indexAfter(4), 2);
    assert.equal(ring.indexAfter(5), 3);
    assert.equal(ring.indexAfter(9), 5);
    assert.equal(ring.indexAfter(100), 5);
  });

  it('keeps no more bytes than it may, counted in UTF-8, but always the newest event', () => {
    const bytes = 100 * 1024;
    const ring = createRing(0, 1_000, bytes);
    const large = (cursor: number, letter: string) => ({
      ...record(cursor),
      envelope: `"${letter.repeat(10 * 1024)}"`,
    });
    for (let cursor = 1; cursor <= 20; cursor += 1) ring.append([large(cursor, 'x')]);
    // The text and its frame.
    assert.deepEqual(kept(ring), [17, 18, 19, 20]);
    for (let cursor = 21; cursor <= 40; cursor += 1) ring.append([large(cursor, 'Ж')]);
    assert.deepEqual(kept(ring), [39, 40]);
    ring.append([{ ...record(41), envelope: 'x'.repeat(bytes) }]);
    assert.deepEqual(kept(ring), [41]);
    ring.append(records(42, 43));
    assert.deepEqual(kept(ring), [42, 43]);
  });

  it('has the size that the design gives', () => {
    assert.deepEqual([RING_EVENTS, RING_BYTES], [65_536, 67_108_864]);
  });

  it('goes on behind a hole, where no reader of before finds its place', () => {
    const ring = createRing(0, 10);
    ring.append(records(1, 2, 3));
    const before = ring.end();
    ring.restart(50);
    assert.ok(ring.start() > before);
    assert.equal(ring.indexAfter(3), null);
    assert.equal(ring.indexAfter(50), ring.start());
    assert.equal(ring.cursorBefore(ring.end()), 50);
    ring.append(records(51, 52));
    assert.deepEqual(kept(ring), [51, 52]);
    assert.equal(ring.cursorBefore(ring.end()), 52);
  });

  it('is the tail of everything appended, and finds every place in it', () => {
    const gap = fc.integer({ min: 1, max: 4 });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 8 }),
        fc.array(fc.array(gap, { maxLength: 12 }), { maxLength: 8 }),
        (size, pages) => {
          const ring = createRing(5, size);
          const all: LogRecord[] = [];
          let cursor = 5;
          for (const page of pages) {
            const next = page.map((step) => {
              cursor += step;
              return record(cursor);
            });
            all.push(...next);
            ring.append(next);
            const tail = all.slice(-size).map((one) => one.cursor);
            const dropped = all.length > size ? all[all.length - size - 1]!.cursor : 5;
            assert.deepEqual(kept(ring), tail);
            assert.equal(ring.end(), all.length);
            assert.equal(ring.cursorBefore(ring.start()), dropped);
            for (let place = 0; place <= cursor + 1; place += 1) {
              const index = ring.indexAfter(place);
              if (place < dropped) assert.equal(index, null);
              else
                assert.deepEqual(
                  kept(ring).slice(index! - ring.start()),
                  tail.filter((one) => one > place),
                );
            }
          }
        },
      ),
    );
  });
});
