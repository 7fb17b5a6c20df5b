import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type pg from 'pg';
import { pino } from 'pino';
import { checkMigrated, migratePostgres } from '../../src/db/migrate.ts';
import { openPool } from '../../src/db/postgres.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type TestMigrations, testMigrations } from '../support/test-migrations.ts';
import { until } from '../support/until.ts';

const INDEX = '9001_match_minute.sql';
const BUILD = '-- no-transaction\nCREATE INDEX CONCURRENTLY IF NOT EXISTS match_minute ON match (minute, id);\n';
const COLUMN = '9002_mark.sql';
const ADD = 'ALTER TABLE match ADD COLUMN mark integer;\n';

const DROP = 'DROP INDEX CONCURRENTLY IF EXISTS match_minute;\n';

/** Locks `match` as a reader does. Only changes of the table have to wait for it. */
const READ = 'SELECT FROM match LIMIT 1';
/** Locks `match` as a feed update does. The build of an index has to wait for it. */
const WRITE = 'UPDATE match SET minute = 1 WHERE id = -1';

describe('migrations', () => {
  let db: TestDatabase;
  const folders: TestMigrations[] = [];
  const open = new Set<pg.PoolClient>();
  beforeEach(async () => {
    db = await createTestDatabase();
  });
  afterEach(async () => {
    for (const { remove } of folders.splice(0)) remove();
    for (const client of open) client.release(true);
    open.clear();
    await db.drop();
  });

  const folderOf = (files: Record<string, string>): URL => {
    const made = testMigrations(files);
    folders.push(made);
    return made.folder;
  };
  const seen = async () =>
    (await db.pool.query("SELECT file FROM schema_migration WHERE file > '9' ORDER BY file")).rows.map(
      ({ file }) => file,
    );
  const indexes = async () =>
    (
      await db.pool.query<{ valid: boolean }>(
        "SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass('match_minute')",
      )
    ).rows.map(({ valid }) => valid);
  /** Returns what our backends wait for, without the backend that runs this query. */
  const waiting = async () =>
    (
      await db.pool.query<{ pid: number; query: string }>(
        `SELECT pid, query FROM pg_stat_activity WHERE datname = current_database() AND state = 'active'
         AND wait_event_type = 'Lock'`,
      )
    ).rows;
  const isWaiting = async (pattern: RegExp) => (await waiting()).some(({ query }) => pattern.test(query));

  /** Runs a statement in a different session, and leaves its transaction open. */
  async function leaveOpen(sql: string): Promise<pg.PoolClient> {
    const client = await db.pool.connect();
    open.add(client);
    await client.query('BEGIN');
    await client.query(sql);
    return client;
  }
  async function end(client: pg.PoolClient): Promise<void> {
    await client.query('COMMIT');
    open.delete(client);
    client.release();
  }

  it('build an index concurrently, and the next run has no work', async () => {
    const folder = folderOf({ [INDEX]: BUILD, [COLUMN]: ADD });
    const lines: string[] = [];
    assert.deepEqual(await migratePostgres(db.pool, { folder, say: (line) => lines.push(line) }), [INDEX, COLUMN]);
    assert.deepEqual([await indexes(), await seen()], [[true], [INDEX, COLUMN]]);
    assert.match(lines.join('\n'), /^Applied 9001_match_minute.sql in [\d.]+ s\nApplied 9002_mark.sql in [\d.]+ s$/);
    assert.deepEqual(await migratePostgres(db.pool, { folder }), []);
  });

  it('that wait for an earlier run do not block the index that it builds', async () => {
    const folder = folderOf({ [INDEX]: BUILD });
    const writer = await leaveOpen(WRITE);
    const lines: string[] = [];
    const first = migratePostgres(db.pool, { folder });
    await until('the first builds', () => isWaiting(/CREATE INDEX CONCURRENTLY/));
    const second = migratePostgres(db.pool, { folder, say: (line) => lines.push(line) });
    await until('the second waits', () => lines.length > 0);
    await end(writer);
    assert.deepEqual(await Promise.all([first, second]), [[INDEX], []]);
    assert.deepEqual(lines, ['Another process is migrating the database: waiting for it to finish']);
    assert.deepEqual(await indexes(), [true]);
  });

  /** Kills a migrating process with -9 while its statement waits for a different transaction. */
  async function killAt(folder: URL, statement: RegExp, blocking: string): Promise<void> {
    const holder = await leaveOpen(blocking);
    const child = fork(new URL('../support/migrate-child.ts', import.meta.url), [db.url, folder.href], {
      stdio: 'ignore',
    });
    await until('its statement waits', () => isWaiting(statement), 10_000);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await until('its statement has ended', async () => (await waiting()).length === 0, 10_000);
    await end(holder);
    assert.deepEqual(await seen(), []);
  }

  it('rebuild an index in the next run if the process was killed', async () => {
    const folder = folderOf({ [INDEX]: BUILD });
    await killAt(folder, /CREATE INDEX CONCURRENTLY/, WRITE);
    assert.deepEqual(await indexes(), [false]);
    const lines: string[] = [];
    assert.deepEqual(await migratePostgres(db.pool, { folder, say: (line) => lines.push(line) }), [INDEX]);
    assert.equal(lines[0], `${INDEX}: index match_minute was left invalid by an earlier run: building it again`);
    assert.deepEqual([await indexes(), await seen()], [[true], [INDEX]]);
  });

  it('drop an index in the next run if the process that dropped it was killed', async () => {
    await db.pool.query(BUILD);
    const folder = folderOf({ '9001_drop.sql': `-- no-transaction\n${DROP}` });
    await killAt(folder, /DROP INDEX CONCURRENTLY/, READ);
    assert.deepEqual(await indexes(), [false]);
    assert.deepEqual(await migratePostgres(db.pool, { folder }), ['9001_drop.sql']);
    assert.deepEqual(await indexes(), []);
  });

  it('leave no change if the process was killed in a transaction, and the next run repeats the transaction', async () => {
    const folder = folderOf({ [COLUMN]: `CREATE TABLE other (id int PRIMARY KEY);\n${ADD}` });
    await killAt(folder, /ADD COLUMN mark/, READ);
    assert.equal((await db.pool.query("SELECT to_regclass('other') AS other")).rows[0].other, null);
    assert.deepEqual([await migratePostgres(db.pool, { folder }), await seen()], [[COLUMN], [COLUMN]]);
  });

  it('keep an index that was complete when the process was killed', async () => {
    await db.pool.query(BUILD);
    const { rows: before } = await db.pool.query("SELECT 'match_minute'::regclass::oid AS oid");
    await migratePostgres(db.pool, { folder: folderOf({ [INDEX]: BUILD }) });
    const { rows } = await db.pool.query("SELECT 'match_minute'::regclass::oid AS oid");
    assert.deepEqual([rows, await seen()], [before, [INDEX]]);
  });

  it('name a unique index over duplicate values, and apply no later migration', async () => {
    await db.pool.query("INSERT INTO source_attribution SELECT 'p' || n, 'same' FROM generate_series(1, 2) n");
    const unique = 'CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS twice ON source_attribution (attribution);';
    const folder = folderOf({ '9001_twice.sql': `-- no-transaction\n${unique}\n`, [COLUMN]: ADD });
    const fails = () =>
      assert.rejects(
        migratePostgres(db.pool, { folder }),
        /^Error: migration 9001_twice.sql: could not create unique index "twice"$/,
      );
    await fails();
    await fails();
    await db.pool.query("DELETE FROM source_attribution WHERE provider = 'p1'");
    assert.deepEqual(await migratePostgres(db.pool, { folder }), ['9001_twice.sql', COLUMN]);
  });

  it('wait for a lock in short attempts, so that queries get locks in between', async () => {
    const reader = await leaveOpen(READ);
    const lines: string[] = [];
    const migration = migratePostgres(db.pool, {
      folder: folderOf({ [COLUMN]: ADD }),
      say: (line) => lines.push(line),
    });
    await until('it has given up once', () => lines.length > 0);
    assert.match(
      lines[0]!,
      /^9002_mark.sql: a lock is held by pid \d+ \(touchline \d+, in a transaction for \d+ s\): trying again$/,
    );
    assert.equal((await db.pool.query('SELECT FROM match LIMIT 1')).rowCount, 0);
    await end(reader);
    assert.deepEqual(await migration, [COLUMN]);
  });

  it('end without a change if they never get the lock, and name the process that holds it', async () => {
    const reader = await leaveOpen(READ);
    const other = 'CREATE TABLE other (id int PRIMARY KEY);\n';
    const folder = folderOf({ [COLUMN]: other + ADD });
    await assert.rejects(
      migratePostgres(db.pool, { folder, lockLimitMs: 0 }),
      /^Error: migration 9002_mark.sql: no lock within 0 s, because it is held by pid \d+ \([^)]+\)\. Nothing was changed: run touchline migrate again$/,
    );
    assert.equal((await db.pool.query("SELECT to_regclass('other') AS other")).rows[0].other, null);
    await end(reader);
    assert.deepEqual([await migratePostgres(db.pool, { folder }), await seen()], [[COLUMN], [COLUMN]]);
  });

  it('end at once on a signal while an index is built, and the next run completes it', async () => {
    const folder = folderOf({ [INDEX]: BUILD });
    const writer = await leaveOpen(WRITE);
    const stop = new AbortController();
    const migration = migratePostgres(db.pool, { folder, signal: stop.signal });
    await until('it builds', () => isWaiting(/CREATE INDEX CONCURRENTLY/));
    stop.abort();
    await assert.rejects(migration, /^Error: stopped before the end: run touchline migrate again to continue$/);
    assert.deepEqual(await waiting(), []);
    await end(writer);
    assert.deepEqual([await migratePostgres(db.pool, { folder }), await indexes()], [[INDEX], [true]]);
  });

  it('end at once on a signal while they wait for an earlier run', async () => {
    const holder = await leaveOpen('SELECT pg_advisory_lock(7345112)');
    const stop = new AbortController();
    const migration = migratePostgres(db.pool, { signal: stop.signal, say: () => stop.abort() });
    await assert.rejects(migration, /^Error: stopped before the end: run touchline migrate again to continue$/);
    await holder.query('SELECT pg_advisory_unlock_all()');
    await end(holder);
  });

  it("are not affected by an administrator's statement limits", async () => {
    const { rows } = await db.pool.query<{ name: string }>('SELECT current_database() AS name');
    await db.pool.query(`ALTER DATABASE ${rows[0]!.name} SET statement_timeout = '50ms'`);
    const pool = openPool(db.url, pino({ level: 'silent' }));
    const slow = '9001_slow.sql';
    assert.deepEqual(await migratePostgres(pool, { folder: folderOf({ [slow]: 'SELECT pg_sleep(0.2);' }) }), [slow]);
    await assert.rejects(pool.query('SELECT pg_sleep(0.2)'), /statement timeout/, 'its connections have theirs again');
    await pool.end();
  });

  it('leave no change from a file that fails', async () => {
    const folder = folderOf({ [COLUMN]: `${ADD}SELECT 1 / 0;` });
    await assert.rejects(migratePostgres(db.pool, { folder }), /^Error: migration 9002_mark.sql: division by zero$/);
    assert.deepEqual(await seen(), []);
    await db.pool.query(ADD);
  });

  it('refuse a newer database and leave it unchanged', async () => {
    const folder = folderOf({ [INDEX]: BUILD });
    await migratePostgres(db.pool, { folder });
    await assert.rejects(
      migratePostgres(db.pool),
      /^Error: the database was migrated by a newer version: it has 9001_match_minute.sql$/,
    );
  });

  it('let an older release use a newer database until a file has removed data that the release reads', async () => {
    const contract = '9002_drop_mark.sql';
    const folder = folderOf({ [COLUMN.replace('9002', '9001')]: ADD });
    await migratePostgres(db.pool, { folder });
    await checkMigrated(db.pool, '0.1.0');
    const dropped = `-- contract: no longer read since 0.10.0\nALTER TABLE match DROP COLUMN mark;\n`;
    const next = folderOf({ [COLUMN.replace('9002', '9001')]: ADD, [contract]: dropped });
    await migratePostgres(db.pool, { folder: next });
    for (const version of ['0.10.0', '0.10.1', '1.0.0', '0.10.0-rc.1']) await checkMigrated(db.pool, version);
    for (const version of ['0.1.0', '0.9.12'])
      await assert.rejects(checkMigrated(db.pool, version), {
        message: `this is version ${version}, but a newer version has migrated the database: 9002_drop_mark.sql removed what versions before 0.10.0 read. Run 0.10.0 or later, or restore a backup from before the migration`,
      });
  });

  it('add the column for the oldest release to a database that lacks it, and a service works even without that column', async () => {
    await db.pool.query('ALTER TABLE schema_migration DROP COLUMN oldest_release');
    await checkMigrated(db.pool, '0.1.0');
    const folder = folderOf({ [COLUMN]: `-- contract: no longer read since 0.2.0\n${ADD}` });
    assert.deepEqual(await migratePostgres(db.pool, { folder }), [COLUMN]);
    await assert.rejects(checkMigrated(db.pool, '0.1.9'), /Run 0\.2\.0 or later/);
  });
});
