/** Leadership of the relay: a row with a generation and an end, never a lock on a connection, which a dead node holds for hours. */
import { prepared, type Queryable } from '../db/postgres.ts';
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

const HOLD = prepared(
  'hold lease',
  `UPDATE relay SET expires_at = clock_timestamp() + make_interval(secs => $2) WHERE generation = $1
   RETURNING set_config('idle_in_transaction_session_timeout', $3, true)`,
);

/**
 * Begins each of the leader's transactions: renews the lease and keeps every other leader out until the end. A leader that is
 * paused in the middle of one loses its connection, and with it the lock, when its lease would have ended.
 */
export async function holdLease(client: Queryable, generation: number): Promise<void> {
  const { rowCount } = await client.query(HOLD([generation, LEASE_SECONDS, `${LEASE_SECONDS}s`]));
  if (rowCount === 0) throw new LeaseLost();
}

/** Lets the next one begin at once. */
export async function releaseLease(db: Queryable, generation: number): Promise<void> {
  await db.query("UPDATE relay SET expires_at = '-infinity', holder = NULL WHERE generation = $1", [generation]);
}
