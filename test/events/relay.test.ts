import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { addPendingChanges as touchMatches, writeOutbox } from '../../src/apply/store.ts';
import { openPool, transaction } from '../../src/db/postgres.ts';
import { LeaseLost, type LogWriter, RETENTION_MS } from '../../src/events/event-log.ts';
import { LEASE_SECONDS, takeLease, underLease } from '../../src/events/lease.ts';
import { openPostgresLog, type PostgresLog } from '../../src/events/postgres-log.ts';
import { type Relay, settle, startRelay } from '../../src/events/relay.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventWriter } from '../support/events.ts';
import { randomNumbers } from '../support/random.ts';

/** Of a test that waits for something which must come. */
const PATIENCE_MS = 15_000;

async function until(what: string, holds: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`still waiting: ${what}`);
    await sleep(5);
  }
}

describe('the relay', () => {
  let db: TestDatabase;
  let pool: pg.Pool;
  let log: PostgresLog;
  let events: ReturnType<typeof eventWriter>;
  const relays: Relay[] = [];
  const logs: PostgresLog[] = [];
  const listeners = new Set<() => void>();
  const committed = () => {
    for (const listener of listeners) listener();
  };
  let told: { level: string; text: string }[] = [];
  const tell = (level: string) => (_facts: unknown, text?: string) =>
    void told.push({ level, text: text ?? String(_facts) });
  const logger = { info: tell('info'), warn: tell('warn'), error: tell('error') };

  before(async () => {
    db = await createTestDatabase();
    pool = openPool(db.url, logger, 20);
  });
  after(async () => {
    await pool.end();
    await db.drop();
  });
  beforeEach(async () => {
    await pool.query('TRUNCATE outbox, event_log, match_touch, match_change, match_tombstone');
    await pool.query('UPDATE event_log_floor SET floor = 0');
    await pool.query(
      "UPDATE relay SET generation = 0, last_offset = 0, change_seq = 0, expires_at = '-infinity', holder = NULL",
    );
    told = [];
    events = eventWriter();
    log = openLog();
  });
  afterEach(async () => {
    for (const relay of relays.splice(0)) await relay.stop();
    for (const one of logs.splice(0)) await one.close();
    assert.equal(listeners.size, 0);
  });

  function openLog(on = pool): PostgresLog {
    const opened = openPostgresLog(on);
    logs.push(opened);
    return opened;
  }
  function start(writer: LogWriter = log, { clock = systemClock, on = pool } = {}): Relay {
    const onChange = (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    };
    const relay = startRelay({ pool: on, log: writer, clock, logger, onChange });
    relays.push(relay);
    return relay;
  }
  async function publish(...sketches: Parameters<typeof events.row>[0][]): Promise<string[]> {
    const written = await events.write(pool, sketches);
    committed();
    return written;
  }
  const logged = async () =>
    (await pool.query<{ envelope: string }>('SELECT envelope FROM event_log ORDER BY cursor')).rows.map(
      (row) => row.envelope,
    );
  const count = async (table: string) => Number((await pool.query(`SELECT count(*) FROM ${table}`)).rows[0].count);
  const lease = async () =>
    (
      await pool.query<{ generation: number; holder: string | null; free: boolean }>(
        'SELECT generation, holder, expires_at < clock_timestamp() AS free FROM relay',
      )
    ).rows[0]!;
  const expire = () => pool.query("UPDATE relay SET expires_at = '-infinity'");

  it('loses no row of 16 writers that are slow to commit, and keeps the order of each match', async () => {
    start();
    const random = randomNumbers(7);
    const EACH = 30;
    const MATCHES = 6;
    const written: string[] = [];
    const writer = async () => {
      for (let turn = 0; turn < EACH; turn += 1) {
        await sleep(random() * 4);
        const match = Math.floor(random() * MATCHES);
        await transaction(pool, async (client) => {
          // Ingest locks the match, so its numbers are given in the order of commits.
          await client.query('SELECT pg_advisory_xact_lock($1)', [match]);
          const rows = Array.from({ length: 1 + Math.floor(random() * 3) }, () => events.row({ match }));
          await writeOutbox(client, rows);
          await sleep(random() * 20);
          written.push(...rows.map(({ envelope }) => envelope));
        });
        committed();
      }
    };
    await Promise.all(Array.from({ length: 16 }, writer));
    await until('the outbox is empty', async () => (await count('outbox')) === 0);
    const found = await logged();
    assert.equal(found.length, written.length);
    assert.deepEqual(new Set(found), new Set(written));
    const last = new Map<string, number>();
    for (const envelope of found) {
      const [, match = '', sequence = ''] = /evt_(\d+)_(\d+)/.exec(envelope)!;
      assert.equal(Number(sequence), (last.get(match) ?? 0) + 1, `order of match ${match}`);
      last.set(match, Number(sequence));
    }
  });

  it('publishes the first event of a fresh database', async () => {
    await pool.query('TRUNCATE outbox RESTART IDENTITY');
    start();
    await sleep(50);
    const written = await publish({});
    await until('it is in the log', async () => (await count('event_log')) === 1);
    assert.deepEqual(await logged(), written);
  });

  it('is woken by each commit', async () => {
    start();
    const times: number[] = [];
    for (let turn = 0; turn < 40; turn += 1) {
      await sleep((turn * 7) % 30);
      const appended = new Promise((resolve) => {
        const end = log.onAppend(() => {
          void count('event_log').then((found) => {
            if (found !== turn + 1) return;
            end();
            resolve(null);
          });
        });
      });
      const begun = performance.now();
      await publish({});
      await appended;
      times.push(performance.now() - begun);
    }
    const median = times.sort((a, b) => a - b)[20]!;
    assert.ok(median < 100, `median ${median} ms`);
  });

  it('tells events before changes, and changes all the same while events never cease', async () => {
    await transaction(pool, async (client) => {
      await client.query('SET LOCAL session_replication_role = replica');
      await client.query(
        `INSERT INTO match (sport, tournament_id, season_id, home_id, away_id, scheduled_start, updated_at)
         SELECT 'football', 7, 1, 2 * n, 2 * n + 1, now(), now() FROM generate_series(1, 1500) n`,
      );
      const { rows } = await client.query<{ id: number }>('SELECT id FROM match');
      await touchMatches(
        client,
        rows.map(({ id }) => ({ match_id: id, tombstone: null })),
      );
      await writeOutbox(
        client,
        Array.from({ length: 100 }, () => events.row({})),
      );
    });
    start({ move: async (generation) => Math.max(1, await log.move(generation)), prune: log.prune });
    await until('all is stamped', async () => (await count('match_change')) === 1_500);
    const { rows } = await pool.query(
      `SELECT (SELECT max(xmin::text::bigint) FROM event_log) AS event, (SELECT min(xmin::text::bigint) FROM match_change) AS stamp,
         (SELECT count(DISTINCT xmin::text) FROM match_change)::int AS slices`,
    );
    assert.ok(rows[0].event < rows[0].stamp);
    assert.equal(rows[0].slices, 3);
  });

  it('leads alone; the other one begins when it stops', async () => {
    const first = start();
    await until('it leads', async () => !(await lease()).free);
    const { holder } = await lease();
    const second = start(openLog());
    const written = await publish(...Array.from({ length: 50 }, () => ({})));
    await until('all is in the log', async () => (await count('outbox')) === 0);
    assert.deepEqual(await lease(), { generation: 1, holder, free: false });
    await first.stop();
    assert.deepEqual(await lease(), { generation: 1, holder: null, free: true });
    written.push(...(await publish({})));
    await until('the other one leads', async () => (await lease()).generation === 2);
    await until('and moves', async () => (await count('outbox')) === 0);
    assert.deepEqual(await logged(), written);
    await second.stop();
    assert.ok((await lease()).free);
  });

  it('gives way to another when it was paused for longer than its lease, and writes nothing more', async () => {
    let go: () => void = () => {};
    const paused = new Promise<void>((resolve) => {
      go = resolve;
    });
    let pausing = false;
    let arrived = false;
    const own = openLog();
    start({
      move: async (generation) => {
        if (pausing) {
          arrived = true;
          await paused;
        }
        return own.move(generation);
      },
      prune: own.prune,
    });
    await until('it leads', async () => !(await lease()).free);
    pausing = true;
    await until('it is about to write', () => arrived);
    const written = await publish({}, {});
    await expire();
    start();
    await until('the other has written', async () => (await count('event_log')) === 2);
    assert.equal((await lease()).generation, 2);
    go();
    await until('it steps down', () => told.some(({ text }) => text === 'the relay lost its lease'));
    written.push(...(await publish({})));
    await until('the other goes on', async () => (await count('event_log')) === 3);
    assert.deepEqual(await logged(), written);
    assert.equal((await lease()).generation, 2);
    assert.deepEqual(
      told.filter(({ level }) => level === 'error'),
      [],
    );
  });

  it('holds its lock no longer than its lease when it is paused in the middle of a transaction', async () => {
    const generation = await takeLease(pool, 'test');
    await underLease(pool, generation!, async (client) => {
      const { rows } = await client.query('SHOW idle_in_transaction_session_timeout');
      assert.equal(rows[0].idle_in_transaction_session_timeout, `${LEASE_SECONDS}s`);
    });
    let begun = false;
    const another = underLease(pool, generation! + 1, async () => {
      begun = true;
    });
    await assert.rejects(another, LeaseLost);
    assert.ok(!begun);
    const { rows } = await pool.query('SHOW idle_in_transaction_session_timeout');
    assert.equal(rows[0].idle_in_transaction_session_timeout, '0');
  });

  it('keeps its lease while there is nothing to do, and tells sync where the stream is without a change', async () => {
    start();
    await until('it leads', async () => !(await lease()).free);
    await pool.query("UPDATE relay SET expires_at = clock_timestamp() + interval '2 s'");
    await until('it has renewed it', async () => {
      const { rows } = await pool.query<{ left: number }>(
        'SELECT extract(epoch FROM expires_at - clock_timestamp())::float8 AS left FROM relay',
      );
      return rows[0]!.left > LEASE_SECONDS / 2;
    });
    assert.equal((await lease()).generation, 1);
    await publish({}, {});
    await until('both ends agree', async () => {
      const { rows } = await pool.query<{ agree: boolean }>(
        'SELECT stamped_cursor = base + 2 AND last_offset = 2 AS agree FROM relay',
      );
      return rows[0]!.agree;
    });
  });

  it('goes on when Postgres ends its connections, and says so once', async () => {
    const own = openPool(`${db.url}&application_name=victim`, { warn: () => {} }, 3);
    const kill = () =>
      pool.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE '%victim%' AND datname = current_database()",
      );
    try {
      start(openLog(own), { on: own });
      const written: string[] = [];
      let killed = 0;
      for (let turn = 0; turn < 20; turn += 1) {
        written.push(...(await publish({}, {}, {})));
        killed += (await kill()).rowCount ?? 0;
        await sleep(3);
      }
      assert.ok(killed > 0);
      await until('all is in the log', async () => (await count('outbox')) === 0);
      assert.deepEqual(await logged(), written);
      const { generation } = await lease();
      assert.equal(generation, 1);
      await until('it works again', async () => {
        committed();
        const errors = told.filter(({ level }) => level === 'error').length;
        return errors === told.filter(({ text }) => text === 'the relay works again').length;
      });
    } finally {
      for (const relay of relays.splice(0)) await relay.stop();
      await own.end();
    }
  });

  it('tells an outage once, however long it lasts', async () => {
    let down = true;
    let tries = 0;
    start({
      move: async (generation) => {
        tries += 1;
        if (down) throw new Error('away');
        return log.move(generation);
      },
      prune: log.prune,
    });
    await until('it has tried', () => {
      committed();
      return tries >= 4;
    });
    down = false;
    committed();
    await until('it works again', () => told.some(({ level }) => level === 'info'));
    assert.deepEqual(
      told.map(({ level }) => level),
      ['error', 'info'],
    );
  });

  it('stamps changes while the log is away', async () => {
    await transaction(pool, async (client) => {
      await client.query('SET LOCAL session_replication_role = replica');
      await client.query(
        `INSERT INTO match (sport, tournament_id, season_id, home_id, away_id, scheduled_start, updated_at)
         VALUES ('football', 7, 1, 1, 2, now(), now())`,
      );
      const { rows } = await client.query<{ id: number }>('SELECT max(id) AS id FROM match');
      await touchMatches(client, [{ match_id: rows[0]!.id, tombstone: null }]);
    });
    start({
      move: async () => {
        throw new Error('away');
      },
      prune: log.prune,
    });
    await until('it is stamped', async () => (await count('match_change')) === 1);
  });

  it('keeps events for seven days', async () => {
    let now = Date.now();
    await pool.query(
      `INSERT INTO event_log SELECT n, 1, 'football', 7, 'match.goal', '{}', now() - interval '8 days' FROM generate_series(1, 11000) n`,
    );
    await pool.query("INSERT INTO event_log VALUES (11001, 1, 'football', 7, 'match.goal', '{}', now())");
    await pool.query('UPDATE relay SET last_offset = 11001');
    start(log, { clock: { now: () => now } });
    await until('the old ones are gone', async () => (await count('event_log')) === 1);
    assert.deepEqual(await log.range(), { head: 11_001, oldest: 11_000 });
    now += RETENTION_MS - 60_000;
    await sleep(250);
    assert.equal(await count('event_log'), 1);
    now += 120_000;
    await until('the last one is gone', async () => (await count('event_log')) === 0);
    assert.deepEqual(await log.range(), { head: 11_001, oldest: 11_001 });
  });

  it('settles what a command has written, beside a leader or alone', async () => {
    const deps = {
      pool,
      log,
      clock: systemClock,
      logger,
      onChange: (listener: () => void) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    };
    await events.write(pool, [{}, {}]);
    await settle(deps);
    assert.equal(await count('event_log'), 2);
    assert.ok((await lease()).free);
    start(openLog());
    await until('it leads', async () => !(await lease()).free);
    await events.write(pool, [{}, {}]);
    await settle(deps);
    assert.equal(await count('event_log'), 4);
    assert.equal((await lease()).free, false);
  });
});
