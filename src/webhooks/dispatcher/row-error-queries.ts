/**
 * Subscriptions whose rows cannot be read. They are marked, so that owners see why nothing is sent, and read again at
 * intervals.
 */
import { firstRow, type Queryable } from '../../db/postgres.ts';

/**
 * Time after which an unreadable row is read again, since the cause may be a key missing in SECRET_KEY. A changed row
 * is read again at once.
 */
const FAULT_RETRY_MS = 10_000;

export interface RowError {
  id: number;
  /** Version of the examined row. */
  version: number;
  /** A few words that contain neither a secret nor a URL. */
  reason: string;
}

/**
 * Keeps the leases on these subscriptions for FAULT_RETRY_MS, so that no dispatcher tries them again meanwhile.
 * @param holder the dispatcher that has leased them
 * @param now milliseconds since 1970
 */
export async function markRowErrors(
  db: Queryable,
  holder: string,
  faults: readonly RowError[],
  now: number,
): Promise<void> {
  await db.query(
    `UPDATE webhook_subscription s SET fault = f.reason, fault_version = f.version,
       fault_at = CASE WHEN s.fault IS NULL THEN $3 ELSE s.fault_at END,
       lease_expires_at = clock_timestamp() + make_interval(secs => $4)
     FROM jsonb_to_recordset($1) AS f (id bigint, version bigint, reason text) WHERE s.id = f.id AND s.holder = $2`,
    [JSON.stringify(faults), holder, new Date(now), FAULT_RETRY_MS / 1_000],
  );
}

/**
 * Clears the faults of subscriptions that have become readable again.
 * @param holder the dispatcher that has leased them
 */
export async function clearRowErrors(db: Queryable, holder: string, ids: readonly number[]): Promise<void> {
  await db.query(
    `UPDATE webhook_subscription SET fault = NULL, fault_at = NULL, fault_version = NULL
     WHERE id = ANY ($1) AND holder = $2`,
    [ids, holder],
  );
}

/** @returns the number of unreadable subscriptions, across all dispatchers */
export async function countRowErrors(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM webhook_subscription WHERE fault IS NOT NULL AND ended_at IS NULL',
  );
  return firstRow(rows).count;
}
