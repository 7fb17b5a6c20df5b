/**
 * A Postgres server for a single test, which may crash it. Committed data survives, since the machine does not crash.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { type EmbeddedPostgres, startPostgres } from '../../src/db/embedded-postgres.ts';
import { migratePostgres } from '../../src/db/migrate.ts';
import { openPool } from '../../src/db/postgres.ts';
import { seedCatalogue } from '../../src/db/seed.ts';
import { isRunning, temporaryFolder } from './process.ts';
import { until } from './until.ts';

export interface OwnPostgres {
  /** URL of a migrated and seeded database. It stays the same after a restart. */
  url: string;
  /** The server's log file, beside the data. */
  log: string;
  /** Kills the server with -9, without a clean shutdown. */
  crash(): Promise<void>;
  /** Kills one backend with -9. The server then ends all other backends, and recovers by itself. */
  crashBackend(): Promise<void>;
  /** Stops the server as an operator would. Open transactions are rolled back. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops the server and removes its data. */
  close(): Promise<void>;
}

const SETTINGS = ['fsync=off', 'full_page_writes=off', 'shared_buffers=64MB'];
const silent = pino({ level: 'silent' });

export async function startOwnPostgres(): Promise<OwnPostgres> {
  const folder = temporaryFolder();
  const pidFile = join(folder.path, 'postgres/postmaster.pid');
  const pid = () => Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  let server: EmbeddedPostgres = await startPostgres(folder.path, SETTINGS);
  const { url } = server;
  const pool = openPool(url, silent, 1);
  await migratePostgres(pool);
  await seedCatalogue(pool);
  await pool.end();

  async function end(signal: 'SIGKILL' | 'SIGINT'): Promise<void> {
    const server = pid();
    const children = readFileSync(`/proc/${server}/task/${server}/children`, 'utf8').trim().split(' ');
    process.kill(server, signal);
    // A new server does not start while backends of the former one still run.
    await until('it has ended', () => [String(server), ...children].every((one) => !isRunning(one)), 20_000);
  }
  return {
    url,
    log: join(folder.path, 'postgres.log'),
    crash: () => end('SIGKILL'),
    stop: () => end('SIGINT'),
    async crashBackend() {
      const one = openPool(url, silent, 1);
      const { rows } = await one.query<{ pid: number }>(
        "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() LIMIT 1",
      );
      process.kill(rows[0]!.pid, 'SIGKILL');
      await one.end();
    },
    async start() {
      server = await startPostgres(folder.path, SETTINGS);
    },
    async close() {
      if (existsSync(pidFile)) await server.stop();
      folder.remove();
    },
  };
}
