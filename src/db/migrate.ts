/**
 * Applies the numbered SQL files that a database lacks, one process at a time, while the service keeps running. A file
 * is applied in one transaction. If the transaction waits longer than `LOCK_TIMEOUT_MS` for a lock, it is rolled back,
 * so that waiting statements can take the lock, and is tried again. If a file's first line says so, the file is applied
 * outside a transaction, as one statement that can be repeated. If that statement is interrupted, the next run
 * completes it.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { errorMessage } from '../runtime/unknown-values.ts';
import { VERSION } from '../runtime/version.ts';
import { watchBackend } from './backend-watch.ts';
import {
  builtIndex,
  MIGRATIONS,
  type Migration,
  migrationFiles,
  oldestRelease,
  readMigration,
} from './migration-files.ts';
import { firstRow, rawSocket } from './postgres.ts';

/** Id of the advisory lock that lets only one process migrate at a time. Any fixed number will do. */
const LOCK = 7_345_112;

/** How long a migration waits for a lock. During this time, later statements on the table wait for the migration. */
const LOCK_TIMEOUT_MS = 1_000;
/**
 * Random pause between two attempts. It lets waiting statements run, and stops two processes from waiting for each
 * other again.
 */
const RETRY_FROM_MS = 500;
const RETRY_TO_MS = 2_000;
/** Time limit for all attempts on one file. It is shorter than the 5 minutes that Helm waits, so that the reason is logged in time. */
const LOCK_LIMIT_MS = 4 * 60_000;

/** Poll interval while a migration runs elsewhere. */
const TURN_FROM_MS = 200;
const TURN_TO_MS = 600;
const SAY_EVERY_MS = 10_000;

const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK = '40P01';

/** Interval at which Postgres notices that a process was killed, and then ends the process's statement and frees its lock. */
const CLIENT_CHECK = '2s';
/**
 * Keep-alive interval. While an index is built, nothing is sent for minutes, and a router on the way might drop the
 * connection.
 */
const KEEP_ALIVE_MS = 30_000;

export interface MigrateOptions {
  /** Prints a line for the user. */
  say?: (line: string) => void;
  /** Ends the run. Work in progress is rolled back, or repeated by the next run. */
  signal?: AbortSignal | undefined;
  folder?: URL;
  lockLimitMs?: number;
}

interface Run extends Required<Omit<MigrateOptions, 'signal'>> {
  pool: pg.Pool;
  client: pg.PoolClient;
  pid: number;
  signal: AbortSignal | undefined;
}

/**
 * Checks a database for a process that does not migrate. A newer database is accepted if this release can still use
 * it. It usually can: an upgrade only adds what old processes do not need, and only a later one removes what they
 * read.
 * @param version this process's release
 * @throws {Error} with a one-line message if the database lacks a migration, or has one that this release cannot work
 * with
 */
export async function checkMigrated(pool: pg.Pool, version = VERSION): Promise<void> {
  const { rows } = await pool.query<{ known: boolean; releases: boolean }>(
    `SELECT to_regclass('schema_migration') IS NOT NULL AS known,
       EXISTS (SELECT FROM pg_attribute WHERE attrelid = to_regclass('schema_migration') AND attname = 'oldest_release') AS releases`,
  );
  const { known, releases } = firstRow(rows);
  const seen = new Set(
    known ? (await pool.query<{ file: string }>('SELECT file FROM schema_migration')).rows.map(({ file }) => file) : [],
  );
  const missing = migrationFiles().filter((file) => !seen.has(file));
  if (missing.length > 0) throw new Error(`the database lacks ${missing.join(', ')}: run touchline migrate first`);
  if (releases) await checkRelease(pool, version);
}

