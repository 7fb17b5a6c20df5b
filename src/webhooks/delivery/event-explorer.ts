/**
 * The stored events, newest first, for an account that looks for one: what an event contained, and which of the account's
 * subscriptions got it.
 */
import { type Queryable, wireTimeSql } from '../../db/postgres.ts';
import type { EventLog, LogRecord } from '../../events/index.ts';
import { Problem } from '../../http/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import { eventIdOf } from '../../wire/envelope.ts';
import { deriveDeliveryId } from './signature.ts';

/** Maximum number of events that are examined for one page. */
const EXAMINED_EVENTS = 20_000;
/** Number of cursors that are read at a time. */
const STEP = 1_000;
const STEP_BYTES = 16 * 1024 * 1024;

export interface EventRange {
  /** Only events before this cursor. Null for the newest ones. */
  before: number | null;
  /** Earliest time, in milliseconds since 1970. */
  since: number | undefined;
  limit: number;
}

export interface EventPage {
  /** Newest first. */
  events: LogRecord[];
  /** `before` for the next, older page. Null if there are no older events. */
  next: number | null;
}

type ReadableLog = Pick<EventLog, 'range' | 'read' | 'cursorBefore'>;

/** Reads the events after one cursor, up to another one. */
async function readBetween(log: ReadableLog, after: number, end: number): Promise<LogRecord[]> {
  const all: LogRecord[] = [];
  for (let cursor = after; cursor < end; ) {
    const records = await log.read(cursor, { records: STEP, bytes: STEP_BYTES });
    all.push(...records.filter((record) => record.cursor <= end));
    cursor = records.at(-1)?.cursor ?? end;
  }
  return all;
}

/**
 * Reads a page of events. A page may be short or empty although there are older events, since only a limited number is
 * examined.
 */
export async function readEvents(
  log: ReadableLog,
  wants: (record: LogRecord) => boolean,
  { before, since, limit }: EventRange,
): Promise<EventPage> {
  const { head, oldest } = await log.range();
  const floor = since === undefined ? oldest : Math.max(oldest, await log.cursorBefore(since));
  const events: LogRecord[] = [];
  const newest = before === null ? head : Math.min(head, before - 1);
  let end = newest;
  while (end > floor && newest - end < EXAMINED_EVENTS) {
    const start = Math.max(floor, end - STEP);
    for (const record of (await readBetween(log, start, end)).reverse()) {
      if (!wants(record)) continue;
      events.push(record);
      if (events.length === limit) return { events, next: record.cursor };
    }
    end = start;
  }
  return { events, next: end > floor ? end + 1 : null };
}

/** @throws {Problem} not_found if no such event is stored, or the account may not see it */
export async function readEvent(
  log: Pick<EventLog, 'range' | 'read'>,
  wants: (record: LogRecord) => boolean,
  cursor: number,
): Promise<LogRecord> {
  const { head, oldest } = await log.range();
  const [record] = cursor > oldest && cursor <= head ? await log.read(cursor - 1, { records: 1, bytes: 1 }) : [];
  if (record?.cursor === cursor && wants(record)) return record;
  throw new Problem('not_found', `No event with the cursor ${cursor} is stored.`);
}

/** How one subscription got an event. */
export interface Receipt {
  subscription_id: number;
  delivery_id: string;
  state: 'pending' | 'delivered' | 'failed';
  attempts: number;
  /** When the last attempt was made. */
  at: string;
  /** Status of the last reply. Null if there was none. */
  status: number | null;
}

/** @returns how each of the account's subscriptions got an event, by the attempts within the last 7 days */
export async function readReceipts(db: Queryable, accountId: number, eventId: string): Promise<Receipt[]> {
  const { rows } = await db.query<Receipt>(
    `SELECT DISTINCT ON (s.id) s.id AS subscription_id, a.delivery_id, ${wireTimeSql('a.at')} AS at, a.status,
       coalesce(d.state, CASE WHEN a.failure IS NULL THEN 'delivered' ELSE 'failed' END) AS state,
       count(*) OVER (PARTITION BY s.id)::int AS attempts
     FROM webhook_subscription s
     JOIN webhook_attempt a ON a.subscription_id = s.id AND a.delivery_id = ('dlv_' || s.id || '_' || $2) COLLATE "C"
     LEFT JOIN webhook_delivery d ON d.id = a.delivery_id
     WHERE s.account_id = $1 AND s.ended_at IS NULL ORDER BY s.id, a.at DESC, a.id DESC`,
    [accountId, eventId.slice('evt_'.length)],
  );
  return rows;
}

/**
 * Sends one event to a subscription, in addition to live events, even if it does not pass the subscription's filters or was sent
 * before. It is retried like any delivery.
 * @returns the delivery's id
 */
export async function sendEvent(
  db: Queryable,
  clock: Clock,
  subscriptionId: number,
  { envelope, type, traceparent = null }: LogRecord,
): Promise<string> {
  const eventId = eventIdOf(envelope);
  const id = deriveDeliveryId(subscriptionId, eventId);
  await db.query(
    `WITH sent AS (
       INSERT INTO webhook_delivery (id, subscription_id, event_id, event_type, envelope, traceparent, state, attempts, next_attempt_at, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, 'pending', 0, $7, $7, $7)
       ON CONFLICT (id) DO UPDATE SET state = 'pending', next_attempt_at = excluded.next_attempt_at, updated_at = excluded.updated_at
     )
     UPDATE webhook_subscription SET version = version + 1 WHERE id = $2`,
    [id, subscriptionId, eventId, type, envelope, traceparent, new Date(clock.now())],
  );
  return id;
}
