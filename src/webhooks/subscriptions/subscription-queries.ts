/** Subscriptions for owners and the operator. The dispatcher queries are in lease-queries.ts. */
import { normalEmail } from '../../accounts/index.ts';
import type { Queryable } from '../../db/postgres.ts';
import type { DestinationSettings, StoredDestination } from '../destinations/kinds.ts';
import type { CustomHeader, StoredHeaders } from './custom-headers.ts';
import type { Gap } from './gap.ts';
import { readableRow } from './readable-row.ts';
import type { Ordering, Wanted } from './settings.ts';
import { isWritable } from './stored-time.ts';

/** The custom resource that declares a subscription. */
export interface ManagedBy {
  namespace: string;
  name: string;
  uid: string;
  /** `<namespace>/<name>` of the installation whose operator stored the subscription. Null if an older version stored it. */
  installation: string | null;
  /** The uid of the cluster's kube-system namespace. Null if the operator does not know it. */
  cluster: string | null;
}

/**
 * `failing` means that events are still sent but several attempts in a row have failed, or that the subscription cannot
 * be read (`fault`). `unconfirmed` means that the receiver has not answered a challenge. `disabled` means that no
 * attempt has succeeded for too long, or that a reply had status 410. `suspended` means that the plan does not include
 * webhooks, or that an operator has suspended the account. `ended` means that the subscription was deleted, although
 * the delivery log remains.
 */
export type SubscriptionState = 'active' | 'paused' | 'unconfirmed' | 'failing' | 'disabled' | 'suspended' | 'ended';

export interface Subscription {
  id: number;
  accountId: number;
  account: string;
  plan: string;
  /** When the account was suspended. */
  suspendedAt: Date | null;
  url: string;
  /** Empty for all event types. */
  eventTypes: string[];
  sports: string[];
  leagues: number[];
  matchIds: number[];
  participantIds: number[];
  conditions: string[];
  /** Without the values of secret headers. */
  headers: CustomHeader[];
  /** The values of secret headers, encrypted. */
  secretHeaders: string | null;
  /** Null if events go to the URL. Without its secret. */
  destination: DestinationSettings | null;
  /** The secret of the destination, encrypted. */
  destinationSecret: string | null;
  ordering: Ordering;
  maxPerSecond: number | null;
  maxInFlight: number | null;
  /** In seconds. */
  delay: number;
  description: string;
  metadata: Record<string, string>;
  dispatcherGroup: string;
  paused: boolean;
  managedBy: ManagedBy | null;
  createdAt: Date;
  endedAt: Date | null;
  rotatedAt: Date | null;
  /** Every event up to this cursor was delivered, has failed and is retried, or was not wanted. */
  position: number;
  /**
   * Number of cursors between the position and the newest event, counting unwanted events too. With a delay, it is the newest event
   * that was due when the dispatcher last saved.
   */
  lag: number;
  /** The latest gap. Enabling the subscription clears it. */
  gap: Gap | null;
  lastSentAt: Date | null;
  lastSuccessAt: Date | null;
  lastFailureAt: Date | null;
  /** A short reason for the last failure. */
  lastFailure: string | null;
  /** Consecutive failures. */
  failures: number;
  disabledAt: Date | null;
  disabledReason: 'no_success' | 'gone' | null;
  /**
   * Since when the URL has waited for an answer to a challenge. No event is sent meanwhile. Null if no answer is
   * needed.
   */
  unconfirmedSince: Date | null;
  /** Number of challenges sent since the URL was set. */
  challenges: number;
  challengedAt: Date | null;
  /** Why the last challenge did not confirm the URL. */
  challengeFailure: string | null;
  /** Why dispatchers cannot read the stored row and send no events. Null if they can read it. */
  fault: string | null;
  /** When the fault began. Meaningless if `fault` is null. */
  faultAt: Date;
  /** Number of deliveries that wait for a retry. */
  pending: number;
  /** Number of matches whose later events wait until an earlier event has been delivered or given up. */
  held: number;
  /** Until when no event is sent, because the receiver's last reply asked to wait. */
  restsUntil: Date | null;
  /** Name of the dispatcher that has leased the subscription. */
  holder: string | null;
}

export interface SubscriptionFilter {
  id?: number | undefined;
  accountId?: number | undefined;
  /** If true, finds only subscriptions that custom resources declare. */
  managed?: boolean | undefined;
  managedUid?: string | undefined;
  /** If true, also finds ended subscriptions. */
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
  return rows.map(readableRow);
}

/** SQL for a URL without its query, since that may contain a different token in each subscription. */
const endpointSql = (url: string) => `split_part(${url}, '?', 1)`;

/** SQL for the cursor of the newest event that the relay knows to be in the log. */
const HEAD = '(SELECT base + last_offset FROM relay)';

