import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { LogRecord } from '../../src/events/event-log.ts';
import { createRing, type Ring } from '../../src/events/ring.ts';
import { record } from '../support/events.ts';

const cursors = (ring: Ring) =>
  Array.from({ length: ring.end() - ring.start() }, (_, offset) => ring.at(ring.start() + offset).cursor);
const records = (...cursors: number[]) => cursors.map((cursor) => record(cursor));

describe('the ring', () => {
  it('starts empty at its first cursor', () => {
    const ring = createRing(40);
    assert.deepEqual([ring.start(), ring.end(), ring.cursorBefore(0)], [0, 0, 40]);
    assert.equal(ring.indexAfter(40), 0);
    assert.equal(ring.indexAfter(99), 0);
    assert.equal(ring.indexAfter(39), null);
  });

  it('has the newest events, and knows the cursor before the oldest one', () => {
    const ring = createRing(0, 3);
    ring.append(records(1, 2, 5));
    assert.equal(ring.indexAfter(0), 0);
    ring.append(records(6, 9));
    assert.deepEqual(cursors(ring), [5, 6, 9]);
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

  it('stays within the byte limit in UTF-8, but always has the newest event', () => {
    const bytes = 100 * 1024;
    const ring = createRing(0, 1_000, bytes);
    const large = (cursor: number, letter: string) => ({
      ...record(cursor),
      envelope: `"${letter.repeat(10 * 1024)}"`,
    });
    for (let cursor = 1; cursor <= 20; cursor += 1) ring.append([large(cursor, 'x')]);
    assert.deepEqual(cursors(ring), [12, 13, 14, 15, 16, 17, 18, 19, 20]);
    for (let cursor = 21; cursor <= 40; cursor += 1) ring.append([large(cursor, 'Ж')]);
    assert.deepEqual(cursors(ring), [37, 38, 39, 40]);
    ring.append([{ ...record(41), envelope: 'x'.repeat(bytes) }]);
    assert.deepEqual(cursors(ring), [41]);
    ring.append(records(42, 43));
    assert.deepEqual(cursors(ring), [42, 43]);
  });

  it('has at most 65,536 events and 64 MiB', () => {
    const small = createRing(0);
    small.append(records(...Array.from({ length: 65_600 }, (_, index) => index + 1)));
    assert.equal(small.end() - small.start(), 65_536);
    const large = createRing(0);
    const largest = { ...record(1), envelope: 'x'.repeat(64 * 1024) };
    for (let cursor = 1; cursor <= 600; cursor += 1) large.append([{ ...largest, cursor }]);
    for (let cursor = 601; cursor <= 1_200; cursor += 1) large.append([{ ...largest, cursor }]);
    // The limit has room for slightly fewer than 1,024 events, since the objects around the texts need memory too.
    assert.equal(large.end() - large.start(), 1_020);
  });

  it('returns each event as it was appended', () => {
    const ring = createRing(0, 5_000);
    const long = (cursor: number) => 'Жx'.repeat((cursor * 37) % 400);
    const all = Array.from({ length: 6_000 }, (_, index) => ({
      ...record(index + 1, { envelope: `{"a":"${long(index)}"}`, type: index % 2 ? 'match.goal' : 'match.started' }),
      traceparent: index % 3 === 0 ? `00-${index}` : null,
      committedAt: index % 5 === 0 ? null : index + 0.5,
      appendedAt: index + 0.75,
    }));
    for (let from = 0; from < all.length; from += 7) ring.append(all.slice(from, from + 7));
    for (let index = ring.start(); index < ring.end(); index += 1) {
      const { bytes, cursor, matchId, sport, tournamentId, type, envelope, ...rest } = ring.at(index);
      const { traceparent, committedAt, appendedAt } = rest;
      const times = { committedAt, appendedAt };
      assert.deepEqual({ cursor, matchId, sport, tournamentId, type, envelope, traceparent, ...times }, all[index]);
      assert.equal(bytes, Buffer.byteLength(all[index]!.envelope));
    }
    const huge = `"${'x'.repeat(300 * 1024)}"`;
    ring.append([record(7_000, { envelope: huge }), record(7_001)]);
    assert.deepEqual([ring.at(6_000).envelope, ring.at(6_001).envelope], [huge, record(7_001).envelope]);
  });

  it('shares the entries of another ring', () => {
    const [ring, later] = [createRing(0, 5), createRing(0, 3)];
    ring.append([1, 2, 3, 4].map((cursor) => record(cursor)));
    later.append([1, 2, 3, 4].map((cursor) => ring.at(cursor - 1)));
    assert.deepEqual([later.start(), later.end()], [1, 4]);
    for (const index of [1, 2, 3]) assert.equal(later.at(index), ring.at(index));
    ring.append([5, 6, 7, 8, 9].map((cursor) => record(cursor)));
    assert.equal(later.at(1).envelope, record(2).envelope);
  });

  it('continues after a gap, and finds no position before the gap', () => {
    const ring = createRing(0, 10);
    ring.append(records(1, 2, 3));
    const before = ring.end();
    ring.restart(50);
    assert.ok(ring.start() > before);
    assert.equal(ring.indexAfter(3), null);
    assert.equal(ring.indexAfter(50), ring.start());
    assert.equal(ring.cursorBefore(ring.end()), 50);
    ring.append(records(51, 52));
    assert.deepEqual(cursors(ring), [51, 52]);
    assert.equal(ring.cursorBefore(ring.end()), 52);
  });

  it('always has the newest of all appended events, and finds every position among them', () => {
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
            assert.deepEqual(cursors(ring), tail);
            assert.equal(ring.end(), all.length);
            assert.equal(ring.cursorBefore(ring.start()), dropped);
            for (let after = 0; after <= cursor + 1; after += 1) {
              const index = ring.indexAfter(after);
              if (after < dropped) assert.equal(index, null);
              else
                assert.deepEqual(
                  cursors(ring).slice(index! - ring.start()),
                  tail.filter((one) => one > after),
                );
            }
          }
        },
      ),
    );
  });
});
