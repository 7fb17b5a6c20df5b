/**
 * The rows of subscriptions as dispatchers use them: leased with a generation, and saved with their outcomes. Leases go by the database's
 * clock, everything else by the service's clock.
 */
import type pg from 'pg';
import { PLANS } from '../accounts/plans.ts';
import { type Queryable, transaction } from '../db/postgres.ts';
import type { Gap } from './queries.ts';

/** The subscriptions of a dispatcher that has not renewed its leases for this long are leased by others. */
export const LEASE_TTL_MS = 30_000;

const PLANS_WITH_WEBHOOKS = Object.values(PLANS)
  .filter(({ webhooks }) => webhooks)
  .map(({ name }) => name);

/** A subscription as a dispatcher reads it; times in milliseconds since 1970. */
export interface SubscriptionRow {
  id: number;
  generation: number;
  version: number;
  plan: string;
  url: string;
  event_types: string[];
  sports: string[];
  leagues: number[];
  match_ids: number[];
  participant_ids: number[];
  /** Encrypted; empty where the subscription has ended. */
  secret: string;
  previous_secret: string | null;
  rotated_at: number | null;
  position: number;
  gap: Gap | null;
  last_sent_at: number;
  last_success_at: number | null;
  last_failure_at: number | null;
  last_failure: string | null;
  failing_since: number | null;
  failures: number;
}

const milliseconds = (column: string) => `floor(extract(epoch FROM ${column}) * 1000)::bigint`;
const COLUMNS = `s.id, s.generation, s.version, a.plan, s.url, s.event_types, s.sports, s.leagues, s.match_ids,
  s.participant_ids, s.secret, s.previous_secret, ${milliseconds('s.rotated_at')} AS rotated_at, s.position, s.gap,
  ${milliseconds('coalesce(s.last_sent_at, s.created_at)')} AS last_sent_at, ${milliseconds('s.last_success_at')} AS last_success_at,
  ${milliseconds('s.last_failure_at')} AS last_failure_at, s.last_failure,
  ${milliseconds('s.failing_since')} AS failing_since, s.failures`;
/** A subscription that deliveries are sent for; $1 are the plans with webhooks. */
const RUNNABLE =
  's.ended_at IS NULL AND s.disabled_at IS NULL AND NOT s.paused AND a.suspended_at IS NULL AND a.plan = ANY ($1)';

/** Leases up to `limit` subscriptions of a group whose leases have expired or were released. */
export async function claim(
  db: Queryable,
  holder: string,
  group: string,
  limit: number,
  ttlMs: number,
): Promise<SubscriptionRow[]> {
  const { rows } = await db.query<SubscriptionRow>(
    `WITH free AS (
       SELECT s.id FROM webhook_subscription s JOIN account a ON a.id = s.account_id
       WHERE ${RUNNABLE} AND s.dispatcher_group = $2 AND s.lease_expires_at < clock_timestamp()
       ORDER BY s.lease_expires_at, s.id LIMIT $3 FOR UPDATE OF s SKIP LOCKED
     )
     UPDATE webhook_subscription s SET holder = $4, generation = s.generation + 1,
       lease_expires_at = clock_timestamp() + make_interval(secs => $5)
     FROM free, account a WHERE s.id = free.id AND a.id = s.account_id RETURNING ${COLUMNS}`,
    [PLANS_WITH_WEBHOOKS, group, limit, holder, ttlMs / 1_000],
  );
  return rows;
}

/** A lease on a subscription: valid while the row has the same generation. */
export interface Lease {
  id: number;
  generation: number;
}
const arraysOf = (held: readonly Lease[]) => [held.map(({ id }) => id), held.map(({ generation }) => generation)];

