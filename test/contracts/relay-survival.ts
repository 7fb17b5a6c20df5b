/**
 * Tests, for each adapter of the log, what must not happen when a relay dies, pauses or has a rival. Real processes are
 * killed by a signal while writers commit slowly. No row is lost, each match keeps its order, repeated events have the
 * same bytes, and cursors and change cursors only grow.
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { transaction } from '../../src/db/postgres.ts';
import type { EventLog, LogRecord } from '../../src/events/event-log.ts';
import { writeOutbox } from '../../src/events/outbox.ts';
import { addPendingChanges } from '../../src/events/pending-changes.ts';
import { eventWriter } from '../support/events.ts';
import { LONG_FORMS } from '../support/long-forms.ts';
import { randomNumbers } from '../support/random.ts';
import {
  type RelayLauncher,
  type RelayOptions,
  type RelayProcess,
  relayLauncher,
  type Strike,
} from '../support/relay-process.ts';
import { until } from '../support/until.ts';

export interface SurvivalFixture {
  /** Pool for a database with the initial relay row, empty tables and an empty log. */
  pool: pg.Pool;
  options: RelayOptions;
  /** A log that only reads. */
  log: EventLog;
  close(): Promise<void>;
}

export interface SurvivalSuite {
  open(): Promise<SurvivalFixture>;
  /** Steps in one batch, as relay-child.ts names them. */
  steps: readonly string[];
  /** Steps at which a former leader is paused. The first one is inside a transaction. */
  pauses: readonly string[];
  /** Step after which the append is in progress. */
  appending: string;
  mayRepeat: boolean;
}

/** `RELAY_SEED=7 make test` kills at different moments, and `make test-long` kills 200 times. */
const SEED = Number(process.env.RELAY_SEED ?? 1);
const MOMENTS = Number(process.env.RELAY_MOMENTS ?? (LONG_FORMS ? 200 : 20));
const MATCHES = 12;
const WRITERS = 6;
const PATIENCE_MS = 60_000;
const EVERYTHING = { records: 1_000_000, bytes: 1e9 };