async function checkRelease(pool: pg.Pool, version: string): Promise<void> {
  const { rows } = await pool.query<{ file: string; release: string }>(
    'SELECT file, oldest_release AS release FROM schema_migration WHERE oldest_release IS NOT NULL ORDER BY file',
  );
  const tooNew = rows.filter(({ release }) => compareReleases(release, version) > 0);
  const oldest = tooNew
    .map(({ release }) => release)
    .sort(compareReleases)
    .at(-1);
  if (oldest === undefined) return;
  throw new Error(
    `this is version ${version}, but a newer version has migrated the database: ${tooNew.map(({ file }) => file).join(', ')} removed what versions before ${oldest} read. Run ${oldest} or later, or restore a backup from before the migration`,
  );
}

const compareReleases = (a: string, b: string) => {
  const numbers = (release: string) => release.split(/[.+-]/).slice(0, 3).map(Number);
  const right = numbers(b);
  const differences = numbers(a).map((part, index) => part - (right[index] ?? Number.NaN));
  return differences.find((difference) => difference !== 0) ?? 0;
};

/**
 * @returns names of the files applied now
 * @throws {Error} with a one-line message; files that were applied before the error stay applied
 */
export async function migratePostgres(
  pool: pg.Pool,
  { say = () => {}, signal, folder = MIGRATIONS, lockLimitMs = LOCK_LIMIT_MS }: MigrateOptions = {},
): Promise<string[]> {
  const client = await pool.connect();
  try {
    const pid = await prepareSession(client);
    const run = { pool, client, pid, say, signal, folder, lockLimitMs };
    await waitForTurn(run);
    return await applyMissing(run);
  } catch (error) {
    throw signal?.aborted ? new Error('stopped before the end: run touchline migrate again to continue') : error;
  } finally {
    await client.query('SELECT pg_advisory_unlock_all()').catch(() => {});
    // Closes the connection, because its settings were changed.
    client.release(true);
  }
}

/**
 * Removes the limits that an administrator may have set for our role's statements and transactions. Building an index
 * on a large table would exceed them.
 * @returns the backend's pid
 */
async function prepareSession(client: pg.PoolClient): Promise<number> {
  rawSocket(client).setKeepAlive(true, KEEP_ALIVE_MS);
  await client.query(
    `SELECT set_config(name, '0', false) FROM pg_settings
     WHERE name IN ('statement_timeout', 'transaction_timeout', 'idle_in_transaction_session_timeout', 'idle_session_timeout', 'lock_timeout')`,
  );
  const { rows } = await client.query<{ pid: number }>(
    `SELECT pg_backend_pid() AS pid, set_config('client_connection_check_interval', $1, false)`,
    [CLIENT_CHECK],
  );
  return firstRow(rows).pid;
}

/**
 * Waits until no process migrates. Polls, because a waiting statement would hold a snapshot, and a CREATE INDEX
 * CONCURRENTLY in the migrating process would wait for that snapshot.
 */
async function waitForTurn({ client, say, signal }: Run): Promise<void> {
  let said = Number.NEGATIVE_INFINITY;
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [LOCK]);
    if (firstRow(rows).taken) return;
    if (performance.now() - said >= SAY_EVERY_MS) {
      say('Another process is migrating the database: waiting for it to finish');
      said = performance.now();
    }
    await pause(TURN_FROM_MS, TURN_TO_MS, signal);
  }
}

async function applyMissing(run: Run): Promise<string[]> {
  const { client, folder, say } = run;
  await client.query(
    'CREATE TABLE IF NOT EXISTS schema_migration (file text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
  );
  await addReleases(client);
  const { rows } = await client.query<{ file: string }>('SELECT file FROM schema_migration');
  const seen = new Set(rows.map((row) => row.file));
  const files = migrationFiles(folder);
  const unknown = [...seen].filter((file) => !files.includes(file));
  if (unknown.length > 0) throw new Error(`the database was migrated by a newer version: it has ${unknown.join(', ')}`);
  const applied: string[] = [];
  for (const file of files.filter((name) => !seen.has(name))) {
    const begun = performance.now();
    try {
      await apply(run, readMigration(file, folder));
    } catch (error) {
      throw new Error(`migration ${file}: ${errorMessage(error)}`, { cause: error });
    }
    applied.push(file);
    // Not printed for a new database, which gets all files at once.
    if (seen.size > 0) say(`Applied ${file} in ${((performance.now() - begun) / 1_000).toFixed(1)} s`);
  }
  return applied;
}

