/** Connections to Postgres with which operators change matches. */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { ConfigOf } from '../config/variable.ts';
import { openPool } from '../db/postgres.ts';
import { PostgresAddress } from '../db/postgres-address.ts';
import type { portalVariables } from './config.ts';

const CONNECTIONS = 2;

/** Opens the connections. Undefined if they are the same as all others. */
export function openMatchPool(
  { databaseCorrectionsUrl: url, databaseCorrectionsUrlFile: file }: ConfigOf<typeof portalVariables>,
  logger: Logger,
): pg.Pool | undefined {
  return url === undefined ? undefined : openPool(new PostgresAddress(url, file), logger, CONNECTIONS);
}
