/**
 * The delivery log that a subscription's owner sees: the deliveries, each with its attempts. Field names are those on
 * the wire.
 */
import { type Queryable, wireTimeSql } from '../../db/postgres.ts';
import { CursorExpired, type EventLog } from '../../events/index.ts';
import { Problem } from '../../http/index.ts';
import { ENVELOPE_MAX_BYTES, eventIdOf } from '../../wire/envelope.ts';
import type { FailureCause } from '../destinations/failure-cause.ts';
import { isWritable } from '../subscriptions/stored-time.ts';
import type { DeliveryState } from './attempt-queries.ts';

/** Deliveries per page. */
export const PAGE_SIZE = 50;
export const MAX_PAGE_SIZE = 200;
export const DELIVERY_ID = /^dlv_\d{1,16}_\d{1,16}_\d{1,16}$/;
/** Maximum number of attempts that are examined for one page when only one event type is wanted. */
const EXAMINED_ATTEMPTS = 20_000;
/** Maximum number of attempts that are shown for one delivery. Manual retries can make many. */
const MAX_ATTEMPTS = 100;

/** A delivery and its last attempt. Values that are unknown or have expired are null. */
export interface Delivery {
  id: string;
  event_id: string;
  event_type: string;
  state: DeliveryState;
  /** Number of attempts so far. */
  attempts: number;
  created_at: string;
  last_attempt_at: string | null;
  next_attempt_at: string | null;
  /** Status in the reply to the last attempt. */
  status: number | null;
  failure: string | null;
  cause: FailureCause | null;
  duration_ms: number | null;
}

export interface Attempt {
  attempt: number;
  at: string;
  duration_ms: number;
  status: number | null;
  failure: string | null;
  cause: FailureCause | null;
  reply: string | null;
  next_attempt_at: string | null;
}

interface StoredBody {
  cursor: number | null;
  body: string | null;
}

export interface DeliveryDetail extends Delivery {
  /** The request body, byte for byte. Null if the service no longer stores it. */
  body: string | null;
  /** Attempts within the last 7 days, newest first. */
  log: Attempt[];
}

/** The part of the event log from which request bodies are read. */
export type BodyLog = Pick<EventLog, 'read'>;

export interface DeliveryFilter {
  state?: DeliveryState | undefined;
  eventType?: string | undefined;
  matchId?: number | undefined;
  /** Earliest time of the first attempt, in milliseconds since 1970. */
  since?: number | undefined;
  until?: number | undefined;
}

/**
 * The key of a page's last delivery. Deliveries are listed newest first, by the time of the first attempt (ms since
 * 1970) and then by id.
 */
interface Key {
  at: number;
  id: string;
}

export interface DeliveryPage {
  deliveries: Delivery[];
  /** Opaque cursor for the next page. Null on the last page. */
  nextCursor: string | null;
}

const cursorText = ({ at, id }: Key) => Buffer.from(`${at} ${id}`).toString('base64url');

/** @throws {Problem} invalid_cursor */
function parseCursor(cursor: string): Key {
  const [, at, id] =
    /^(\d{1,15}) (dlv_\d{1,16}_\d{1,16}_\d{1,16})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (at !== undefined && id !== undefined) return { at: Number(at), id };
  throw new Problem('invalid_cursor', 'The cursor is not a next_cursor that a list of deliveries has returned.');
}

const order = (at: string, id: string) => `ORDER BY ${at} DESC, ${id} COLLATE "C" DESC`;
/**
 * The SQL condition for both tables. It leaves out rows with a time that cannot be written into a page cursor.
 * @param at the column with the time of the first attempt
 */
const searched = (at: string, id: string) => `subscription_id = $1 AND ${isWritable(at)}
  AND ($2::timestamptz IS NULL OR ${at} >= $2) AND ($3::timestamptz IS NULL OR ${at} < $3)
  AND ($4::text IS NULL OR ${id} COLLATE "C" >= $4 AND ${id} COLLATE "C" < $5)
  AND ($6::timestamptz IS NULL OR (${at}, ${id} COLLATE "C") < ($6, $7::text))`;
/** Attempts without a delivery row. */
const SINGLE = `single AND ${searched('at', 'delivery_id')}
  AND ($8::text IS NULL OR $8 = 'delivered' AND failure IS NULL OR $8 = 'failed' AND failure IS NOT NULL)`;

/**
 * Selects the key of the last attempt that a page for one event type examines. Selects no row if there are fewer
 * attempts.
 */
const HORIZON = `SELECT floor(extract(epoch FROM at) * 1000)::bigint AS at, delivery_id AS id FROM webhook_attempt
  WHERE ${SINGLE} ${order('at', 'delivery_id')} OFFSET ${EXAMINED_ATTEMPTS - 1} LIMIT 1`;

const within = (at: string, id: string) =>
  `($9::text IS NULL OR event_type = $9) AND ($10::timestamptz IS NULL OR (${at}, ${id} COLLATE "C") >= ($10, $11::text))`;
