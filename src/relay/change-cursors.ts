/**
 * Assigns the change cursors that sync uses. A changed match gets a new cursor after its events have reached the log.
 * Pending changes are taken one batch at a time.
 */
import type pg from 'pg';
import { BY_INDEX } from '../db/postgres.ts';
import {
  noteAllAssigned,
  type PendingChangeRow,
  raiseChangeCursor,
  relayLease,
  takePendingChanges,
} from '../events/index.ts';

/** Maximum number of pending changes in one transaction. */
export const CHANGE_BATCH = 500;

/**
 * Assigns change cursors to one batch.
 * @param after only pending changes with a larger id are searched
 * @returns how many pending changes were taken
 * @throws {LeaseLost} if a new leader has taken over
 */
export async function assignChangeCursors(pool: pg.Pool, generation: number, after = 0): Promise<number> {
  return relayLease.transaction(
    pool,
    generation,
    async (client) => {
      const changes = await takePendingChanges(client, after, CHANGE_BATCH);
      if (changes.length > 0) await assign(client, changes);
      // The queue is empty. The log's end has not moved since the search, because this relay has the lease.
      if (changes.length < CHANGE_BATCH) await noteAllAssigned(client);
      return changes.length;
    },
    [BY_INDEX],
  );
}

async function assign(client: pg.PoolClient, changes: readonly PendingChangeRow[]): Promise<void> {
  const tombstones = changes.filter(({ tombstone }) => tombstone !== null);
  const matches = [...new Set(changes.filter(({ tombstone }) => tombstone === null).map(({ match_id }) => match_id))];
  const count = tombstones.length + matches.length;
  let next = (await raiseChangeCursor(client, count)) - count;
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
  // Leaves out a match that has been deleted meanwhile, because its tombstone has a change cursor or is about to get
  // one.
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
