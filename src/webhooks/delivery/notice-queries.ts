/**
 * Stores notices about a subscription, and turns them into deliveries to the rest of the account's subscriptions. Each step is
 * one transaction, so that a crash between two steps neither loses nor repeats a notice.
 */
import type pg from 'pg';
import { hasWebhooks } from '../../accounts/plans/index.ts';
import { type Queryable, transaction } from '../../db/postgres.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { NoticeType } from '../../wire/event-types.ts';
import { wireTime } from '../../wire/time.ts';
import { hostSql } from '../subscriptions/limit-queries.ts';
import type { Told } from '../subscriptions/subscription-row.ts';
import { timeSql } from './attempt-queries.ts';
import { newEventId } from './own-events.ts';
import { deriveDeliveryId } from './signature.ts';

/** A notice that a dispatcher has decided on; times in milliseconds since 1970. */
export interface NoticeRow extends Pick<Told, 'notified'> {
  subscription_id: number;
  generation: number;
  /** Counts the notices under this lease, from 1. */
  number: number;
  type: NoticeType;
  at: number;
  /** First failure after the last success before. Null if an earlier lease knew it. */
  since: number | null;
  failure: string | null;
  reason: 'no_success' | 'gone' | null;
}

const SAVE_NOTICES = `WITH given AS (
    SELECT n.*, s.position FROM jsonb_to_recordset($1) AS n (subscription_id bigint, generation bigint, number int, type text, at bigint,
      since bigint, failure text, reason text, notified text)
    JOIN webhook_subscription s ON s.id = n.subscription_id AND s.generation = n.generation AND NOT s.paused
  ), told AS (
    UPDATE webhook_subscription s SET notified = g.notified, notified_at = ${timeSql('g.at')}
    FROM (SELECT DISTINCT ON (subscription_id) * FROM given ORDER BY subscription_id, number DESC) g WHERE s.id = g.subscription_id
  )
  INSERT INTO webhook_notice (subscription_id, generation, number, type, at, since, failure, reason, cursor, mail_due_at)
  SELECT subscription_id, generation, number, type, ${timeSql('at')}, coalesce(${timeSql('since')}, (
      SELECT b.since FROM webhook_notice b WHERE b.subscription_id = g.subscription_id ORDER BY b.id DESC LIMIT 1
    )), failure, reason, CASE WHEN reason IS NOT NULL THEN position END, ${timeSql('at')}
  FROM given g ORDER BY subscription_id, number ON CONFLICT (subscription_id, generation, number) DO NOTHING`;

/** Stores notices, in the transaction that saves the health. Skips paused subscriptions. */
export async function saveNotices(db: Queryable, notices: readonly NoticeRow[]): Promise<void> {
  if (notices.length > 0) await db.query(SAVE_NOTICES, [JSON.stringify(notices)]);
}

/** A stored notice, with what its readers need to know about the subscription; times in milliseconds since 1970. */
export interface StoredNotice {
  id: number;
  subscription_id: number;
  account_id: number;
  type: NoticeType;
  at: number;
  since: number | null;
  failure: string | null;
  reason: 'no_success' | 'gone' | null;
  cursor: number | null;
  /** The rest of the URL may contain a token. */
  host: string;
  description: string;
}

const milliseconds = (column: string) => `floor(extract(epoch FROM ${column}) * 1000)::bigint`;
/** SQL for a StoredNotice, from the tables `n` (notice) and `s` (subscription). */
export const NOTICE_COLUMNS = `n.id, n.subscription_id, s.account_id, n.type, ${milliseconds('n.at')} AS at, ${milliseconds('n.since')} AS since,
  n.failure, n.reason, n.cursor, coalesce(${hostSql('s.url')}, '') AS host, s.description`;

/** Returns the envelope's data. */
export const noticeData = (notice: StoredNotice) => ({
  subscription_id: notice.subscription_id,
  sent_at: wireTime(notice.at),
  host: notice.host,
  description: notice.description,
  since: notice.since === null ? null : wireTime(notice.since),
  failure: notice.failure,
  ...(notice.type === 'webhook.disabled' && { reason: notice.reason, cursor: notice.cursor }),
});

/** SQL for the subscriptions that get a notice. $1 is the account, $2 the subscription in question, $3 the type, and $4 the plans with webhooks. */
const READERS = `SELECT s.id FROM webhook_subscription s JOIN account a ON a.id = s.account_id
  WHERE s.account_id = $1 AND s.id <> $2 AND s.event_types && ARRAY[$3, 'webhook.*'] AND s.ended_at IS NULL AND s.disabled_at IS NULL
    AND NOT s.paused AND s.unconfirmed_since IS NULL AND a.suspended_at IS NULL AND ${hasWebhooks('$4')}
  ORDER BY s.id FOR NO KEY UPDATE OF s`;

/**
 * Stores deliveries for the oldest notice that has none yet, to each subscription that asks for such notices and can get them
 * now.
 * @returns whether there was such a notice
 */
const queueOne = (pool: pg.Pool, clock: Clock, webhookPlans: readonly string[]): Promise<boolean> =>
  transaction(pool, async (db) => {
    const { rows } = await db.query<StoredNotice>(
      `SELECT ${NOTICE_COLUMNS} FROM webhook_notice n JOIN webhook_subscription s ON s.id = n.subscription_id
       WHERE n.queued_at IS NULL ORDER BY n.id LIMIT 1 FOR UPDATE OF n SKIP LOCKED`,
    );
    const notice = rows[0];
    if (notice === undefined) return false;
    const now = new Date(clock.now());
    await db.query('UPDATE webhook_notice SET queued_at = $2 WHERE id = $1', [notice.id, now]);
    const { account_id, subscription_id, type } = notice;
    const { rows: readers } = await db.query<{ id: number }>(READERS, [
      account_id,
      subscription_id,
      type,
      webhookPlans,
    ]);
    if (readers.length === 0) return true;
    const eventId = await newEventId(db);
    const ids = readers.map(({ id }) => id);
    await db.query(
      `WITH queued AS (
         INSERT INTO webhook_delivery (id, subscription_id, event_id, event_type, envelope, state, attempts, next_attempt_at, created_at, updated_at)
         SELECT r.delivery_id, r.id, $3, $4, $5, 'pending', 0, $6, $6, $6 FROM unnest($1::text[], $2::bigint[]) AS r (delivery_id, id)
       )
       UPDATE webhook_subscription SET version = version + 1 WHERE id = ANY ($2)`,
      [
        ids.map((id) => deriveDeliveryId(id, eventId)),
        ids,
        eventId,
        type,
        JSON.stringify({ id: eventId, type, data: noticeData(notice) }),
        now,
      ],
    );
    return true;
  });

/** Limit on the notices that one call turns into deliveries. */
const QUEUED_TOGETHER = 100;

/** Turns stored notices into deliveries. Several dispatchers may do so at the same time. */
export async function queueNotices(pool: pg.Pool, clock: Clock, webhookPlans: readonly string[]): Promise<void> {
  for (let count = 0; count < QUEUED_TOGETHER; count += 1) if (!(await queueOne(pool, clock, webhookPlans))) return;
}
