/** The event log as a table: the embedded adapter. The relay's row orders appends; readers see them in that order. */
import type pg from 'pg';
import { transaction } from '../db/postgres.ts';
import { BATCH_BYTES, BATCH_RECORDS, type EventLog, type LogRecord, type LogWriter } from './event-log.ts';
import { holdLease } from './lease.ts';
import { queueFloor } from './queue-floor.ts';

/** Readers of other processes look this often. */
const POLL_MS = 100;

export type PostgresLog = EventLog & LogWriter;

export function openPostgresLog(pool: pg.Pool): PostgresLog {
  const listeners = new Set<() => void>();
  const wake = () => {
    for (const listener of listeners) listener();
  };
  const timer = setInterval(wake, POLL_MS);
  timer.unref();
  const floor = queueFloor();

  return {
    async range() {
      const { rows } = await pool.query<{ head: number; oldest: number }>(
        'SELECT r.base + r.last_offset AS head, f.floor AS oldest FROM relay r, event_log_floor f',
      );
      return rows[0]!;
    },

    async read(cursor, limit) {
      const { rows } = await pool.query<LogRecord>(
        `SELECT cursor, match_id AS "matchId", sport, tournament_id AS "tournamentId", type, envelope
         FROM event_log WHERE cursor > $1 ORDER BY cursor LIMIT $2`,
        [cursor, limit.records],
      );
      let bytes = 0;
      const over = rows.findIndex((row, index) => {
        bytes += row.envelope.length;
        return index > 0 && bytes > limit.bytes;
      });
      return over === -1 ? rows : rows.slice(0, over);
    },

    onAppend(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    async close() {
      clearInterval(timer);
      listeners.clear();
    },

    async move(generation) {
      const moved = await transaction(pool, async (client) => {
        await holdLease(client, generation);
        const { rows } = await client.query<{ moved: number }>(MOVE, [BATCH_RECORDS, BATCH_BYTES, floor.value]);
        return rows[0]!.moved;
      });
      if (moved > 0) wake();
      else await floor.drained(Date.now(), async () => (await pool.query<{ last_value: number }>('SELECT last_value FROM outbox_id_seq')).rows[0]!.last_value);
      return moved;
    },

    async prune(generation, olderThan) {
      return transaction(pool, async (client) => {
        await holdLease(client, generation);
        const { rows } = await client.query<{ dropped: number; highest: number | null }>(
          `WITH gone AS (DELETE FROM event_log WHERE appended_at < $1 RETURNING cursor)
           SELECT count(*) AS dropped, max(cursor) AS highest FROM gone`,
          [olderThan],
        );
        const { dropped, highest } = rows[0]!;
        if (highest !== null) await client.query('UPDATE event_log_floor SET floor = greatest(floor, $1)', [highest]);
        return dropped;
      });
    },
  };
}

/** One statement: takes the oldest rows within the byte bound, numbers them after the last one, and notes the new end. */
const MOVE = `WITH oldest AS (
    SELECT id, sum(octet_length(envelope)) OVER (ORDER BY id) - octet_length(envelope) AS bytes_before
    FROM (SELECT id, envelope FROM outbox WHERE id > $3 ORDER BY id LIMIT $1) o
  ), taken AS (
    DELETE FROM outbox o USING oldest WHERE o.id = oldest.id AND oldest.bytes_before < $2
    RETURNING o.id, o.match_id, o.sport, o.tournament_id, o.type, o.envelope
  ), appended AS (
    INSERT INTO event_log (cursor, match_id, sport, tournament_id, type, envelope, appended_at)
    SELECT r.base + r.last_offset + row_number() OVER (ORDER BY t.id), t.match_id, t.sport, t.tournament_id, t.type, t.envelope, now()
    FROM taken t, relay r ORDER BY t.id
    RETURNING 1
  ), noted AS (
    UPDATE relay SET last_offset = last_offset + (SELECT count(*) FROM appended) WHERE EXISTS (SELECT 1 FROM appended)
  )
  SELECT count(*)::int AS moved FROM appended`;
