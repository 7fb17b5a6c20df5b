/**
 * A Postgres whose write-ahead log is archived, so that it can be restored to a point in time, or from a snapshot of
 * its disk.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from '../../src/db/embedded-postgres.ts';
import { isRunning, temporaryFolder } from './process.ts';
import { until } from './until.ts';

export interface RestorablePostgres {
  /** Database URL, which stays the same after a restore. */
  url: string;
  /** Folder with everything that the server has. The data is in `postgres`. */
  folder: string;
  /** Backs up the data while the server runs. */
  backup(): Promise<void>;
  /**
   * Archives everything until now.
   * @returns the time to which a restore can go back
   */
  mark(): Promise<string>;
  /** Copies the disk as it is at one moment, as a storage system's snapshot does. */
  snapshot(): Promise<void>;
  /** Deletes the server with all its data. */
  lose(): Promise<void>;
  /** Restores the backup, and then the archive up to this time. Resolves when the server accepts writes. */
  restoreTo(time: string): Promise<void>;
  /** Restores the snapshot of the disk. */
  restoreSnapshot(): Promise<void>;
  close(): Promise<void>;
}

const PATIENCE_MS = 30_000;

/** @param more settings in addition to those that a restore needs */
export async function startRestorablePostgres(
  more: readonly string[] = ['shared_buffers=64MB'],
): Promise<RestorablePostgres> {
  const folder = temporaryFolder();
  const [data, copy, archive, disk] = ['postgres', 'backup', 'archive', 'disk'].map((name) =>
    join(folder.path, name),
  ) as [string, string, string, string];
  mkdirSync(archive);
  chmodSync(archive, 0o777);
  const settings = [
    ...more,
    'fsync=off',
    'wal_level=replica',
    'archive_mode=on',
    `archive_command=cp %p ${archive}/%f`,
  ];
  const { url } = await startPostgres(folder.path, settings);
  const ask = async <T extends pg.QueryResultRow>(...statements: string[]): Promise<T> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      let row: T | undefined;
      for (const statement of statements) row = (await client.query<T>(statement)).rows[0];
      return row!;
    } finally {
      await client.end();
    }
  };
  /** Keeps the files' owner, because the server does not run as root. */
  const duplicate = (from: string, to: string) => {
    rmSync(to, { recursive: true, force: true });
    execFileSync('cp', ['--archive', '--no-target-directory', from, to]);
  };
  const processes = () => {
    const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
    return { pid, children: readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number) };
  };
  // The server was started detached, so it would outlive an aborted run.
  const atExit = () => {
    if (existsSync(join(data, 'postmaster.pid'))) process.kill(processes().pid, 'SIGQUIT');
    folder.remove();
  };
  process.once('exit', atExit);

  async function lose(): Promise<void> {
    const { pid, children } = processes();
    process.kill(pid, 'SIGKILL');
    await until('it has ended', () => [pid, ...children].every((one) => !isRunning(String(one))), PATIENCE_MS);
    rmSync(data, { recursive: true, force: true });
  }

  return {
    url,
    folder: folder.path,
    async backup() {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query("SELECT pg_backup_start('drill', fast => true)");
      duplicate(data, copy);
      const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop()');
      writeFileSync(join(copy, 'backup_label'), rows[0]!.labelfile);
      rmSync(join(copy, 'postmaster.pid'));
      await client.end();
    },
    async mark() {
      const { time } = await ask<{ time: string }>('SELECT clock_timestamp()::text AS time');
      // Commits once more. Recovery stops before the first commit after that time, so the archive has to contain one.
      const { segment } = await ask<{ segment: string }>(
        'CREATE TABLE IF NOT EXISTS drill_mark (at timestamptz)',
        'INSERT INTO drill_mark VALUES (now())',
        'SELECT pg_walfile_name(pg_switch_wal()) AS segment',
      );
      await until('the archive has it', () => existsSync(join(archive, segment)), PATIENCE_MS);
      return time;
    },
    async snapshot() {
      // Stops the first process first, because it starts no others while it is stopped.
      const { pid } = processes();
      process.kill(pid, 'SIGSTOP');
      const { children } = processes();
      const signal = (name: NodeJS.Signals) => {
        for (const one of children) if (isRunning(String(one))) process.kill(one, name);
      };
      signal('SIGSTOP');
      try {
        duplicate(data, disk);
      } finally {
        signal('SIGCONT');
        process.kill(pid, 'SIGCONT');
      }
      rmSync(join(disk, 'postmaster.pid'));
    },
    lose,
    async restoreTo(time) {
      duplicate(copy, data);
      writeFileSync(join(data, 'recovery.signal'), '');
      execFileSync('chown', [
        '--reference',
        join(data, 'PG_VERSION'),
        join(data, 'recovery.signal'),
        join(data, 'backup_label'),
      ]);
      await startPostgres(folder.path, [
        ...settings,
        `restore_command=cp ${archive}/%f %p`,
        `recovery_target_time=${time}`,
        'recovery_target_action=promote',
      ]);
      await until(
        'it takes writes',
        async () => !(await ask<{ recovering: boolean }>('SELECT pg_is_in_recovery() AS recovering')).recovering,
        PATIENCE_MS,
      );
    },
    async restoreSnapshot() {
      duplicate(disk, data);
      await startPostgres(folder.path, settings);
    },
    async close() {
      process.off('exit', atExit);
      if (existsSync(join(data, 'postmaster.pid'))) await lose();
      folder.remove();
    },
  };
}