/** Adds the column `oldest_release`, which 0.1.0 databases lack. Takes no lock if the column exists. */
async function addReleases(client: pg.PoolClient): Promise<void> {
  const { rowCount } = await client.query(
    "SELECT FROM pg_attribute WHERE attrelid = 'schema_migration'::regclass AND attname = 'oldest_release'",
  );
  if (rowCount === 0) await client.query('ALTER TABLE schema_migration ADD COLUMN IF NOT EXISTS oldest_release text');
}

/** Applies one file, with as many attempts as needed. */
async function apply(run: Run, migration: Migration): Promise<void> {
  const { signal, lockLimitMs } = run;
  const begun = performance.now();
  const say = (line: string) => run.say(`${migration.file}: ${line}`);
  let said = Number.NEGATIVE_INFINITY;
  for (;;) {
    signal?.throwIfAborted();
    const watch = watchBackend(run.pool, run.pid, say, signal);
    try {
      await (migration.inTransaction ? applyInTransaction(run, migration) : applyAlone(run, migration, say));
      return;
    } catch (error) {
      const { code } = error as pg.DatabaseError;
      if (code !== LOCK_NOT_AVAILABLE && code !== DEADLOCK) throw error;
      const holder = watch.blockers() ?? 'others';
      if (performance.now() - begun >= lockLimitMs)
        throw new Error(
          `no lock within ${Math.round(lockLimitMs / 1_000)} s, because it is held by ${holder}. Nothing was changed: run touchline migrate again`,
          { cause: error },
        );
      if (performance.now() - said >= SAY_EVERY_MS) {
        say(`a lock is held by ${holder}: trying again`);
        said = performance.now();
      }
    } finally {
      watch.stop();
    }
    await pause(RETRY_FROM_MS, RETRY_TO_MS, signal);
  }
}

/** Sends all statements in one message, so that this process holds no lock if it is stopped or paused meanwhile. */
async function applyInTransaction({ client }: Run, migration: Migration): Promise<void> {
  try {
    await client.query(
      `BEGIN; SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS};\n${migration.sql}\n;${rememberSql(client, migration)}; COMMIT`,
    );
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/**
 * Runs without lock_timeout. The statement waits for older transactions, but no statement waits for it. If it is
 * interrupted, it leaves an index that Postgres maintains but never uses.
 */
async function applyAlone({ client }: Run, migration: Migration, say: (line: string) => void): Promise<void> {
  const index = builtIndex(migration);
  if (index !== null && (await isInvalid(client, index))) {
    say(`index ${index} was left invalid by an earlier run: building it again`);
    await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`);
  }
  await client.query(migration.sql);
  if (index !== null && (await isInvalid(client, index))) throw new Error(`index ${index} is invalid`);
  await client.query(rememberSql(client, migration));
}

async function isInvalid(client: pg.PoolClient, index: string): Promise<boolean> {
  const { rowCount } = await client.query(
    'SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT (indisvalid AND indisready AND indislive)',
    [index],
  );
  return rowCount !== 0;
}

function rememberSql(client: pg.PoolClient, migration: Migration): string {
  const release = oldestRelease(migration);
  const values = [client.escapeLiteral(migration.file), release === null ? 'NULL' : client.escapeLiteral(release)];
  return `INSERT INTO schema_migration (file, oldest_release) VALUES (${values.join(', ')})`;
}

const pause = (fromMs: number, toMs: number, signal: AbortSignal | undefined) =>
  sleep(randomInt(fromMs, toMs), undefined, { signal });
