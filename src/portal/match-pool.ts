/** Connections to Postgres with which operators change matches. */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { ConfigOf } from '../config/variable.ts';
import { openPool } from '../db/postgres.ts';
import { PostgresAddress } from '../db/postgres-address.ts';
import { Problem } from '../http/index.ts';
import { readErrorCode } from '../runtime/unknown-values.ts';
import type { portalVariables } from './config.ts';
import type { PortalDeps } from './deps.ts';

const CONNECTIONS = 2;
const INSUFFICIENT_PRIVILEGE = '42501';

/** Opens the connections. Undefined if they are the same as all others. */
export function openMatchPool(
  { databaseCorrectionsUrl: url, databaseCorrectionsUrlFile: file }: ConfigOf<typeof portalVariables>,
  logger: Logger,
): pg.Pool | undefined {
  return url === undefined ? undefined : openPool(new PostgresAddress(url, file), logger, CONNECTIONS);
}

/**
 * Runs work that changes matches.
 * @throws {Problem} conflict if the user in the address may not change them
 */
export async function changeMatches<D extends Pick<PortalDeps, 'pool' | 'matchPool'>, T>(
  deps: D,
  work: (deps: D) => Promise<T>,
): Promise<T> {
  try {
    return await work({ ...deps, pool: deps.matchPool });
  } catch (error) {
    if (readErrorCode(error) !== INSUFFICIENT_PRIVILEGE) throw error;
    const detail = 'This service may not change matches on pages: DATABASE_CORRECTIONS_URL is missing.';
    throw new Problem('conflict', detail, { cause: error });
  }
}
