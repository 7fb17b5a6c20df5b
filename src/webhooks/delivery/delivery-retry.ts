/**
 * Manual retries, for one delivery or for all that have failed since a given time, and skipped deliveries. Dispatchers alternate
 * between these retries and live events.
 */
import { firstRow, type Queryable } from '../../db/postgres.ts';
import { Problem } from '../../http/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { DeliveryState } from './attempt-queries.ts';

/**
 * Failed deliveries are put back into the retry queue until a subscription has this many waiting retries. The number is well below MAX_PENDING,
 * at which no new event is sent.
 */
const RETRIED_TOGETHER = 500;

/**
 * Makes a delivery due at once if it has failed or waits for a retry.
 * @throws {Problem} not_found; conflict for a delivery that has succeeded, and for pings and test events
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
  if (rowCount === 0) throw await notRetried(db, subscriptionId, deliveryId);
}

export const unknownDelivery = (subscriptionId: number, deliveryId: string) =>
  new Problem('not_found', `There is no delivery ${deliveryId} of subscription ${subscriptionId}.`);

async function notRetried(db: Queryable, subscriptionId: number, deliveryId: string): Promise<Problem> {
  const { rows } = await db.query<{ state: DeliveryState }>(
    `SELECT state FROM webhook_delivery WHERE id = $1 AND subscription_id = $2
     UNION ALL SELECT CASE WHEN failure IS NULL THEN 'delivered' ELSE 'failed' END FROM webhook_attempt
     WHERE delivery_id = $1 COLLATE "C" AND subscription_id = $2 AND single LIMIT 1`,
    [deliveryId, subscriptionId],
  );
  switch (rows[0]?.state) {
    case 'delivered':
      return new Problem('conflict', `The delivery ${deliveryId} was delivered; a replay sends its event again.`);
    case undefined:
      return unknownDelivery(subscriptionId, deliveryId);
    default:
      return new Problem('conflict', 'Pings and test events are not retried.');
  }
}

/**
 * Gives up a delivery that waits for a retry. If events are ordered, the later events of its match are sent.
 * @throws {Problem} not_found; conflict for a delivery that does not wait for a retry
 */
export async function skipDelivery(
  db: Queryable,
  clock: Clock,
  subscriptionId: number,
  deliveryId: string,
): Promise<void> {
  // The new generation keeps a dispatcher that has just retried the delivery from making it wait again.
  const { rowCount } = await db.query(
    `WITH skipped AS (
       UPDATE webhook_delivery SET state = 'failed', next_attempt_at = NULL, updated_at = $3
       WHERE id = $1 AND subscription_id = $2 AND state = 'pending' RETURNING subscription_id
     )
     UPDATE webhook_subscription s SET generation = generation + 1, holder = NULL, lease_expires_at = '-infinity', version = version + 1
     FROM skipped WHERE s.id = skipped.subscription_id`,
    [deliveryId, subscriptionId, new Date(clock.now())],
  );
  if (rowCount === 1) return;
  const { rows } = await db.query('SELECT FROM webhook_delivery WHERE id = $1 AND subscription_id = $2', [
    deliveryId,
    subscriptionId,
  ]);
  if (rows.length === 0) throw await notRetried(db, subscriptionId, deliveryId);
  throw new Problem('conflict', `The delivery ${deliveryId} does not wait for a retry.`);
}

export interface Retried {
  count: number;
  /** True if there are more failed deliveries. They can be retried once these have been sent. */
  hasMore: boolean;
}

/**
 * Makes failed deliveries due at once, the oldest first.
 * @param since only deliveries first attempted at or after this time, in ms since 1970
 */
export async function retryFailed(
  db: Queryable,
  clock: Clock,
  subscriptionId: number,
  since: number,
): Promise<Retried> {
  const { rows } = await db.query<{ count: number; remaining: boolean }>(
    `WITH waiting AS (
       SELECT count(*) AS count FROM webhook_delivery WHERE subscription_id = $1 AND state = 'pending'
     ), failed AS (
       SELECT id FROM webhook_delivery WHERE subscription_id = $1 AND state = 'failed' AND created_at >= $2
       ORDER BY created_at LIMIT (SELECT greatest(0, ${RETRIED_TOGETHER} - count) FROM waiting) + 1
     ), retried AS (
       UPDATE webhook_delivery SET state = 'pending', next_attempt_at = $3, updated_at = $3
       WHERE id = ANY (ARRAY(SELECT id FROM failed LIMIT (SELECT greatest(0, ${RETRIED_TOGETHER} - count) FROM waiting)))
         AND state = 'failed' RETURNING id
     ), noted AS (
       UPDATE webhook_subscription SET version = version + 1 WHERE id = $1 AND EXISTS (SELECT FROM retried)
     )
     SELECT (SELECT count(*)::int FROM retried) AS count,
       (SELECT count(*) FROM failed) > (SELECT greatest(0, ${RETRIED_TOGETHER} - count) FROM waiting) AS remaining`,
    [subscriptionId, new Date(since), new Date(clock.now())],
  );
  return { count: firstRow(rows).count, hasMore: firstRow(rows).remaining };
}
