/**
 * What every adapter of the event log guarantees to readers and to the relay. Each adapter's test calls this with a
 * function that opens it. An event may be repeated (same envelope, same bytes), because an append that was not answered
 * may be repeated.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import type pg from 'pg';
import { LeaseLost } from '../../src/db/lease.ts';
import { transaction } from '../../src/db/postgres.ts';
import { CursorExpired, type EventLog, type LogRecord, type LogWriter } from '../../src/events/event-log.ts';
import { type OutboxRow, writeOutbox } from '../../src/events/outbox.ts';
import { relayLease } from '../../src/events/relay-lease.ts';
import { eventWriter, type Sketch } from '../support/events.ts';
import { until } from '../support/until.ts';

export interface LogBench {
  /** Pool for the outbox, and for the relay's row. */
  pool: pg.Pool;
  log: EventLog & LogWriter;
  /** Opens the same log, as a second process would. */
  openAnother(): Promise<EventLog & LogWriter>;
  close(): Promise<void>;
}

const EVERYTHING = { records: 100_000, bytes: 1e9 };

export function eventLogContract(name: string, open: () => Promise<LogBench>): void {
  describe(`the event log: ${name}`, () => {
    let bench: LogBench;
    let log: EventLog & LogWriter;
    let lease: number;
    let events: ReturnType<typeof eventWriter>;
    beforeEach(async () => {
      bench = await open();
      ({ log } = bench);
      events = eventWriter();
      lease = await nextLeader();
    });
    afterEach(() => bench.close());

    /** Lets the former leader's lease expire, and takes it. */
    async function nextLeader(): Promise<number> {
      const generation = await transaction(bench.pool, async (client) => {
        await client.query("UPDATE relay SET expires_at = '-infinity'");
        return relayLease.take(client, 'test');
      });
      assert.ok(generation !== null);
      return generation;
    }
    const write = (...sketches: Sketch[]) => events.write(bench.pool, sketches);
    const writeRaw = (rows: OutboxRow[]) => writeOutbox(bench.pool, rows);
    const raw = (envelope: string): OutboxRow => ({ ...events.row({}), envelope });
    async function moveAll(): Promise<number[]> {
      const batches: number[] = [];
      for (let moved = await log.move(lease); moved > 0; moved = await log.move(lease)) batches.push(moved);
      return batches;
    }
    async function readAll(from = 0): Promise<LogRecord[]> {
      const found: LogRecord[] = [];
      for (;;) {
        const page = await log.read(found.at(-1)?.cursor ?? from, { records: 7, bytes: 1e9 });
        if (page.length === 0) return found;
        found.push(...page);
      }
    }
    const envelopes = (records: readonly LogRecord[]) => records.map(({ envelope }) => envelope);
    function assertAscending(records: readonly LogRecord[]): void {
      for (const [index, { cursor }] of records.entries()) {
        assert.ok(Number.isSafeInteger(cursor) && cursor > (records[index - 1]?.cursor ?? 0), `cursor ${cursor}`);
      }
    }
    const waiting = async () => Number((await bench.pool.query('SELECT count(*) FROM outbox')).rows[0].count);

    describe('order and reading', () => {
      it('a new log is empty', async () => {
        assert.deepEqual(await log.range(), { head: 0, oldest: 0 });
        assert.deepEqual(await log.read(0, EVERYTHING), []);
        assert.equal(await log.move(lease), 0);
      });

      it('events reach the log in outbox order, and leave the outbox', async () => {
        const written: string[] = [];
        for (let batch = 0; batch < 5; batch += 1) {
          written.push(...(await write({ match: 1 }, { match: 2 }, { match: 1, type: 'match.card' })));
          if (batch % 2 === 0) await moveAll();
        }
        await moveAll();
        const records = await readAll();
        assert.deepEqual(envelopes(records), written);
        assertAscending(records);
        assert.equal((await log.range()).head, records.at(-1)!.cursor);
        assert.equal(await waiting(), 0);
      });

      it('a record has the columns that filters need', async () => {
        await write({ match: 9, sport: 'ice-hockey', tournament: 12, type: 'match.penalty_missed' });
        await moveAll();
        const [{ matchId, sport, tournamentId, type } = {} as LogRecord] = await readAll();
        assert.deepEqual([matchId, sport, tournamentId, type], [9, 'ice-hockey', 12, 'match.penalty_missed']);
      });

      it('a record has the commit time', async () => {
        await write({ match: 9 });
        const sql = 'SELECT (extract(epoch FROM created_at) * 1000)::float8 AS at FROM outbox';
        const [row] = (await bench.pool.query<{ at: number }>(sql)).rows;
        await moveAll();
        const [record] = await readAll();
        assert.equal(record!.committedAt, row!.at);
      });

      it('a record has the time at which it was appended, however it is read', async () => {
        const seen: LogRecord[] = [];
        const other = await bench.openAnother();
        const stop = other.onAppend(() => void other.read(0, EVERYTHING).then((records) => seen.push(...records)));
        const before = Date.now();
        await write({ match: 9 });
        await moveAll();
        const after = Date.now();
        const [record] = await readAll();
        await until('another process has read it', () => seen.length > 0);
        stop();
        await other.close();
        for (const { appendedAt, committedAt } of [record!, seen[0]!]) {
          assert.ok(before <= appendedAt && appendedAt <= after + 1, `${before} <= ${appendedAt} <= ${after}`);
          assert.ok(committedAt! <= appendedAt + 1);
        }
      });

      it('a read can start after any cursor, and finds nothing after the end', async () => {
        const written = await write(...Array.from({ length: 20 }, () => ({})));
        await moveAll();
        const records = await readAll();
        for (const [index, { cursor }] of records.entries()) {
          assert.deepEqual(envelopes(await log.read(cursor, EVERYTHING)), written.slice(index + 1));
        }
        assert.deepEqual(await log.read(records.at(-1)!.cursor + 1_000, EVERYTHING), []);
      });

      it('a read is limited in records and bytes, but returns at least one record', async () => {
        const written = await write(...Array.from({ length: 10 }, () => ({ name: 'Ж'.repeat(500) })));
        await moveAll();
        const size = Buffer.byteLength(written[0]!);
        const read = async (records: number, bytes: number) => (await log.read(0, { records, bytes })).length;
        assert.equal(await read(4, 1e9), 4);
        assert.equal(await read(100, 3 * size), 3);
        assert.equal(await read(100, 3 * size - 1), 2);
        assert.equal(await read(100, 1), 1);
        assert.equal(await read(1, 1), 1);
      });

      it('a reader always sees the beginning of what a concurrent writer writes, without gaps that fill later', async () => {
        const written: string[] = [];
        let done = false;
        const writing = (async () => {
          for (let batch = 0; batch < 25; batch += 1) {
            written.push(...(await write(...Array.from({ length: 8 }, (_, index) => ({ match: index })))));
            await log.move(lease);
          }
          done = true;
        })();
        const seen: LogRecord[] = [];
        for (let last = false; ; ) {
          const page = await log.read(seen.at(-1)?.cursor ?? 0, { records: 5, bytes: 1e9 });
          seen.push(...page);
          if (page.length > 0) continue;
          if (last) break;
          last = done;
        }
        await writing;
        assert.deepEqual(envelopes(seen), written);
        assertAscending(seen);
      });
    });

    describe('bytes', () => {
      it('an envelope is stored byte for byte', async () => {
        const texts = [
          '{"b":1,"a":2}',
          '{ "spaced" :  [1 , 2] }\t',
          '{"n":9007199254740993,"m":1.0,"e":1e2,"z":-0}',
          '{"t":"\\u0041\\/\\n","q":"\\"\\\\"}',
          '{"t":"Спартак — Zürich 😀 e\u0301 \u2028 \u202e \ufeff"}',
          '{"dup":1,"dup":2,"__proto__":3}',
        ];
        await writeRaw(texts.map(raw));
        await moveAll();
        assert.deepEqual(envelopes(await readAll()), texts);
      });

      it('any JSON is stored unchanged', async () => {
        await fc.assert(
          fc.asyncProperty(
            fc.array(fc.json({ stringUnit: 'binary' }), { minLength: 1, maxLength: 20 }),
            async (texts) => {
              const { head } = await log.range();
              // Leaves out texts with a lone surrogate, which UTF-8 cannot encode. The feed refuses them.
              const valid = texts.filter((text) => text.isWellFormed() && !text.includes('\0'));
              await writeRaw(valid.map(raw));
              await moveAll();
              assert.deepEqual(envelopes(await readAll(head)), valid);
            },
          ),
          { numRuns: 25 },
        );
      });
    });

    describe('batches', () => {
      it('a batch has at most 500 records', async () => {
        const written = await write(...Array.from({ length: 1_201 }, () => ({})));
        assert.deepEqual(await moveAll(), [500, 500, 201]);
        assert.deepEqual(envelopes(await readAll()), written);
      });

      it('a batch has at most 512 KiB of envelopes, in UTF-8', async () => {
        // Each text has 60 KiB in UTF-8, and half as many characters.
        const texts = Array.from({ length: 20 }, (_, index) => `"${index % 10}${'Ж'.repeat(30 * 1024)}"`);
        await writeRaw(texts.map(raw));
        assert.deepEqual(await moveAll(), [8, 8, 4]);
        assert.deepEqual(envelopes(await readAll()), texts);
      });

      it('an envelope larger than a batch is written alone', async () => {
        const texts = ['"before"', `"${'x'.repeat(600 * 1024)}"`, `"${'y'.repeat(600 * 1024)}"`, '"after"'];
        await writeRaw(texts.map(raw));
        assert.deepEqual(await moveAll(), [1, 1, 1, 1]);
        assert.deepEqual(envelopes(await readAll()), texts);
      });
    });

    describe('wake-up', () => {
      it('a reader in the same process is called when records are appended', async () => {
        await write({});
        let calls = 0;
        const reads: Promise<LogRecord[]>[] = [];
        const stop = log.onAppend(() => {
          calls += 1;
          reads.push(log.read(0, EVERYTHING));
        });
        await log.move(lease);
        assert.ok(calls > 0);
        stop();
        // Reads of an earlier poll may have been answered too, so only the last one counts.
        assert.equal((await Promise.all(reads)).at(-1)!.length, 1);
        const before = calls;
        await write({});
        await log.move(lease);
        assert.equal(calls, before);
      });

      it('a reader in another process is called soon afterwards', async () => {
        const other = await bench.openAnother();
        try {
          await write({});
          await log.move(lease);
          const woken = new EventTarget();
          const stop = other.onAppend(() => woken.dispatchEvent(new Event('append')));
          await once(woken, 'append');
          stop();
          assert.equal((await other.read(0, EVERYTHING)).length, 1);
        } finally {
          await other.close();
        }
      });

      it('no reader is called after the log is closed', async () => {
        const other = await bench.openAnother();
        let calls = 0;
        other.onAppend(() => {
          calls += 1;
        });
        await other.close();
        await sleep(150);
        assert.equal(calls, 0);
      });
    });

    describe('writers', () => {
      it('a writer without the lease neither writes nor deletes', async () => {
        const written = await write({}, {});
        const next = await nextLeader();
        await assert.rejects(log.move(lease), LeaseLost);
        await assert.rejects(log.prune(lease, new Date(Date.now() + 3_600_000)), LeaseLost);
        assert.equal(await waiting(), 2);
        assert.deepEqual(await readAll(), []);
        lease = next;
        await moveAll();
        assert.deepEqual(envelopes(await readAll()), written);
      });

      it('two writers, one of which loses the lease in between, lose no event and keep the order', async () => {
        const written: string[] = [];
        const other = await bench.openAnother();
        try {
          let producing = true;
          let leaseLost = false;
          const producer = (async () => {
            for (let batch = 0; batch < 40 || !leaseLost; batch += 1) {
              written.push(...(await write(...Array.from({ length: 5 }, (_, index) => ({ match: index })))));
            }
            producing = false;
          })();
          const lead = async (writer: LogWriter, generation: number) => {
            try {
              for (;;)
                if ((await writer.move(generation)) === 0 && !producing && (await waiting()) === 0) return 'done';
            } catch (error) {
              if (error instanceof LeaseLost) return 'lost';
              throw error;
            }
          };
          const first = lead(log, lease);
          await sleep(20);
          const second = lead(other, await nextLeader());
          leaseLost = true;
          assert.deepEqual([await first, await second], ['lost', 'done']);
          await producer;
          const records = await readAll();
          assertAscending(records);
          assert.deepEqual([...new Set(envelopes(records))], written);
        } finally {
          await other.close();
        }
      });

      it('a writer that is called several times at once moves each row only once', async () => {
        const written = await write(...Array.from({ length: 900 }, () => ({})));
        const moved = await Promise.all([log.move(lease), log.move(lease), log.move(lease)]);
        assert.equal(
          moved.reduce((sum, count) => sum + count, 0),
          900,
        );
        assert.deepEqual(envelopes(await readAll()), written);
      });
    });

    describe('retention', () => {
      it('older records are deleted, and a reader before them gets an error with the oldest cursor', async () => {
        await write({}, {}, {});
        await moveAll();
        const old = await readAll();
        await sleep(5);
        const boundary = new Date((await bench.pool.query('SELECT clock_timestamp() AS now')).rows[0].now);
        await sleep(5);
        const young = await write({}, {});
        await moveAll();
        const { head } = await log.range();

        assert.equal(await log.prune(lease, boundary), 3);
        assert.equal(await log.prune(lease, boundary), 0);
        const { oldest } = await log.range();
        assert.equal(oldest, old.at(-1)!.cursor);
        assert.equal((await log.range()).head, head);
        assert.deepEqual(envelopes(await log.read(oldest, EVERYTHING)), young);
        for (const { cursor } of [{ cursor: 0 }, ...old.slice(0, -1)]) {
          await assert.rejects(log.read(cursor, EVERYTHING), (error) => {
            assert.ok(error instanceof CursorExpired);
            assert.equal(error.oldest, oldest);
            return true;
          });
        }
      });

      it('a time can be translated into the cursor after which the events since that time begin', async () => {
        const now = async () =>
          new Date((await bench.pool.query('SELECT clock_timestamp() AS now')).rows[0].now).getTime();
        const before = await now();
        const times: number[] = [];
        const heads: number[] = [];
        for (let part = 0; part < 4; part += 1) {
          await sleep(5);
          times.push(await now());
          heads.push((await log.range()).head);
          await sleep(5);
          await write(...Array.from({ length: 1 + 2 * part }, () => ({})));
          await moveAll();
        }
        await sleep(5);
        const { head } = await log.range();
        for (const [part, time] of times.entries()) assert.equal(await log.cursorBefore(time), heads[part]);
        assert.equal(await log.cursorBefore(before - 3_600_000), 0);
        assert.equal(await log.cursorBefore(await now()), head);
        await log.prune(lease, new Date(times[2]!));
        const { oldest } = await log.range();
        assert.equal(await log.cursorBefore(times[1]!), oldest);
        assert.equal(await log.cursorBefore(times[3]!), heads[3]);
      });

      it('cursors continue upwards after all records were deleted', async () => {
        await write({}, {});
        await moveAll();
        const { head } = await log.range();
        assert.equal(await log.prune(lease, new Date(Date.now() + 3_600_000)), 2);
        assert.deepEqual(await log.range(), { head, oldest: head });
        assert.deepEqual(await log.read(head, EVERYTHING), []);
        const [next] = await write({});
        await moveAll();
        const [record] = await log.read(head, EVERYTHING);
        assert.equal(record!.envelope, next);
        assert.ok(record!.cursor > head);
      });
    });
  });
}
