import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mock } from 'node:test';
import type pg from 'pg';
import { firstRow, texts, transaction, wireTimeSql } from '../../src/db/postgres.ts';
import { wireTime } from '../../src/wire/time.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

describe('transactions', () => {
  let db: TestDatabase;
  before(async () => {
    db = await createTestDatabase();
  });
  after(() => db.drop());

  it('fail as a whole if the server ends the connection between two statements, and the process continues', async () => {
    const lost = transaction(db.pool, async (client) => {
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const ended = new Promise((resolve) => client.once('end', resolve));
      await db.pool.query('SELECT pg_terminate_backend($1)', [rows[0]!.pid]);
      await ended;
      await client.query('SELECT 1');
    });
    await assert.rejects(lost);
    assert.equal((await db.pool.query('SELECT 1')).rowCount, 1);
  });

  it("are never JIT-compiled on any connection, whatever the server's default", async () => {
    const clients = await Promise.all([1, 2, 3].map(() => db.pool.connect()));
    const { rows } = await db.pool.query("SELECT reset_val FROM pg_settings WHERE name = 'jit'");
    const shown = await Promise.all(clients.map((client) => client.query<{ jit: string }>('SHOW jit')));
    for (const client of clients) client.release();
    assert.deepEqual(
      shown.map((one) => one.rows[0]!.jit),
      ['off', 'off', 'off'],
    );
    assert.equal(rows[0].reset_val, 'on', 'or this test would show nothing');
  });

  it('are rolled back and throw the error if they fail', async () => {
    const broken = transaction(db.pool, async (client) => {
      await client.query(
        "INSERT INTO outbox (match_id, sport, tournament_id, type, envelope) VALUES (1, 's', 1, 't', 'e')",
      );
      throw new Error('no');
    });
    await assert.rejects(broken, /^Error: no$/);
    assert.equal((await db.pool.query('SELECT FROM outbox')).rowCount, 0);
  });

  it('are rolled back and return the result if they ask for it', async () => {
    const insert = "INSERT INTO outbox (match_id, sport, tournament_id, type, envelope) VALUES (1, 's', 1, 't', 'e')";
    const run = (result: string) =>
      transaction(
        db.pool,
        async (client) => {
          await client.query(insert);
          return result;
        },
        [],
        (outcome) => outcome === 'commit',
      );
    assert.equal(await run('conflict'), 'conflict');
    assert.equal((await db.pool.query('SELECT FROM outbox')).rowCount, 0);
    assert.equal(await run('commit'), 'commit');
    assert.equal((await db.pool.query('SELECT FROM outbox')).rowCount, 1);
  });
});

describe('transaction limits', () => {
  let db: TestDatabase;
  before(async () => {
    db = await createTestDatabase();
  });
  after(() => db.drop());
  afterEach(() => mock.timers.reset());

  /** Returns a pool for the same database that reports this server version. */
  const poolOf = (version: number) =>
    ({
      options: {},
      query: async () => ({ rows: [{ version }] }),
      connect: () => db.pool.connect(),
    }) as unknown as pg.Pool;
  const limitsTransactions = async () =>
    (await db.pool.query("SELECT FROM pg_settings WHERE name = 'transaction_timeout'")).rowCount === 1;
  const settings = (pool: pg.Pool) =>
    transaction(pool, async (client) => {
      const names = ['statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout'];
      const { rows } = await client.query(
        'SELECT setting FROM pg_settings WHERE name = ANY ($1) ORDER BY array_position($1::text[], name)',
        [names],
      );
      return rows.map(({ setting }) => Number(setting));
    });

  it('are set by a server from Postgres 17 on, which ends a transaction after 60 s', async function () {
    if (!(await limitsTransactions())) this.skip();
    assert.deepEqual(await settings(poolOf(170_000)), [0, 0, 60_000]);
  });

  it('are 30 s for a statement or a pause on an older server, and the process ends the transaction after 60 s', async () => {
    const unlimited = (await limitsTransactions()) ? [0] : [];
    assert.deepEqual(await settings(poolOf(169_999)), [30_000, 30_000, ...unlimited]);
    mock.timers.enable({ apis: ['setTimeout'] });
    const endedBy = async (ms: number) => {
      let hasEnded = false;
      const work = transaction(poolOf(150_000), async (client) => {
        client.once('end', () => {
          hasEnded = true;
        });
        const ended = once(client, 'end');
        mock.timers.tick(ms);
        if (ms === 60_000) await ended;
        await client.query(
          "INSERT INTO outbox (match_id, sport, tournament_id, type, envelope) VALUES (1, 's', 1, 't', 'e')",
        );
      });
      await work.catch(() => {});
      return hasEnded;
    };
    assert.equal(await endedBy(59_999), false);
    assert.equal(await endedBy(60_000), true);
    assert.equal((await db.pool.query('SELECT FROM outbox')).rowCount, 1);
  });
});

describe('a text list', () => {
  let db: TestDatabase;
  before(async () => {
    db = await createTestDatabase();
  });
  after(() => db.drop());

  const readBack = async (values: (string | null)[]) =>
    (await db.pool.query<{ values: (string | null)[] }>('SELECT $1::text[] AS values', [texts(values)])).rows[0]!
      .values;

  for (const values of [
    [],
    [null],
    ['', null, 'NULL', '{}', '{"a\\"":[1,"\\u0000"]}', 'a,b', ' ', '\n', 'Спартак ⚽', 'x'.repeat(100_000)],
  ])
    it(`arrives unchanged: ${JSON.stringify(values).slice(0, 60)}`, async () => {
      assert.deepEqual(await readBack(values), values);
    });

  it('is refused if it contains a NUL, as every text is', async () => {
    await assert.rejects(readBack(['a\0b']), { code: '22021' });
  });
});

describe('a time formatted by SQL', () => {
  let db: TestDatabase;
  before(async () => {
    db = await createTestDatabase();
  });
  after(() => db.drop());

  it('has the same form as the result of wireTime, in any session time zone', async () => {
    for (const ms of [0, 1_700_000_000_999, Date.parse('2026-03-29T01:30:00Z')]) {
      const { rows } = await transaction(
        db.pool,
        (client) => client.query(`SELECT ${wireTimeSql('$1::timestamptz')} AS text`, [new Date(ms)]),
        ["SET LOCAL timezone = 'Asia/Kolkata'"],
      );
      assert.equal(rows[0].text, wireTime(ms));
    }
  });
});

describe('a statement that must return a row', () => {
  it('gives that row, and fails if no row exists', () => {
    assert.deepEqual(firstRow([{ count: 2 }]), { count: 2 });
    assert.throws(() => firstRow([]), /returned no row/);
  });
});
