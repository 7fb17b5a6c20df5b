import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { createLease, LeaseLost } from '../../src/db/lease.ts';
import { type LivenessLock, openLivenessLock } from '../../src/db/liveness-lock.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

const lease = createLease('tested_lease');

describe('a single leader’s lease', () => {
  let db: TestDatabase;
  before(async () => {
    db = await createTestDatabase();
    await db.pool.query(
      `CREATE TABLE tested_lease (generation bigint NOT NULL DEFAULT 0, holder text, session bigint, expires_at timestamptz NOT NULL DEFAULT '-infinity');
       CREATE TABLE work (done_by text)`,
    );
  });
  after(() => db.drop());
  beforeEach(async () => {
    await db.pool.query('TRUNCATE tested_lease, work; INSERT INTO tested_lease DEFAULT VALUES');
  });

  const row = async () => {
    const { rows } = await db.pool.query<{ generation: number; holder: string | null; left: number }>(
      `SELECT generation, holder, CASE WHEN isfinite(expires_at) THEN extract(epoch FROM expires_at - clock_timestamp())::float8 ELSE 0 END AS left
       FROM tested_lease`,
    );
    return rows[0]!;
  };
  const expireIn = (ms: number) =>
    db.pool.query('UPDATE tested_lease SET expires_at = clock_timestamp() + make_interval(secs => $1)', [ms / 1_000]);
  const take = async (holder: string) => (await lease.take(db.pool, holder))!;
  const write = (generation: number, by: string) =>
    lease.transaction(db.pool, generation, async (client) => {
      await client.query('INSERT INTO work VALUES ($1)', [by]);
    });
  const work = async () => (await db.pool.query<{ done_by: string }>('SELECT done_by FROM work')).rows;

  it('goes to only one of many concurrent claimants', async () => {
    const taken = await Promise.all(Array.from({ length: 12 }, (_, index) => lease.take(db.pool, `holder ${index}`)));
    assert.deepEqual(
      taken.filter((generation) => generation !== null),
      [1],
    );
    assert.equal((await row()).holder, `holder ${taken.indexOf(1)}`);
  });

  it('lasts 10 s from the claim and from each later transaction', async () => {
    const generation = await take('first');
    const { left } = await row();
    assert.ok(left > 9 && left <= 10, `${left} s`);
    await expireIn(2_000);
    await lease.transaction(db.pool, generation, async () => {});
    const { left: renewed } = await row();
    assert.ok(renewed > 9 && renewed <= 10, `${renewed} s`);
  });

  it('can be taken over once it has expired, not earlier', async () => {
    await take('first');
    await expireIn(300);
    assert.equal(await lease.take(db.pool, 'second'), null);
    let generation: number | null = null;
    await until('it has expired', async () => {
      generation = await lease.take(db.pool, 'second');
      return generation !== null;
    });
    assert.equal(generation, 2);
    assert.equal((await row()).holder, 'second');
  });

  it('can be taken over at once if the holder’s session has ended', async () => {
    const session = await openLivenessLock(db.url, { warn: () => {} });
    const judge: LivenessLock = { id: null, judges: () => true, close: async () => {} };
    assert.equal(await lease.take(db.pool, 'first', session), 1);
    assert.equal(await lease.take(db.pool, 'second', judge), null);
    await session.close();
    // Without a liveness lock to judge the holder's session, the claimant has to wait.
    assert.equal(await lease.take(db.pool, 'second'), null);
    await until('the session has ended', async () => (await lease.take(db.pool, 'second', judge)) === 2);
    assert.equal((await row()).holder, 'second');
    // This holder has no session, so nobody can tell whether it has ended.
    assert.equal(await lease.take(db.pool, 'third', judge), null);
  });

  it('stays with a late holder until a rival claims it', async () => {
    const generation = await take('first');
    await expireIn(-60_000);
    await write(generation, 'first');
    assert.ok((await row()).left > 9);
    assert.deepEqual(await work(), [{ done_by: 'first' }]);
  });

  it('makes a former leader’s write fail', async () => {
    const former = await take('first');
    await expireIn(-1);
    const present = await take('second');
    let begun = false;
    const late = lease.transaction(db.pool, former, async (client) => {
      begun = true;
      await client.query("INSERT INTO work VALUES ('first')");
    });
    await assert.rejects(late, LeaseLost);
    assert.equal(begun, false);
    await write(present, 'second');
    assert.deepEqual(await work(), [{ done_by: 'second' }]);
  });

  it('cannot be renewed by a former holder', async () => {
    const former = await take('first');
    await expireIn(-1);
    const present = await take('second');
    await expireIn(3_000);
    await assert.rejects(
      lease.transaction(db.pool, former, async () => {}),
      LeaseLost,
    );
    const after = await row();
    assert.deepEqual([after.generation, after.holder], [present, 'second']);
    assert.ok(after.left <= 3, `${after.left} s`);
  });

  it('cannot be released by a former holder', async () => {
    const former = await take('first');
    await expireIn(-1);
    const present = await take('second');
    await lease.release(db.pool, former);
    const after = await row();
    assert.deepEqual([after.generation, after.holder], [present, 'second']);
    assert.ok(after.left > 9);
  });

  it('is free at once when the holder releases it', async () => {
    await lease.release(db.pool, await take('first'));
    assert.equal((await row()).holder, null);
    assert.equal(await take('second'), 2);
  });

  it('cannot be taken after it has expired while the holder has an open transaction', async () => {
    const generation = await take('first');
    await expireIn(-60_000);
    let taking: Promise<number | null> | undefined;
    await lease.transaction(db.pool, generation, async (client) => {
      taking = lease.take(db.pool, 'second');
      await until('the other one waits for the lock', async () => {
        const { rowCount } = await db.pool.query(
          "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'UPDATE tested_lease%'",
        );
        return rowCount === 1;
      });
      await client.query("INSERT INTO work VALUES ('first')");
    });
    assert.equal(await taking, null);
    assert.deepEqual(await work(), [{ done_by: 'first' }]);
  });

  it('makes Postgres end the leader’s transactions after 10 s without work, but no transaction outside the lease', async () => {
    const generation = await take('first');
    const setting = 'SHOW idle_in_transaction_session_timeout';
    await lease.transaction(db.pool, generation, async (client) => {
      assert.equal((await client.query(setting)).rows[0].idle_in_transaction_session_timeout, '10s');
    });
    assert.equal((await db.pool.query(setting)).rows[0].idle_in_transaction_session_timeout, '0');
  });

  it('counts as lost if the leader stood still in a transaction for as long as the lease', async () => {
    const generation = await take('first');
    const short = createLease('tested_lease', 1);
    const paused = (work: (client: pg.PoolClient) => Promise<unknown>) =>
      short.transaction(db.pool, generation, async (client) => {
        await sleep(1_500);
        await work(client);
      });
    await assert.rejects(
      paused((client) => client.query('SELECT 1')),
      LeaseLost,
    );
    await assert.rejects(
      paused(() => Promise.reject(new Error('no'))),
      LeaseLost,
    );
    assert.equal(await short.transaction(db.pool, generation, async () => 'still here'), 'still here');
  });

  it('is not renewed by a transaction that is rolled back', async () => {
    const generation = await take('first');
    await expireIn(2_000);
    const failing = lease.transaction(db.pool, generation, async (client) => {
      await client.query("INSERT INTO work VALUES ('first')");
      throw new Error('no');
    });
    await assert.rejects(failing, /^Error: no$/);
    assert.deepEqual(await work(), []);
    assert.ok((await row()).left <= 2);
  });
});
