/**
 * The dispatchers' queries on subscription rows, which are leased with a generation. Leases go by the database's clock,
 * everything else by the service's clock.
 */
import { hasWebhooks } from '../../accounts/plans/index.ts';
import { hasEndedSql } from '../../db/liveness-lock.ts';
import { firstRow, type Queryable } from '../../db/postgres.ts';
import { MAX_RETRIES } from '../delivery/retry-schedule.ts';
import { hostSql } from '../subscriptions/limit-queries.ts';
import {
  count,
  MAX_GENERATION,
  milliseconds,
  SUBSCRIPTION_COLUMNS,
  type SubscriptionRow,
} from '../subscriptions/subscription-row.ts';
import type { HeldMatch } from './match-order.ts';

/**
 * How long a lease is valid without renewal. If a dispatcher's node vanishes, its subscriptions are leased again
 * after this time.
 */
export const LEASE_TTL_MS = 18_000;

/** SQL condition for a subscription that may be sent events; $1 is `OfferedPlans.webhookPlans()`. */
const RUNNABLE = `s.ended_at IS NULL AND s.disabled_at IS NULL AND NOT s.paused AND a.suspended_at IS NULL AND ${hasWebhooks('$1')}`;

/**
 * A lease that expires later than this from now is invalid. No dispatcher version takes such a long lease, so the time
 * was written by hand, or the database's clock has been set back.
 */
const LONGEST_LEASE = "interval '1 hour'";
/** SQL condition for a lease, or a heartbeat, that is valid now. */
const isValid = (expiresAt: string) =>
  `(${expiresAt} >= clock_timestamp() AND ${expiresAt} <= clock_timestamp() + ${LONGEST_LEASE})`;

/**
 * Leases up to `limit` subscriptions of a group whose leases have expired or were released. Unreadable subscriptions
 * come last, but one whose row has changed since can be leased at once.
 */
export async function acquire(
  db: Queryable,
  webhookPlans: readonly string[],
  { name, group, limit, ttlMs }: { name: string; group: string; limit: number; ttlMs: number },
): Promise<SubscriptionRow[]> {
  const { rows } = await db.query<SubscriptionRow>(
    `WITH free AS (
       SELECT s.id FROM webhook_subscription s JOIN account a ON a.id = s.account_id
       WHERE ${RUNNABLE} AND s.dispatcher_group = $2
         AND (NOT ${isValid('s.lease_expires_at')} OR s.fault_version <> s.version)
       ORDER BY s.fault IS NOT NULL, s.lease_expires_at, s.id LIMIT $3 FOR UPDATE OF s SKIP LOCKED
     )
     UPDATE webhook_subscription s SET holder = $4, generation = least(s.generation, ${MAX_GENERATION}) + 1,
       lease_expires_at = clock_timestamp() + make_interval(secs => $5), fault_version = NULL
     FROM free, account a WHERE s.id = free.id AND a.id = s.account_id RETURNING ${SUBSCRIPTION_COLUMNS}`,
    [webhookPlans, group, limit, name, ttlMs / 1_000],
  );
  return rows;
}

/** A lease on a subscription. It is valid while the row has this generation. */
export interface Lease {
  id: number;
  generation: number;
}
const toColumns = (held: readonly Lease[]) => [held.map(({ id }) => id), held.map(({ generation }) => generation)];

/**
 * Extends the leases that are still valid.
 * @returns the ids of the subscriptions whose leases were extended; the rest have been lost
 */
