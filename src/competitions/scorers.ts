/** `/v1/tournament/{id}/scorers` returns a season's top scorers. */
import type { z } from 'zod';
import { knowsAppearances } from '../db/known-appearances.ts';
import { firstRow, type Queryable } from '../db/postgres.ts';
import { COUNTED } from './queries.ts';
import type { scorer } from './schema.ts';

/** Returns why a season has no scorers, and the tournament's latest season with scorers. */
export async function withoutScorers(
  db: Queryable,
  tournamentId: number,
  seasonId: number | null,
): Promise<{ reason: 'no_results' | 'no_scorers'; latest_season_with_scorers: number | null }> {
  const { rows } = await db.query<{ has_results: boolean; latest: number | null }>({
    name: 'seasons with scorers',
    text: `SELECT EXISTS (SELECT FROM match m WHERE m.season_id = $2 AND ${COUNTED}) AS has_results,
       (SELECT s.id FROM season s
        WHERE s.tournament_id = $1 AND EXISTS (
          SELECT FROM match m JOIN match_player mp ON mp.match_id = m.id WHERE m.season_id = s.id AND mp.goals > 0)
        ORDER BY s.season_label DESC LIMIT 1) AS latest`,
    values: [tournamentId, seasonId],
  });
  const { has_results, latest } = firstRow(rows);
  return { reason: has_results ? 'no_scorers' : 'no_results', latest_season_with_scorers: latest };
}

export type Scorer = z.infer<typeof scorer>;

/**
 * Returns scorers, ordered by goals, then by fewer penalties, more assists, and name. Players without an id are identified by
 * team and name. A figure is null instead of 0 if the season has no data on it. Each player's team is the one in the last
 * match, with its name at that time.
 */
export async function topScorers(db: Queryable, seasonId: number, limit: number): Promise<Scorer[]> {
  const { rows } = await db.query<Scorer>({
    name: 'top scorers',
    text: `WITH played AS (
       SELECT mp.*, CASE mp.side WHEN 'home' THEN m.home_id ELSE m.away_id END AS team_id, m.scheduled_start
       -- By index, because Postgres would read the players of all matches otherwise.
       FROM match m CROSS JOIN LATERAL (SELECT * FROM match_player p WHERE p.match_id = m.id OFFSET 0) mp
       WHERE m.season_id = $1 AND m.status <> 'scheduled' AND m.status_detail NOT IN ('abandoned', 'cancelled')
     ), known AS (
       SELECT (SELECT sum(assists) > 0 FROM played) AS assists, (SELECT sum(penalties) > 0 FROM played) AS penalties,
         NOT EXISTS (SELECT FROM match m WHERE m.season_id = $1 AND ${COUNTED} AND NOT ${knowsAppearances('m')}) AS matches
     ), player AS (
       SELECT rank() OVER (ORDER BY sum(goals) DESC)::int AS rank, participant_id, CASE WHEN participant_id IS NULL THEN team_id END AS only_team, CASE WHEN participant_id IS NULL THEN player_key END AS only_key,
         (array_agg(player_name ORDER BY scheduled_start DESC, match_id DESC))[1] AS player_name,
         (array_agg(team_id ORDER BY scheduled_start DESC, match_id DESC))[1] AS team_id, max(scheduled_start) AS last_start,
         sum(goals)::int AS goals, sum(assists)::int AS assists, sum(penalties)::int AS penalties,
         (count(*) FILTER (WHERE appeared))::int AS matches
       FROM played GROUP BY 2, 3, 4 HAVING sum(goals) > 0
       -- Names order the players who are equal, so they are read for these and the ones above alone.
       ORDER BY sum(goals) DESC, sum(penalties), sum(assists) DESC FETCH FIRST $2 ROWS WITH TIES
     )
     SELECT player.rank, player.participant_id, coalesce(p.name, player.player_name) AS player_name,
       p.name_ru AS player_name_ru, player.team_id, team.name AS team_name, team.name_ru AS team_name_ru, player.goals,
       CASE WHEN known.assists THEN player.assists END AS assists,
       CASE WHEN known.penalties THEN player.penalties END AS penalties,
       CASE WHEN known.matches THEN player.matches END AS matches
     FROM player CROSS JOIN known
     CROSS JOIN LATERAL names_at(player.team_id, player.last_start) team
     LEFT JOIN participant p ON p.id = player.participant_id
     ORDER BY rank, player.penalties, player.assists DESC, player_name, player.participant_id
     LIMIT $2`,
    values: [seasonId, limit],
  });
  return rows;
}
