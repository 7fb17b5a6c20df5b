/** The queries of standings and scorers. */
import type { z } from 'zod';
import type { Queryable } from '../db/postgres.ts';
import type { scorer } from './schema.ts';

export interface SeasonRow {
  tournament_id: number;
  tournament: string;
  sport: string;
  /** Null for a tournament without seasons. */
  season_id: number | null;
  season_label: string | null;
  tournament_rules: unknown;
  season_rules: unknown;
}

/**
 * The given season, else the current one.
 * @param today YYYY-MM-DD
 * @returns null for an unknown tournament, and for a season of another tournament.
 */
export async function findSeason(
  db: Queryable,
  tournamentId: number,
  seasonId: number | undefined,
  today: string,
): Promise<SeasonRow | null> {
  const { rows } = await db.query<SeasonRow>(
    `SELECT t.id AS tournament_id, t.name AS tournament, t.sport, s.id AS season_id, s.season_label,
       t.rules AS tournament_rules, s.rules AS season_rules
     FROM tournament t LEFT JOIN season s ON s.tournament_id = t.id AND s.id = coalesce($2::bigint, current_season(t.id, $3))
     WHERE t.id = $1 AND ($2::bigint IS NULL OR s.id IS NOT NULL)`,
    [tournamentId, seasonId ?? null, today],
  );
  return rows[0] ?? null;
}

/** Names of knockout rounds. */
const KNOCKOUT = '\\m(finals?|semi-?finals?|quarter-?finals?|round of \\d+|last \\d+|third place|1/\\d+)\\M';
/** Names that may be of knockout rounds, unless the match has a matchday number. */
const CUP_ROUND = '\\m(play-?offs?|qualif\\w*|preliminary|knockout|replay|relegation|promotion|\\w+ (round|leg))\\M';

/** Matches that count in tables: with a result, also awarded ones. */
const COUNTED = `m.status = 'finished' AND m.home_score IS NOT NULL AND m.away_score IS NOT NULL
  AND m.status_detail NOT IN ('abandoned', 'cancelled')`;

/** A play-off between sides that are level. */
const PLAY_OFF = '\\mplay-?offs?\\M';

export interface TableMatchRow {
  group: string | null;
  /** The round where it is a stage, not a matchday: group 1 of the second stage is not that of the first. */
  stage: string;
  play_off: boolean;
  home_id: number;
  away_id: number;
  counted: boolean;
  home_score: number;
  away_score: number;
  winner: 'home' | 'away' | 'draw';
  overtime: boolean;
}

/**
 * The matches of a season's table, oldest first: those of its groups; without groups those of a matchday, and others
 * unless they are a knockout round. Without cancelled matches, with those to be played. In a season with groups also the
 * play-offs, which only decide between level sides.
 */
export async function tableMatches(db: Queryable, seasonId: number): Promise<TableMatchRow[]> {
  const { rows } = await db.query<TableMatchRow>(
    `SELECT m.group_name AS group, CASE WHEN m.round_num IS NULL AND m.round_name !~ '\\d' THEN m.round_name ELSE '' END AS stage,
       m.group_name IS NULL AND season.grouped AND coalesce(m.round_name, '') ~* $4 AS play_off, m.home_id, m.away_id, ${COUNTED} AS counted, m.home_score, m.away_score,
       match_winner(m.home_score, m.away_score, m.period_scores) AS winner,
       m.status_detail IN ('after_extra_time', 'after_penalties') OR EXISTS (
         SELECT FROM json_array_elements(m.period_scores) p
         WHERE p ->> 'period' IN ('ET', 'OT', 'PEN', 'SO') OR (m.sport = 'volleyball' AND p ->> 'period' = 'S5')) AS overtime
     FROM match m CROSS JOIN (
       SELECT EXISTS (SELECT FROM match WHERE season_id = $1 AND group_name IS NOT NULL) AS grouped) season
     WHERE m.season_id = $1 AND m.status_detail <> 'cancelled' AND (m.group_name IS NOT NULL OR (
       (m.round_num IS NOT NULL OR NOT season.grouped)
       AND coalesce(m.round_name, '') !~* $2 AND (m.round_num IS NOT NULL OR coalesce(m.round_name, '') !~* $3))
       OR (season.grouped AND coalesce(m.round_name, '') ~* $4))
     ORDER BY m.scheduled_start, m.id`,
    [seasonId, KNOCKOUT, CUP_ROUND, PLAY_OFF],
  );
  return rows;
}

