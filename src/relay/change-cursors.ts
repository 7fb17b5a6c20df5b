/**
 * Sync's own counter: gives each changed match a new change cursor, one batch of pending changes at a time, after their
 * events.
 */
import type pg from 'pg';
import { BY_INDEX, firstRow } from '../db/postgres.ts';
import { relayLease } from '../events/relay-lease.ts';

/** Pending changes per transaction. */
export const CHANGE_BATCH = 500;

interface PendingChangeRow {
  id: number;
  match_id: number;
  tombstone: { reason: string; sport: string; tournament_id: number; merged_into?: number } | null;
}

/**
 * Assigns change cursors to one batch.
 * @param after only pending changes with a larger id are searched
 * @returns the number of pending changes taken
 * @throws {LeaseLost} if another relay has taken over
 */
export async function assignChangeCursors(pool: pg.Pool, generation: number, after = 0): Promise<number> {
  return relayLease.transaction(
    pool,
    generation,
    async (client) => {
      const { rows } = await client.query<PendingChangeRow>(TAKE, [after, CHANGE_BATCH]);
      if (rows.length > 0)
        await assign(
          client,
          rows.sort((a, b) => a.id - b.id),
        );
      // The queue is empty, and the lease guarantees that the log's end has not moved since that was seen.
      if (rows.length < CHANGE_BATCH) await client.query(ALL_ASSIGNED);
      return rows.length;
    },
    [BY_INDEX],
  );
}

/** A list of ids instead of a join: see MOVE in postgres-log.ts. */
const TAKE = `DELETE FROM match_touch WHERE id = ANY (ARRAY(SELECT id FROM match_touch WHERE id > $1 ORDER BY id LIMIT $2))
  RETURNING id, match_id, tombstone`;

/**
 * Events reach the log before their changes get cursors: this end of the log and the last change cursor match without a
 * gap.
 */
const ALL_ASSIGNED =
  'UPDATE relay SET stamped_cursor = base + last_offset WHERE stamped_cursor IS DISTINCT FROM base + last_offset';

async function assign(client: pg.PoolClient, changes: readonly PendingChangeRow[]): Promise<void> {
  const tombstones = changes.filter(({ tombstone }) => tombstone !== null);
  const matches = [...new Set(changes.filter(({ tombstone }) => tombstone === null).map(({ match_id }) => match_id))];
  const count = tombstones.length + matches.length;
  const { rows } = await client.query<{ change_seq: number }>(
    'UPDATE relay SET change_seq = change_seq + $1 RETURNING change_seq',
    [count],
  );
  let next = firstRow(rows).change_seq - count;
  if (tombstones.length > 0) {
    const values = tombstones.map(({ match_id, tombstone }) => ({
      change_cursor: ++next,
      match_id,
      merged_into: null,
      ...tombstone,
    }));
    await client.query(
      `INSERT INTO match_tombstone (change_cursor, match_id, sport, tournament_id, reason, merged_into)
       SELECT change_cursor, match_id, sport, tournament_id, reason, merged_into
       FROM json_populate_recordset(NULL::match_tombstone, $1)`,
      [JSON.stringify(values)],
    );
  }
  // A match that was deleted meanwhile is left out: its tombstone has a cursor, now or soon.
  await client.query(
    `INSERT INTO match_change (match_id, change_cursor, sport, tournament_id)
     SELECT r.match_id, $2 + r.ord, m.sport, m.tournament_id
     FROM unnest($1::bigint[]) WITH ORDINALITY AS r (match_id, ord) JOIN match m ON m.id = r.match_id
     ON CONFLICT (match_id) DO UPDATE SET change_cursor = excluded.change_cursor, sport = excluded.sport,
       tournament_id = excluded.tournament_id`,
    [matches, next],
  );
  const gone = tombstones.filter(({ tombstone }) => tombstone?.reason !== 'moved').map(({ match_id }) => match_id);
  if (gone.length > 0) await client.query('DELETE FROM match_change WHERE match_id = ANY ($1)', [gone]);
}
