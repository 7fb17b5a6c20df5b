/**
 * The event log as a table, which is the embedded implementation. The lock on the relay's row puts appends in order,
 * and readers see them in that order.
 */
import pg from 'pg';
import { LeaseLost } from '../db/lease.ts';
import type { MatchChanges } from '../db/notices.ts';
import { allResults, BY_INDEX, firstRow, PLANNED_ONCE, prepared } from '../db/postgres.ts';
import { isTracing } from '../runtime/tracing.ts';
import { AppendListeners } from './append-listeners.ts';
import {
  CursorExpired,
  type EventLog,
  type LogRecord,
  type LogWriter,
  RESTORED_STEP,
  type ReadLimit,
} from './event-log.ts';
import { LogTail } from './log-tail.ts';
import { RELAY_BATCH } from './relay-batch.ts';
import { relayLease } from './relay-lease.ts';
import { type SentEvent, startSend } from './send-spans.ts';

/** How often readers poll for new records. With notices, polling finds only records whose notice was lost. */
const POLL_MS = 100;
const POLL_WITH_NOTICES_MS = 1_000;
/** Maximum size of a record in a notice. The notice's whole payload has at most 7,999 bytes. */
const NOTICE_BYTES = 7_800;
/** Maximum number of records that one transaction drops. After a long pause, records from several days may have expired. */
const PRUNE_BATCH = 5_000;

export type PostgresLog = EventLog & LogWriter;

/** Notices between processes that the log has grown, see MatchChanges. */
export type AppendNotices = Pick<MatchChanges, 'appendNotice' | 'onAppend'>;

/** @param notices without them, readers find new records at their next poll */
export function openPostgresLog(pool: pg.Pool, notices?: AppendNotices): PostgresLog {
  const listeners = new AppendListeners();
  const timer = setInterval(() => listeners.call(), notices === undefined ? POLL_MS : POLL_WITH_NOTICES_MS);
  timer.unref();
  const notice =
    notices === undefined
      ? NO_NOTICE
      : [notices.appendNotice.channel, notices.appendNotice.payload].map(pg.escapeLiteral);
  const tail = new LogTail<LogRecord>(
    ({ cursor }) => cursor,
    ({ envelope }) => envelope,
  );
  const stopListening = notices?.onAppend((text) => {
    const { end, record } = readNotice(text);
    if (record === undefined) tail.clear();
    else tail.add([record]);
    listeners.call(end);
  });

  return {
    async range() {
      const { rows } = await pool.query<{ head: number; oldest: number }>(
        'SELECT r.base + r.last_offset AS head, greatest(f.floor, f.lost_before) AS oldest FROM relay r, event_log_floor f',
      );
      return firstRow(rows);
    },

    async read(cursor, limit) {
      const newest = within(tail.from(cursor + 1), limit);
      if (newest.length > 0) return newest;
      const { rows } = await pool.query<{ oldest: number; cursor: number | null } & LogRecord>(
        READ([cursor, limit.records, limit.bytes]),
      );
      const { oldest } = firstRow(rows);
      if (cursor < oldest) throw new CursorExpired(oldest);
      if (firstRow(rows).cursor === null) return [];
      return rows.map(({ oldest: _oldest, ...record }) => record);
    },

    async cursorBefore(time) {
      const { rows } = await pool.query<{ cursor: number }>(CURSOR_BEFORE, [new Date(time)]);
      return firstRow(rows).cursor;
    },

    onAppend: (listener) => listeners.add(listener),

    async close() {
      clearInterval(timer);
      stopListening?.();
      listeners.clear();
    },

    async move(generation, after = 0) {
      const move = (notified: readonly string[]) =>
        moveOnce(pool, generation, [RELAY_BATCH.bytes, after, generation, ...notified, isTracing()]);
      const begun = Date.now();
      const { moved, end, sent } = await move(notice).catch((error) => {
        // The queue fills up if any session on the server listens but does not read. Our readers find the events at
        // their next poll.
        if (error.code !== NOTICES_FULL) throw error;
        return move(NO_NOTICE);
      });
      const moveEnded = Date.now();
      if (end !== null) listeners.call(end);
      for (const event of sent ?? []) recordSend(event, { startTime: begun, endTime: moveEnded });
      return moved;
    },

    passLost: (generation) =>
      relayLease.transaction(pool, generation, async (client) => {
        await client.query(PASS_LOST);
        tail.clear();
      }),

    async prune(generation, olderThan) {
      return relayLease.transaction(pool, generation, async (client) => {
        const { rows } = await client.query<{ dropped: number }>(PRUNE, [olderThan, PRUNE_BATCH]);
        return firstRow(rows).dropped;
      });
    },
  };
}