export async function renew(db: Queryable, held: readonly Lease[], ttlMs: number): Promise<Set<number>> {
  const { rows } = await db.query<{ id: number }>(
    `UPDATE webhook_subscription s SET lease_expires_at = clock_timestamp() + make_interval(secs => $3)
     FROM (SELECT * FROM unnest($1::bigint[], $2::bigint[]) AS h (id, generation) ORDER BY id) h
     WHERE s.id = h.id AND s.generation = h.generation RETURNING s.id`,
    [...toColumns(held), ttlMs / 1_000],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Releases leases so that they can be taken at once. */
export async function release(db: Queryable, held: readonly Lease[]): Promise<void> {
  await db.query(
    `UPDATE webhook_subscription s SET holder = NULL, lease_expires_at = '-infinity'
     FROM (SELECT * FROM unnest($1::bigint[], $2::bigint[]) AS h (id, generation) ORDER BY id) h
     WHERE s.id = h.id AND s.generation = h.generation`,
    toColumns(held),
  );
}

/** Values that may change while a subscription is leased. */
export interface LeaseStateRow extends Lease {
  version: number;
  plan: string;
  /** False if the lease has to be released. */
  runnable: boolean;
}

export async function leaseStates(
  db: Queryable,
  webhookPlans: readonly string[],
  ids: readonly number[],
  group: string,
): Promise<Map<number, LeaseStateRow>> {
  const { rows } = await db.query<LeaseStateRow>(
    `SELECT s.id, s.generation, s.version, a.plan, ${RUNNABLE} AND s.dispatcher_group = $3 AS runnable
     FROM webhook_subscription s JOIN account a ON a.id = s.account_id WHERE s.id = ANY ($2)`,
    [webhookPlans, ids, group],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Counts the dispatchers, in all groups, that send to each host.
 * @returns the counts by host, without hosts to which only one dispatcher sends
 */
export async function countSenders(db: Queryable, hosts: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await db.query<{ host: string; senders: number }>(
    `SELECT ${hostSql('s.url')} AS host, count(DISTINCT s.holder)::int AS senders FROM webhook_subscription s
     WHERE ${hostSql('s.url')} = ANY ($1) AND s.ended_at IS NULL AND ${isValid('s.lease_expires_at')}
     GROUP BY 1 HAVING count(DISTINCT s.holder) > 1`,
    [hosts],
  );
  return new Map(rows.map(({ host, senders }) => [host, senders]));
}

/** Clears the handshakes for URLs that no longer need one. */
export async function waiveHandshakes(db: Queryable, ids: readonly number[]): Promise<void> {
  await db.query(
    `UPDATE webhook_subscription SET unconfirmed_since = NULL, challenge_failure = NULL
     WHERE id = ANY ($1) AND unconfirmed_since IS NOT NULL`,
    [ids],
  );
}

/**
 * Writes a dispatcher's heartbeat. It then counts as alive for `ttlMs`.
 * @param dispatcher.load used share of the dispatcher's capacity, 0 to 1
 * @returns how many of the group's subscriptions this dispatcher should lease, rounded up
 */
export async function announce(
  db: Queryable,
  webhookPlans: readonly string[],
  { name, group, session, load }: { name: string; group: string; session: number | null; load: number },
  ttlMs: number,
): Promise<number> {
  await db.query(
    `INSERT INTO webhook_dispatcher (name, dispatcher_group, session, expires_at, load)
     VALUES ($1, $2, $3, clock_timestamp() + make_interval(secs => $4), $5)
     ON CONFLICT (name) DO UPDATE SET expires_at = excluded.expires_at, load = excluded.load`,
    [name, group, session, ttlMs / 1_000, load],
  );
  const { rows } = await db.query<{ share: number }>(
    `SELECT ceil((SELECT count(*) FROM webhook_subscription s JOIN account a ON a.id = s.account_id
                  WHERE ${RUNNABLE} AND s.dispatcher_group = $2)::numeric
       / greatest(1, (SELECT count(*) FROM webhook_dispatcher WHERE dispatcher_group = $2 AND ${isValid('expires_at')})))::int AS share`,
    [webhookPlans, group],
  );
  return firstRow(rows).share;
}

/** Releases the subscriptions of dispatchers whose processes have ended. */
export async function releaseOfEnded(db: Queryable, group: string): Promise<void> {
  const { rows } = await db.query<{ name: string }>(
    `SELECT name FROM webhook_dispatcher WHERE dispatcher_group = $1 AND ${hasEndedSql('session')}`,
    [group],
  );
  if (rows.length === 0) return;
  const names = rows.map(({ name }) => name);
  await db.query(
    "UPDATE webhook_subscription SET lease_expires_at = '-infinity' WHERE dispatcher_group = $1 AND holder = ANY ($2)",
    [group, names],
  );
  // This row is deleted last. If this process ends before that, another dispatcher repeats the work.
  await db.query('DELETE FROM webhook_dispatcher WHERE name = ANY ($1)', [names]);
}

/** Removes the row of a dispatcher that is ending, and rows that expired more than an hour ago. */
export async function leave(db: Queryable, name: string): Promise<void> {
  await db.query(
    "DELETE FROM webhook_dispatcher WHERE name = $1 OR expires_at < clock_timestamp() - interval '1 hour'",
    [name],
  );
}

/**
 * @returns the number of readable subscriptions, in all groups, that may be sent events but that no dispatcher has
 * leased
 */
export async function countUnleased(db: Queryable, webhookPlans: readonly string[]): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM webhook_subscription s JOIN account a ON a.id = s.account_id
     WHERE ${RUNNABLE} AND s.fault IS NULL AND NOT ${isValid('s.lease_expires_at')}`,
    [webhookPlans],
  );
  return firstRow(rows).count;
}

/** A delivery that waits for a retry. */
export interface PendingRow {
  id: string;
  attempts: number;
  next_attempt_at: number;
  /**
   * When the first attempt was made or, for a manual retry, when the retry was requested. Manual retries therefore come
   * last.
   */
  since: number;
}

/**
 * SQL for when the wait began. A manual retry is recognized by its number of attempts, which exceeds the number of
 * scheduled retries.
 */
const SINCE = `CASE WHEN w.attempts <= ${MAX_RETRIES} THEN w.created_at ELSE w.next_attempt_at END`;

/** @returns for each subscription, at most `limit` deliveries that wait for a retry, earliest first */
export async function pendingDeliveries(
  db: Queryable,
  ids: readonly number[],
  limit: number,
): Promise<Map<number, PendingRow[]>> {
  const { rows } = await db.query<{ subscription_id: number; pending: PendingRow[] }>(
    `SELECT i.id AS subscription_id, json_agg(json_build_object('id', d.id, 'attempts', d.attempts, 'next_attempt_at', d.due, 'since', d.since) ORDER BY d.due) AS pending
     FROM unnest($1::bigint[]) AS i (id), LATERAL (
       SELECT w.id, ${count('w.attempts')} AS attempts, coalesce(${milliseconds('w.next_attempt_at')}, 0) AS due,
         coalesce(${milliseconds(SINCE)}, ${milliseconds('clock_timestamp()')}) AS since
       FROM webhook_delivery w
       WHERE w.subscription_id = i.id AND w.state = 'pending' ORDER BY w.next_attempt_at LIMIT $2
     ) d GROUP BY i.id`,
    [ids, limit],
  );
  return new Map(rows.map(({ subscription_id, pending }) => [subscription_id, pending]));
}

/** @returns each subscription's held matches, in the order in which they were held */
export async function heldMatches(db: Queryable, ids: readonly number[]): Promise<Map<number, HeldMatch[]>> {
  const { rows } = await db.query<{ subscription_id: number; held: HeldMatch[] }>(
    `SELECT subscription_id, json_agg(json_build_object('match_id', match_id, 'cursor', cursor) ORDER BY cursor) AS held
     FROM webhook_held_match WHERE subscription_id = ANY ($1) GROUP BY subscription_id`,
    [ids],
  );
  return new Map(rows.map(({ subscription_id, held }) => [subscription_id, held]));
}

export interface PendingDeliveryRow {
  event_id: string;
  event_type: string;
  envelope: string;
  /** The span that moved the event into the log. Null if the event is not in a sampled trace. */
  traceparent: string | null;
}

/** @returns null if the delivery no longer waits for a retry */
export async function pendingDelivery(db: Queryable, id: string): Promise<PendingDeliveryRow | null> {
  const { rows } = await db.query<PendingDeliveryRow>(
    "SELECT event_id, event_type, envelope, traceparent FROM webhook_delivery WHERE id = $1 AND state = 'pending'",
    [id],
  );
  return rows[0] ?? null;
}