const PAGE = `WITH page AS (
    (SELECT delivery_id AS id, event_id, event_type, CASE WHEN failure IS NULL THEN 'delivered' ELSE 'failed' END AS state, 1 AS attempts,
       at AS created_at, at AS attempted_at, NULL::timestamptz AS next_attempt_at, status, failure, cause, duration_ms
     FROM webhook_attempt
     WHERE ${SINGLE} AND ${within('at', 'delivery_id')} AND NOT EXISTS (SELECT FROM webhook_delivery d WHERE d.id = delivery_id)
     ${order('at', 'delivery_id')} LIMIT $12)
    UNION ALL
    (SELECT id, event_id, event_type, state, attempts, created_at, NULL, next_attempt_at, NULL, NULL, NULL, NULL
     FROM webhook_delivery
     WHERE ${searched('created_at', 'id')} AND ($8::text IS NULL OR state = $8) AND ${within('created_at', 'id')}
     ${order('created_at', 'id')} LIMIT $12)
  )
  SELECT p.id, p.event_id, p.event_type, p.state, p.attempts, ${wireTimeSql('p.created_at')} AS created_at,
    ${wireTimeSql('coalesce(p.attempted_at, l.at)')} AS last_attempt_at, ${wireTimeSql('p.next_attempt_at')} AS next_attempt_at,
    coalesce(p.status, l.status) AS status, coalesce(p.failure, l.failure) AS failure, coalesce(p.cause, l.cause) AS cause,
    coalesce(p.duration_ms, l.duration_ms) AS duration_ms, floor(extract(epoch FROM p.created_at) * 1000)::bigint AS at
  FROM page p LEFT JOIN LATERAL (
    SELECT a.at, a.status, a.failure, a.cause, a.duration_ms FROM webhook_attempt a
    WHERE p.attempted_at IS NULL AND a.delivery_id = p.id COLLATE "C" AND ${isWritable('a.at')} ORDER BY a.id DESC LIMIT 1
  ) l ON true
  ${order('p.created_at', 'p.id')} LIMIT $12`;

interface IdRange {
  /** First id in the range. `to` is the exclusive end. */
  from: string;
  to: string;
}
/**
 * Returns the range of all ids for one match. They begin with the match id and `_`; the next character after `_` in
 * byte order is a backquote.
 */
const idsOfMatch = (subscriptionId: number, matchId: number): IdRange => ({
  from: `dlv_${subscriptionId}_${matchId}_`,
  to: `dlv_${subscriptionId}_${matchId}\``,
});
/** Returns the range of only this id. A space sorts before every character that an id can have. */
const onlyId = (id: string): IdRange => ({ from: id, to: `${id} ` });

const toDate = (ms: number | undefined) => (ms === undefined ? null : new Date(ms));

/**
 * Returns a page of deliveries, newest first. With an event type, a page may have fewer deliveries than PAGE_SIZE
 * although more follow, because only a limited number of attempts are examined. A replayed delivery is listed once per
 * replay.
 * @throws {Problem} invalid_cursor
 */
export async function findDeliveries(
  db: Queryable,
  subscriptionId: number,
  filter: DeliveryFilter,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<DeliveryPage> {
  const { state, eventType, matchId, since, until } = filter;
  const ids = matchId === undefined ? null : idsOfMatch(subscriptionId, matchId);
  const after = cursor === undefined ? null : parseCursor(cursor);
  const search = [
    subscriptionId,
    toDate(since),
    toDate(until),
    ids?.from,
    ids?.to,
    toDate(after?.at),
    after?.id,
    state,
  ];
  const isBounded = eventType !== undefined && ids === null;
  const horizon = isBounded ? ((await db.query<Key>(HORIZON, search)).rows[0] ?? null) : null;
  const values = [...search, eventType, toDate(horizon?.at), horizon?.id, limit + 1];
  const { rows } = await db.query<Delivery & Key>(PAGE, values);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1)! : horizon;
  return {
    deliveries: page.map(({ at: _at, ...delivery }) => delivery),
    nextCursor: last === null ? null : cursorText(last),
  };
}

const ATTEMPTS = `SELECT attempt, ${wireTimeSql('at')} AS at, duration_ms, status, failure, cause, reply,
    ${wireTimeSql('next_attempt_at')} AS next_attempt_at, cursor, body
  FROM webhook_attempt WHERE delivery_id = $1 COLLATE "C" AND subscription_id = $2 AND ${isWritable('at')} ORDER BY id DESC LIMIT ${MAX_ATTEMPTS}`;

/** @returns null if the delivery is unknown or belongs to another subscription */
export async function findDelivery(
  db: Queryable,
  log: BodyLog,
  subscriptionId: number,
  id: string,
): Promise<DeliveryDetail | null> {
  const { from, to } = onlyId(id);
  const values = [subscriptionId, null, null, from, to, null, null, null, null, null, null, 1];
  const [found] = (await db.query<Delivery & Key>(PAGE, values)).rows;
  if (found === undefined) return null;
  const { at: _at, ...delivery } = found;
  const { rows } = await db.query<Attempt & StoredBody>(ATTEMPTS, [id, subscriptionId]);
  const { rows: stored } = await db.query<{ envelope: string }>('SELECT envelope FROM webhook_delivery WHERE id = $1', [
    id,
  ]);
  const body = stored[0]?.envelope ?? (await readBody(log, delivery.event_id, rows));
  return { ...delivery, body, log: rows.map(({ cursor: _cursor, body: _body, ...attempt }) => attempt) };
}

/**
 * Returns the request body. If a delivery succeeded at once, only the event's place in the log is stored. That is
 * enough, since the log keeps events as long as the attempts are stored.
 */
async function readBody(log: BodyLog, eventId: string, attempts: readonly StoredBody[]): Promise<string | null> {
  const body = attempts.find((one) => one.body !== null)?.body;
  if (body !== undefined && body !== null) return body;
  const cursor = attempts.find((one) => one.cursor !== null)?.cursor;
  if (cursor === undefined || cursor === null) return null;
  try {
    const [record] = await log.read(cursor - 1, { records: 1, bytes: ENVELOPE_MAX_BYTES });
    return record !== undefined && eventIdOf(record.envelope) === eventId ? record.envelope : null;
  } catch (error) {
    if (error instanceof CursorExpired) return null;
    throw error;
  }
}