export function relaySurvives(name: string, { open, steps, pauses, appending, mayRepeat }: SurvivalSuite): void {
  describe(`a relay on ${name}`, function () {
    this.timeout(120_000);
    let fixture: SurvivalFixture;
    let pool: pg.Pool;
    let launcher: RelayLauncher;
    let events: ReturnType<typeof eventWriter>;
    let matches: number[];
    let written: string[];
    let watched: ReturnType<typeof observe>;

    beforeEach(async () => {
      fixture = await open();
      ({ pool } = fixture);
      launcher = relayLauncher(fixture.options);
      events = eventWriter();
      written = [];
      matches = await transaction(pool, async (client) => {
        await client.query('SET LOCAL session_replication_role = replica');
        await client.query('TRUNCATE match, match_change CASCADE');
        const { rows } = await client.query<{ id: number }>(
          `INSERT INTO match (sport, tournament_id, season_id, home_id, away_id, scheduled_start, updated_at)
           SELECT 'football', 7, 1, 2 * n, 2 * n + 1, now(), now() FROM generate_series(1, $1) n RETURNING id`,
          [MATCHES],
        );
        return rows.map(({ id }) => id);
      });
      watched = observe();
    });
    afterEach(async () => {
      await launcher?.close();
      await watched?.stop();
      await fixture?.close();
    });

    /** Writes as ingest does: a match's state, events and pending change in one transaction, which may take a while. */
    async function write(random: () => number, count = 1 + Math.floor(random() * 3)): Promise<void> {
      const match = matches[Math.floor(random() * MATCHES)]!;
      const slow = random() * 15;
      const texts = await transaction(pool, async (client) => {
        await client.query('SELECT FROM match WHERE id = $1 FOR UPDATE', [match]);
        const rows = Array.from({ length: count }, () => events.row({ match }));
        await writeOutbox(client, rows);
        await client.query('UPDATE match SET sequence = sequence + $2, version = version + 1 WHERE id = $1', [
          match,
          count,
        ]);
        await addPendingChanges(client, [{ match_id: match, tombstone: null }]);
        await sleep(slow);
        return rows.map(({ envelope }) => envelope);
      });
      written.push(...texts);
    }

    /** Starts writers that run until they are stopped. */
    function writers(random: () => number, count = WRITERS) {
      let writing = true;
      const done = Promise.all(
        Array.from({ length: count }, async () => {
          while (writing) {
            await write(random);
            await sleep(20 + random() * 60);
          }
        }),
      );
      return async () => {
        writing = false;
        await done;
      };
    }

    /** Continuously reads the log, runs a sync client, and checks the counters. */
    function observe() {
      const records: LogRecord[] = [];
      const versions = new Map<number, number>();
      const faults: string[] = [];
      let looking = true;
      let head = 0;
      let seq = 0;
      let change = 0;
      /** Returns true if there was new data. */
      async function look(): Promise<boolean> {
        const before = records.length;
        const range = await fixture.log.range();
        if (range.head < head) faults.push(`the head went from ${head} back to ${range.head}`);
        head = range.head;
        for (const record of await fixture.log.read(records.at(-1)?.cursor ?? 0, { records: 200, bytes: 1e6 })) {
          if (record.cursor <= (records.at(-1)?.cursor ?? 0)) faults.push(`cursor ${record.cursor} came again`);
          records.push(record);
        }
        const { rows } = await pool.query<{
          seq: number;
          match_id: number | null;
          change_cursor: number;
          version: number;
        }>(
          `SELECT r.change_seq AS seq, c.match_id, c.change_cursor, m.version
           FROM relay r LEFT JOIN (match_change c JOIN match m ON m.id = c.match_id) ON c.change_cursor > $1 ORDER BY c.change_cursor`,
          [change],
        );
        if (rows[0]!.seq < seq) faults.push(`change_seq went from ${seq} back to ${rows[0]!.seq}`);
        seq = rows[0]!.seq;
        for (const { match_id, change_cursor, version } of rows) {
          if (match_id === null) continue;
          if (change_cursor > seq) faults.push(`change cursor ${change_cursor} is beyond ${seq}`);
          versions.set(match_id, version);
          change = change_cursor;
        }
        return records.length > before;
      }
      const running = (async () => {
        // After a momentary failure, tries again.
        for (; looking; await sleep(15)) await look().catch(() => {});
        while (await look());
      })();
      return {
        records,
        versions,
        faults,
        async stop() {
          looking = false;
          await running;
        },
      };
    }

    const expire = () => pool.query("UPDATE relay SET expires_at = '-infinity'");
    const generation = async () =>
      (await pool.query<{ generation: number }>('SELECT generation FROM relay')).rows[0]!.generation;
    const waiting = async () =>
      (
        await pool.query<{ open: boolean }>(
          'SELECT EXISTS (SELECT FROM outbox) OR EXISTS (SELECT FROM match_touch) AS open',
        )
      ).rows[0]!.open;

    async function begin(strike: Strike | null = null): Promise<RelayProcess> {
      const relay = await launcher.take();
      relay.begin(strike);
      return relay;
    }

    /**
     * Lets a different relay finish, and then checks that all rows have arrived.
     * @returns the number of repeated events
     */
    async function check(last?: RelayProcess): Promise<number> {
      if (last === undefined) {
        await expire();
        await begin();
      }
      await until('everything is in the log and stamped', async () => !(await waiting()), PATIENCE_MS);
      // An append by a former leader may still be on its way.
      if (mayRepeat) await sleep(300);
      await watched.stop();
      assert.deepEqual(watched.faults, []);
      const records = await fixture.log.read(0, EVERYTHING);
      // Compares lengths and the first difference, because a diff of lists this long would take too long.
      const text = (all: readonly LogRecord[]) => all.map(({ cursor, envelope }) => `${cursor} ${envelope}`);
      const [seen, kept] = [text(watched.records), text(records)];
      assert.deepEqual(
        [seen.length, seen.findIndex((one, n) => one !== kept[n])],
        [kept.length, -1],
        'a cursor names what it has always named',
      );
      const found = new Set(records.map(({ envelope }) => envelope));
      const lost = written.filter((envelope) => !found.has(envelope));
      assert.deepEqual([lost.slice(0, 3), found.size], [[], written.length]);
      const next = new Map<number, number>();
      let repeats = 0;
      for (const { matchId, envelope } of records) {
        const { sequence } = JSON.parse(envelope).data as { sequence: number };
        const expected = next.get(matchId) ?? 1;
        assert.ok(sequence <= expected, `order of match ${matchId}: ${sequence} instead of ${expected}`);
        if (sequence < expected) repeats += 1;
        else next.set(matchId, sequence + 1);
      }
      if (!mayRepeat) assert.equal(repeats, 0);
      const { rows } = await pool.query<{ id: number; version: number }>(
        'SELECT id, version FROM match WHERE version > 1',
      );
      assert.deepEqual(
        new Map([...watched.versions].sort()),
        new Map(rows.map(({ id, version }) => [id, version] as const).sort()),
      );
      return repeats;
    }

    for (const point of steps) {
      it(`can be killed ${point}, and the next relay continues without losing an event`, async () => {
        const random = randomNumbers(SEED);
        const stop = writers(random, 2);
        // Kills the relay in the first batch, in a later one, and in the batch that repairs what the killed relay has left.
        for (const nth of [1, 2, 1]) {
          await Promise.all(Array.from({ length: 6 }, () => write(random, 100)));
          await expire();
          const relay = await begin({ point, nth, signal: 'SIGKILL' });
          await relay.gone;
        }
        await stop();
        await check();
      });
    }

    it('can be killed during an append, and the next relay finds that append or repeats it', async () => {
      const random = randomNumbers(SEED);
      for (let turn = 0; turn < 12; turn += 1) {
        await write(random, 200);
        await expire();
        const relay = await begin({ point: appending, signal: 'SIGKILL', afterMs: random() * 4 });
        await relay.gone;
      }
      await check();
    });

    it(`can be killed at ${MOMENTS} random moments, seed ${SEED}`, async function () {
      this.timeout(60_000 + MOMENTS * 2_000);
      const random = randomNumbers(SEED);
      const before = await generation();
      const begun = performance.now();
      for (let moment = 0; moment < MOMENTS; moment += 1) {
        const relay = await launcher.take();
        await expire();
        const writing = Array.from({ length: WRITERS }, () => write(random));
        relay.begin(null);
        await sleep(random() * 60);
        await relay.kill();
        await Promise.all(writing);
      }
      const led = (await generation()) - before;
      const repeats = await check();
      console.log(
        `        ${written.length} events, ${led} of ${MOMENTS} relays had the lease, ${repeats} repeats, ${Math.round((performance.now() - begun) / 1_000)} s`,
      );
      assert.ok(led > MOMENTS / 4, `${led} relays had the lease`);
    });

    it('can run twice at once, with a lease that is stolen again and again', async () => {
      const random = randomNumbers(SEED + 1);
      const stop = writers(random);
      const last = await begin();
      await begin();
      for (let theft = 0; theft < 12; theft += 1) {
        await sleep(random() * 700);
        await pool.query(
          "UPDATE relay SET generation = generation + 1, holder = 'thief', expires_at = clock_timestamp() + interval '20 ms'",
        );
      }
      await stop();
      await check(last);
    });

    for (const point of pauses) {
      it(`can be paused ${point}, and does no harm when it wakes as a former leader`, async () => {
        const random = randomNumbers(SEED + 2);
        await Promise.all(Array.from({ length: 4 }, () => write(random, 50)));
        const former = await begin({ point, signal: 'SIGSTOP' });
        await former.stopped();
        // Postgres ends a session whose transaction is idle for as long as the lease lasts.
        await pool.query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'",
        );
        await expire();
        const last = await begin();
        await until('the next one leads', async () => (await generation()) >= 2, PATIENCE_MS);
        await write(random, 20);
        await until('and moves', async () => !(await waiting()), PATIENCE_MS);
        former.resume();
        for (let turn = 0; turn < 20; turn += 1) {
          await write(random, 5);
          await sleep(30);
        }
        await check(last);
      });
    }

    it('can be paused in a transaction until the lease has expired by the clock', async () => {
      const random = randomNumbers(SEED + 3);
      await write(random, 10);
      const former = await begin({ point: pauses[0]!, signal: 'SIGSTOP' });
      await former.stopped();
      const last = await begin();
      await write(random, 10);
      await until('the next one leads', async () => (await generation()) >= 2, PATIENCE_MS);
      former.resume();
      await write(random, 10);
      await check(last);
    });
  });
}