/** @returns the ids of the leases that are still valid, which are extended; the others have another lease holder */
export async function renew(db: Queryable, held: readonly Lease[], ttlMs: number): Promise<Set<number>> {
  const { rows } = await db.query<{ id: number }>(
    `UPDATE webhook_subscription s SET lease_expires_at = clock_timestamp() + make_interval(secs => $3)
     FROM (SELECT * FROM unnest($1::bigint[], $2::bigint[]) AS h (id, generation) ORDER BY id) h
     WHERE s.id = h.id AND s.generation = h.generation RETURNING s.id`,
    [...arraysOf(held), ttlMs / 1_000],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Others can lease them at once. */
export async function release(db: Queryable, held: readonly Lease[]): Promise<void> {
  await db.query(
    `UPDATE webhook_subscription s SET holder = NULL, lease_expires_at = '-infinity'
     FROM (SELECT * FROM unnest($1::bigint[], $2::bigint[]) AS h (id, generation) ORDER BY id) h
     WHERE s.id = h.id AND s.generation = h.generation`,
    arraysOf(held),
  );
}

/** What may have changed since a subscription was leased. */
export interface LeaseStateRow extends Lease {
  version: number;
  plan: string;
  /** false: it is to be released. */
  runnable: boolean;
}

export async function leaseStates(
  db: Queryable,
  ids: readonly number[],
  group: string,
): Promise<Map<number, LeaseStateRow>> {
  const { rows } = await db.query<LeaseStateRow>(
    `SELECT s.id, s.generation, s.version, a.plan, ${RUNNABLE} AND s.dispatcher_group = $3 AS runnable
     FROM webhook_subscription s JOIN account a ON a.id = s.account_id WHERE s.id = ANY ($2)`,
    [PLANS_WITH_WEBHOOKS, ids, group],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

export async function readSubscriptions(db: Queryable, ids: readonly number[]): Promise<SubscriptionRow[]> {
  const { rows } = await db.query<SubscriptionRow>(
    `SELECT ${COLUMNS} FROM webhook_subscription s JOIN account a ON a.id = s.account_id WHERE s.id = ANY ($1)`,
    [ids],
  );
  return rows;
}

/**
 * A dispatcher's heartbeat: it counts as alive for `ttlMs`.
 * @returns its share of the group's subscriptions, rounded up
 */
export async function announce(db: Queryable, name: string, group: string, ttlMs: number): Promise<number> {
  await db.query(
    `INSERT INTO webhook_dispatcher (name, dispatcher_group, expires_at) VALUES ($1, $2, clock_timestamp() + make_interval(secs => $3))
     ON CONFLICT (name) DO UPDATE SET expires_at = excluded.expires_at`,
    [name, group, ttlMs / 1_000],
  );
  const { rows } = await db.query<{ share: number }>(
    `SELECT ceil((SELECT count(*) FROM webhook_subscription s JOIN account a ON a.id = s.account_id
                  WHERE ${RUNNABLE} AND s.dispatcher_group = $2)::numeric
       / greatest(1, (SELECT count(*) FROM webhook_dispatcher WHERE dispatcher_group = $2 AND expires_at > clock_timestamp())))::int AS share`,
    [PLANS_WITH_WEBHOOKS, group],
  );
  return rows[0]!.share;
}

/** A dispatcher ends. */
export async function leave(db: Queryable, name: string): Promise<void> {
  await db.query(
    "DELETE FROM webhook_dispatcher WHERE name = $1 OR expires_at < clock_timestamp() - interval '1 hour'",
    [name],
  );
}

/** What is saved of a leased subscription; times in milliseconds since 1970, here and below. */
export interface ProgressRow extends Lease {
  position: number;
  gap: Gap | null;
  last_sent_at: number;
  last_success_at: number | null;
  last_failure_at: number | null;
  last_failure: string | null;
  failing_since: number | null;
  failures: number;
  disabled_reason: 'no_success' | 'gone' | null;
}

export type DeliveryState = 'pending' | 'delivered' | 'failed';

/** A delivery that has failed at least once. */
export interface DeliveryRow {
  id: string;
  subscription_id: number;
  event_id: string;
  event_type: string;
  /** null: it is stored already. */
  envelope: string | null;
  state: DeliveryState;
  attempts: number;
  next_attempt_at: number | null;
  at: number;
}

export interface AttemptRow {
  subscription_id: number;
  delivery_id: string;
  event_id: string;
  event_type: string;
  attempt: number;
  at: number;
  duration_ms: number;
  status: number | null;
  failure: string | null;
  next_attempt_at: number | null;
}

export interface Batch {
  progress: readonly ProgressRow[];
  deliveries: readonly DeliveryRow[];
  attempts: readonly AttemptRow[];
}

/**
 * Positions, failed deliveries and the log of attempts in one transaction: no position passes a failed delivery that is not stored. Rows
 * of a subscription whose lease has been lost are discarded.
 * @returns the ids of the subscriptions whose leases are still valid
 */
export async function save(pool: pg.Pool, { progress, deliveries, attempts }: Batch): Promise<Set<number>> {
  return transaction(pool, async (client) => {
    const { rows } = await client.query<{ id: number }>(SAVE_PROGRESS, [JSON.stringify(progress)]);
    const held = new Set(rows.map(({ id }) => id));
    const isHeld = (row: { subscription_id: number }) => held.has(row.subscription_id);
    // An event that is in the log twice has one delivery.
    const stored = [...new Map(deliveries.filter(isHeld).map((row) => [row.id, row])).values()];
    if (stored.length > 0) await client.query(SAVE_DELIVERIES, [JSON.stringify(stored)]);
    await writeAttempts(client, attempts.filter(isHeld));
    return held;
  });
}

const time = (column: string) => `to_timestamp(${column} / 1000.0)`;
const SAVE_PROGRESS = `UPDATE webhook_subscription s SET position = p.position, gap = p.gap, last_sent_at = ${time('p.last_sent_at')},
    last_success_at = ${time('p.last_success_at')}, last_failure_at = ${time('p.last_failure_at')}, last_failure = p.last_failure,
    failing_since = CASE WHEN s.paused THEN NULL ELSE ${time('p.failing_since')} END, failures = p.failures,
    disabled_at = CASE WHEN p.disabled_reason IS NOT NULL THEN ${time('p.last_failure_at')} END, disabled_reason = p.disabled_reason
  FROM (
    SELECT * FROM jsonb_to_recordset($1) AS p (id bigint, generation bigint, position bigint, gap jsonb, last_sent_at bigint,
      last_success_at bigint, last_failure_at bigint, last_failure text, failing_since bigint, failures int, disabled_reason text) ORDER BY id
  ) p
  WHERE s.id = p.id AND s.generation = p.generation AND s.ended_at IS NULL RETURNING s.id`;

/** A delivery that is sent again (a replay, or after a crash) and fails again starts over. */
const SAVE_DELIVERIES = `WITH given AS (
    SELECT * FROM jsonb_to_recordset($1) AS d (id text, subscription_id bigint, event_id text, event_type text, envelope text,
      state text, attempts int, next_attempt_at bigint, at bigint)
  ), known AS (
    UPDATE webhook_delivery w SET state = g.state, attempts = g.attempts, next_attempt_at = ${time('g.next_attempt_at')},
      updated_at = ${time('g.at')}
    FROM given g WHERE w.id = g.id RETURNING w.id
  )
  INSERT INTO webhook_delivery (id, subscription_id, event_id, event_type, envelope, state, attempts, next_attempt_at, created_at, updated_at)
  SELECT id, subscription_id, event_id, event_type, envelope, state, attempts, ${time('next_attempt_at')}, ${time('at')}, ${time('at')}
  FROM given g WHERE envelope IS NOT NULL AND NOT EXISTS (SELECT FROM webhook_delivery w WHERE w.id = g.id)`;

export async function writeAttempts(db: Queryable, attempts: readonly AttemptRow[]): Promise<void> {
  if (attempts.length === 0) return;
  await db.query(
    `INSERT INTO webhook_attempt (subscription_id, delivery_id, event_id, event_type, attempt, at, duration_ms, status, failure, next_attempt_at)
     SELECT subscription_id, delivery_id, event_id, event_type, attempt, ${time('at')}, duration_ms, status, failure, ${time('next_attempt_at')}
     FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::int[], $6::bigint[], $7::int[], $8::int[], $9::text[], $10::bigint[])
       AS a (subscription_id, delivery_id, event_id, event_type, attempt, at, duration_ms, status, failure, next_attempt_at)`,
    [
      attempts.map((row) => row.subscription_id),
      attempts.map((row) => row.delivery_id),
      attempts.map((row) => row.event_id),
      attempts.map((row) => row.event_type),
      attempts.map((row) => row.attempt),
      attempts.map((row) => row.at),
      attempts.map((row) => row.duration_ms),
      attempts.map((row) => row.status),
      attempts.map((row) => row.failure),
      attempts.map((row) => row.next_attempt_at),
    ],
  );
}

/** A delivery that waits for a retry. */
export interface PendingRow {
  id: string;
  attempts: number;
  next_attempt_at: number;
}

/** @returns by subscription, the deliveries that wait for a retry, earliest first; at most `limit` of each */
export async function pendingDeliveries(
  db: Queryable,
  ids: readonly number[],
  limit: number,
): Promise<Map<number, PendingRow[]>> {
  const { rows } = await db.query<{ subscription_id: number; pending: PendingRow[] }>(
    `SELECT i.id AS subscription_id, json_agg(json_build_object('id', d.id, 'attempts', d.attempts, 'next_attempt_at', d.due) ORDER BY d.due) AS pending
     FROM unnest($1::bigint[]) AS i (id), LATERAL (
       SELECT w.id, w.attempts, ${milliseconds('w.next_attempt_at')} AS due FROM webhook_delivery w
       WHERE w.subscription_id = i.id AND w.state = 'pending' ORDER BY w.next_attempt_at LIMIT $2
     ) d GROUP BY i.id`,
    [ids, limit],
  );
  return new Map(rows.map(({ subscription_id, pending }) => [subscription_id, pending]));
}

export interface PendingDeliveryRow {
  event_id: string;
  event_type: string;
  envelope: string;
}

/** @returns null when the delivery does not wait any more */
export async function pendingDelivery(db: Queryable, id: string): Promise<PendingDeliveryRow | null> {
  const { rows } = await db.query<PendingDeliveryRow>(
    "SELECT event_id, event_type, envelope FROM webhook_delivery WHERE id = $1 AND state = 'pending'",
    [id],
  );
  return rows[0] ?? null;
}

/** A number for the id of a ping or a test event: evt_0_<n>. */
export async function nextEventNumber(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ n: number }>("SELECT nextval('webhook_event_number') AS n");
  return rows[0]!.n;
}