/** Returns the first records, up to the limit. The first record is returned even if it alone exceeds the limit. */
function within(records: readonly LogRecord[], limit: ReadLimit): LogRecord[] {
  let bytes = 0;
  const tooMany = records.findIndex(({ envelope }, index) => {
    bytes += Buffer.byteLength(envelope);
    return index > 0 && (index >= limit.records || bytes > limit.bytes);
  });
  return tooMany < 0 ? [...records] : records.slice(0, tooMany);
}

/** @param text the log's end and, for a single record that is not too large, a colon and the record */
function readNotice(text?: string): { end?: number; record?: LogRecord } {
  if (text === undefined) return {};
  const [end] = text.split(':', 1);
  const cursor = Number(end);
  if (text === end) return { end: cursor };
  const record: LogRecord = { cursor, traceparent: null, ...JSON.parse(text.slice(end!.length + 1)) };
  // A relay of an earlier release does not send the time. The record is then read from the table.
  return typeof record.appendedAt === 'number' ? { end: cursor, record } : { end: cursor };
}

/** A single statement, so that the floor and the records come from one snapshot. */
const READ = prepared(
  'read log',
  `SELECT CASE WHEN $1 > f.lost_after AND $1 < f.lost_before THEN f.lost_before ELSE f.floor END AS oldest,
    e.cursor, e.match_id AS "matchId", e.sport, e.tournament_id AS "tournamentId", e.type, e.envelope,
    e.traceparent, (extract(epoch FROM e.committed_at) * 1000)::float8 AS "committedAt",
    (extract(epoch FROM e.appended_at) * 1000)::float8 AS "appendedAt"
  FROM event_log_floor f LEFT JOIN (
    SELECT *, sum(octet_length(envelope)) OVER (ORDER BY cursor) AS bytes, row_number() OVER (ORDER BY cursor) AS ordinal
    FROM (SELECT * FROM event_log WHERE cursor > $1 ORDER BY cursor LIMIT $2) page
  ) e ON e.bytes <= $3 OR e.ordinal = 1
  ORDER BY e.cursor`,
);

/**
 * Searches the cursors by bisection. Times have no index, but cursors ascend with time. All records up to `low` are
 * older than the given time; all records after `high` are not.
 */
const CURSOR_BEFORE = `WITH RECURSIVE search (low, high) AS (
    SELECT f.floor, greatest(f.floor, r.base + r.last_offset) FROM event_log_floor f, relay r
    UNION ALL
    SELECT CASE WHEN e.appended_at < $1 THEN e.cursor ELSE s.low END, CASE WHEN e.appended_at < $1 THEN s.high ELSE (s.low + s.high) / 2 END
    FROM search s LEFT JOIN LATERAL (
      SELECT cursor, appended_at FROM event_log WHERE cursor > (s.low + s.high) / 2 AND cursor <= s.high ORDER BY cursor LIMIT 1
    ) e ON true
    WHERE s.low < s.high
  )
  SELECT low AS cursor FROM search WHERE low >= high`;

/**
 * Moves a batch in one round trip and one transaction.
 * @param values the prepared statement's values
 * @throws {LeaseLost}
 */
async function moveOnce(
  pool: pg.Pool,
  generation: number,
  values: readonly (number | string | boolean)[],
): Promise<Moved> {
  const client = await pool.connect();
  let failed = true;
  try {
    if (!movers.has(client)) await client.query(PREPARE_MOVE);
    movers.add(client);
    const done = await client.query(
      [PLANNED_ONCE, BY_INDEX, relayLease.renewal(generation), `EXECUTE move_outbox (${values})`].join('; '),
    );
    failed = false;
    const [renewed, moved] = allResults(done).slice(-2);
    if (renewed?.rowCount === 0) throw new LeaseLost();
    return firstRow<Moved>(moved?.rows ?? []);
  } finally {
    client.release(failed);
  }
}

/** Position of the span id in `traceparent`, counted from 1. */
const SPAN_ID_AT = 37;
/** Connections on which the statement is prepared. */
const movers = new WeakSet<pg.PoolClient>();
const NO_NOTICE = ['NULL', 'NULL'];
/** Error code for a full notice queue (program_limit_exceeded). */
const NOTICES_FULL = '54000';

interface Moved {
  moved: number;
  /** The log's end. Null if no event was moved. */
  end: number | null;
  /** The moved events that are in a trace, if tracing is on. */
  sent: (SentEvent & { span_id: string })[] | null;
}

