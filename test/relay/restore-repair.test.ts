/**
 * Tests a Postgres that was restored together with the event log in it. The drill with all stores is in
 * test/cluster/kafka.
 */
import assert from 'node:assert/strict';
import { pino } from 'pino';
import { CursorExpired } from '../../src/events/event-log.ts';
import { openPostgresLog, type PostgresLog } from '../../src/events/postgres-log.ts';
import { relayPending, startRelay } from '../../src/relay/relay.ts';
import { noteRestore } from '../../src/relay/restore-repair.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventWriter } from '../support/events.ts';
import { run } from '../support/process.ts';
import { until } from '../support/until.ts';

const EVERYTHING = { records: 1_000, bytes: 1e9 };
const logger = pino({ level: 'silent' });

describe('a restored Postgres', () => {
  let db: TestDatabase;
  let log: PostgresLog;
  const events = eventWriter();
  before(async () => {
    db = await createTestDatabase();
    log = openPostgresLog(db.pool);
  });
  after(async () => {
    await log.close();
    await db.drop();
  });

  async function write(count: number): Promise<string[]> {
    const written = await events.write(
      db.pool,
      Array.from({ length: count }, () => ({ match: 1 })),
    );
    await lead();
    return written;
  }
  const lead = () => relayPending({ pool: db.pool, log, clock: systemClock, logger, onChange: () => () => {} });
  const cursors = async (after: number) => (await log.read(after, EVERYTHING)).map(({ cursor }) => cursor);
  const counters = async () =>
    (
      await db.pool.query<{ base: number; change_seq: number; history: string }>(
        'SELECT base, change_seq, history FROM relay',
      )
    ).rows[0]!;
  const nextId = async (table: string) =>
    (await db.pool.query(`SELECT nextval(pg_get_serial_sequence('${table}', 'id')) AS id`)).rows[0].id as number;

  it('is not assumed after a first start, a restart or a change of leader', async () => {
    await write(3);
    const first = await counters();
    assert.match(first.history, /^\d+\/[0-9A-F]{8}$/);
    await write(1);
    assert.deepEqual(await counters(), { ...first });
    assert.deepEqual(await cursors(0), [1, 2, 3, 4]);
  });

  for (const [cause, change] of [
    [
      'its timeline is another one',
      () => db.pool.query("UPDATE relay SET history = split_part(history, '/', 1) || '/00000009'"),
    ],
    ['it is said to be one', () => noteRestore(db.pool)],
  ] as const)
    it(`repeats no cursor and no id if ${cause}, and no reader continues from a lost cursor`, async () => {
      const { change_seq, base } = await counters();
      const id = await nextId('match');
      const { head } = await log.range();
      const kept = await cursors((await log.range()).oldest);
      await change();
      const [envelope] = await write(1);
      const after = await counters();
      assert.equal(after.base, base + 1_000_000_000);
      assert.ok(after.change_seq >= change_seq + 1_000_000_000);
      assert.ok((await nextId('match')) > id + 1_000_000);
      // The log still has the events that a webhook has not received yet. A client may already have seen later events that were lost.
      assert.deepEqual(await cursors(head - kept.length), [...kept, head + 1_000_000_001]);
      assert.deepEqual(await log.range(), { head: head + 1_000_000_001, oldest: head + 1_000_000_000 });
      for (const lost of [head + 1, head + 1_000])
        await assert.rejects(log.read(lost, EVERYTHING), (error) => {
          assert.ok(error instanceof CursorExpired, String(error));
          assert.equal(error.oldest, head + 1_000_000_000);
          return true;
        });
      const [record] = await log.read(head + 1_000_000_000, EVERYTHING);
      assert.equal(record!.envelope, envelope);
      const { rows } = await db.pool.query('SELECT next_reason FROM analytics_loader');
      assert.equal(rows[0].next_reason, 'restored');
    });

  it('can be announced by a command that needs only the relay’s environment, without secrets', async () => {
    const { base } = await counters();
    const { code, out, err } = await run(['restored', '--since', new Date().toISOString()], {
      env: { DATABASE_URL: db.url },
    });
    assert.equal(code, 0, err);
    assert.match(out, /matches are sent to sync clients again/);
    assert.ok((await counters()).base > base);
  }).timeout(60_000);

  it('is noticed by a leader that has kept the lease, because its connections end', async () => {
    const relay = startRelay({ pool: db.pool, log, clock: systemClock, logger, onChange: () => () => {} });
    try {
      await until('it leads', async () => (await db.pool.query('SELECT holder FROM relay')).rows[0].holder !== null);
      const { base } = await counters();
      await db.pool.query("UPDATE relay SET history = 'another/00000002'");
      await db.pool.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      );
      await until('it has noticed', async () => (await counters()).base === base + 1_000_000_000);
    } finally {
      await relay.stop();
    }
  });

  it('raises the sequences for matches that are not over, and sends these matches to sync clients', async () => {
    const insert = `INSERT INTO match (id, sport, tournament_id, season_id, home_id, away_id, scheduled_start, updated_at, finalized, sequence)
      OVERRIDING SYSTEM VALUE VALUES ($1, 'football', 7, 1, 1, 2, $2, $2, $3, 5)`;
    const client = await db.pool.connect();
    try {
      await client.query('SET session_replication_role = replica');
      await client.query(insert, [1, '2026-03-01T12:00:00Z', false]);
      await client.query(insert, [2, '2026-02-01T12:00:00Z', true]);
      await client.query(insert, [3, '2026-03-01T11:00:00Z', true]);
    } finally {
      client.release(true);
    }
    await db.pool.query("UPDATE relay SET history = 'another/00000001'");
    await write(1);
    const { rows } = await db.pool.query('SELECT id, sequence FROM match ORDER BY id');
    assert.deepEqual(
      rows.map(({ id, sequence }) => [id, sequence]),
      [
        [1, 1_000_005],
        [2, 5],
        [3, 1_000_005],
      ],
    );
    const { rows: changes } = await db.pool.query('SELECT match_id FROM match_change ORDER BY match_id');
    assert.deepEqual(
      changes.map(({ match_id }) => match_id),
      [1, 3],
    );
  });
});
