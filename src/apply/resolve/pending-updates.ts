/**
 * Stores pending updates. These are history updates without a date that were imported before their match. The pairing alone
 * identifies the match, and the update is applied when the match is created. Files without dates can therefore be imported in
 * any order.
 */
import type { Queryable } from '../../db/postgres.ts';
import { type MatchUpdate, matchUpdate } from '../../wire/feed-update.ts';
import type { MatchState } from '../stored/match-state.ts';
import type { Identified } from './find-matches.ts';

/**
 * Returns the tournaments in which each pairing has exactly one match at each venue. Only in these does a pairing identify a
 * match.
 */
export async function tournamentsWithPairings(client: Queryable, tournaments: readonly number[]): Promise<Set<number>> {
  if (tournaments.length === 0) return new Set();
  const { rows } = await client.query<{ id: number }>(
    'SELECT id FROM tournament WHERE id = ANY ($1) AND single_home_fixture',
    [tournaments],
  );
  return new Set(rows.map((row) => row.id));
}

export async function storePendingUpdates(client: Queryable, pending: readonly Identified[]): Promise<void> {
  await client.query(
    `INSERT INTO match_pending AS p (provider, external_id, season_id, home_id, away_id, observed_at, update_text)
     SELECT provider, external_id, season_id, home_id, away_id, observed_at, update_text
     FROM json_populate_recordset(NULL::match_pending, $1) ORDER BY provider, external_id
     ON CONFLICT (provider, external_id) DO UPDATE SET season_id = excluded.season_id, home_id = excluded.home_id, away_id = excluded.away_id,
       observed_at = excluded.observed_at, update_text = excluded.update_text WHERE p.observed_at <= excluded.observed_at`,
    [
      JSON.stringify(
        pending.map(({ update, refs: { season_id, home_id, away_id } }) => ({
          provider: update.provider,
          external_id: update.match.id,
          season_id,
          home_id,
          away_id,
          observed_at: Date.parse(update.observed_at),
          update_text: JSON.stringify(update),
        })),
      ),
    ],
  );
}

/** Removes and returns the updates that wait for these matches. */
export async function takePendingUpdates(
  client: Queryable,
  matches: readonly Pick<MatchState, 'season_id' | 'home_id' | 'away_id'>[],
): Promise<MatchUpdate[]> {
  const { rows } = await client.query<{ update_text: string }>(
    `DELETE FROM match_pending p USING json_to_recordset($1) AS m (season_id bigint, home_id bigint, away_id bigint)
     WHERE p.season_id = m.season_id AND p.home_id = m.home_id AND p.away_id = m.away_id RETURNING p.update_text`,
    [JSON.stringify(matches.map(({ season_id, home_id, away_id }) => ({ season_id, home_id, away_id })))],
  );
  return rows.map(({ update_text }) => matchUpdate.parse(JSON.parse(update_text)));
}

export async function countPendingUpdates(client: Queryable): Promise<number> {
  const { rows } = await client.query<{ count: number }>('SELECT count(*) AS count FROM match_pending');
  return rows[0]?.count ?? 0;
}
