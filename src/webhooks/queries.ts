/** The rows of subscriptions, as their owners and operators see them. What dispatchers do with them is in lease-queries.ts. */
import type { Queryable } from '../db/postgres.ts';

/** The custom resource that declares a subscription. */
export interface ManagedBy {
  namespace: string;
  name: string;
  uid: string;
}

/**
 * failing: 5 failures in a row, still sending. disabled: 72 h without a success, or 410. suspended: the plan does not include webhooks.
 * ended: deleted; its log stays.
 */
export type SubscriptionState = 'active' | 'paused' | 'failing' | 'disabled' | 'suspended' | 'ended';

/** Events that were dropped from the log before a subscription had looked at them. */
export interface Gap {
  /** When this was noticed, in UTC. */
  at: string;
  /** The cursor that it had got to. */
  from: number;
  /** The last one that is gone. */
  to: number;
}

export interface Subscription {
  id: number;
  accountId: number;
  account: string;
  plan: string;
  url: string;
  /** Empty: all. */
  eventTypes: string[];
  sports: string[];
  leagues: number[];
  dispatcherGroup: string;
  paused: boolean;
  managedBy: ManagedBy | null;
  createdAt: Date;
  endedAt: Date | null;
  rotatedAt: Date | null;
  /** Every event up to this cursor was delivered, has failed and is being repeated, or was not wanted. */
  position: number;
  /** Cursors between the position and the newest event, wanted or not. */
  lag: number;
  /** The last one, until it is enabled anew. */
  gap: Gap | null;
  lastSentAt: Date | null;
  lastSuccessAt: Date | null;
  lastFailureAt: Date | null;
  /** In a few words. */
  lastFailure: string | null;
  /** Failures in a row. */
  failures: number;
  disabledAt: Date | null;
  disabledReason: 'no_success' | 'gone' | null;
  /** Deliveries that wait for another attempt. */
  pending: number;
  /** The dispatcher that holds it now. */
  holder: string | null;
}

export interface SubscriptionFilter {
  id?: number | undefined;
  accountId?: number | undefined;
  /** Only those that custom resources declare. */
  managed?: boolean | undefined;
  managedUid?: string | undefined;
  /** Those too that have ended. */
  ended?: boolean | undefined;
}

export async function findSubscriptions(db: Queryable, filter: SubscriptionFilter): Promise<Subscription[]> {
  const { rows } = await db.query<Subscription>(SELECT, [
    filter.id ?? null,
    filter.accountId ?? null,
    filter.managed ?? false,
    filter.managedUid ?? null,
    filter.ended ?? false,
  ]);
  return rows;
}

/** The newest event that the relay knows to be in the log. */
const HEAD = '(SELECT base + last_offset FROM relay)';

const SELECT = `SELECT s.id, s.account_id AS "accountId", a.email AS account, a.plan, s.url, s.event_types AS "eventTypes", s.sports,
    s.leagues, s.dispatcher_group AS "dispatcherGroup", s.paused,
    CASE WHEN s.managed_uid IS NOT NULL
      THEN json_build_object('namespace', s.managed_namespace, 'name', s.managed_name, 'uid', s.managed_uid) END AS "managedBy",
    s.created_at AS "createdAt", s.ended_at AS "endedAt", s.rotated_at AS "rotatedAt",
    s.position, greatest(0, ${HEAD} - s.position) AS lag, s.gap,
    s.last_sent_at AS "lastSentAt", s.last_success_at AS "lastSuccessAt", s.last_failure_at AS "lastFailureAt",
    s.last_failure AS "lastFailure", s.failures, s.disabled_at AS "disabledAt", s.disabled_reason AS "disabledReason",
    (SELECT count(*)::int FROM webhook_delivery d WHERE d.subscription_id = s.id AND d.state = 'pending') AS pending,
    CASE WHEN s.lease_expires_at > clock_timestamp() THEN s.holder END AS holder
  FROM webhook_subscription s JOIN account a ON a.id = s.account_id
  WHERE ($1::bigint IS NULL OR s.id = $1) AND ($2::bigint IS NULL OR s.account_id = $2)
    AND (NOT $3 OR s.managed_uid IS NOT NULL) AND ($4::text IS NULL OR s.managed_uid = $4) AND ($5 OR s.ended_at IS NULL)
  ORDER BY s.id`;

export interface NewRow {
  accountId: number;
  url: string;
  eventTypes: readonly string[];
  sports: readonly string[];
  leagues: readonly number[];
  dispatcherGroup: string;
  paused: boolean;
  secret: string;
  managedBy: ManagedBy | null;
  now: Date;
}

