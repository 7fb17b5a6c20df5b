/** A streaming standby of a Postgres server, whose replay can be delayed and paused, and which can end or be promoted. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from '../../src/db/embedded-postgres.ts';
import { isRunning, temporaryFolder } from './process.ts';
import { until } from './until.ts';

export interface PostgresStandby {
  /** URL of the superuser, over the Unix socket. */
  url: string;
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
  /** Ends the standby and removes its data. */
  close(): Promise<void>;
}

const PATIENCE_MS = 30_000;
/** A statement conflicts with what the standby replays. */
const RECOVERY_CONFLICT = '40001';

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
export async function endPostgres(data: string): Promise<void> {
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

/** Starts a server on a port of its own. The driver and the server read it from PGPORT. */
export async function startPostgresOn(port: number, ...given: Parameters<typeof startPostgres>) {
  const { PGPORT } = process.env;
  process.env.PGPORT = String(port);
  try {
    const server = await startPostgres(...given);
    return { ...server, url: `${server.url}&port=${port}` };
  } finally {
    if (PGPORT === undefined) delete process.env.PGPORT;
    else process.env.PGPORT = PGPORT;
  }
}

/**
 * @param primary the URL of its superuser, over the Unix socket, and its data
 * @param settings as `name=value`
 * @param port by default, no port is needed, because the standby listens on a Unix socket only
 */
export async function startPostgresStandby(
  primary: { url: string; data: string },
  settings: readonly string[],
  port?: number,
): Promise<PostgresStandby> {
  const folder = temporaryFolder();
  const data = join(folder.path, 'postgres');
  await copyData(primary.url, primary.data, data);
  const { searchParams } = new URL(primary.url);
  // Without the port, the standby would look for the primary at its own one.
  const { PGPORT = 5432 } = process.env;
  const socket = `host=${searchParams.get('host')} port=${searchParams.get('port') ?? PGPORT}`;
  const all = [...settings, `primary_conninfo=${socket} user=postgres`];
  const start = () => (port === undefined ? startPostgres(folder.path, all) : startPostgresOn(port, folder.path, all));
  const { url } = await start();
  /** Repeats a statement that the replay has cancelled. */
  const onStandby = <R extends pg.QueryResultRow>(text: string): Promise<R[]> =>
    ask<R>(url, text).catch((error: { code?: string }) =>
      error.code === RECOVERY_CONFLICT ? onStandby<R>(text) : Promise.reject(error),
    );
  // The server was started detached, so it would outlive an aborted run.
  const atExit = () => {
    const pidFile = join(data, 'postmaster.pid');
    if (existsSync(pidFile)) process.kill(Number(readFileSync(pidFile, 'utf8').split('\n')[0]), 'SIGQUIT');
    folder.remove();
  };
  process.once('exit', atExit);

  return {
    url,
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
      const [written] = await ask<{ lsn: string }>(primary.url, 'SELECT pg_current_wal_insert_lsn()::text AS lsn');
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
    stopStandby: () => endPostgres(data),
    async startStandby() {
      await start();
    },
    async promote() {
      await onStandby('SELECT pg_promote(true)');
    },
    async close() {
      process.off('exit', atExit);
      await endPostgres(data);
      folder.remove();
    },
  };
}
