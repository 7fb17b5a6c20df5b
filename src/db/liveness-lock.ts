/**
 * The liveness lock, which shows that this process runs. It is an advisory lock on a dedicated connection. When the
 * process ends, for whatever reason, Postgres frees the lock at once. Rows that a process holds for some time, such as
 * leases and slots, name the lock's id. A standby sees that the lock is free, and does not have to wait for the
 * expiry. The lock is only a hint. The row's generation keeps a former holder from writing, and only the expiry shows
 * that a node has vanished silently.
 */
import { randomInt } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from 'pino';
import { keepConnected } from './kept-connection.ts';
import type { PostgresAddress } from './postgres-address.ts';

/**
 * Time after which the absence of a lock counts. When Postgres restarts, all processes lose their locks, and take them
 * again one by one.
 */
const SETTLE_MS = 2_000;
/** The greatest number that randomInt accepts. */
const LAST_ID = 2 ** 48 - 2;

export interface LivenessLock {
  /** The id that is stored in rows that this process holds. Null for a command. */
  readonly id: number | null;
  /** True if this process may conclude from a missing lock that a process has ended. False shortly after it has taken its own lock. */
  judges(): boolean;
  close(): Promise<void>;
}

/** For commands, which take no lock, because they end too soon for their absence to matter. */
export const NO_LIVENESS_LOCK: LivenessLock = { id: null, judges: () => false, close: async () => {} };

/** SQL for whether a process has ended, given the column with its lock id. Use it only if `judges()`. */
export const hasEndedSql = (column: string) =>
  `(${column} IS NOT NULL AND pg_try_advisory_xact_lock_shared(${column}))`;

/** @throws {Error} if Postgres cannot be reached */
export async function openLivenessLock(
  address: string | PostgresAddress,
  logger: Pick<Logger, 'warn'>,
): Promise<LivenessLock> {
  const id = 1 + randomInt(LAST_ID);
  let since = Number.POSITIVE_INFINITY;
  const connection = await keepConnected({
    address,
    name: 'session',
    logger,
    lost: 'Postgres connection of the liveness lock lost, reconnecting',
    async prepare(client: pg.Client) {
      await client.query('SELECT pg_advisory_lock($1)', [id]);
      since = performance.now();
    },
  });
  return {
    id,
    judges: () => connection.client() !== null && performance.now() - since >= SETTLE_MS,
    close: () => connection.close(),
  };
}