/** Records the span for a moved event. The span's id is already in the event's row in the log. Times are in ms since 1970. */
function recordSend(
  { span_id: spanId, ...event }: SentEvent & { span_id: string },
  { startTime, endTime }: { startTime: number; endTime: number },
): void {
  if (isTracing()) startSend(event, { system: 'postgresql', name: 'event_log' }, { startTime, spanId })?.end(endTime);
}

/**
 * Moves the oldest outbox rows to the log, within the byte limit, and gives them the next cursors. Stores the new end
 * and notifies readers. Locks the lease row first, and does nothing unless the row has this generation. The
 * row ids are a list and not a join, because a join would be planned while the outbox is empty, and would then search
 * all of it again for each row. With tracing, each event gets the id of the span that moves it. That span is recorded
 * later, so readers may see the event first.
 */
const PREPARE_MOVE = `PREPARE move_outbox (int, bigint, bigint, text, text, boolean) AS
  WITH oldest AS (
    SELECT id, sum(octet_length(envelope)) OVER (ORDER BY id) AS bytes, row_number() OVER (ORDER BY id) AS ordinal
    FROM (
      SELECT id, envelope FROM outbox WHERE id > $2 AND EXISTS (SELECT 1 FROM relay WHERE generation = $3) ORDER BY id LIMIT ${RELAY_BATCH.records}
    ) o
  ), taken AS (
    DELETE FROM outbox WHERE id = ANY (ARRAY(SELECT id FROM oldest WHERE bytes <= $1 OR ordinal = 1))
    RETURNING id, match_id, sport, tournament_id, type, envelope, traceparent, created_at
  ), traced AS (
    SELECT id, match_id, type, envelope, traceparent, encode(substr(uuid_send(gen_random_uuid()), 9), 'hex') AS span_id
    FROM taken WHERE $6 AND traceparent IS NOT NULL
  ), appended AS (
    INSERT INTO event_log (cursor, match_id, sport, tournament_id, type, envelope, appended_at, traceparent, committed_at)
    SELECT r.base + r.last_offset + row_number() OVER (ORDER BY t.id), t.match_id, t.sport, t.tournament_id, t.type, t.envelope, now(),
      CASE WHEN s.id IS NULL THEN t.traceparent ELSE overlay(t.traceparent PLACING s.span_id FROM ${SPAN_ID_AT}) END, t.created_at
    FROM taken t LEFT JOIN traced s ON s.id = t.id, relay r ORDER BY t.id
    RETURNING *
  ), noted AS (
    UPDATE relay SET last_offset = last_offset + (SELECT count(*) FROM appended) WHERE EXISTS (SELECT 1 FROM appended)
  )
  SELECT moved, "end", (SELECT json_agg(t) FROM traced t) AS sent, CASE WHEN moved > 0 AND $4 IS NOT NULL THEN pg_notify($4, $5 || "end" || coalesce((
      SELECT ':' || record FROM (
        SELECT json_strip_nulls(json_build_object(
          'matchId', match_id, 'sport', sport, 'tournamentId', tournament_id, 'type', type, 'envelope', envelope,
          'traceparent', traceparent, 'committedAt', (extract(epoch FROM committed_at) * 1000)::float8,
          'appendedAt', (extract(epoch FROM appended_at) * 1000)::float8
        ))::text AS record
        FROM appended
      ) newest WHERE moved = 1 AND octet_length(record) <= ${NOTICE_BYTES}
    ), '')) END
  FROM (SELECT count(*)::int AS moved, max(cursor) AS "end" FROM appended) done`;

/**
 * Clients cannot resume from a cursor before this one, because they may have seen events that are lost. Webhooks still
 * get the stored events.
 */
const PASS_LOST = `WITH lost AS (
    UPDATE event_log_floor f SET lost_after = r.base + r.last_offset, lost_before = r.base + r.last_offset + ${RESTORED_STEP} FROM relay r
  )
  UPDATE relay SET base = base + ${RESTORED_STEP}`;

/**
 * Deletes records up to the last expired one in the oldest batch. Reads only that batch, and not seven days of
 * records.
 */
const PRUNE = `WITH last AS (
    SELECT max(o.cursor) FILTER (WHERE o.appended_at < $1) AS cursor
    FROM event_log_floor f, LATERAL (
      SELECT cursor, appended_at FROM event_log WHERE cursor > f.floor ORDER BY cursor LIMIT $2
    ) o
  ), dropped AS (
    DELETE FROM event_log e USING last WHERE e.cursor <= last.cursor RETURNING 1
  ), noted AS (
    UPDATE event_log_floor f SET floor = last.cursor FROM last WHERE last.cursor > f.floor
  )
  SELECT count(*)::int AS dropped FROM dropped`;
