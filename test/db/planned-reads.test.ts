import assert from 'node:assert/strict';
import { pino } from 'pino';
import { openPlannedReads, type PlannedReads, READ_CONNECTIONS } from '../../src/db/planned-reads.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

describe('connections for the reads of pages', () => {
  let db: TestDatabase;
  let reads: PlannedReads;
  before(async () => {
    db = await createTestDatabase();
    reads = openPlannedReads(db.url, pino({ level: 'silent' }));
  });
  after(async () => {
    await reads.end();
    await db.drop();
  });

  const askPid = async (more = '') => {
    const { rows } = await reads.query<{ pid: number }>(`SELECT pg_backend_pid() AS pid${more}`);
    return rows[0]!.pid;
  };

  it('are three, and take turns', async () => {
    assert.equal(READ_CONNECTIONS, 3);
    const pids: number[] = [];
    for (let count = 0; count < 7; count += 1) pids.push(await askPid());
    const first = pids.slice(0, 3);
    assert.equal(new Set(first).size, 3);
    assert.deepEqual(pids, [...first, ...first, first[0]]);
  });

  it('take no read while a free connection could', async () => {
    const slow = askPid(', pg_sleep(0.3) AS slept');
    const pids = [await askPid(), await askPid(), await askPid(), await askPid()];
    assert.equal(new Set(pids).size, 2);
    assert.ok(!pids.includes(await slow));
  });

  it('answer all reads that are sent at once', async () => {
    const sent = Array.from({ length: 20 }, (_, index) => reads.query<{ n: number }>('SELECT $1::int AS n', [index]));
    const answers = await Promise.all(sent);
    assert.deepEqual(
      answers.map(({ rows }) => rows[0]!.n),
      Array.from({ length: 20 }, (_, index) => index),
    );
  });

  it('plan a statement once', async () => {
    const statement = { name: 'once', text: 'SELECT name FROM sport WHERE id = $1', values: [1] };
    for (let count = 0; count < 6; count += 1) await reads.query(statement);
    for (let count = 0; count < 3; count += 1) {
      const { rows } = await reads.query<{ generic: number; custom: number }>(
        "SELECT generic_plans AS generic, custom_plans AS custom FROM pg_prepared_statements WHERE name = 'once'",
      );
      assert.deepEqual(rows, [{ generic: 2, custom: 0 }]);
    }
  });

  it('cannot write', async () => {
    await assert.rejects(reads.query("UPDATE sport SET name = 'x'"), /read-only transaction/);
  });

  it('are opened again after Postgres has ended them', async () => {
    const pids = [await askPid(), await askPid(), await askPid()];
    await db.pool.query('SELECT pg_terminate_backend(pid, 5000) FROM unnest($1::int[]) pid', [pids]);
    const later = new Set<number>();
    while (later.size < 3) later.add(await askPid().catch(() => 0));
    assert.ok(pids.every((pid) => !later.has(pid)));
  });
});
