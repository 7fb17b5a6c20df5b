/** Counts for the bounds on subscriptions and replays. */
import { OPERATOR } from '../../accounts/index.ts';
import { firstRow, type Queryable } from '../../db/postgres.ts';

/** SQL for a URL's host, which equals `URL.hostname`. An index uses the same expression. */
export const hostSql = (url: string): string => `substring(${url} FROM '^[a-z]+://(\\[[^]]*\\]|[^/:?#[]+)')`;

/**
 * Locks the account until the transaction ends, so that the second of two new subscriptions counts the first.
 * @returns the account's plan and number of subscriptions, or null if it has been deleted
 */
export async function lockAccount(db: Queryable, id: number): Promise<{ plan: string; subscriptions: number } | null> {
  const { rows } = await db.query<{ plan: string }>('SELECT plan FROM account WHERE id = $1 FOR NO KEY UPDATE', [id]);
  if (rows[0] === undefined) return null;
  const counted = await db.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM webhook_subscription WHERE account_id = $1 AND ended_at IS NULL',
    [id],
  );
  return { plan: rows[0].plan, subscriptions: firstRow(counted.rows).count };
}

/**
 * Locks the host until the transaction ends.
 * @returns the number of subscriptions, across all accounts, that send to the host
 */
export async function countToHost(db: Queryable, host: string): Promise<number> {
  await db.query("SELECT pg_advisory_xact_lock(hashtextextended('webhook host ' || $1, 0))", [host]);
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM webhook_subscription WHERE ${hostSql('url')} = $1 AND ended_at IS NULL`,
    [host],
  );
  return firstRow(rows).count;
}

/**
 * Counts the account's replays that are in progress.
 * @param failures the number of consecutive failures after which a subscription gets only one event a minute
 */
export async function countReplays(db: Queryable, accountId: number, failures: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM webhook_subscription
     WHERE account_id = $1 AND ended_at IS NULL AND disabled_at IS NULL AND NOT paused AND failures < $2 AND position < replay_to`,
    [accountId, failures],
  );
  return firstRow(rows).count;
}

/**
 * @returns the start times of the account's replays, the oldest first; replays by the service's operator do not count
 */
export async function replaysSince(db: Queryable, accountId: number, since: Date): Promise<Date[]> {
  const { rows } = await db.query<{ at: Date }>(
    `SELECT at FROM audit_entry WHERE account_id = $1 AND at > $2 AND actor <> $3
       AND (action = 'webhook.replayed' OR action = 'webhook.enabled' AND details ? 'cursor') ORDER BY at`,
    [accountId, since, OPERATOR.name],
  );
  return rows.map(({ at }) => at);
}
