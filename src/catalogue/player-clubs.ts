/** The clubs that a player has appeared for, by season. */
import { foldName } from '../db/fold-name.ts';
import { knowsAppearances } from '../db/known-appearances.ts';
import { prepared, type Queryable } from '../db/postgres.ts';
import { teamKey } from '../identity/merges.ts';

export interface PlayerClub {
  /** Such as 2023/24 or 2023. */
  season: string;
  team_id: number;
  /** The club's name at the player's last match for it in the season. */
  team_name: string;
  team_name_ru: string | null;
  /**
   * Matches in which the player appeared. Null if line-ups or substitutions are unknown for any of the club's matches in that
   * season.
   */
  matches: number | null;
  /**
   * Goals in the catalogue's matches, or points in sports that count points. Null if the club scored in that season but no
   * source names any of the scorers.
   */
  goals: number | null;
}

const CLUBS = prepared(
  'clubs of a player',
  `SELECT c.season, c.team_id, n.name AS team_name, n.name_ru AS team_name_ru, CASE WHEN NOT EXISTS (
       SELECT FROM match o WHERE o.season_id = ANY (c.seasons)
         AND (o.home_id = c.team_id AND o.home_score > 0 OR o.away_id = c.team_id AND o.away_score > 0)
         AND o.status = 'finished' AND o.status_detail NOT IN ('cancelled', 'walkover', 'awarded')
         -- Incidents are read only for matches without a scorer, such as ones with own goals alone.
         AND CASE WHEN EXISTS (SELECT FROM match_player s WHERE s.match_id = o.id AND s.goals > 0) THEN false
           ELSE NOT EXISTS (
             SELECT FROM match_block b CROSS JOIN json_to_recordset(b.json::json) AS i (kind text)
             WHERE b.match_id = o.id AND b.block = 'incidents' AND i.kind IN ('goal', 'point')) END
     ) THEN c.goals END AS goals, CASE WHEN NOT EXISTS (
       SELECT FROM match o WHERE o.season_id = ANY (c.seasons) AND (o.home_id = c.team_id OR o.away_id = c.team_id)
         AND o.status = 'finished' AND o.status_detail NOT IN ('cancelled', 'walkover', 'awarded')
         AND NOT ${knowsAppearances('o')}
     ) THEN c.matches END AS matches
   FROM (
     SELECT s.season_label AS season, club.id AS team_id, count(*)::int AS matches, sum(p.goals)::int AS goals, array_agg(DISTINCT s.id) AS seasons,
       min(m.scheduled_start) AS first, max(m.scheduled_start) AS last
     FROM match_player p JOIN match m ON m.id = p.match_id JOIN season s ON s.id = m.season_id
       JOIN participant club ON club.id = CASE p.side WHEN 'home' THEN m.home_id ELSE m.away_id END
     WHERE p.participant_id = $1 AND p.appeared AND m.status <> 'scheduled' AND split_part(club.key, '|', 2) NOT LIKE 'national team %'
     GROUP BY 1, 2
   ) c CROSS JOIN LATERAL names_at(c.team_id, c.last) n
   ORDER BY c.last DESC, c.first DESC, c.team_id`,
);

/** Returns a player's clubs, newest first. */
export async function listPlayerClubs(db: Queryable, playerId: number): Promise<PlayerClub[]> {
  return (await db.query<PlayerClub>(CLUBS([playerId]))).rows;
}

const CLUBS_BY_NAME = prepared(
  'clubs by name',
  `SELECT DISTINCT p.id FROM participant_alias a JOIN participant p ON p.id = a.participant_id
   WHERE p.type = 'team' AND p.sport = $1 AND p.gender = $2 AND a.key = ANY ($3) AND ($4::text IS NULL OR p.country = $4)
     AND split_part(p.key, '|', 2) NOT LIKE 'national team %' LIMIT 2`,
);

/**
 * Returns the id of the club that a squad list names (`extra.club`, with `extra.club_country` if known). Null if no club, or
 * more than one, in the catalogue has that name.
 */
export async function findClubId(
  db: Queryable,
  { sport, gender, extra }: { sport: string; gender: string; extra: Record<string, unknown> },
): Promise<number | null> {
  const { club, club_country } = extra;
  if (typeof club !== 'string') return null;
  const name = foldName(club);
  const country = typeof club_country === 'string' ? club_country : null;
  const { rows } = await db.query<{ id: number }>(CLUBS_BY_NAME([sport, gender, [name, teamKey(name)], country]));
  const [found, another] = rows;
  return found !== undefined && another === undefined ? found.id : null;
}