/** SQL that replaces an invalid time by 1970, since a time beyond JavaScript's range would make the whole list fail. */
const readable = (column: string) =>
  `CASE WHEN ${column} IS NULL OR ${isWritable(column)} THEN ${column} ELSE to_timestamp(0) END`;

const SELECT = `SELECT s.id, s.account_id AS "accountId", a.email AS account, a.plan, ${readable('a.suspended_at')} AS "suspendedAt",
    s.url, s.event_types AS "eventTypes", s.sports, s.leagues, s.match_ids AS "matchIds", s.participant_ids AS "participantIds",
    s.conditions, s.headers, s.secret_headers AS "secretHeaders", s.destination, s.destination_secret AS "destinationSecret", s.ordering, s.max_per_second AS "maxPerSecond", s.max_in_flight AS "maxInFlight", s.delay, ${readable('s.rests_until')} AS "restsUntil",
    (SELECT count(*)::int FROM webhook_held_match h WHERE h.subscription_id = s.id) AS held,
    s.description, s.metadata, s.dispatcher_group AS "dispatcherGroup", s.paused,
    CASE WHEN s.managed_uid IS NOT NULL
      THEN json_build_object('namespace', s.managed_namespace, 'name', s.managed_name, 'uid', s.managed_uid,
      'installation', s.managed_installation, 'cluster', s.managed_cluster) END AS "managedBy",
    ${readable('s.created_at')} AS "createdAt", ${readable('s.ended_at')} AS "endedAt", ${readable('s.rotated_at')} AS "rotatedAt",
    s.position, greatest(0, CASE WHEN s.delay > 0 AND s.lease_expires_at > clock_timestamp() THEN coalesce(s.last_due, ${HEAD})
      ELSE ${HEAD} END::numeric - s.position) AS lag, s.gap,
    ${readable('s.last_sent_at')} AS "lastSentAt", ${readable('s.last_success_at')} AS "lastSuccessAt", ${readable('s.last_failure_at')} AS "lastFailureAt",
    s.last_failure AS "lastFailure", s.failures, ${readable('s.disabled_at')} AS "disabledAt", s.disabled_reason AS "disabledReason",
    ${readable('s.unconfirmed_since')} AS "unconfirmedSince", s.challenges, ${readable('s.challenged_at')} AS "challengedAt", s.challenge_failure AS "challengeFailure",
    s.fault, coalesce(${readable('s.fault_at')}, to_timestamp(0)) AS "faultAt",
    (SELECT count(*)::int FROM webhook_delivery d WHERE d.subscription_id = s.id AND d.state = 'pending') AS pending,
    CASE WHEN s.lease_expires_at > clock_timestamp() THEN s.holder END AS holder
  FROM webhook_subscription s JOIN account a ON a.id = s.account_id
  WHERE ($1::bigint IS NULL OR s.id = $1) AND ($2::bigint IS NULL OR s.account_id = $2)
    AND (NOT $3 OR s.managed_uid IS NOT NULL) AND ($4::text IS NULL OR s.managed_uid = $4) AND ($5 OR s.ended_at IS NULL)
  ORDER BY s.id`;

/** All subscription settings. Those that an owner may leave out have their default values. */
type AllSettings = { [S in keyof Wanted]-?: Exclude<Wanted[S], undefined> };

export interface SubscriptionValues extends Omit<AllSettings, 'destination'>, StoredDestination, StoredHeaders {
  headers: CustomHeader[];
  accountId: number;
  /** The encrypted secret. */
  secret: string;
  managedBy: ManagedBy | null;
  now: Date;
  /** Whether the policy requires a confirmation. A URL that the account has confirmed before needs no new confirmation. */
  handshake: boolean;
}

/**
 * SQL for when the receiver at this URL last confirmed one of the account's subscriptions. The URL's query is ignored.
 * Null if no such subscription is left.
 */
const confirmedSql = (accountId: string, url: string) =>
  `(SELECT max(k.confirmed_at) FROM webhook_subscription k
    WHERE k.account_id = ${accountId} AND ${endpointSql('k.url')} = ${endpointSql(`${url}::text`)} AND k.ended_at IS NULL)`;

