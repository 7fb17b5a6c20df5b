/**
 * This process's session in Postgres: an advisory lock on a connection of its own, which Postgres frees as soon as the process has ended,
 * however it ends. Rows that a process holds for a time (leases, slots) name its session, so that others take over at once and need not
 * wait for the time. It is a hint: whoever was taken over from is fenced by the row, and a node that vanishes without a word is found out
 * by the time alone.
 */
import { randomInt } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from 'pino';
import { keepConnected } from './kept-connection.ts';

/** After a restart of Postgres all sessions are lost, and come back one after the other. */
const SETTLE_MS = 2_000;
/** randomInt's range. */
const LAST_ID = 2 ** 48 - 2;

export interface Session {
  /** For rows that this process holds; null: a command. */
  readonly id: number | null;
  /** Whether a session without its lock has ended: not while this process, too, has only just got its own. */
  judges(): boolean;
  close(): Promise<void>;
}

/** For commands, which end before they would be missed. */
export const NO_SESSION: Session = { id: null, judges: () => false, close: async () => {} };

/** SQL: whether the process whose session is named in `column` has ended. To be asked only where `judges()`. */
export const hasEndedSql = (column: string) =>
  `(${column} IS NOT NULL AND pg_try_advisory_xact_lock_shared(${column}))`;

/** @throws when Postgres cannot be reached */
export async function openSession(connectionString: string, logger: Pick<Logger, 'warn'>): Promise<Session> {
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
