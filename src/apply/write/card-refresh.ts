/** Re-renders cards after a rename, in small slices, so that a renamed league never delays a goal. */
import { PLANNED_ONCE, type Queryable, transaction } from '../../db/postgres.ts';
import type { ChangedPeriod } from '../../identity/entities.ts';
import { storedMatchChange } from '../merge/match-change.ts';
import { lockMatches } from '../stored/stored-match.ts';
import type { MatchDeps } from '../update-outcomes.ts';
import { commitMatchChanges, shownMatches } from './commit-match-changes.ts';

/** Matches rendered in one transaction. */
const SLICE = 500;

/**
 * Queues matches whose cards show these entities, and the matches of participants whose name for a period has changed. A row
 * that is already queued is locked. Otherwise a concurrent process could take it and render the former name before the
 * commit.
 * @returns how many matches were queued
 */
export async function queueRefresh(
  client: Queryable,
  renamed: { tournament: Set<number>; participant: Set<number>; venue: Set<number> },
  periods: readonly ChangedPeriod[] = [],
): Promise<number> {
  const participants = [...renamed.participant];
  const inPeriod = (
    side: string,
  ) => `SELECT m.id FROM json_to_recordset($4) AS r (participant_id bigint, "from" date, "to" date)
     JOIN match m ON m.${side}_id = r.participant_id AND m.scheduled_start >= coalesce("from", '-infinity')::timestamp AT TIME ZONE 'UTC'
       AND m.scheduled_start < coalesce("to" + 1, 'infinity')::timestamp AT TIME ZONE 'UTC'`;
  const { rowCount } = await client.query(
    `INSERT INTO card_refresh
     SELECT id FROM match WHERE tournament_id = ANY ($1) UNION SELECT id FROM match WHERE home_id = ANY ($2)
     UNION SELECT id FROM match WHERE away_id = ANY ($2) UNION SELECT id FROM match WHERE venue_id = ANY ($3) AND $3 <> '{}'
     UNION ${inPeriod('home')} UNION ${inPeriod('away')}
     ORDER BY 1 ON CONFLICT (match_id) DO UPDATE SET match_id = excluded.match_id`,
    [[...renamed.tournament], participants, [...renamed.venue], JSON.stringify(periods)],
  );
  return rowCount ?? 0;
}

/**
 * Renders all queued cards. Several processes may do so at once. Rows from an uncommitted rename are left to the process that
 * renamed the entity.
 * @returns how many cards were rendered
 */
export async function drainCardRefresh(deps: MatchDeps): Promise<number> {
  let total = 0;
  let after = 0;
  for (;;) {
    const { rows } = await deps.pool.query<{ match_id: number }>(
      'SELECT match_id FROM card_refresh WHERE match_id > $1 ORDER BY match_id LIMIT $2',
      [after, SLICE],
    );
    if (rows.length === 0) return total;
    const queued = rows.map((row) => row.match_id);
    const now = deps.clock.now();
    const rendered = await transaction(deps.pool, (client) => refresh(client, queued, now), [PLANNED_ONCE]);
    deps.changes.publish(rendered);
    total += rendered.length;
    after = queued.at(-1)!;
  }
}

/** Locks matches before taking rows from the queue. Renames lock in the same order, so a deadlock is impossible. */
async function refresh(client: Queryable, queued: readonly number[], now: number): Promise<number[]> {
  const matches = await lockMatches(client, queued);
  const { rows } = await client.query<{ match_id: number }>(
    `DELETE FROM card_refresh
     WHERE match_id = ANY (ARRAY(SELECT match_id FROM card_refresh WHERE match_id = ANY ($1) FOR UPDATE SKIP LOCKED))
     RETURNING match_id`,
    [queued],
  );
  const ids = rows.map((row) => row.match_id).filter((id) => matches.has(id));
  const changes = ids.map((id) => storedMatchChange(matches.get(id)!));
  return shownMatches(await commitMatchChanges(client, changes, now));
}