/** @returns the subscription's id, or null if the custom resource already has a subscription */
export async function insertSubscription(db: Queryable, values: SubscriptionValues): Promise<number | null> {
  const { rows } = await db.query<{ id: number }>(
    `INSERT INTO webhook_subscription (account_id, url, event_types, sports, leagues, dispatcher_group, paused, secret,
       managed_namespace, managed_name, managed_uid, created_at, last_sent_at, match_ids, participant_ids, description, metadata,
       managed_installation, managed_cluster, ordering, max_per_second, max_in_flight, conditions, headers,
       secret_headers, delay, destination, destination_secret, position, unconfirmed_since, confirmed_at)
     SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12, $13, $14, $15, $16, $17, $18, $20, $21, $22, $23, $24, $25, $26, $27, $28, ${HEAD},
       CASE WHEN $19 AND c.at IS NULL THEN $12::timestamptz END, c.at FROM (SELECT ${confirmedSql('$1', '$2')} AS at) c
     ON CONFLICT (managed_uid) WHERE ended_at IS NULL DO NOTHING RETURNING id`,
    [
      values.accountId,
      values.url,
      values.eventTypes,
      values.sports,
      values.leagues,
      values.dispatcherGroup,
      values.paused,
      values.secret,
      values.managedBy?.namespace,
      values.managedBy?.name,
      values.managedBy?.uid,
      values.now,
      values.matchIds,
      values.participantIds,
      values.description,
      JSON.stringify(values.metadata),
      values.managedBy?.installation,
      values.managedBy?.cluster,
      values.handshake,
      values.ordering,
      values.maxPerSecond,
      values.maxInFlight,
      values.conditions,
      JSON.stringify(values.headers),
      values.secretHeaders,
      values.delay,
      values.destination && JSON.stringify(values.destination),
      values.destinationSecret,
    ],
  );
  return rows[0]?.id ?? null;
}

/** Used only if the URL changes. */
export interface NewUrl {
  /** Whether the policy requires a confirmation. A URL that the account has confirmed before needs no new confirmation. */
  handshake: boolean;
  now: Date;
}

/**
 * Updates a subscription. When it is paused or resumed, the time without a success starts over. A new order begins with a new
 * lease, so that what is in flight is sent again in that order.
 * @returns whether the subscription exists
 */
export async function updateSubscription(
  db: Queryable,
  id: number,
  changes: Omit<Partial<Wanted>, 'destination'> & Partial<StoredDestination> & { secretHeaders?: string | null },
  { handshake, now }: NewUrl,
): Promise<boolean> {
  const same = '($2::text IS NULL OR $2 = s.url)';
  const reordered = 'coalesce($14, ordering) <> ordering';
  const { rowCount } = await db.query(
    `UPDATE webhook_subscription s SET url = coalesce($2, url), event_types = coalesce($3, event_types),
       sports = coalesce($4, sports), leagues = coalesce($5, leagues), dispatcher_group = coalesce($6, dispatcher_group),
       failing_since = CASE WHEN paused IS DISTINCT FROM coalesce($7, paused) THEN NULL ELSE failing_since END,
       paused = coalesce($7, paused), match_ids = coalesce($8, match_ids), participant_ids = coalesce($9, participant_ids),
       description = coalesce($10, description), metadata = coalesce($11, metadata), ordering = coalesce($14, ordering),
       conditions = coalesce($19, conditions), headers = coalesce($20, headers),
       secret_headers = CASE WHEN $20::jsonb IS NULL THEN secret_headers ELSE $21 END, max_per_second = CASE WHEN $15 THEN $16 ELSE max_per_second END, max_in_flight = CASE WHEN $17 THEN $18 ELSE max_in_flight END,
       delay = coalesce($22, delay),
       destination = coalesce($23, destination), destination_secret = CASE WHEN $23::jsonb IS NULL THEN destination_secret ELSE $24 END,
       generation = generation + CASE WHEN ${reordered} THEN 1 ELSE 0 END, holder = CASE WHEN ${reordered} THEN NULL ELSE holder END,
       lease_expires_at = CASE WHEN ${reordered} THEN '-infinity' ELSE lease_expires_at END,
       unconfirmed_since = CASE WHEN ${same} THEN unconfirmed_since WHEN $12 AND c.at IS NULL THEN $13::timestamptz END,
       confirmed_at = CASE WHEN ${same} THEN confirmed_at ELSE c.at END,
       challenges = CASE WHEN ${same} THEN challenges ELSE 0 END,
       challenged_at = CASE WHEN ${same} THEN challenged_at END,
       challenge_failure = CASE WHEN ${same} THEN challenge_failure END, version = version + 1
     FROM (SELECT ${confirmedSql('a.account_id', '$2')} AS at FROM webhook_subscription a WHERE a.id = $1) c
     WHERE id = $1 AND ended_at IS NULL`,
    [
      id,
      changes.url,
      changes.eventTypes,
      changes.sports,
      changes.leagues,
      changes.dispatcherGroup,
      changes.paused,
      changes.matchIds,
      changes.participantIds,
      changes.description,
      changes.metadata && JSON.stringify(changes.metadata),
      handshake,
      now,
      changes.ordering,
      changes.maxPerSecond !== undefined,
      changes.maxPerSecond,
      changes.maxInFlight !== undefined,
      changes.maxInFlight,
      changes.conditions,
      changes.headers && JSON.stringify(changes.headers),
      changes.secretHeaders,
      changes.delay,
      changes.destination && JSON.stringify(changes.destination),
      changes.destinationSecret,
    ],
  );
  return rowCount === 1;
}

