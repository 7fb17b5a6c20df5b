/** The delivery log of a subscription: attempts and failed deliveries, how long they are stored, and retrying one manually. */
import type pg from 'pg';
import type { Queryable } from '../db/postgres.ts';
import { RETENTION_MS } from '../events/event-log.ts';
import { Problem } from '../http/errors.ts';
import type { Clock } from '../runtime/clock.ts';

/** Failed deliveries stay stored for this long (spec: 30 days); attempts as long as events, RETENTION_MS. */
const DELIVERIES_KEPT_MS = 30 * 24 * 3_600_000;
const PRUNE_SLICE = 10_000;

export interface AttemptEntry {
  deliveryId: string;
  eventId: string;
  eventType: string;
  attempt: number;
  at: Date;
  durationMs: number;
  /** Of the reply; null: there was no reply. */
  status: number | null;
  /** null: delivered. */
  failure: string | null;
  nextAttemptAt: Date | null;
}

/** Newest first. */
export async function attemptsOf(db: Queryable, subscriptionId: number, limit: number): Promise<AttemptEntry[]> {
  const { rows } = await db.query<AttemptEntry>(
    `SELECT delivery_id AS "deliveryId", event_id AS "eventId", event_type AS "eventType", attempt, at, duration_ms AS "durationMs",
       status, failure, next_attempt_at AS "nextAttemptAt"
     FROM webhook_attempt WHERE subscription_id = $1 ORDER BY id DESC LIMIT $2`,
    [subscriptionId, limit],
  );
  return rows;
}

/**
 * Makes a delivery that has failed, or waits for a retry, due at once.
 * @throws {Problem} not_found
 */
export async function retryDelivery(
  db: Queryable,
  clock: Clock,
  subscriptionId: number,
  deliveryId: string,
): Promise<void> {
  const { rowCount } = await db.query(
    `WITH retried AS (
       UPDATE webhook_delivery SET state = 'pending', next_attempt_at = $3, updated_at = $3
       WHERE id = $1 AND subscription_id = $2 AND state <> 'delivered' RETURNING subscription_id
     )
     UPDATE webhook_subscription s SET version = version + 1 FROM retried WHERE s.id = retried.subscription_id`,
    [deliveryId, subscriptionId, new Date(clock.now())],
  );
  if (rowCount === 0)
    throw new Problem('not_found', `There is no failed delivery ${deliveryId} of subscription ${subscriptionId}.`);
}

/** Deletes old rows, in slices. */
export async function pruneDeliveries(pool: pg.Pool, clock: Clock): Promise<void> {
  const before = (ms: number) => new Date(clock.now() - ms);
  const slices = [
    ['webhook_attempt', 'at < $1', before(RETENTION_MS)],
    ['webhook_delivery', "state <> 'pending' AND updated_at < $1", before(DELIVERIES_KEPT_MS)],
  ] as const;
  for (const [table, old, time] of slices) {
    let dropped: number | null;
    do {
      const slice = `SELECT ctid FROM ${table} WHERE ${old} LIMIT ${PRUNE_SLICE} FOR UPDATE SKIP LOCKED`;
      ({ rowCount: dropped } = await pool.query(`DELETE FROM ${table} WHERE ctid = ANY (ARRAY(${slice}))`, [time]));
    } while (dropped === PRUNE_SLICE);
  }
}
