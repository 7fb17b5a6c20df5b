/**
 * The liveness lock that shows that this process runs. It is an advisory lock on a dedicated connection, which Postgres
 * frees as soon as the process has ended, for any reason. Rows that a process holds for a time (leases, slots) name the
 * session, so that a standby can take over at once instead of waiting for the expiry. It is only a hint, because the
 * row fences the former holder, and only the expiry detects a node that vanishes silently.
 */
import { randomInt } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from 'pino';
import { keepConnected } from './kept-connection.ts';

/** After Postgres restarts, all sessions are lost and come back one after another. */
const SETTLE_MS = 2_000;
/** Limit that randomInt sets. */
const LAST_ID = 2 ** 48 - 2;

export interface LivenessLock {
  /** Stored in rows that this process holds; null for a command. */
  readonly id: number | null;
  /**
   * True if this process may treat a session without a lock as ended. False just after this process has established its
   * session.
   */
  judges(): boolean;
  close(): Promise<void>;
}

/** For commands, which end before they would be missed. */
export const NO_LIVENESS_LOCK: LivenessLock = { id: null, judges: () => false, close: async () => {} };

/** SQL that tells whether the process whose session is named in `column` has ended. Use it only if `judges()`. */
export const hasEndedSql = (column: string) =>
  `(${column} IS NOT NULL AND pg_try_advisory_xact_lock_shared(${column}))`;

/** @throws if Postgres cannot be reached */
export async function openLivenessLock(connectionString: string, logger: Pick<Logger, 'warn'>): Promise<LivenessLock> {
  const id = 1 + randomInt(LAST_ID);
  let since = Number.POSITIVE_INFINITY;
  const connection = await keepConnected({
    connectionString,
    name: 'session',
    logger,
    lost: 'Postgres connection of the session lost, reconnecting',
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
