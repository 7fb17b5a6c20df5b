/** Leadership of the relay: a row with a generation and an end, never a lock on a connection, which a dead node holds for hours. */
import type pg from 'pg';
import { type Queryable, transaction } from '../db/postgres.ts';
import { LeaseLost } from './event-log.ts';

/** A leader that says nothing for this long is replaced. */
export const LEASE_SECONDS = 10;

/** Takes the lease where it is free. @returns its generation, or null */
export async function takeLease(db: Queryable, holder: string): Promise<number | null> {
  const { rows } = await db.query<{ generation: number }>(
    `UPDATE relay SET generation = generation + 1, holder = $1, expires_at = clock_timestamp() + make_interval(secs => $2)
     WHERE expires_at < clock_timestamp() RETURNING generation`,
    [holder, LEASE_SECONDS],
  );
  return rows[0]?.generation ?? null;
}

/**
 * Each of the leader's transactions: renews the lease and keeps every other leader out until the end. A leader that is paused in
 * the middle of one loses its connection, and with it the lock, when its lease would have ended.
 * @param settings statements before it
 * @throws {LeaseLost} when another relay has taken over
 */
export function underLease<T>(
  pool: pg.Pool,
  generation: number,
  work: (client: pg.PoolClient) => Promise<T>,
  settings: readonly string[] = [],
): Promise<T> {
  return transaction(
    pool,
    (client, done) => {
      if (done.at(-1)!.rowCount === 0) throw new LeaseLost();
      return work(client);
    },
    [...settings, `SET LOCAL idle_in_transaction_session_timeout = '${LEASE_SECONDS}s'`, hold(generation)],
  );
}

const hold = (generation: number) =>
  `UPDATE relay SET expires_at = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}) WHERE generation = ${generation}`;

/** Lets the next one begin at once. */
export async function releaseLease(db: Queryable, generation: number): Promise<void> {
  await db.query("UPDATE relay SET expires_at = '-infinity', holder = NULL WHERE generation = $1", [generation]);
}
