/** Saves the outcomes of attempts: positions, failed deliveries and the log of attempts. */
import type pg from 'pg';
import { countWebhooks } from '../../accounts/usage/usage-queries.ts';
import { type Queryable, transaction } from '../../db/postgres.ts';
import type { AttemptResult } from '../delivery/attempt.ts';
import type { FailureCause } from '../delivery/failure-cause.ts';
import type { Lease, Progress } from './lease-queries.ts';

/** The saved part of a leased subscription; times in milliseconds since 1970, here and below. */
export interface ProgressRow extends Lease, Progress {
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
  /** The span that has moved the event into the log, for later attempts. */
  traceparent: string | null;
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
  cause: FailureCause | null;
  /** The beginning of the reply's body. */
  reply: string | null;
  next_attempt_at: number | null;
  /** Cursor of the envelope in the log; null: it is stored, with the delivery or as `body`. */
  cursor: number | null;
  body: string | null;
  /** The attempt is the only record of its delivery: there is no row of webhook_delivery. */
  single: boolean;
}

/** @returns the attempt of a challenge or a test event, which is the only record of its delivery */
export const ownAttempt = (
  of: Pick<AttemptRow, 'subscription_id' | 'delivery_id' | 'event_id' | 'event_type' | 'at'> & { body: string },
  { durationMs, status, failure, cause, reply }: Omit<AttemptResult, 'retryAfter'>,
): AttemptRow => ({
  ...of,
  attempt: 1,
  duration_ms: durationMs,
  status,
  failure,
  cause,
  reply,
  next_attempt_at: null,
  cursor: null,
  single: true,
});

/** The outcome of a challenge. */
export interface ChallengeRow {
  subscription_id: number;
  /** URL of the challenge: the outcome does not apply to another one. */
  url: string;
  /** Number sent to the URL so far. */
  challenges: number;
  at: number;
  /** null: the URL is confirmed. */
  failure: string | null;
}

export interface Batch {
  progress: readonly ProgressRow[];
  deliveries: readonly DeliveryRow[];
  challenges: readonly ChallengeRow[];
  attempts: readonly AttemptRow[];
}

/**
 * Saves positions, failed deliveries and the log of attempts in one transaction: no position passes a failed delivery
 * that is not stored. Rows of a subscription whose lease was lost are discarded.
 * @returns the ids of the subscriptions whose leases are still valid
 */
export async function save(pool: pg.Pool, { progress, deliveries, challenges, attempts }: Batch): Promise<Set<number>> {
  const write = async (client: pg.PoolClient) => {
    const { rows } = await client.query<{ id: number }>(SAVE_PROGRESS, [JSON.stringify(progress)]);
    const held = new Set(rows.map(({ id }) => id));
    const isHeld = (row: { subscription_id: number }) => held.has(row.subscription_id);
    // An event that is in the log twice has one delivery.
    const stored = [...new Map(deliveries.filter(isHeld).map((row) => [row.id, row])).values()];
    if (stored.length > 0) await client.query(SAVE_DELIVERIES, [JSON.stringify(stored)]);
    await writeChallenges(client, challenges.filter(isHeld));
    const made = attempts.filter(isHeld);
    await writeAttempts(client, made);
    await countWebhooks(client, made);
    await endFailed(client, made);
    return held;
  };
  return transaction(pool, write, [LIMIT_PAUSES]);
}

/** A node that vanishes in the middle holds locks on its subscriptions: at most as long as its leases. */
const LIMIT_PAUSES = "SET LOCAL idle_in_transaction_session_timeout = '5s'";

const time = (column: string) => `to_timestamp(${column} / 1000.0)`;
const SAVE_PROGRESS = `UPDATE webhook_subscription s SET position = p.position, ahead = p.ahead, gap = p.gap, last_sent_at = ${time('p.last_sent_at')},
    last_success_at = ${time('p.last_success_at')}, last_failure_at = ${time('p.last_failure_at')}, last_failure = p.last_failure,
    failing_since = CASE WHEN s.paused THEN NULL ELSE ${time('p.failing_since')} END, failures = p.failures,
    disabled_at = CASE WHEN p.disabled_reason IS NOT NULL THEN ${time('p.last_failure_at')} END, disabled_reason = p.disabled_reason
  FROM (
    SELECT * FROM jsonb_to_recordset($1) AS p (id bigint, generation bigint, position bigint, ahead jsonb, gap jsonb, last_sent_at bigint,
      last_success_at bigint, last_failure_at bigint, last_failure text, failing_since bigint, failures int, disabled_reason text) ORDER BY id
  ) p
  WHERE s.id = p.id AND s.generation = p.generation AND s.ended_at IS NULL RETURNING s.id`;

