import assert from 'node:assert/strict';
import pg from 'pg';
import { openPool } from '../../src/db/postgres.ts';
import { openPostgresLog, type PostgresLog } from '../../src/events/postgres-log.ts';
import { relayLease } from '../../src/events/relay-lease.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventWriter } from '../support/events.ts';
import { until } from '../support/until.ts';

/** The cost of its statements, on one connection, so that each meets the plans of those before it. */
describe('event log in a Postgres table', () => {
  let db: TestDatabase;
  let pool: pg.Pool;
  let log: PostgresLog;
  let lease: number;
  const events = eventWriter();
  const some = (count: number) =>
    events.write(
      pool,
      Array.from({ length: count }, () => ({})),
    );
  beforeEach(async () => {
    db = await createTestDatabase();
    pool = openPool(db.url, { warn: () => {} }, 1);
    log = openPostgresLog(pool);
    lease = (await relayLease.take(pool, 'test'))!;
  });
  afterEach(async () => {
    await log.close();
    await pool.end();
    await db.drop();
  });

  /** Rows of the outbox that statements have read so far. */
  async function rowsRead(): Promise<number> {
    await pool.query('SELECT pg_stat_force_next_flush()');
    const { rows } = await pool.query<{ rows: number }>(
      "SELECT idx_tup_fetch + seq_tup_read AS rows FROM pg_stat_user_tables WHERE relname = 'outbox'",
    );
    return rows[0]!.rows;
  }

  it('a batch of a long outbox costs no more than its rows, though it was planned when the outbox was nearly empty', async () => {
    await some(1_000);
    while ((await log.move(lease)) > 0);
    // Pages without rows: the planner takes every page for empty, also on a connection that is new.
    await pool.query('VACUUM (ANALYZE, TRUNCATE off) outbox');
    await pool.end();
    pool = openPool(db.url, { warn: () => {} }, 1);
    await log.close();
    log = openPostgresLog(pool);
    await some(1);
    assert.equal(await log.move(lease), 1);
    await some(10_000);
    const before = await rowsRead();
    assert.equal(await log.move(lease), 500);
    const cost = (await rowsRead()) - before;
    assert.ok(cost <= 2_000, `${cost} rows were read`);
  });

  it('a connection has one prepared statement for reading, whatever number of events is asked for', async () => {
    await some(30);
    while ((await log.move(lease)) > 0);
    const statements = async () =>
      (await pool.query<{ name: string }>('SELECT name FROM pg_prepared_statements')).rows.length;
    await log.read(0, { records: 1, bytes: 1_000 });
    const before = await statements();
    for (let records = 2; records < 30; records += 1)
      assert.equal((await log.read(0, { records, bytes: 1_000_000 })).length, records);
    assert.equal(await statements(), before);
  });

  it('the log grows also while the server can take no notices', async () => {
    const full = Object.assign(new Error('too many notifications in the NOTIFY queue'), { code: '54000' });
    let refused = 0;
    const client = Object.assign(new pg.Client(db.url), { release() {} });
    await client.connect();
    const query = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>;
    client.query = ((...given: unknown[]) => {
      if (!String(given[0]).includes("'to '")) return query(...given);
      refused += 1;
      return Promise.reject(full);
    }) as typeof client.query;
    const onClient = { query: pool.query.bind(pool), connect: async () => client } as unknown as pg.Pool;
    const another = openPostgresLog(onClient, {
      appendNotice: { channel: 'test_appends', payload: 'to ' },
      onAppend: () => () => {},
    });
    const ends: (number | undefined)[] = [];
    another.onAppend((end) => ends.push(end));
    const written = await some(2);
    assert.equal(await another.move(lease), 2);
    assert.equal(refused, 1);
    assert.deepEqual(
      (await another.read(0, { records: 9, bytes: 1e6 })).map(({ envelope }) => envelope),
      written,
    );
    assert.ok(ends.includes(2));
    await another.close();
    await client.end();
  });

  it('the log notifies other processes when it has grown, and calls its readers when they notify it', async () => {
    const appendListeners = new Set<(end?: number) => void>();
    const notified: string[] = [];
    const listening = new pg.Client(db.url);
    await listening.connect();
    listening.on('notification', ({ payload = '' }) => notified.push(payload));
    await listening.query('LISTEN test_appends');
    const another = openPostgresLog(pool, {
      appendNotice: { channel: 'test_appends', payload: 'to ' },
      onAppend: (listener) => {
        appendListeners.add(listener);
        return () => appendListeners.delete(listener);
      },
    });
    const ends: (number | undefined)[] = [];
    another.onAppend((end) => ends.push(end));
    assert.equal(await another.move(lease), 0);
    await some(3);
    assert.equal(await another.move(lease), 3);
    await some(2);
    assert.equal(await another.move(lease), 2);
    await until('both appends have been notified', () => notified.length === 2);
    assert.deepEqual(notified, ['to 3', 'to 5']);
    for (const notify of appendListeners) notify(9);
    assert.deepEqual(
      ends.filter((end) => end !== undefined),
      [3, 5, 9],
    );
    const before = ends.length;
    await until('it polls without notices as well', () => ends.length > before);
    assert.equal(ends.at(-1), undefined);
    await another.close();
    await listening.end();
    assert.equal(appendListeners.size, 0);
  });
});
