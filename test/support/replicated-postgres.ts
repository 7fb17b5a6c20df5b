/** A Postgres server with a streaming standby. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { startPostgres } from '../../src/db/embedded-postgres.ts';
import { migratePostgres } from '../../src/db/migrate.ts';
import { openPool } from '../../src/db/postgres.ts';
import { seedCatalogue } from '../../src/db/seed.ts';
import { endPostgres, type PostgresStandby, startPostgresStandby } from './postgres-standby.ts';
import { temporaryFolder } from './process.ts';

export interface ReplicatedPostgres extends PostgresStandby {
  /** URL of a migrated and seeded database on the primary. */
  url: string;
  /** URL of the same database on the standby. */
  readUrl: string;
}

const SETTINGS = ['fsync=off', 'shared_buffers=64MB', 'wal_level=replica'];
const silent = pino({ level: 'silent' });

export async function startReplicatedPostgres(): Promise<ReplicatedPostgres> {
  const folder = temporaryFolder();
  const data = join(folder.path, 'postgres');
  const { url } = await startPostgres(folder.path, SETTINGS);
  // The server was started detached, so it would outlive an aborted run.
  const atExit = () => {
    const pidFile = join(data, 'postmaster.pid');
    if (existsSync(pidFile)) process.kill(Number(readFileSync(pidFile, 'utf8').split('\n')[0]), 'SIGQUIT');
    folder.remove();
  };
  process.once('exit', atExit);
  const pool = openPool(url, silent, 1);
  await migratePostgres(pool);
  await seedCatalogue(pool);
  await pool.end();
  const standby = await startPostgresStandby({ url, data }, SETTINGS);
  return {
    ...standby,
    url,
    readUrl: standby.url,
    async close() {
      await standby.close();
      process.off('exit', atExit);
      await endPostgres(data);
      folder.remove();
    },
  };
}
