/**
 * What dispatchers do with the rows of subscriptions: hold them by a lease with a generation, and note what has come of them. Leases go by
 * the database's clock; all else by the service's.
 */
import type pg from 'pg';
import { PLANS } from '../accounts/plans.ts';
import { type Queryable, transaction } from '../db/postgres.ts';
import type { Health } from './health.ts';
import type { Gap } from './queries.ts';

/** A dispatcher that says nothing for this long is replaced. */
export const LEASE_TTL_MS = 30_000;

const PLANS_WITH_WEBHOOKS = Object.values(PLANS)
  .filter(({ webhooks }) => webhooks)
  .map(({ name }) => name);

/** A subscription as its dispatcher reads it. */
export interface HeldRow extends Omit<Health, 'disabled'> {
  id: number;
  generation: number;
  version: number;
  plan: string;
  url: string;
  eventTypes: string[];
  sports: string[];
  leagues: number[];
  secret: string;
  previousSecret: string | null;
  rotatedAt: number | null;
  position: number;
  gap: Gap | null;
}

const milliseconds = (column: string) => `floor(extract(epoch FROM ${column}) * 1000)::bigint`;
const HELD = `s.id, s.generation, s.version, a.plan, s.url, s.event_types AS "eventTypes", s.sports, s.leagues, s.secret,
  s.previous_secret AS "previousSecret", ${milliseconds('s.rotated_at')} AS "rotatedAt", s.position, s.gap,
  ${milliseconds('coalesce(s.last_sent_at, s.created_at)')} AS "lastSentAt", ${milliseconds('s.last_success_at')} AS "lastSuccessAt",
  ${milliseconds('s.last_failure_at')} AS "lastFailureAt", s.last_failure AS "lastFailure",
  ${milliseconds('s.failing_since')} AS "failingSince", s.failures`;
/** A subscription that is to be sent for; $1 are the plans with webhooks. */
const RUNNABLE = 's.ended_at IS NULL AND s.disabled_at IS NULL AND NOT s.paused AND a.plan = ANY ($1)';

/** Takes up to `limit` subscriptions that nobody holds. */
export async function claim(
  db: Queryable,
  holder: string,
  group: string,
  limit: number,
  ttlMs: number,
): Promise<HeldRow[]> {
  const { rows } = await db.query<HeldRow>(
    `WITH free AS (
       SELECT s.id FROM webhook_subscription s JOIN account a ON a.id = s.account_id
       WHERE ${RUNNABLE} AND s.dispatcher_group = $2 AND s.lease_expires_at < clock_timestamp()
       ORDER BY s.lease_expires_at, s.id LIMIT $3 FOR UPDATE OF s SKIP LOCKED
     )
     UPDATE webhook_subscription s SET holder = $4, generation = s.generation + 1,
       lease_expires_at = clock_timestamp() + make_interval(secs => $5)
     FROM free, account a WHERE s.id = free.id AND a.id = s.account_id RETURNING ${HELD}`,
    [PLANS_WITH_WEBHOOKS, group, limit, holder, ttlMs / 1_000],
  );
  return rows;
}

export interface Hold {
  id: number;
  generation: number;
}
const holdsOf = (holds: readonly Hold[]) => [holds.map(({ id }) => id), holds.map(({ generation }) => generation)];

