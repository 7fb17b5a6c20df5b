/** Finished matches from one team's point of view, with what the sources report. All statistics by season are based on them. */
import { COUNTED } from '../competitions/index.ts';
import type { Queryable } from '../db/postgres.ts';
import { POINT_SPORTS } from '../sports/point-sports.ts';
import type { CardTally } from '../sports/sport.ts';
import { sportsWith } from '../sports/sports.ts';
import { FINAL_WINNER } from '../sports/winner-sql.ts';
import { type CardIncident, cardCounts } from '../wire/card-counts.ts';

export interface SideMatch {
  match_id: number;
  version: number;
  season_id: number;
  sport: string;
  team_id: number;
  side: 'home' | 'away';
  /** Seconds since 1970. */
  start: number;
  score_for: number;
  score_against: number;
  result: 'W' | 'D' | 'L';
  /**
   * False for a match of cricket without a result. It counts for its players, whose official figures include it, but not for the
   * teams.
   */
  counts: boolean;
  had_extra_time: boolean;
  /** True if a source has the line-ups, or if the match was not played. */
  has_lineups: boolean;
  /** True if all of the team's goals or points are among the incidents. */
  has_scorers: boolean;
  /** True if the incidents report cards and substitutions, not only goals, or if the match was not played. */
  is_detailed: boolean;
  /** The team's cards, including coaches' cards. Null if unknown. */
  yellow_cards: number | null;
  red_cards: number | null;
}

export interface SideMatchFilter {
  /** All seasons if absent. `teamIds` is then required. */
  seasonIds?: readonly number[];
  /** All teams if absent. `seasonIds` is then required. */
  teamIds?: readonly number[];
}

const NEVER_PLAYED = `m.status_detail IN ('walkover', 'awarded')`;
/** A match without a result that was begun. */
const BEGUN = `m.status = 'finished' AND m.status_detail = 'abandoned' AND m.home_score IS NOT NULL
  AND m.sport IN (${sportsWith(({ wickets }) => wickets === true).map((slug) => `'${slug}'`)})`;
const RESULT = `CASE ${FINAL_WINNER} WHEN s.side THEN 'W' WHEN 'draw' THEN 'D' ELSE 'L' END`;

/**
 * Returns finished matches by team and season, oldest first. A match between two given teams is returned twice, once for each
 * team. A team's cards come from its statistics or, if these have none and the source reports cards, from the incidents.
 */
export async function listSideMatches(db: Queryable, filter: SideMatchFilter): Promise<SideMatch[]> {
  const { seasonIds, teamIds } = filter;
  const seasons = 'm.season_id = ANY ($1::bigint[])';
  const chosen =
    teamIds === undefined
      ? `SELECT m.id FROM match m WHERE ${seasons}`
      : ['home_id', 'away_id']
          .map(
            (side) =>
              `SELECT m.id FROM match m WHERE m.${side} = ANY ($2::bigint[]) AND ($1::bigint[] IS NULL OR ${seasons})`,
          )
          .join(' UNION ');
  const { rows } = await db.query<SideMatch & { cards: CardIncident[] | null }>({
    name: `side matches ${teamIds === undefined ? 'of seasons' : 'of teams'}`,
    text: `SELECT m.id AS match_id, m.version, m.season_id, m.sport, s.team_id, s.side, extract(epoch FROM m.scheduled_start)::float8 AS start,
       s.score_for, s.score_against, ${RESULT} AS result, ${COUNTED} AS counts,
       m.status_detail IN ('after_extra_time', 'after_penalties') OR EXISTS (
         SELECT FROM json_array_elements(m.period_scores) p WHERE p ->> 'period' IN ('ET', 'PEN')) AS had_extra_time,
       ${NEVER_PLAYED} OR EXISTS (
         SELECT FROM match_block b WHERE b.match_id = m.id AND b.block = 'lineups' AND b.json <> '[]') AS has_lineups,
       ${NEVER_PLAYED} OR s.score_for = 0 OR coalesce(i.goals >= s.score_for, false) AS has_scorers,
       ${NEVER_PLAYED} OR coalesce(i.is_detailed, false) AS is_detailed,
       st.yellow::int AS yellow_cards, st.red::int AS red_cards,
       CASE WHEN i.is_detailed AND (st.yellow IS NULL OR st.red IS NULL) THEN coalesce(i.cards, '[]') END AS cards
     FROM (${chosen}) chosen JOIN match m USING (id)
     CROSS JOIN LATERAL (VALUES ('home', m.home_id, m.home_score, m.away_score), ('away', m.away_id, m.away_score, m.home_score))
       s (side, team_id, score_for, score_against)
     LEFT JOIN LATERAL (
       SELECT CASE WHEN m.sport IN (${POINT_SPORTS})
           THEN sum(CASE WHEN json_typeof(i.payload -> 'points') = 'number' THEN (i.payload ->> 'points')::numeric END)
             FILTER (WHERE i.kind = 'point' AND i.side = s.side)
           ELSE count(*) FILTER (WHERE i.kind = 'goal' AND i.side = s.side) END AS goals,
         -- A source of goals alone says nothing about cards and substitutions; an empty list says that there were none.
         -- A list of all overs has the substitutions, too.
         bool_or(i.kind IS NULL OR i.kind IN ('card', 'subst', 'over_end')) AS is_detailed,
         json_agg(i.*) FILTER (WHERE i.kind = 'card' AND i.side = s.side) AS cards
       FROM match_block b LEFT JOIN LATERAL json_to_recordset(b.json::json)
         AS i (kind text, side text, player_name text, player_participant_id bigint, payload json) ON true
       WHERE b.match_id = m.id AND b.block = 'incidents'
     ) i ON true
     LEFT JOIN LATERAL (
       SELECT sum(v.value) FILTER (WHERE v.stat_name = 'Yellow cards') AS yellow, sum(v.value) FILTER (WHERE v.stat_name = 'Red cards') AS red
       FROM match_block b CROSS JOIN LATERAL (
         SELECT f.stat_name, CASE s.side WHEN 'home' THEN f.home_value ELSE f.away_value END AS value
         FROM json_to_recordset(b.json::json) AS f (period text, stat_name text, home_value float8, away_value float8) WHERE f.period = 'ALL') v
       WHERE b.match_id = m.id AND b.block = 'statistics'
     ) st ON true
     WHERE (${COUNTED} OR ${BEGUN}) AND ($2::bigint[] IS NULL OR s.team_id = ANY ($2::bigint[]))
     ORDER BY m.scheduled_start, m.id`,
    values: [seasonIds ?? null, teamIds ?? null],
  });
  return rows.map(({ cards, ...match }) => {
    const counted = cards === null ? null : teamCards(cards, match.sport);
    return {
      ...match,
      yellow_cards: match.yellow_cards ?? counted?.yellow_cards ?? null,
      red_cards: match.red_cards ?? counted?.red_cards ?? null,
    };
  });
}

function teamCards(cards: readonly CardIncident[], sport: string): CardTally {
  const counts = [...cardCounts(cards, sport).values()];
  const count = (name: keyof CardTally) => counts.filter((one) => one === name).length;
  return { yellow_cards: count('yellow_cards'), red_cards: count('red_cards') };
}
