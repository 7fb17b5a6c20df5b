/** A Postgres server with a streaming standby, whose replay can be delayed and paused, and which can end or be promoted. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { startPostgres } from '../../src/db/embedded-postgres.ts';
import { migratePostgres } from '../../src/db/migrate.ts';
import { openPool } from '../../src/db/postgres.ts';
import { seedCatalogue } from '../../src/db/seed.ts';
import { isRunning, temporaryFolder } from './process.ts';
import { until } from './until.ts';

export interface ReplicatedPostgres {
  /** URL of a migrated and seeded database on the primary. */
  url: string;
  /** URL of the same database on the standby. */
  readUrl: string;
  /** Commits reach the standby's readers only after this time. */
  delay(ms: number): Promise<void>;
  /** Stops the replay. The standby goes on receiving. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Waits until the standby has replayed everything that the primary has written. */
  caughtUp(): Promise<void>;
  /** Runs a statement on the standby, as its superuser. */
  onStandby<R extends pg.QueryResultRow>(text: string): Promise<R[]>;
  /** Ends the standby with its connections. */
  stopStandby(): Promise<void>;
  startStandby(): Promise<void>;
  /** Makes the standby a primary of its own. */
  promote(): Promise<void>;
  close(): Promise<void>;
}

const SETTINGS = ['fsync=off', 'shared_buffers=64MB', 'wal_level=replica'];
const PATIENCE_MS = 30_000;
/** A statement conflicts with what the standby replays. */
const RECOVERY_CONFLICT = '40001';
const silent = pino({ level: 'silent' });

async function ask<R extends pg.QueryResultRow>(url: string, text: string): Promise<R[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<R>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Ends a server at once. It keeps its data. */
async function end(data: string): Promise<void> {
  const pidFile = join(data, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  process.kill(pid, 'SIGQUIT');
  await until('it has ended', () => [String(pid), ...children].every((one) => !isRunning(one)), PATIENCE_MS);
}

/** Copies the primary's data while it runs, as pg_basebackup does, which the embedded server lacks. */
async function copyData(url: string, from: string, to: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("SELECT pg_backup_start('standby', fast => true)");
    execFileSync('cp', ['--archive', from, to]);
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    writeFileSync(join(to, 'backup_label'), rows[0]!.labelfile);
    writeFileSync(join(to, 'standby.signal'), '');
    execFileSync('rm', [join(to, 'postmaster.pid')]);
    const owned = [join(to, 'backup_label'), join(to, 'standby.signal')];
    execFileSync('chown', ['--reference', join(to, 'PG_VERSION'), ...owned]);
  } finally {
    await client.end();
  }
}

export async function startReplicatedPostgres(): Promise<ReplicatedPostgres> {
  const [primaryFolder, standbyFolder] = [temporaryFolder(), temporaryFolder()];
  const [primaryData, standbyData] = [join(primaryFolder.path, 'postgres'), join(standbyFolder.path, 'postgres')];
  const { url } = await startPostgres(primaryFolder.path, SETTINGS);
  const pool = openPool(url, silent, 1);
  await migratePostgres(pool);
  await seedCatalogue(pool);
  await pool.end();
  await copyData(url, primaryData, standbyData);
  const socket = new URL(url).searchParams.get('host')!;
  const startStandby = () =>
    startPostgres(standbyFolder.path, [...SETTINGS, `primary_conninfo=host=${socket} user=postgres`]);
  const { url: readUrl } = await startStandby();
  /** Repeats a statement that the replay has cancelled. */
  const onStandby = <R extends pg.QueryResultRow>(text: string): Promise<R[]> =>
    ask<R>(readUrl, text).catch((error: { code?: string }) =>
      error.code === RECOVERY_CONFLICT ? onStandby<R>(text) : Promise.reject(error),
    );
  // The servers were started detached, so they would outlive an aborted run.
  const atExit = () => {
    for (const folder of [standbyFolder, primaryFolder]) {
      const pidFile = join(folder.path, 'postgres/postmaster.pid');
      if (existsSync(pidFile)) process.kill(Number(readFileSync(pidFile, 'utf8').split('\n')[0]), 'SIGQUIT');
      folder.remove();
    }
  };
  process.once('exit', atExit);

  return {
    url,
    readUrl,
    onStandby,
    async delay(ms) {
      await onStandby(`ALTER SYSTEM SET recovery_min_apply_delay = ${ms}`);
      await onStandby('SELECT pg_reload_conf()');
    },
    async pause() {
      await onStandby('SELECT pg_wal_replay_pause()');
      await until('the replay is paused', async () => {
        const [row] = await onStandby<{ state: string }>('SELECT pg_get_wal_replay_pause_state() AS state');
        return row!.state === 'paused';
      });
    },
    async resume() {
      await onStandby('SELECT pg_wal_replay_resume()');
    },
    async caughtUp() {
      const [written] = await ask<{ lsn: string }>(url, 'SELECT pg_current_wal_insert_lsn()::text AS lsn');
      await until(
        'the standby has everything',
        async () => {
          const [row] = await onStandby<{ done: boolean }>(
            `SELECT pg_last_wal_replay_lsn() >= '${written!.lsn}' AS done`,
          );
          return row!.done;
        },
        PATIENCE_MS,
      );
    },
    stopStandby: () => end(standbyData),
    async startStandby() {
      await startStandby();
    },
    async promote() {
      await onStandby('SELECT pg_promote(true)');
    },
    async close() {
      process.off('exit', atExit);
      await end(standbyData);
      await end(primaryData);
      for (const folder of [standbyFolder, primaryFolder]) folder.remove();
    },
  };
}