/** @returns the ids of those that it still holds */
export async function renew(db: Queryable, holds: readonly Hold[], ttlMs: number): Promise<Set<number>> {
  const { rows } = await db.query<{ id: number }>(
    `UPDATE webhook_subscription s SET lease_expires_at = clock_timestamp() + make_interval(secs => $3)
     FROM (SELECT * FROM unnest($1::bigint[], $2::bigint[]) AS h (id, generation) ORDER BY id) h
     WHERE s.id = h.id AND s.generation = h.generation RETURNING s.id`,
    [...holdsOf(holds), ttlMs / 1_000],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Lets others take them at once. */
export async function release(db: Queryable, holds: readonly Hold[]): Promise<void> {
  await db.query(
    `UPDATE webhook_subscription s SET holder = NULL, lease_expires_at = '-infinity'
     FROM (SELECT * FROM unnest($1::bigint[], $2::bigint[]) AS h (id, generation) ORDER BY id) h
     WHERE s.id = h.id AND s.generation = h.generation`,
    holdsOf(holds),
  );
}

/** What may have changed of a subscription that is held; `runnable` false: it is to be let go. */
export interface Glimpse extends Hold {
  version: number;
  plan: string;
  runnable: boolean;
}

export async function look(db: Queryable, ids: readonly number[], group: string): Promise<Map<number, Glimpse>> {
  const { rows } = await db.query<Glimpse>(
    `SELECT s.id, s.generation, s.version, a.plan, ${RUNNABLE} AND s.dispatcher_group = $3 AS runnable
     FROM webhook_subscription s JOIN account a ON a.id = s.account_id WHERE s.id = ANY ($2)`,
    [PLANS_WITH_WEBHOOKS, ids, group],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

export async function readHeld(db: Queryable, ids: readonly number[]): Promise<HeldRow[]> {
  const { rows } = await db.query<HeldRow>(
    `SELECT ${HELD} FROM webhook_subscription s JOIN account a ON a.id = s.account_id WHERE s.id = ANY ($1)`,
    [ids],
  );
  return rows;
}

/**
 * Says that a dispatcher is there. @returns how many subscriptions are its share, rounded up
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

export async function leave(db: Queryable, name: string): Promise<void> {
  await db.query(
    "DELETE FROM webhook_dispatcher WHERE name = $1 OR expires_at < clock_timestamp() - interval '1 hour'",
    [name],
  );
}

export interface Progress extends Hold, Health {
  position: number;
  gap: Gap | null;
}

/** A delivery that has failed at least once; times in milliseconds since 1970. */
export interface DeliveryRow {
  id: string;
  subscriptionId: number;
  eventId: string;
  eventType: string;
  /** null: it is there already. */
  envelope: string | null;
  state: 'pending' | 'delivered' | 'failed';
  attempts: number;
  nextAttemptAt: number | null;
  at: number;
}

export interface AttemptRow {
  subscriptionId: number;
  deliveryId: string;
  eventId: string;
  eventType: string;
  attempt: number;
  at: number;
  durationMs: number;
  status: number | null;
  failure: string | null;
  nextAttemptAt: number | null;
}

export interface Batch {
  progress: readonly Progress[];
  deliveries: readonly DeliveryRow[];
  attempts: readonly AttemptRow[];
}

/**
 * Positions, failed deliveries and the log in one transaction: no position passes a failed delivery that is not there. What comes from a
 * subscription that another dispatcher has taken over is discarded.
 * @returns the ids that are still held
 */
export async function save(pool: pg.Pool, { progress, deliveries, attempts }: Batch): Promise<Set<number>> {
  return transaction(pool, async (client) => {
    const { rows } = await client.query<{ id: number }>(SAVE_PROGRESS, [JSON.stringify(progress)]);
    const held = new Set(rows.map(({ id }) => id));
    const keep = (row: { subscriptionId: number }) => held.has(row.subscriptionId);
    // An event that is in the log twice has one delivery.
    const kept = [...new Map(deliveries.filter(keep).map((row) => [row.id, row])).values()];
    if (kept.length > 0) await client.query(SAVE_DELIVERIES, [JSON.stringify(kept)]);
    await writeAttempts(client, attempts.filter(keep));
    return held;
  });
}

const time = (column: string) => `to_timestamp(${column} / 1000.0)`;
const SAVE_PROGRESS = `UPDATE webhook_subscription s SET position = p.position, gap = p.gap, last_sent_at = ${time('p."lastSentAt"')},
    last_success_at = ${time('p."lastSuccessAt"')}, last_failure_at = ${time('p."lastFailureAt"')}, last_failure = p."lastFailure",
    failing_since = CASE WHEN s.paused THEN NULL ELSE ${time('p."failingSince"')} END, failures = p.failures,
    disabled_at = CASE WHEN p.disabled IS NOT NULL THEN ${time('p."lastFailureAt"')} END, disabled_reason = p.disabled
  FROM (
    SELECT * FROM jsonb_to_recordset($1) AS p (id bigint, generation bigint, position bigint, gap jsonb, "lastSentAt" bigint, "lastSuccessAt" bigint,
      "lastFailureAt" bigint, "lastFailure" text, "failingSince" bigint, failures int, disabled text) ORDER BY id
  ) p
  WHERE s.id = p.id AND s.generation = p.generation AND s.ended_at IS NULL RETURNING s.id`;

/** A delivery that comes again (a replay, or a repeat after a crash) and fails again begins anew. */
const SAVE_DELIVERIES = `WITH given AS (
    SELECT * FROM jsonb_to_recordset($1) AS d (id text, "subscriptionId" bigint, "eventId" text, "eventType" text, envelope text,
      state text, attempts int, "nextAttemptAt" bigint, at bigint)
  ), known AS (
    UPDATE webhook_delivery w SET state = g.state, attempts = g.attempts, next_attempt_at = ${time('g."nextAttemptAt"')},
      updated_at = ${time('g.at')}
    FROM given g WHERE w.id = g.id RETURNING w.id
  )
  INSERT INTO webhook_delivery (id, subscription_id, event_id, event_type, envelope, state, attempts, next_attempt_at, created_at, updated_at)
  SELECT id, "subscriptionId", "eventId", "eventType", envelope, state, attempts, ${time('"nextAttemptAt"')}, ${time('at')}, ${time('at')}
  FROM given g WHERE envelope IS NOT NULL AND NOT EXISTS (SELECT FROM webhook_delivery w WHERE w.id = g.id)`;

export async function writeAttempts(db: Queryable, attempts: readonly AttemptRow[]): Promise<void> {
  if (attempts.length === 0) return;
  await db.query(
    `INSERT INTO webhook_attempt (subscription_id, delivery_id, event_id, event_type, attempt, at, duration_ms, status, failure, next_attempt_at)
     SELECT subscription_id, delivery_id, event_id, event_type, attempt, ${time('at')}, duration_ms, status, failure, ${time('next_attempt_at')}
     FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::int[], $6::bigint[], $7::int[], $8::int[], $9::text[], $10::bigint[])
       AS a (subscription_id, delivery_id, event_id, event_type, attempt, at, duration_ms, status, failure, next_attempt_at)`,
    [
      attempts.map((row) => row.subscriptionId),
      attempts.map((row) => row.deliveryId),
      attempts.map((row) => row.eventId),
      attempts.map((row) => row.eventType),
      attempts.map((row) => row.attempt),
      attempts.map((row) => row.at),
      attempts.map((row) => row.durationMs),
      attempts.map((row) => row.status),
      attempts.map((row) => row.failure),
      attempts.map((row) => row.nextAttemptAt),
    ],
  );
}

export interface Pending {
  id: string;
  attempts: number;
  /** Milliseconds since 1970. */
  nextAttemptAt: number;
}

/** The deliveries of each subscription that wait for another attempt, soonest first; at most `limit` of each. */
export async function pendingOf(db: Queryable, ids: readonly number[], limit: number): Promise<Map<number, Pending[]>> {
  const { rows } = await db.query<{ subscriptionId: number; pending: Pending[] }>(
    `SELECT i.id AS "subscriptionId", json_agg(json_build_object('id', d.id, 'attempts', d.attempts, 'nextAttemptAt', d.due) ORDER BY d.due) AS pending
     FROM unnest($1::bigint[]) AS i (id), LATERAL (
       SELECT w.id, w.attempts, ${milliseconds('w.next_attempt_at')} AS due FROM webhook_delivery w
       WHERE w.subscription_id = i.id AND w.state = 'pending' ORDER BY w.next_attempt_at LIMIT $2
     ) d GROUP BY i.id`,
    [ids, limit],
  );
  return new Map(rows.map(({ subscriptionId, pending }) => [subscriptionId, pending]));
}

/** @returns null for one that waits no more */
export async function pendingDelivery(
  db: Queryable,
  id: string,
): Promise<{ eventId: string; eventType: string; envelope: string; attempts: number } | null> {
  const { rows } = await db.query<{ eventId: string; eventType: string; envelope: string; attempts: number }>(
    `SELECT event_id AS "eventId", event_type AS "eventType", envelope, attempts FROM webhook_delivery WHERE id = $1 AND state = 'pending'`,
    [id],
  );
  return rows[0] ?? null;
}

/** A number for the id of a ping or a test: evt_0_<n>. */
export async function nextEventNumber(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ n: number }>("SELECT nextval('webhook_event_number') AS n");
  return rows[0]!.n;
}
