/** Tests how the reader finds cursors, on a topic in memory, because a real Kafka cannot reproduce exact moments. */
import assert from 'node:assert/strict';
import { CursorExpired, LogAway } from '../../src/events/event-log.ts';
import { type KafkaRecord, OffsetOutOfRange } from '../../src/events/kafka-connection.ts';
import { KafkaReader } from '../../src/events/kafka-reader.ts';
import { toRecord } from '../../src/events/kafka-record.ts';
import { LogTail } from '../../src/events/log-tail.ts';
import { eventWriter } from '../support/events.ts';

const EVERYTHING = { records: 1_000, bytes: 1e9 };

describe('the Kafka reader', () => {
  let records: KafkaRecord[];
  let start: number;
  let opened: number;
  let closed: number;
  let last: number;
  let beforeLast: () => void;
  let fail: (() => Error | null) | null;
  let reader: KafkaReader;
  const events = eventWriter();

  beforeEach(() => {
    records = [];
    start = 0;
    opened = 0;
    closed = 0;
    last = 0;
    beforeLast = () => {};
    fail = null;
    reader = new KafkaReader({
      connector: {
        get: async () => {
          opened += 1;
          return connection;
        },
      },
      lastCursor: async () => {
        beforeLast();
        return last;
      },
    });
  });

  const end = () => start + records.length;
  const connection = {
    topicId: 'one',
    assertSameTopic: async () => {},
    close: () => {
      closed += 1;
    },
    bounds: async () => ({ start, end: end() }),
    offsetAt: async (time: number) => (time < end() ? time : null),
    async fetch(offset: number) {
      const error = fail?.();
      if (error) throw error;
      if (offset < start || offset > end()) throw new OffsetOutOfRange();
      return { records: records.slice(offset - start), start, end: end() };
    },
  };
  /** Appends as the relay does, first to the topic and then to the relay's row. */
  function append(count: number, base = 0): void {
    for (let added = 0; added < count; added += 1) {
      const row = { id: end() + 1, traceparent: null, committed_at: 0, ...events.row({}) };
      records.push({ ...toRecord(row, { installation: 'own', generation: 1, base }), offset: end(), timestamp: 0 });
    }
    last = base + end();
  }
  const cursors = async (after: number) => (await reader.read(after, EVERYTHING)).map(({ cursor }) => cursor);

  for (const call of [1, 2, 3]) {
    it(`does not take a topic’s first events for deleted ones if they are appended during request ${call} for the last cursor`, async () => {
      let calls = 0;
      beforeLast = () => {
        calls += 1;
        if (calls === call) append(8);
      };
      // A read finds either no records or all 8, since it may come before the append.
      assert.ok([0, 8].includes((await cursors(0)).length));
      assert.deepEqual(await reader.range(), { head: 8, oldest: 0 });
      assert.deepEqual(await cursors(0), [1, 2, 3, 4, 5, 6, 7, 8]);
    });
  }

  it('gives the last cursor as end and as oldest cursor if all the topic’s records were deleted', async () => {
    append(12);
    start = end();
    records = [];
    assert.deepEqual(await reader.range(), { head: 12, oldest: 12 });
    assert.deepEqual(await cursors(12), []);
    await assert.rejects(cursors(11), (error) => error instanceof CursorExpired && error.oldest === 12);
  });

  it('finds the cursor for a time even if the base was raised in between', async () => {
    append(5);
    append(5, 40);
    // In this topic, a record's time equals its offset.
    assert.equal(await reader.cursorBefore(0), 0);
    assert.equal(await reader.cursorBefore(4), 4);
    assert.equal(await reader.cursorBefore(6), 46);
    assert.equal(await reader.cursorBefore(10), 50);
    start = 3;
    records = records.slice(3);
    assert.equal(await reader.cursorBefore(1), 3);
  });

  it('finds the position of every cursor even if the base was raised in between', async () => {
    append(5);
    append(5, 40);
    const all = [1, 2, 3, 4, 5, 46, 47, 48, 49, 50];
    for (let after = 0; after <= 51; after += 1) {
      assert.deepEqual(
        await cursors(after),
        all.filter((cursor) => cursor > after),
        `after ${after}`,
      );
    }
  });

  describe('the newest records in the watcher’s memory', () => {
    let tail: LogTail<KafkaRecord>;
    let fetched: number[];
    let following: KafkaReader;
    const page = (from: number, to = end()) => records.slice(from - start, to - start);
    const read = async (after: number) => {
      fetched = [];
      return (await following.read(after, EVERYTHING)).map(({ cursor }) => cursor);
    };
    beforeEach(async () => {
      tail = new LogTail(
        ({ offset }) => offset,
        ({ value }) => value,
      );
      fetched = [];
      const counted = {
        ...connection,
        fetch: (offset: number) => {
          fetched.push(offset);
          return connection.fetch(offset);
        },
      };
      following = new KafkaReader({ connector: { get: async () => counted }, lastCursor: async () => last, tail });
      append(10, 5);
      assert.equal((await read(5)).length, 10);
    });

    it('are read without a fetch, from any record on', async () => {
      append(2, 5);
      tail.add(page(10));
      append(1, 5);
      tail.add(page(12));
      for (const after of [15, 16, 17]) {
        assert.deepEqual(
          await read(after),
          [16, 17, 18].filter((cursor) => cursor > after),
        );
        assert.deepEqual(fetched, []);
      }
      assert.deepEqual(await read(14), [15, 16, 17, 18]);
      assert.deepEqual(fetched, [9]);
    });

    it('are not used after a gap or with another base', async () => {
      append(6, 5);
      tail.add(page(10, 12));
      tail.add(page(14));
      assert.deepEqual(await read(15), [16, 17, 18, 19, 20, 21]);
      assert.notDeepEqual(fetched, []);
      assert.deepEqual(await read(19), [20, 21]);
      assert.deepEqual(fetched, []);
      append(2, 40);
      tail.add(page(16));
      assert.deepEqual(await read(21), [57, 58]);
      assert.notDeepEqual(fetched, []);
    });

    it('start again at a gap, even inside one fetch', () => {
      tail.add([1, 2, 5, 6].map((offset) => ({ offset, key: '1', value: '{}', headers: {}, timestamp: 0 })));
      const held = (from: number) => tail.from(from).map(({ offset }) => offset);
      assert.deepEqual([1, 2, 5, 6, 7].map(held), [[], [], [5, 6], [6], []]);
    });

    it('take about a megabyte', () => {
      const value = 'x'.repeat(100_000);
      for (let offset = 0; offset < 1_000; offset += 1)
        tail.add([{ offset, key: '1', value, headers: {}, timestamp: 0 }]);
      const held = Array.from({ length: 1_000 }, (_, offset) => tail.from(offset)).filter(({ length }) => length > 0);
      assert.ok(held.length >= 1 && held.length <= 12, `${held.length}`);
      assert.equal(held[0]!.at(-1)!.offset, 999);
      assert.deepEqual(tail.from(1_000), []);
    });
  });

  it('repeats a failed read once on a new connection', async () => {
    append(2);
    let failures = 1;
    fail = () => (failures-- > 0 ? new Error('lost') : null);
    assert.deepEqual(await cursors(0), [1, 2]);
    assert.deepEqual([opened, closed], [2, 1]);
  });

  it('reports that the log is unavailable if a read fails twice', async () => {
    append(2);
    fail = () => new Error('lost');
    await assert.rejects(cursors(0), LogAway);
    assert.deepEqual([opened, closed], [2, 2]);
  });
});