/** @returns its id; null when the custom resource has one already */
export async function insertSubscription(db: Queryable, row: NewRow): Promise<number | null> {
  const { rows } = await db.query<{ id: number }>(
    `INSERT INTO webhook_subscription (account_id, url, event_types, sports, leagues, dispatcher_group, paused, secret,
       managed_namespace, managed_name, managed_uid, created_at, last_sent_at, position)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12, ${HEAD})
     ON CONFLICT (managed_uid) WHERE ended_at IS NULL DO NOTHING RETURNING id`,
    [
      row.accountId,
      row.url,
      row.eventTypes,
      row.sports,
      row.leagues,
      row.dispatcherGroup,
      row.paused,
      row.secret,
      row.managedBy?.namespace,
      row.managedBy?.name,
      row.managedBy?.uid,
      row.now,
    ],
  );
  return rows[0]?.id ?? null;
}

export interface Changes {
  url?: string | undefined;
  eventTypes?: readonly string[] | undefined;
  sports?: readonly string[] | undefined;
  leagues?: readonly number[] | undefined;
  dispatcherGroup?: string | undefined;
  paused?: boolean | undefined;
}

/** While it is paused nobody counts failures, so the count begins anew. @returns whether there is one */
export async function updateSubscription(db: Queryable, id: number, changes: Changes): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE webhook_subscription SET url = coalesce($2, url), event_types = coalesce($3, event_types),
       sports = coalesce($4, sports), leagues = coalesce($5, leagues), dispatcher_group = coalesce($6, dispatcher_group),
       failing_since = CASE WHEN paused IS DISTINCT FROM coalesce($7, paused) THEN NULL ELSE failing_since END,
       paused = coalesce($7, paused), version = version + 1
     WHERE id = $1 AND ended_at IS NULL`,
    [id, changes.url, changes.eventTypes, changes.sports, changes.leagues, changes.dispatcherGroup, changes.paused],
  );
  return rowCount === 1;
}

/** What waits is not sent any more; the log stays. @returns whether there was one */
export async function endSubscription(db: Queryable, id: number, now: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    `WITH ended AS (
       UPDATE webhook_subscription SET ended_at = $2, version = version + 1, secret = '', previous_secret = NULL
       WHERE id = $1 AND ended_at IS NULL RETURNING id
     ), given_up AS (
       UPDATE webhook_delivery d SET state = 'failed', next_attempt_at = NULL, updated_at = $2 FROM ended
       WHERE d.subscription_id = ended.id AND d.state = 'pending'
     )
     SELECT id FROM ended`,
    [id, now],
  );
  return rowCount === 1;
}

/** @param secret sealed. @returns whether there is one */
export async function replaceSecret(db: Queryable, id: number, secret: string, now: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE webhook_subscription SET previous_secret = secret, secret = $2, rotated_at = $3, version = version + 1
     WHERE id = $1 AND ended_at IS NULL`,
    [id, secret, now],
  );
  return rowCount === 1;
}

/** @returns the sealed secret; null: there is no such subscription */
export async function sealedSecret(db: Queryable, id: number): Promise<string | null> {
  const { rows } = await db.query<{ secret: string }>(
    'SELECT secret FROM webhook_subscription WHERE id = $1 AND ended_at IS NULL',
    [id],
  );
  return rows[0]?.secret ?? null;
}

/**
 * Lifts pause and disabling, and takes a gap as read.
 * @param replayFrom events after this cursor are sent (again); undefined: a disabled one goes on with new events, a paused one where it was.
 * @returns whether there is one
 */
export async function enableSubscription(db: Queryable, id: number, replayFrom: number | undefined): Promise<boolean> {
  // A new generation, so that what a dispatcher has under way does not move the position again.
  const { rowCount } = await db.query(
    `UPDATE webhook_subscription SET paused = false, failures = 0, failing_since = NULL,
       position = CASE WHEN $2::bigint IS NOT NULL THEN least($2, ${HEAD}) WHEN disabled_at IS NOT NULL THEN ${HEAD} ELSE position END,
       generation = generation + 1, holder = NULL, lease_expires_at = '-infinity', disabled_at = NULL, disabled_reason = NULL, gap = NULL,
       version = version + 1
     WHERE id = $1 AND ended_at IS NULL`,
    [id, replayFrom],
  );
  return rowCount === 1;
}

export async function accountOf(db: Queryable, email: string): Promise<{ id: number; plan: string } | null> {
  const { rows } = await db.query<{ id: number; plan: string }>(
    'SELECT id, plan FROM account WHERE lower(email) = lower($1)',
    [email],
  );
  return rows[0] ?? null;
}
