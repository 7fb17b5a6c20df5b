/**
 * Turns the entries of an account's audit log into deliveries to the subscriptions that ask for them. A subscription's deliveries and
 * its cursor are stored in one transaction, so that a crash neither loses nor repeats an entry.
 */
import { type AuditEvent, numberEntries, readNumbered } from '../../accounts/index.ts';
import { hasWebhooks } from '../../accounts/plans/index.ts';
import { type PoolAndClock, type Queryable, transaction } from '../../db/postgres.ts';
import { newEventId } from './own-events.ts';
import { deriveDeliveryId } from './signature.ts';

const TYPE = 'account.changed';
const ASKS = `s.event_types && ARRAY['${TYPE}', 'account.*']`;
/** SQL for a subscription `s` of an account `a` that can get such events now. $1 is the list of plans with webhooks. */
const RECEIVES = `${ASKS} AND s.ended_at IS NULL AND s.disabled_at IS NULL AND NOT s.paused AND s.unconfirmed_since IS NULL
  AND a.suspended_at IS NULL AND ${hasWebhooks('$1')}`;
/** Limit on the subscriptions that one call serves, and on the entries that each of them gets. */
const AT_ONCE = 100;

/** A subscription that has stopped asking begins anew if it asks again. */
const FORGET = `UPDATE webhook_subscription s SET audit_cursor = NULL WHERE s.audit_cursor IS NOT NULL AND NOT (${ASKS})`;

const WAITING = `SELECT s.id, s.account_id AS "accountId" FROM webhook_subscription s JOIN account a ON a.id = s.account_id
  WHERE ${RECEIVES} AND (s.audit_cursor IS NULL
    OR EXISTS (SELECT FROM audit_entry e WHERE e.account_id = s.account_id AND e.cursor IS NULL)
    OR EXISTS (SELECT FROM audit_entry e WHERE e.account_id = s.account_id AND e.cursor > s.audit_cursor))
  ORDER BY s.id LIMIT ${AT_ONCE}`;

/**
 * Locks a subscription and returns its cursor. A new reader begins with the entry that says that the subscription was created or
 * changed.
 */
const LOCK = `SELECT coalesce(s.audit_cursor,
      (SELECT max(e.cursor) - 1 FROM audit_entry e WHERE e.account_id = s.account_id AND e.target = 'webhook ' || s.id
         AND e.action IN ('webhook.created', 'webhook.changed')),
      (SELECT max(e.cursor) FROM audit_entry e WHERE e.account_id = s.account_id), 0) AS cursor
  FROM webhook_subscription s JOIN account a ON a.id = s.account_id WHERE s.id = $2 AND ${RECEIVES} FOR NO KEY UPDATE OF s SKIP LOCKED`;

const QUEUE = `WITH queued AS (
    INSERT INTO webhook_delivery (id, subscription_id, event_id, event_type, envelope, state, attempts, next_attempt_at, created_at, updated_at)
    SELECT e.delivery_id, $1, e.event_id, '${TYPE}', e.envelope, 'pending', 0, $2, $2, $2
    FROM jsonb_to_recordset($3) AS e (delivery_id text, event_id text, envelope text)
  )
  UPDATE webhook_subscription SET audit_cursor = $4, version = version + 1 WHERE id = $1`;

const readCursor = async (db: Queryable, id: number, webhookPlans: readonly string[]): Promise<number | null> =>
  (await db.query<{ cursor: number }>(LOCK, [webhookPlans, id])).rows[0]?.cursor ?? null;

async function delivery(db: Queryable, subscriptionId: number, data: AuditEvent) {
  const event_id = await newEventId(db);
  const envelope = JSON.stringify({ id: event_id, type: TYPE, data });
  return { delivery_id: deriveDeliveryId(subscriptionId, event_id), event_id, envelope };
}

/** Stores deliveries of the entries after the subscription's cursor. Skips a subscription that another process serves now. */
const queueFor = (
  { pool, clock }: PoolAndClock,
  { id, accountId }: { id: number; accountId: number },
  webhookPlans: readonly string[],
): Promise<void> =>
  transaction(pool, async (db) => {
    const cursor = await readCursor(db, id, webhookPlans);
    if (cursor === null) return;
    const events = await readNumbered(db, accountId, cursor, AT_ONCE);
    const deliveries = [];
    for (const event of events) deliveries.push(await delivery(db, id, event));
    const reached = events.at(-1)?.cursor ?? cursor;
    await db.query(QUEUE, [id, new Date(clock.now()), JSON.stringify(deliveries), reached]);
  });

/** Turns new entries into deliveries. Several dispatchers may do so at the same time. */
export async function queueAccountEvents(own: PoolAndClock, webhookPlans: readonly string[]): Promise<void> {
  await own.pool.query(FORGET);
  const { rows } = await own.pool.query<{ id: number; accountId: number }>(WAITING, [webhookPlans]);
  for (const accountId of new Set(rows.map((row) => row.accountId))) await numberEntries(own.pool, accountId);
  for (const row of rows) await queueFor(own, row, webhookPlans);
}
