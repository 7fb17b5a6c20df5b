/** The event log as a table: the embedded adapter. The lock on the relay's row orders appends; readers see them in that order. */
import type pg from 'pg';
import { BY_INDEX, PLANNED_ONCE, prepared } from '../db/postgres.ts';
import { AppendListeners } from './append-listeners.ts';
import { BATCH, CursorExpired, type EventLog, type LogRecord, type LogWriter } from './event-log.ts';
import { relayLease } from './relay-lease.ts';

/** Readers poll this often for what another process has appended; where notices come, only for notices that were lost. */
const POLL_MS = 100;
const POLL_WITH_NOTICES_MS = 1_000;
/** Records dropped in one transaction: after a long pause there may be days of them. */
const PRUNE_BATCH = 5_000;

export type PostgresLog = EventLog & LogWriter;

/** Notifies other processes that the log has grown, and is notified by them. */
export interface AppendNotices {
  publishAppend(): void;
  /** @returns ends it */
  onAppend(listener: () => void): () => void;
}

/** @param notices without them, other processes find new records at their next poll */
export function openPostgresLog(pool: pg.Pool, notices?: AppendNotices): PostgresLog {
  const listeners = new AppendListeners();
  const timer = setInterval(listeners.call, notices === undefined ? POLL_MS : POLL_WITH_NOTICES_MS);
  timer.unref();
  const stopListening = notices?.onAppend(listeners.call);

  return {
    async range() {
      const { rows } = await pool.query<{ head: number; oldest: number }>(
        'SELECT r.base + r.last_offset AS head, f.floor AS oldest FROM relay r, event_log_floor f',
      );
      return rows[0]!;
    },

    async read(cursor, limit) {
      const { rows } = await pool.query<{ oldest: number; cursor: number | null } & LogRecord>(
        READ([cursor, limit.records, limit.bytes]),
      );
      const { oldest } = rows[0]!;
      if (cursor < oldest) throw new CursorExpired(oldest);
      if (rows[0]!.cursor === null) return [];
      return rows.map(({ oldest: _oldest, ...record }) => record);
    },

    async cursorBefore(time) {
      const { rows } = await pool.query<{ cursor: number }>(CURSOR_BEFORE, [new Date(time)]);
      return rows[0]!.cursor;
    },

    onAppend: (listener) => listeners.add(listener),

    async close() {
      clearInterval(timer);
      stopListening?.();
      listeners.clear();
    },

    async move(generation, after = 0) {
      const moved = await relayLease.transaction(
        pool,
        generation,
        async (client) => {
          const { rows } = await client.query<{ moved: number }>(MOVE([BATCH.bytes, after]));
          return rows[0]!.moved;
        },
        MOVE_SETTINGS,
      );
      if (moved > 0) {
        listeners.call();
        notices?.publishAppend();
      }
      return moved;
    },

    async prune(generation, olderThan) {
      return relayLease.transaction(pool, generation, async (client) => {
        const { rows } = await client.query<{ dropped: number }>(PRUNE, [olderThan, PRUNE_BATCH]);
        return rows[0]!.dropped;
      });
    },
  };
}

/** One statement, so that the floor and the records come from one snapshot. */
const READ = prepared(
  'read log',
  `SELECT f.floor AS oldest, e.cursor, e.match_id AS "matchId", e.sport, e.tournament_id AS "tournamentId", e.type, e.envelope
  FROM event_log_floor f LEFT JOIN (
    SELECT *, sum(octet_length(envelope)) OVER (ORDER BY cursor) AS bytes, row_number() OVER (ORDER BY cursor) AS ordinal
    FROM (SELECT * FROM event_log WHERE cursor > $1 ORDER BY cursor LIMIT $2) page
  ) e ON e.bytes <= $3 OR e.ordinal = 1
  ORDER BY e.cursor`,
);

/** By binary search over the cursors, which ascend with time: times have no index. Everything up to `low` is older, nothing behind `high` is. */
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
 * One statement: takes the oldest rows within the byte limit, numbers them after the last record, and stores the new end. Their ids are
 * a list: a join with them, planned when the outbox is empty, would search all of it again for each of its rows.
 */
const MOVE = prepared(
  'move outbox',
  `WITH oldest AS (
    SELECT id, sum(octet_length(envelope)) OVER (ORDER BY id) AS bytes, row_number() OVER (ORDER BY id) AS ordinal
    FROM (SELECT id, envelope FROM outbox WHERE id > $2 ORDER BY id LIMIT ${BATCH.records}) o
  ), taken AS (
    DELETE FROM outbox WHERE id = ANY (ARRAY(SELECT id FROM oldest WHERE bytes <= $1 OR ordinal = 1))
    RETURNING id, match_id, sport, tournament_id, type, envelope
  ), appended AS (
    INSERT INTO event_log (cursor, match_id, sport, tournament_id, type, envelope, appended_at)
    SELECT r.base + r.last_offset + row_number() OVER (ORDER BY t.id), t.match_id, t.sport, t.tournament_id, t.type, t.envelope, now()
    FROM taken t, relay r ORDER BY t.id
    RETURNING 1
  ), noted AS (
    UPDATE relay SET last_offset = last_offset + (SELECT count(*) FROM appended) WHERE EXISTS (SELECT 1 FROM appended)
  )
  SELECT count(*)::int AS moved FROM appended`,
);
const MOVE_SETTINGS = [PLANNED_ONCE, BY_INDEX];

/** Up to the last of the oldest records that is too old; reads one batch, not seven days of records. */
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