/** A delivery that is sent again (a replay, or after a crash) and fails again starts over. */
const SAVE_DELIVERIES = `WITH given AS (
    SELECT * FROM jsonb_to_recordset($1) AS d (id text, subscription_id bigint, event_id text, event_type text, envelope text,
      traceparent text, state text, attempts int, next_attempt_at bigint, at bigint)
  ), known AS (
    UPDATE webhook_delivery w SET state = g.state, attempts = g.attempts, next_attempt_at = ${time('g.next_attempt_at')},
      updated_at = ${time('g.at')}
    FROM given g WHERE w.id = g.id RETURNING w.id
  )
  INSERT INTO webhook_delivery (id, subscription_id, event_id, event_type, envelope, traceparent, state, attempts, next_attempt_at, created_at, updated_at)
  SELECT id, subscription_id, event_id, event_type, envelope, traceparent, state, attempts, ${time('next_attempt_at')}, ${time('at')}, ${time('at')}
  FROM given g WHERE envelope IS NOT NULL AND NOT EXISTS (SELECT FROM webhook_delivery w WHERE w.id = g.id)`;

const WRITE_CHALLENGES = `UPDATE webhook_subscription s SET challenges = c.challenges, challenged_at = ${time('c.at')},
    challenge_failure = c.failure, unconfirmed_since = CASE WHEN c.failure IS NOT NULL THEN s.unconfirmed_since END,
    confirmed_at = CASE WHEN c.failure IS NULL THEN ${time('c.at')} END, version = s.version + 1
  FROM jsonb_to_recordset($1) AS c (subscription_id bigint, url text, challenges int, at bigint, failure text)
  WHERE s.id = c.subscription_id AND s.url = c.url AND s.unconfirmed_since IS NOT NULL AND s.ended_at IS NULL`;

export async function writeChallenges(db: Queryable, challenges: readonly ChallengeRow[]): Promise<void> {
  if (challenges.length > 0) await db.query(WRITE_CHALLENGES, [JSON.stringify(challenges)]);
}

/** Ends failed deliveries that a replay has delivered: they are not retried any more. */
async function endFailed(db: Queryable, attempts: readonly AttemptRow[]): Promise<void> {
  const delivered = attempts.filter(({ single, failure, cursor }) => single && failure === null && cursor !== null);
  if (delivered.length === 0) return;
  await db.query(
    `UPDATE webhook_delivery SET state = 'delivered', next_attempt_at = NULL, updated_at = ${time('$2::bigint')}
     WHERE id = ANY ($1) AND state <> 'delivered'`,
    [delivered.map((row) => row.delivery_id), Math.max(...delivered.map(({ at }) => at))],
  );
}

const ATTEMPT_COLUMNS = [
  ['subscription_id', 'bigint'],
  ['delivery_id', 'text'],
  ['event_id', 'text'],
  ['event_type', 'text'],
  ['attempt', 'int'],
  ['at', 'bigint'],
  ['duration_ms', 'int'],
  ['status', 'int'],
  ['failure', 'text'],
  ['cause', 'text'],
  ['reply', 'text'],
  ['next_attempt_at', 'bigint'],
  ['cursor', 'bigint'],
  ['body', 'text'],
  ['single', 'boolean'],
] as const satisfies readonly (readonly [keyof AttemptRow, string])[];
const ATTEMPT_NAMES = ATTEMPT_COLUMNS.map(([name]) => name).join(', ');
const WRITE_ATTEMPTS = `INSERT INTO webhook_attempt (${ATTEMPT_NAMES})
  SELECT ${ATTEMPT_COLUMNS.map(([name]) => (name === 'at' || name === 'next_attempt_at' ? time(name) : name)).join(', ')}
  FROM unnest(${ATTEMPT_COLUMNS.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ')}) AS a (${ATTEMPT_NAMES})`;

export async function writeAttempts(db: Queryable, attempts: readonly AttemptRow[]): Promise<void> {
  if (attempts.length === 0) return;
  await db.query(
    WRITE_ATTEMPTS,
    ATTEMPT_COLUMNS.map(([name]) => attempts.map((row) => row[name])),
  );
}
