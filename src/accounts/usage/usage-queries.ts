/** Usage rows in Postgres. */
import type pg from 'pg';
import { columns, type Queryable, transaction } from '../../db/postgres.ts';
import type { KeyUse, UsageCell } from './counters.ts';

/** How many days usage is kept. */
export const KEPT_DAYS = 400;

export interface ActivityRow {
  accountId: number;
  day: string;
  peak: number;
  delivered: number;
}

export interface UsageBatch {
  cells: readonly UsageCell[];
  keys: readonly KeyUse[];
  activity: readonly ActivityRow[];
}

/** Stores the whole batch in one transaction. Rows are locked in the same order in every process. */
export async function storeUsage(pool: pg.Pool, { cells, keys, activity }: UsageBatch): Promise<void> {
  await transaction(pool, async (client) => {
    if (cells.length > 0) await client.query(ADD_CELLS, columns(cells, ...CELL_FIELDS));
    if (activity.length > 0) await client.query(ADD_ACTIVITY, columns(activity, ...ACTIVITY_FIELDS));
    if (keys.length > 0)
      await client.query(USED_KEYS, [
        keys.map(({ keyId }) => keyId),
        keys.map(({ at }) => new Date(at)),
        keys.map(({ from }) => from),
      ]);
  });
}

const CELL_FIELDS = ['accountId', 'day', 'keyId', 'endpoint', 'status', 'requests', 'billable'] as const;
const ACTIVITY_FIELDS = ['accountId', 'day', 'peak', 'delivered'] as const;

const ADD_CELLS = `INSERT INTO account_usage AS u (account_id, day, key_id, endpoint, status, requests, billable)
  SELECT * FROM unnest($1::bigint[], $2::date[], $3::bigint[], $4::text[], $5::smallint[], $6::bigint[], $7::bigint[])
    AS c (account_id, day, key_id, endpoint, status, requests, billable)
  ORDER BY account_id, day, key_id, endpoint, status
  ON CONFLICT (account_id, day, key_id, endpoint, status) DO UPDATE
  SET requests = u.requests + excluded.requests, billable = u.billable + excluded.billable`;

/** The peak includes the streams of other processes, which are counted by their current slots. */
const ADD_ACTIVITY = `INSERT INTO account_activity AS a (account_id, day, streams_peak, events_delivered)
  SELECT account_id, day, greatest(peak, CASE WHEN peak = 0 THEN 0 ELSE (
      SELECT count(*) FROM stream_lease l
      WHERE l.subject IN ('account:' || account_id, 'publishable:' || account_id) AND l.expires_at > now()
    ) END), delivered
  FROM unnest($1::bigint[], $2::date[], $3::int[], $4::bigint[]) AS c (account_id, day, peak, delivered)
  ORDER BY account_id, day
  ON CONFLICT (account_id, day) DO UPDATE SET streams_peak = greatest(a.streams_peak, excluded.streams_peak),
    events_delivered = a.events_delivered + excluded.events_delivered`;

const USED_KEYS = `UPDATE api_key k SET last_used_at = u.at, last_used_from = u.address
  FROM (SELECT * FROM unnest($1::bigint[], $2::timestamptz[], $3::text[]) AS u (id, at, address) ORDER BY id) u
  WHERE k.id = u.id AND (k.last_used_at IS NULL OR k.last_used_at < u.at)`;

/** An attempt to deliver a webhook. */
export interface CountedAttempt {
  subscription_id: number;
  /** ms since 1970 */
  at: number;
  /** Null if it succeeded. */
  failure: string | null;
}

/** Runs in the transaction that stores the attempts. */
export async function countWebhooks(db: Queryable, attempts: readonly CountedAttempt[]): Promise<void> {
  if (attempts.length === 0) return;
  await db.query(
    `INSERT INTO account_activity AS a (account_id, day, webhook_attempts, webhook_deliveries)
     SELECT s.account_id, (to_timestamp(w.at / 1000.0) AT TIME ZONE 'UTC')::date AS day, count(*), count(*) FILTER (WHERE w.delivered)
     FROM unnest($1::bigint[], $2::bigint[], $3::boolean[]) AS w (subscription_id, at, delivered)
     JOIN webhook_subscription s ON s.id = w.subscription_id
     GROUP BY 1, 2 ORDER BY 1, 2
     ON CONFLICT (account_id, day) DO UPDATE SET webhook_attempts = a.webhook_attempts + excluded.webhook_attempts,
       webhook_deliveries = a.webhook_deliveries + excluded.webhook_deliveries`,
    [
      attempts.map((row) => row.subscription_id),
      attempts.map((row) => row.at),
      attempts.map((row) => row.failure === null),
    ],
  );
}

/** Removes rows older than KEPT_DAYS, and the rows of deleted accounts. @param today YYYY-MM-DD */
export async function removeOldUsage(db: Queryable, today: string): Promise<void> {
  for (const table of ['account_usage', 'account_activity']) {
    await db.query(`DELETE FROM ${table} WHERE day < $1::date - ${KEPT_DAYS}`, [today]);
    await db.query(`DELETE FROM ${table} u WHERE NOT EXISTS (SELECT FROM account a WHERE a.id = u.account_id)`);
  }
}