export interface TeamRow {
  id: number;
  name: string;
  name_ru: string | null;
  /** Points that the organizer has added (below 0: deducted) in this season. */
  adjustment: number;
}

export async function seasonTeams(
  db: Queryable,
  seasonId: number,
  ids: readonly number[],
): Promise<Map<number, TeamRow>> {
  const { rows } = await db.query<TeamRow>(
    `SELECT p.id, p.name, p.name_ru, coalesce(a.points, 0) AS adjustment
     FROM participant p LEFT JOIN points_adjustment a ON a.participant_id = p.id AND a.season_id = $1
     WHERE p.id = ANY ($2)`,
    [seasonId, ids],
  );
  return new Map(rows.map((team) => [team.id, team]));
}

export type Scorer = z.infer<typeof scorer>;

/**
 * By goals, then fewer penalties, more assists, name. Players without an id are identified by team and name. A figure for
 * which no match of the season has data is null, not 0.
 */
export async function topScorers(db: Queryable, seasonId: number, limit: number): Promise<Scorer[]> {
  const { rows } = await db.query<Scorer>(
    `WITH played AS (
       SELECT mp.*, CASE mp.side WHEN 'home' THEN m.home_id ELSE m.away_id END AS team_id, m.scheduled_start
       FROM match m JOIN match_player mp ON mp.match_id = m.id
       WHERE m.season_id = $1 AND m.status <> 'scheduled' AND m.status_detail NOT IN ('abandoned', 'cancelled')
     ), known AS (
       SELECT (SELECT sum(assists) > 0 FROM played) AS assists, (SELECT sum(penalties) > 0 FROM played) AS penalties,
         NOT EXISTS (SELECT FROM match m WHERE m.season_id = $1 AND ${COUNTED} AND NOT EXISTS (
           SELECT FROM match_block b WHERE b.match_id = m.id AND b.block = 'lineups' AND b.json <> '[]')) AS matches
     ), player AS (
       SELECT participant_id, CASE WHEN participant_id IS NULL THEN team_id END AS only_team, CASE WHEN participant_id IS NULL THEN player_key END AS only_key,
         (array_agg(player_name ORDER BY scheduled_start DESC, match_id DESC))[1] AS player_name,
         (array_agg(team_id ORDER BY scheduled_start DESC, match_id DESC))[1] AS team_id,
         sum(goals)::int AS goals, sum(assists)::int AS assists, sum(penalties)::int AS penalties,
         (count(*) FILTER (WHERE appeared))::int AS matches
       FROM played GROUP BY 1, 2, 3 HAVING sum(goals) > 0
     )
     SELECT (rank() OVER (ORDER BY player.goals DESC))::int AS rank, player.participant_id, coalesce(p.name, player.player_name) AS player_name,
       p.name_ru AS player_name_ru, team.name AS team_name, team.name_ru AS team_name_ru, player.goals,
       CASE WHEN known.assists THEN player.assists END AS assists,
       CASE WHEN known.penalties THEN player.penalties END AS penalties,
       CASE WHEN known.matches THEN player.matches END AS matches
     FROM player CROSS JOIN known
     JOIN participant team ON team.id = player.team_id
     LEFT JOIN participant p ON p.id = player.participant_id
     ORDER BY rank, player.penalties, player.assists DESC, player_name, player.participant_id
     LIMIT $2`,
    [seasonId, limit],
  );
  return rows;
}
