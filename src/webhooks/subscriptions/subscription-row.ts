/** A subscription row as dispatchers read it. */
import type { Queryable } from '../../db/postgres.ts';
import type { DestinationSettings } from '../destinations/kinds.ts';
import type { CustomHeader } from './custom-headers.ts';
import type { Gap } from './gap.ts';
import type { Ordering } from './settings.ts';
import { isWritable } from './stored-time.ts';

/** Finished events beyond the position, which an earlier event that is not finished still holds back. */
export interface Ahead {
  /**
   * The position at which these values were saved. At any other position they are ignored, since a replay may have
   * moved the position back.
   */
  position: number;
  /** Every event up to this cursor is finished … */
  reach: number;
  /** … except the events with these cursors. */
  unfinished: number[];
}

/** A subscription's progress; times in milliseconds since 1970. */
export interface Progress {
  position: number;
  ahead: Ahead | null;
  gap: Gap | null;
  last_sent_at: number;
  last_success_at: number | null;
  last_failure_at: number | null;
  last_failure: string | null;
  /** Time of the first failure after the last success. */
  failing_since: number | null;
  /** Consecutive failures. */
  failures: number;
  /** Until when the receiver has asked to wait. Null if it has not asked since its last other reply. */
  rests_until: number | null;
}

/** The last notice to the owner. A subscription that is leased after the notice `disabled` has been enabled since. */
export interface Told {
  /** Null if it has recovered since. */
  notified: 'failing' | 'disabled' | null;
  /** In milliseconds since 1970. */
  notified_at: number | null;
}

/** A subscription as a dispatcher reads it; times in milliseconds since 1970. */
export interface SubscriptionRow extends Progress, Told {
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
  conditions: string[];
  headers: CustomHeader[];
  secret_headers: string | null;
  destination: DestinationSettings | null;
  destination_secret: string | null;
  ordering: Ordering;
  max_per_second: number | null;
  max_in_flight: number | null;
  delay: number;
  /** Encrypted; empty if the subscription has ended. */
  secret: string;
  previous_secret: string | null;
  rotated_at: number | null;
  /** Why the row could not be read last time. Null if it could. */
  fault: string | null;
  /** When the URL began to wait for a handshake. Null if it does not wait. */
  unconfirmed_since: number | null;
  /** Number of challenges sent to this URL. */
  challenges: number;
  challenged_at: number | null;
}

/** SQL for a time in milliseconds since 1970. Null for an invalid time, since a failed conversion would make the whole statement fail. */
export const milliseconds = (column: string) =>
  `CASE WHEN ${isWritable(column)} THEN floor(extract(epoch FROM ${column}) * 1000)::bigint END`;
/**
 * Larger integers lose digits in JavaScript. A generation is not raised above this number, and stored-settings.ts
 * refuses a row with a larger one.
 */
export const MAX_GENERATION = Number.MAX_SAFE_INTEGER;
/**
 * Larger stored counts are reduced to this number when they are read. They must have been written by hand, and would
 * soon outgrow the column.
 */
const MAX_COUNT = 1_000_000_000;
export const count = (column: string) => `greatest(0, least(${column}, ${MAX_COUNT}))`;
export const SUBSCRIPTION_COLUMNS = `s.id, s.generation, s.version, a.plan, s.url, s.event_types, s.sports, s.leagues, s.match_ids,
  s.participant_ids, s.conditions, s.headers, s.secret_headers, s.destination, s.destination_secret, s.ordering, s.max_per_second, s.max_in_flight, s.delay, ${milliseconds('s.rests_until')} AS rests_until, s.secret, s.previous_secret, ${milliseconds('s.rotated_at')} AS rotated_at, s.position, s.ahead, s.gap,
  coalesce(${milliseconds('s.last_sent_at')}, ${milliseconds('s.created_at')}, 0) AS last_sent_at, ${milliseconds('s.last_success_at')} AS last_success_at,
  ${milliseconds('s.last_failure_at')} AS last_failure_at, s.last_failure,
  ${milliseconds('s.failing_since')} AS failing_since, ${count('s.failures')} AS failures, s.fault, s.notified, ${milliseconds('s.notified_at')} AS notified_at,
  ${milliseconds('s.unconfirmed_since')} AS unconfirmed_since, ${count('s.challenges')} AS challenges, ${milliseconds('s.challenged_at')} AS challenged_at`;

export async function readSubscriptions(db: Queryable, ids: readonly number[]): Promise<SubscriptionRow[]> {
  const { rows } = await db.query<SubscriptionRow>(
    `SELECT ${SUBSCRIPTION_COLUMNS} FROM webhook_subscription s JOIN account a ON a.id = s.account_id WHERE s.id = ANY ($1)`,
    [ids],
  );
  return rows;
}
