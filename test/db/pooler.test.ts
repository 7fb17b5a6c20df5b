import assert from 'node:assert/strict';
import { readConfig } from '../../src/config/config.ts';
import { hasEndedSql, openLivenessLock } from '../../src/db/liveness-lock.ts';
import { openMatchChanges } from '../../src/db/notices.ts';
import { checkSessions } from '../../src/db/pooler.ts';
import { openPool } from '../../src/db/postgres.ts';
import { openStores } from '../../src/db/stores.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type PgBouncerOptions, startPgBouncer, whyNoPgBouncer } from '../support/pgbouncer.ts';
import { start } from '../support/process.ts';
import { until } from '../support/until.ts';

const REFUSAL = /^Postgres is behind a pooler that shares connections .*: set pool_mode = session for Touchline/;
const logger = { warn: () => {} };

describe('Postgres behind PgBouncer', function () {
  this.timeout(60_000);
  let db: TestDatabase;
  before(async function () {
    const reason = whyNoPgBouncer();
    if (reason !== null) {
      console.log(`    skipped: ${reason}`);
      this.skip();
    }
    db = await createTestDatabase();
  });
  after(() => db?.drop());

  async function behind<T>(options: PgBouncerOptions, work: (url: string) => Promise<T>): Promise<T> {
    const bouncer = await startPgBouncer(db.url, options);
    try {
      return await work(bouncer.url);
    } finally {
      await bouncer.stop();
    }
  }
  async function check(url: string): Promise<void> {
    const pool = openPool(url, logger);
    try {
      await checkSessions(pool);
    } finally {
      await pool.end();
    }
  }
  const refuses = (options: PgBouncerOptions, times = 5) =>
    behind(options, async (url) => {
      // Repeats the check, because which connections the pooler gives out depends on those that it gave out before.
      for (let time = 0; time < times; time += 1) await assert.rejects(check(url), { message: REFUSAL });
    });

  it('is accepted if the connection is direct', async () => {
    for (let time = 0; time < 20; time += 1) await check(db.url);
  });

  it('is accepted with session pooling', () =>
    behind({ mode: 'session' }, async (url) => {
      for (let time = 0; time < 20; time += 1) await check(url);
    }));

  it('is refused with transaction pooling and any number of connections', async () => {
    await refuses({ mode: 'transaction' });
    await refuses({ mode: 'transaction', size: 1 }, 2);
    await refuses({ mode: 'transaction', size: 2 });
    await refuses({ mode: 'transaction', settings: { min_pool_size: 30 } });
  });

  it('is refused with transaction pooling, whatever order connections come in, and even if PgBouncer resets sessions', async () => {
    for (const size of [2, 3, 4, 7]) await refuses({ mode: 'transaction', size, settings: { server_round_robin: 1 } });
    await refuses({ mode: 'transaction', settings: { server_round_robin: 1, min_pool_size: 30 } });
    await refuses({ mode: 'transaction', size: 1, settings: { server_reset_query_always: 1 } }, 2);
  });

  it('is refused with statement pooling', () => refuses({ mode: 'statement' }));

  it('makes a command or a role end with one line if the pooling is refused', () =>
    behind({ mode: 'transaction' }, async (url) => {
      const env = { DATABASE_URL: url, SECRET_KEY: '0123456789abcdef', LOG_LEVEL: 'error' };
      for (const command of [['migrate'], ['serve', '--role', 'relay']]) {
        const { code, err } = await start(command, { env }).finished;
        assert.equal(code, 1);
        assert.match(err, /^touchline: Postgres is behind a pooler .*\n$/);
      }
    }));

  it('lets the stores open with session pooling, delivers notices, and reveals that a session has ended', () =>
    behind({ mode: 'session' }, async (url) => {
      const config = readConfig({ DATABASE_URL: url, SECRET_KEY: '0123456789abcdef' });
      const stores = await openStores(config, logger as never);
      const [one, two] = [await openMatchChanges(url, logger), await openMatchChanges(url, logger)];
      const heard: unknown[] = [];
      two.subscribe((ids) => void heard.push(ids));
      one.publish([7]);
      await until('the other hears it', () => heard.length > 0);
      assert.deepEqual(heard, [[7]]);
      const session = await openLivenessLock(url, logger);
      const hasEnded = async () => {
        const { rows } = await stores.pool.query<{ ended: boolean }>(
          `SELECT ${hasEndedSql('session')} AS ended FROM (SELECT $1::bigint) AS row (session)`,
          [session.id],
        );
        return rows[0]!.ended;
      };
      assert.equal(await hasEnded(), false);
      await session.close();
      await until('it has ended', hasEnded);
      await Promise.all([one.close(), two.close(), stores.close()]);
    }));
});