/**
 * Marks a subscription as ended and gives up deliveries that wait for a retry. The delivery log remains.
 * @returns whether the subscription existed
 */
export async function endSubscription(db: Queryable, id: number, now: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    `WITH ended AS (
       UPDATE webhook_subscription SET ended_at = $2, version = version + 1, secret = '', previous_secret = NULL, secret_headers = NULL, destination_secret = NULL, fault = NULL, fault_at = NULL, fault_version = NULL
       WHERE id = $1 AND ended_at IS NULL RETURNING id
     ), given_up AS (
       UPDATE webhook_delivery d SET state = 'failed', next_attempt_at = NULL, updated_at = $2 FROM ended
       WHERE d.subscription_id = ended.id AND d.state = 'pending'
     ), dropped AS (
       DELETE FROM webhook_held_match h USING ended WHERE h.subscription_id = ended.id
     )
     SELECT id FROM ended`,
    [id, now],
  );
  return rowCount === 1;
}

/**
 * @param secret encrypted
 * @param keepsFormer whether the former secret also signs during the rotation overlap
 * @returns whether the subscription exists
 */
export async function replaceSecret(
  db: Queryable,
  id: number,
  secret: string,
  now: Date,
  keepsFormer: boolean,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE webhook_subscription SET previous_secret = CASE WHEN $4 THEN secret END, secret = $2, rotated_at = $3, version = version + 1
     WHERE id = $1 AND ended_at IS NULL`,
    [id, secret, now, keepsFormer],
  );
  return rowCount === 1;
}

/** @returns null for an unknown subscription */
export async function encryptedSecret(db: Queryable, id: number): Promise<string | null> {
  const { rows } = await db.query<{ secret: string }>(
    'SELECT secret FROM webhook_subscription WHERE id = $1 AND ended_at IS NULL',
    [id],
  );
  return rows[0]?.secret ?? null;
}

/**
 * Lifts a pause or a disabling, and clears a gap.
 * @param replayFrom cursor after which events are sent (again), at most the end of the log. If undefined, a disabled
 * subscription continues with new events, and a paused one continues at its position.
 * @returns whether the subscription exists
 */
export async function enableSubscription(db: Queryable, id: number, replayFrom: number | undefined): Promise<boolean> {
  // The new generation keeps a dispatcher with attempts in flight from moving the position again.
  const { rowCount } = await db.query(
    `UPDATE webhook_subscription SET paused = false, failures = 0, failing_since = NULL,
       position = CASE WHEN $2::bigint IS NOT NULL THEN least($2, ${HEAD}) WHEN disabled_at IS NOT NULL THEN ${HEAD} ELSE position END,
       ahead = CASE WHEN $2 IS NULL AND disabled_at IS NULL THEN ahead END,
       replay_to = CASE WHEN $2 IS NULL THEN replay_to ELSE ${HEAD} END,
       generation = generation + 1, holder = NULL, lease_expires_at = '-infinity', disabled_at = NULL, disabled_reason = NULL, gap = NULL,
       version = version + 1
     WHERE id = $1 AND ended_at IS NULL`,
    [id, replayFrom],
  );
  return rowCount === 1;
}

/**
 * Moves the position back to a cursor. A cursor after the position changes nothing, since no event may be skipped.
 * @returns whether the subscription exists and is not disabled
 */
export async function rewindSubscription(db: Queryable, id: number, cursor: number): Promise<boolean> {
  // The new generation keeps a dispatcher with attempts in flight from moving the position again.
  const { rowCount } = await db.query(
    `UPDATE webhook_subscription SET position = least(position, $2), ahead = NULL, gap = NULL, replay_to = ${HEAD},
       generation = generation + 1, holder = NULL, lease_expires_at = '-infinity', version = version + 1
     WHERE id = $1 AND ended_at IS NULL AND disabled_at IS NULL`,
    [id, cursor],
  );
  return rowCount === 1;
}

export async function findAccount(db: Queryable, email: string): Promise<{ id: number; plan: string } | null> {
  const { rows } = await db.query<{ id: number; plan: string }>(
    'SELECT id, plan FROM account WHERE lower(email) = $1',
    [normalEmail(email)],
  );
  return rows[0] ?? null;
}

/** Takes over a resource's subscription if an older version stored it, or an installation that no longer exists. */
export async function adoptSubscription(
  db: Queryable,
  id: number,
  { id: installation, cluster }: { id: string; cluster: ManagedBy['cluster'] },
): Promise<void> {
  await db.query('UPDATE webhook_subscription SET managed_installation = $2, managed_cluster = $3 WHERE id = $1', [
    id,
    installation,
    cluster,
  ]);
}
