import assert from 'node:assert/strict';
import type pg from 'pg';
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

  it('the log notifies other processes when it has grown, and calls its readers when they notify it', async () => {
    let notified = 0;
    const appendListeners = new Set<() => void>();
    const another = openPostgresLog(pool, {
      publishAppend: () => (notified += 1),
      onAppend: (listener) => {
        appendListeners.add(listener);
        return () => appendListeners.delete(listener);
      },
    });
    let woken = 0;
    another.onAppend(() => (woken += 1));
    assert.equal(await another.move(lease), 0);
    assert.equal(notified, 0);
    await some(1);
    assert.equal(await another.move(lease), 1);
    assert.equal(notified, 1);
    const before = woken;
    for (const notify of appendListeners) notify();
    assert.equal(woken, before + 1);
    await until('it polls without notices as well', () => woken > before + 1);
    await another.close();
    assert.equal(appendListeners.size, 0);
  });
});
