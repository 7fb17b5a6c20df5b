/** Saves subscription positions together with failed deliveries and the attempt log. */
import type pg from 'pg';
import { countWebhooks } from '../../accounts/usage/index.ts';
import { type Queryable, transaction } from '../../db/postgres.ts';
import {
  type AttemptRow,
  type ChallengeRow,
  type DeliveryState,
  timeSql,
  writeAttempts,
  writeChallenges,
} from '../delivery/attempt-queries.ts';
import { type NoticeRow, saveNotices } from '../delivery/notice-queries.ts';
import type { Health } from '../subscriptions/subscription-health.ts';
import type { Progress } from '../subscriptions/subscription-row.ts';
import type { Lease } from './lease-queries.ts';
import type { HeldMatchChange } from './match-order.ts';

/** The part of a leased subscription that is saved. Here and below, times are in milliseconds since 1970. */
export interface ProgressRow extends Lease, Progress, Health {
  /** With a delay, the newest event that is due. Null without a delay. */
  last_due: number | null;
  held: readonly HeldMatchChange[];
  notices: readonly NoticeRow[];
}

/** A delivery that has failed at least once. */
export interface DeliveryRow {
  id: string;
  subscription_id: number;
  event_id: string;
  event_type: string;
  /** The event's envelope. Null if the delivery is stored already. */
  envelope: string | null;
  /** The span that moved the event into the log. Later attempts need it. */
  traceparent: string | null;
  state: DeliveryState;
  attempts: number;
  next_attempt_at: number | null;
  at: number;
}

export interface Batch {
  progress: readonly ProgressRow[];
  deliveries: readonly DeliveryRow[];
  challenges: readonly ChallengeRow[];
  attempts: readonly AttemptRow[];
}

/**
 * Saves positions, held matches, notices, failed deliveries and the attempt log in one transaction, so that a position never moves past
 * a failed delivery or a held match that is not stored. If a subscription's lease has been lost, its rows are discarded.
 * @returns the ids of the subscriptions whose leases are still valid
 */
export async function save(pool: pg.Pool, { progress, deliveries, challenges, attempts }: Batch): Promise<Set<number>> {
  const write = async (client: pg.PoolClient) => {
    const { rows } = await client.query<{ id: number }>(SAVE_PROGRESS, [JSON.stringify(progress)]);
    const held = new Set(rows.map(({ id }) => id));
    const isHeld = (row: { subscription_id: number }) => held.has(row.subscription_id);
    const changes = progress.flatMap(({ id, held: matches }) =>
      matches.map((match) => ({ subscription_id: id, ...match })),
    );
    await saveHeldMatches(client, changes.filter(isHeld));
    const notices = progress.flatMap((row) => row.notices);
    await saveNotices(client, notices.filter(isHeld));
    // If an event is in the log twice, both records are one delivery.
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

/** Postgres ends the transaction if this process's node vanishes during it, so that locks on subscriptions do not outlive the leases. */
const LIMIT_PAUSES = "SET LOCAL idle_in_transaction_session_timeout = '5s'";

const SAVE_PROGRESS = `UPDATE webhook_subscription s SET position = p.position, last_due = p.last_due, ahead = p.ahead, gap = p.gap, rests_until = ${timeSql('p.rests_until')}, last_sent_at = ${timeSql('p.last_sent_at')},
    last_success_at = ${timeSql('p.last_success_at')}, last_failure_at = ${timeSql('p.last_failure_at')}, last_failure = p.last_failure,
    failing_since = CASE WHEN s.paused THEN NULL ELSE ${timeSql('p.failing_since')} END, failures = p.failures,
    disabled_at = CASE WHEN p.disabled_reason IS NOT NULL THEN ${timeSql('p.last_failure_at')} END, disabled_reason = p.disabled_reason
  FROM (
    SELECT * FROM jsonb_to_recordset($1) AS p (id bigint, generation bigint, position bigint, last_due bigint, ahead jsonb, gap jsonb, rests_until bigint, last_sent_at bigint,
      last_success_at bigint, last_failure_at bigint, last_failure text, failing_since bigint, failures int, disabled_reason text) ORDER BY id
  ) p
  WHERE s.id = p.id AND s.generation = p.generation AND s.ended_at IS NULL RETURNING s.id`;

async function saveHeldMatches(
  db: Queryable,
  changes: readonly (HeldMatchChange & { subscription_id: number })[],
): Promise<void> {
  if (changes.length === 0) return;
  await db.query(SAVE_HELD_MATCHES, [JSON.stringify(changes)]);
}

const SAVE_HELD_MATCHES = `WITH given AS (
    SELECT * FROM jsonb_to_recordset($1) AS h (subscription_id bigint, match_id bigint, cursor bigint)
  ), released AS (
    DELETE FROM webhook_held_match h USING given g
    WHERE h.subscription_id = g.subscription_id AND h.match_id = g.match_id AND g.cursor IS NULL
  )
  INSERT INTO webhook_held_match (subscription_id, match_id, cursor)
  SELECT subscription_id, match_id, cursor FROM given WHERE cursor IS NOT NULL
  ON CONFLICT (subscription_id, match_id) DO UPDATE SET cursor = excluded.cursor`;

/** Stores failed deliveries. If an event is sent again, by a replay or after a crash, and fails again, the stored delivery starts over. */
const SAVE_DELIVERIES = `WITH given AS (
    SELECT * FROM jsonb_to_recordset($1) AS d (id text, subscription_id bigint, event_id text, event_type text, envelope text,
      traceparent text, state text, attempts int, next_attempt_at bigint, at bigint)
  ), known AS (
    UPDATE webhook_delivery w SET state = g.state, attempts = g.attempts, next_attempt_at = ${timeSql('g.next_attempt_at')},
      updated_at = ${timeSql('g.at')}
    FROM given g WHERE w.id = g.id RETURNING w.id
  )
  INSERT INTO webhook_delivery (id, subscription_id, event_id, event_type, envelope, traceparent, state, attempts, next_attempt_at, created_at, updated_at)
  SELECT id, subscription_id, event_id, event_type, envelope, traceparent, state, attempts, ${timeSql('next_attempt_at')}, ${timeSql('at')}, ${timeSql('at')}
  FROM given g WHERE envelope IS NOT NULL AND NOT EXISTS (SELECT FROM webhook_delivery w WHERE w.id = g.id)`;

/** Marks stored deliveries as delivered if a replay has delivered their events, so that they are no longer retried. */
async function endFailed(db: Queryable, attempts: readonly AttemptRow[]): Promise<void> {
  const delivered = attempts.filter(({ single, failure, cursor }) => single && failure === null && cursor !== null);
  if (delivered.length === 0) return;
  await db.query(
    `UPDATE webhook_delivery SET state = 'delivered', next_attempt_at = NULL, updated_at = ${timeSql('$2::bigint')}
     WHERE id = ANY ($1) AND state <> 'delivered'`,
    [delivered.map((row) => row.delivery_id), Math.max(...delivered.map(({ at }) => at))],
  );
}
