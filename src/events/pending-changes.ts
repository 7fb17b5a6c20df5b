/** Pending changes: matches that have changed and have no change cursor for sync yet. */
import { prepared, type Queryable } from '../db/postgres.ts';

/** A row in match_touch that has no change cursor yet. It is about a match that has changed or has left its tournament. */
export interface PendingChange {
  match_id: number;
  tombstone: {
    reason: 'deleted' | 'moved' | 'merged';
    sport: string;
    tournament_id: number;
    merged_into?: number;
  } | null;
}

const ADD_PENDING_CHANGES = prepared(
  'add pending changes',
  'INSERT INTO match_touch (match_id, tombstone) SELECT match_id, tombstone FROM json_to_recordset($1) AS r (match_id bigint, tombstone jsonb)',
);

export async function addPendingChanges(client: Queryable, changes: readonly PendingChange[]): Promise<void> {
  if (changes.length > 0) await client.query(ADD_PENDING_CHANGES([JSON.stringify(changes)]));
}

export async function markChanged(client: Queryable, matches: readonly number[]): Promise<void> {
  await client.query('INSERT INTO match_touch (match_id) SELECT unnest($1::bigint[])', [matches]);
}

export interface PendingChangeRow {
  id: number;
  match_id: number;
  tombstone: { reason: string; sport: string; tournament_id: number; merged_into?: number } | null;
}

/** The ids are a list and not a join, for the reason given at PREPARE_MOVE in postgres-log.ts. */
const TAKE = `DELETE FROM match_touch WHERE id = ANY (ARRAY(SELECT id FROM match_touch WHERE id > $1 ORDER BY id LIMIT $2))
  RETURNING id, match_id, tombstone`;

/**
 * Takes one batch of pending changes, oldest first.
 * @param after only pending changes with a larger id are searched
 */
export async function takePendingChanges(client: Queryable, after: number, limit: number): Promise<PendingChangeRow[]> {
  const { rows } = await client.query<PendingChangeRow>(TAKE, [after, limit]);
  return rows.sort((a, b) => a.id - b.id);
}

/** By how much match sequences are raised, and with them the event ids. Clients drop the second of two events with the same id. */
const SEQUENCE_STEP = 1_000_000;
/** How late a match may have started, or by how much it may have been postponed. */
const EARLIER = `interval '1 day'`;

/**
 * Marks matches as changed and raises their sequences. Does so if they have changed since `since`, were scheduled
 * after it, or are not final yet.
 * @param since ISO time
 * @returns how many matches were marked
 */
export async function markUnsure(client: Queryable, since: string): Promise<number> {
  const { rowCount } = await client.query(
    `WITH unsure AS (
       UPDATE match SET sequence = sequence + $2
       WHERE updated_at >= $1 OR scheduled_start >= $1::timestamptz - ${EARLIER} OR NOT finalized RETURNING id
     )
     INSERT INTO match_touch (match_id) SELECT id FROM unsure`,
    [since, SEQUENCE_STEP],
  );
  return rowCount ?? 0;
}
