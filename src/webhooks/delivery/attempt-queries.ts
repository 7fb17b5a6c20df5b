/** Writes the attempt log and the challenge outcomes. Times are in milliseconds since 1970. */
import type { Queryable } from '../../db/postgres.ts';
import type { AttemptResult } from '../destinations/attempt.ts';
import type { FailureCause } from '../destinations/failure-cause.ts';

export type DeliveryState = 'pending' | 'delivered' | 'failed';

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
  /** The envelope's cursor in the log. Null if the envelope itself is stored, with the delivery or in `body`. */
  cursor: number | null;
  body: string | null;
  /** True if the attempt is the only record of its delivery, without a row in webhook_delivery. */
  single: boolean;
}

/** Returns the attempt row for a challenge or a test event. It is the only record of that delivery. */
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

/** A challenge outcome. */
export interface ChallengeRow {
  subscription_id: number;
  /** The URL that was challenged. If the subscription's URL has changed since, the outcome does not count. */
  url: string;
  /** Number of challenges sent to this URL so far. */
  challenges: number;
  at: number;
  /** Null if the URL is confirmed. */
  failure: string | null;
}

/** Returns the SQL for a time in milliseconds since 1970. */
export const timeSql = (column: string) => `to_timestamp(${column} / 1000.0)`;

const WRITE_CHALLENGES = `UPDATE webhook_subscription s SET challenges = c.challenges, challenged_at = ${timeSql('c.at')},
    challenge_failure = c.failure, unconfirmed_since = CASE WHEN c.failure IS NOT NULL THEN s.unconfirmed_since END,
    confirmed_at = CASE WHEN c.failure IS NULL THEN ${timeSql('c.at')} END, version = s.version + 1
  FROM jsonb_to_recordset($1) AS c (subscription_id bigint, url text, challenges int, at bigint, failure text)
  WHERE s.id = c.subscription_id AND s.url = c.url AND s.unconfirmed_since IS NOT NULL AND s.ended_at IS NULL`;

export async function writeChallenges(db: Queryable, challenges: readonly ChallengeRow[]): Promise<void> {
  if (challenges.length > 0) await db.query(WRITE_CHALLENGES, [JSON.stringify(challenges)]);
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
  SELECT ${ATTEMPT_COLUMNS.map(([name]) => (name === 'at' || name === 'next_attempt_at' ? timeSql(name) : name)).join(', ')}
  FROM unnest(${ATTEMPT_COLUMNS.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ')}) AS a (${ATTEMPT_NAMES})`;

export async function writeAttempts(db: Queryable, attempts: readonly AttemptRow[]): Promise<void> {
  if (attempts.length === 0) return;
  await db.query(
    WRITE_ATTEMPTS,
    ATTEMPT_COLUMNS.map(([name]) => attempts.map((row) => row[name])),
  );
}
