/**
 * Opens Postgres for commands and roles. Without an address, the embedded server is started, and secrets that the
 * configuration lacks come from the data folder. The database is migrated to this version, or only checked.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { tlsError } from '../runtime/tls-error.ts';
import { readErrorCode } from '../runtime/unknown-values.ts';
import { type EmbeddedPostgres, startPostgres } from './embedded-postgres.ts';
import { checkMigrated, migratePostgres } from './migrate.ts';
import { openPlannedReads, type PlannedReads } from './planned-reads.ts';
import { checkSessions } from './pooler.ts';
import { checkPostgres, openPool } from './postgres.ts';
import { postgresAddress } from './postgres-address.ts';

export interface Stores<C extends Config = Config> {
  /** The configuration with secrets and addresses filled in. */
  config: C & { databaseUrl: string };
  pool: pg.Pool;
  /** Connections for the reads of pages. */
  reads: PlannedReads;
  close(): Promise<void>;
}

export interface OpenOptions {
  /** Prints a line for the user, who is waiting. */
  progress?: (line: string) => void;
  /** False if the database is external and `touchline migrate` migrates it, so that it is only checked here. */
  migrate?: boolean;
  /** Aborts a migration. */
  signal?: AbortSignal | undefined;
  /** Maximum number of Postgres connections if the configuration does not set one. */
  connections?: number;
}

/** Number of connections in a command, and in a process with all roles. */
const POOL_CONNECTIONS = 20;

export async function openStores<C extends Config>(
  given: C,
  logger: Logger,
  { progress = () => {}, migrate = true, signal, connections = POOL_CONNECTIONS }: OpenOptions = {},
): Promise<Stores<C>> {
  let postgres: EmbeddedPostgres | null = null;
  let config: C = given;
  if (given.databaseUrl === undefined) {
    progress(`Starting Postgres in ${resolve(given.dataDir)}`);
    postgres = await startPostgres(given.dataDir);
    config = {
      ...given,
      databaseUrl: postgres.url,
      secretKeys: given.secretKeys.length > 0 ? given.secretKeys : [storedSecret(given.dataDir, 'secret-key')],
      feedToken: given.feedToken ?? storedSecret(given.dataDir, 'feed-token'),
    };
  }
  const databaseUrl = config.databaseUrl!;
  const address = postgresAddress({ ...config, databaseUrl });
  const pool = openPool(address, logger, config.databaseConnections ?? connections);
  const reads = openPlannedReads(address, logger);
  const close = async () => {
    await Promise.all([pool.end(), reads.end()]);
    await postgres?.stop();
  };
  try {
    await checkPostgres(pool);
    if (postgres === null) await checkSessions(pool);
    if (!migrate && postgres === null) await checkMigrated(pool);
    else {
      const applied = await migratePostgres(pool, { say: progress, signal });
      // Loaded only here, because a process that does not migrate needs no list of countries in memory.
      const { seedCatalogue } = await import('./seed.ts');
      await seedCatalogue(pool);
      if (applied.length > 0) progress(`Migrated the database: ${applied.length} steps`);
    }
  } catch (error) {
    await close().catch(() => {});
    const fault = tlsError('Postgres', error);
    throw fault === null ? error : Object.assign(new Error(fault, { cause: error }), { code: readErrorCode(error) });
  }
  return { config: { ...config, databaseUrl }, pool, reads, close };
}

/** Reads a secret from the data folder, or creates it at the first start. */
function storedSecret(dataDir: string, name: string): string {
  const file = join(dataDir, name);
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600 });
  }
  chmodSync(file, 0o600);
  return readFileSync(file, 'utf8').trim();
}
