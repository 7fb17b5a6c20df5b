import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { ChangeListener } from '../../src/db/notices.ts';
import { openPool, transaction } from '../../src/db/postgres.ts';
import type { LogWriter } from '../../src/events/event-log.ts';
import { writeOutbox } from '../../src/events/outbox.ts';
import { addPendingChanges } from '../../src/events/pending-changes.ts';
import { openPostgresLog, type PostgresLog } from '../../src/events/postgres-log.ts';
import { type Relay, relayPending, startRelay } from '../../src/relay/relay.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventWriter } from '../support/events.ts';
import { randomNumbers } from '../support/random.ts';
import { until as untilOf } from '../support/until.ts';

const PATIENCE_MS = 15_000;
const until = (what: string, holds: () => Promise<boolean> | boolean) => untilOf(what, holds, PATIENCE_MS);

describe('the relay', () => {
  let db: TestDatabase;
  let pool: pg.Pool;
  let log: PostgresLog;
  let events: ReturnType<typeof eventWriter>;
  const relays: Relay[] = [];
  const logs: PostgresLog[] = [];
  const listeners = new Set<ChangeListener>();
  const committed = (withEvents = true) => {
    for (const listener of listeners) listener('all', { events: withEvents });
  };
  const onChange = (listener: ChangeListener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  let logged: { level: string; text: string }[] = [];
  const note = (level: string) => (_details: unknown, text?: string) =>
    void logged.push({ level, text: text ?? String(_details) });
  const logger = { info: note('info'), warn: note('warn'), error: note('error') };

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
    logged = [];
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
    const relay = startRelay({ pool: on, log: writer, clock, logger, onChange });
    relays.push(relay);
    return relay;
  }
  async function publish(...sketches: Parameters<typeof events.row>[0][]): Promise<string[]> {
    const written = await events.write(pool, sketches);
    committed();
    return written;
  }
  const published = async () =>
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

  it('loses no row from 16 writers that commit slowly, and keeps each match in order', async () => {
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
          // Ingest locks the match, so a match's numbers are in the order of commits.
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
    const found = await published();
    assert.equal(found.length, written.length);
    assert.deepEqual(new Set(found), new Set(written));
    const last = new Map<string, number>();
    for (const envelope of found) {
      const [, match = '', sequence = ''] = /evt_(\d+)_(\d+)/.exec(envelope)!;
      assert.equal(Number(sequence), (last.get(match) ?? 0) + 1, `order of match ${match}`);
      last.set(match, Number(sequence));
    }
  });

  it('publishes the first event in a fresh database', async () => {
    await pool.query('TRUNCATE outbox RESTART IDENTITY');
    let steps = 0;
    start({
      move: (...given) => {
        steps += 1;
        return log.move(...given);
      },
      prune: log.prune,
      passLost: log.passLost,
    });
    await until('it has found an empty outbox', () => steps > 0);
    const written = await publish({});
    await until('it is in the log', async () => (await count('event_log')) === 1);
    assert.deepEqual(await published(), written);
  });

  it('polls at once if a commit wakes it, without waiting for the 100 ms pause', async () => {
    const own = openPool(db.url, logger, 3);
    let polls = 0;
    const query = own.query.bind(own) as (...given: unknown[]) => Promise<unknown>;
    own.query = ((...given: unknown[]) => {
      if (String(given[0]).includes('FROM match_touch')) polls += 1;
      return query(...given);
    }) as typeof own.query;
    try {
      start(openLog(own), { on: own });
      await until('it leads and has found nothing', () => polls >= 2);
      const begun = performance.now();
      for (let turn = 0; turn < 15; turn += 1) {
        const before = polls;
        committed(turn % 2 === 0);
        await until('it has polled', () => polls > before);
      }
      const took = performance.now() - begun;
      assert.ok(took < 750, `15 polls took ${took} ms`);
      await publish({});
      await until('the event is in the log', async () => (await count('event_log')) === 1);
    } finally {
      for (const relay of relays.splice(0)) await relay.stop();
      await own.end();
    }
  });

  it('moves at most 500 events at once, and the next events without a pause', async () => {
    const written = await events.write(
      pool,
      Array.from({ length: 1_201 }, () => ({})),
    );
    const batches: number[] = [];
    start({
      async move(...given) {
        const moved = await log.move(...given);
        batches.push(moved);
        return moved;
      },
      prune: log.prune,
      passLost: log.passLost,
    });
    await until('all is in the log', () => batches.length >= 3);
    assert.deepEqual(batches.slice(0, 3), [500, 500, 201]);
    assert.deepEqual(await published(), written);
  });

  it('moves events to the log before their changes get cursors, and assigns cursors even while events flow continuously', async () => {
    await transaction(pool, async (client) => {
      await client.query('SET LOCAL session_replication_role = replica');
      await client.query(
        `INSERT INTO match (sport, tournament_id, season_id, home_id, away_id, scheduled_start, updated_at)
         SELECT 'football', 7, 1, 2 * n, 2 * n + 1, now(), now() FROM generate_series(1, 1500) n`,
      );
      const { rows } = await client.query<{ id: number }>('SELECT id FROM match');
      await addPendingChanges(
        client,
        rows.map(({ id }) => ({ match_id: id, tombstone: null })),
      );
      await writeOutbox(
        client,
        Array.from({ length: 100 }, () => events.row({})),
      );
    });
    start({
      move: async (generation) => Math.max(1, await log.move(generation)),
      prune: log.prune,
      passLost: log.passLost,
    });
    await until('all have cursors', async () => (await count('match_change')) === 1_500);
    const { rows } = await pool.query(
      `SELECT (SELECT max(xmin::text::bigint) FROM event_log) AS event, (SELECT min(xmin::text::bigint) FROM match_change) AS change,
         (SELECT count(DISTINCT xmin::text) FROM match_change)::int AS batches`,
    );
    assert.ok(rows[0].event < rows[0].change);
    assert.equal(rows[0].batches, 3);
  });

  it('is the only leader, and a second relay starts when it stops', async () => {
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
    assert.deepEqual(await published(), written);
    await second.stop();
    assert.ok((await lease()).free);
  });

  it('gives way to a rival after a pause longer than the lease, and then writes nothing', async () => {
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
      passLost: own.passLost,
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
    await until('it steps down', () => logged.some(({ text }) => text === 'relay lost its lease, standing by'));
    written.push(...(await publish({})));
    await until('the other continues', async () => (await count('event_log')) === 3);
    assert.deepEqual(await published(), written);
    assert.equal((await lease()).generation, 2);
    assert.deepEqual(
      logged.filter(({ level }) => level === 'error'),
      [],
    );
  });

  it('renews the lease when it is idle, and stores the log’s end for sync even if no match has changed', async () => {
    start();
    await until('it leads', async () => !(await lease()).free);
    await pool.query("UPDATE relay SET expires_at = clock_timestamp() + interval '2 s'");
    await until('it has renewed it', async () => {
      const { rows } = await pool.query<{ left: number }>(
        'SELECT extract(epoch FROM expires_at - clock_timestamp())::float8 AS left FROM relay',
      );
      return rows[0]!.left > 2.5;
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

  it('continues after Postgres has ended the connections, and logs each outage and its recovery', async () => {
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
      assert.deepEqual(await published(), written);
      const { generation } = await lease();
      assert.equal(generation, 1);
      await until('it has recovered', async () => {
        committed();
        const errors = logged.filter(({ level }) => level === 'error').length;
        return errors === logged.filter(({ text }) => text === 'relay recovered').length;
      });
    } finally {
      for (const relay of relays.splice(0)) await relay.stop();
      await own.end();
    }
  });

  it('logs an outage once, however long it lasts', async () => {
    let down = true;
    let tries = 0;
    start({
      move: async (generation) => {
        tries += 1;
        if (down) throw new Error('unavailable');
        return log.move(generation);
      },
      prune: log.prune,
      passLost: log.passLost,
    });
    await until('it has tried', () => {
      committed();
      return tries >= 4;
    });
    down = false;
    committed();
    await until('it has recovered', () => logged.some(({ level }) => level === 'info'));
    assert.deepEqual(
      logged.map(({ level }) => level),
      ['error', 'info'],
    );
  });

  it('assigns change cursors while the log is unavailable', async () => {
    await transaction(pool, async (client) => {
      await client.query('SET LOCAL session_replication_role = replica');
      await client.query(
        `INSERT INTO match (sport, tournament_id, season_id, home_id, away_id, scheduled_start, updated_at)
         VALUES ('football', 7, 1, 1, 2, now(), now())`,
      );
      const { rows } = await client.query<{ id: number }>('SELECT max(id) AS id FROM match');
      await addPendingChanges(client, [{ match_id: rows[0]!.id, tombstone: null }]);
    });
    start({
      move: async () => {
        throw new Error('unavailable');
      },
      prune: log.prune,
      passLost: log.passLost,
    });
    await until('it has a cursor', async () => (await count('match_change')) === 1);
  });

  it('keeps events in the log for 7 days', async () => {
    let now = Date.now();
    await pool.query(
      `INSERT INTO event_log SELECT n, 1, 'football', 7, 'match.goal', '{}', now() - interval '8 days' FROM generate_series(1, 11000) n`,
    );
    await pool.query("INSERT INTO event_log VALUES (11001, 1, 'football', 7, 'match.goal', '{}', now())");
    await pool.query('UPDATE relay SET last_offset = 11001');
    let pruned = 0;
    const prune: LogWriter['prune'] = async (generation, olderThan) => {
      const dropped = await log.prune(generation, olderThan);
      pruned = now;
      return dropped;
    };
    start({ move: log.move, prune, passLost: log.passLost }, { clock: { now: () => now } });
    await until('the old ones are gone', async () => (await count('event_log')) === 1);
    assert.deepEqual(await log.range(), { head: 11_001, oldest: 11_000 });
    now += 7 * 24 * 3_600_000 - 60_000;
    await until('it has dropped what is older than 7 days', () => pruned === now);
    assert.equal(await count('event_log'), 1);
    now += 120_000;
    await until('the last one is gone', async () => (await count('event_log')) === 0);
    assert.deepEqual(await log.range(), { head: 11_001, oldest: 11_001 });
  });

  it('moves a command’s events, whether or not a leader already runs', async () => {
    const deps = {
      pool,
      log,
      clock: systemClock,
      logger,
      onChange,
    };
    await events.write(pool, [{}, {}]);
    await relayPending(deps);
    assert.equal(await count('event_log'), 2);
    assert.ok((await lease()).free);
    start(openLog());
    await until('it leads', async () => !(await lease()).free);
    await events.write(pool, [{}, {}]);
    await relayPending(deps);
    assert.equal(await count('event_log'), 4);
    assert.equal((await lease()).free, false);
  });
});
