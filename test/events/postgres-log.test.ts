import assert from 'node:assert/strict';
import type pg from 'pg';
import { openPool } from '../../src/db/postgres.ts';
import { BATCH_RECORDS } from '../../src/events/event-log.ts';
import { takeLease } from '../../src/events/lease.ts';
import { openPostgresLog, type PostgresLog } from '../../src/events/postgres-log.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventWriter } from '../support/events.ts';
import { until } from '../support/until.ts';

/** What its statements cost, on one connection, so that each meets the plans of those before it. */
describe('the log in a Postgres table', () => {
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
    lease = (await takeLease(pool, 'test'))!;
  });
  afterEach(async () => {
    await log.close();
    await pool.end();
    await db.drop();
  });

  /** Rows of the outbox that statements have come to by an index so far. */
  async function looked(): Promise<number> {
    await pool.query('SELECT pg_stat_force_next_flush()');
    const { rows } = await pool.query<{ looked: number }>(
      "SELECT idx_tup_fetch + seq_tup_read AS looked FROM pg_stat_user_tables WHERE relname = 'outbox'",
    );
    return rows[0]!.looked;
  }

  it('moves a long outbox at the cost of what it moves, though the plan is of a time when there was next to nothing', async () => {
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
    await some(20 * BATCH_RECORDS);
    const before = await looked();
    assert.equal(await log.move(lease), BATCH_RECORDS);
    const cost = (await looked()) - before;
    assert.ok(cost <= 4 * BATCH_RECORDS, `${cost} rows were looked at`);
  });

  it('keeps one statement on a connection, whatever number of events readers ask for', async () => {
    await some(30);
    while ((await log.move(lease)) > 0);
    const held = async () =>
      (await pool.query<{ name: string }>('SELECT name FROM pg_prepared_statements')).rows.length;
    await log.read(0, { records: 1, bytes: 1_000 });
    const before = await held();
    for (let records = 2; records < 30; records += 1)
      assert.equal((await log.read(0, { records, bytes: 1_000_000 })).length, records);
    assert.equal(await held(), before);
  });

  it('tells other processes when it has grown, and wakes its readers when they tell', async () => {
    let told = 0;
    const heard = new Set<() => void>();
    const another = openPostgresLog(pool, {
      publishAppend: () => (told += 1),
      onAppend: (listener) => {
        heard.add(listener);
        return () => heard.delete(listener);
      },
    });
    let woken = 0;
    another.onAppend(() => (woken += 1));
    assert.equal(await another.move(lease), 0);
    assert.equal(told, 0);
    await some(1);
    assert.equal(await another.move(lease), 1);
    assert.equal(told, 1);
    const before = woken;
    for (const tell of heard) tell();
    assert.equal(woken, before + 1);
    await until('it looks without being told as well', () => woken > before + 1);
    await another.close();
    assert.equal(heard.size, 0);
  });
});
