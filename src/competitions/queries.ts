/** Queries for a season, including matches and sides. */
import { prepared, type Queryable } from '../db/postgres.ts';
import type { Read } from '../db/reads.ts';
import { SPORTS, sportsWith } from '../sports/sports.ts';
import { utcDay } from '../wire/time.ts';
import { type InningsTotals, inningsTotalsSql } from './net-run-rate.ts';

export interface SeasonRow {
  tournament_id: number;
  tournament: string;
  sport: string;
  country: string;
  /** Null for cups, or if the tier is unknown. */
  tier: number | null;
  /** Null for a tournament without seasons. */
  season_id: number | null;
  season_label: string | null;
  tournament_rules: unknown;
  season_rules: unknown;
}

const seasonSql = (more = '') =>
  `SELECT t.id AS tournament_id, t.name AS tournament, t.sport, t.country, t.tier, s.id AS season_id, s.season_label,
     t.rules AS tournament_rules, s.rules AS season_rules${more}
   FROM tournament t LEFT JOIN season s ON s.tournament_id = t.id AND s.id = coalesce($2::bigint, current_season(t.id, $3::date))
   WHERE t.id = $1 AND ($2::bigint IS NULL OR s.id IS NOT NULL)`;
const SEASON = prepared('season', seasonSql());

/**
 * Returns the given season; by default, the current season. @param today YYYY-MM-DD
 * @returns null if the tournament is unknown, or if the season belongs to another tournament
 */
export async function findSeason(
  db: Queryable,
  tournamentId: number,
  seasonId: number | undefined,
  today: string,
): Promise<SeasonRow | null> {
  const { rows } = await db.query<SeasonRow>(SEASON([tournamentId, seasonId ?? null, today]));
  return rows[0] ?? null;
}

/** SQL condition for matches that count in tables: those with a result, including awarded matches. */
export const COUNTED = `m.status = 'finished' AND m.home_score IS NOT NULL AND m.away_score IS NOT NULL
  AND m.status_detail NOT IN ('abandoned', 'cancelled')`;

/**
 * SQL for whether a match lacks a result that it should have. An unfinished match should have one a day after its start.
 * Postponed matches need none.
 */
const lacksResult = (
  now: string,
) => `CASE m.status WHEN 'finished' THEN (m.home_score IS NULL OR m.away_score IS NULL) AND m.status_detail <> 'abandoned'
  ELSE m.scheduled_start < ${now}::timestamptz - interval '1 day' AND m.status_detail NOT IN ('postponed', 'suspended', 'interrupted', 'abandoned') END`;

const DECIDING_PERIODS = SPORTS.flatMap(({ slug, decidingPeriods }) =>
  decidingPeriods.map((period) => ({ period, ofSport: `'${slug} ${period}'` })),
);
/**
 * SQL for whether the text of a match's periods names one of these. Few matches have such a period, and parsing the periods of all
 * matches takes most of the time in which a season is read.
 */
const names = (periods: readonly string[]) => `m.period_scores::text ~ '"(${periods.join('|')})"'`;
const OVERTIME_PERIODS = ['ET', 'OT', 'PEN', 'SO'];
/** SQL for whether the match `m` was decided after regular time, or in the sport's deciding set. */
export const OVERTIME = `(m.status_detail IN ('after_extra_time', 'after_penalties')
       OR ${names([...OVERTIME_PERIODS, ...DECIDING_PERIODS.map(({ period }) => period)])} AND EXISTS (
         SELECT FROM json_array_elements(m.period_scores) p
         WHERE p ->> 'period' IN (${OVERTIME_PERIODS.map((period) => `'${period}'`)})
           OR m.sport || ' ' || (p ->> 'period') = ANY (ARRAY[${DECIDING_PERIODS.map(({ ofSport }) => ofSport)}]::text[])))`;

const SHOOT_OUT_PERIODS = ['PEN', 'SO'];
const SHOOT_OUT = `(m.status_detail = 'after_penalties' OR ${names(SHOOT_OUT_PERIODS)} AND EXISTS (
         SELECT FROM json_array_elements(m.period_scores) p
         WHERE p ->> 'period' IN (${SHOOT_OUT_PERIODS.map((period) => `'${period}'`)})))`;

const SET_SPORTS = sportsWith(({ table }) => table.tie_breaks.includes('set_points_average'));
/** SQL for both sides' points in all sets of the match `m`. Null in sports whose tables do not count them. */
const SET_POINTS = `CASE WHEN m.sport = ANY (ARRAY[${SET_SPORTS.map((slug) => `'${slug}'`)}]::text[]) THEN (
         SELECT json_build_object('home', coalesce(sum((p ->> 'home')::int), 0), 'away', coalesce(sum((p ->> 'away')::int), 0))
         FROM json_array_elements(m.period_scores) p) END`;

interface SeasonMatchRow {
  id: number;
  group: string | null;
  /** Name of the match's round; empty if the match has no round. */
  round: string;
  matchday: number | null;
  home_id: number;
  away_id: number;
  /** Seconds since 1970. */
  start: number;
  abandoned: boolean;
  lacks_result: boolean;
  overtime: boolean;
  shoot_out: boolean;
  /** Points in all sets, if the sport's tables count them. */
  set_points: { home: number; away: number } | null;
  /** Both sides' statistics for which the rules give bonus points, by name. */
  figures: Record<string, { home: number; away: number }> | null;
  /** Null if the sport's tables have no run rate. */
  innings?: InningsTotals[] | null;
}

type Winner = 'home' | 'away' | 'draw';
/** Tells whether the match counts in tables. If so, it has a result. */
type Counted =
  | { counted: true; home_score: number; away_score: number; winner: Winner }
  | { counted: false; home_score: number | null; away_score: number | null; winner: Winner | null };

export type TableMatchRow = SeasonMatchRow & Counted;

/** SQL for those statistics of the match `m` that $3 names. Null if $3 names none. */
const FIGURES = `CASE WHEN cardinality($3::text[]) > 0 THEN (
         SELECT json_object_agg(s ->> 'stat_name', json_build_object('home', s -> 'home_value', 'away', s -> 'away_value'))
         FROM match_block b CROSS JOIN json_array_elements(b.json::json) s
         WHERE b.match_id = m.id AND b.block = 'statistics' AND s ->> 'period' = 'ALL' AND s ->> 'stat_name' = ANY ($3)
           AND json_typeof(s -> 'home_value') = 'number' AND json_typeof(s -> 'away_value') = 'number') END`;

const INNINGS = inningsTotalsSql(sportsWith(({ wickets }) => wickets === true));

/**
 * @param season SQL for the season's id
 * @param now SQL for the time by which matches should have results
 * @param figures SQL for the statistics
 */
const matchesSql = (season: string, now: string, figures: string) =>
  `SELECT m.id, m.group_name AS group, coalesce(m.round_name, '') AS round, m.round_num AS matchday,
       m.home_id, m.away_id, extract(epoch FROM m.scheduled_start)::float8 AS start,
       m.status_detail = 'abandoned' AS abandoned, ${COUNTED} AS counted, ${lacksResult(now)} AS lacks_result, m.home_score, m.away_score,
       -- A drawn group match may be followed by kicks for its own rules of points, so that a winner without a score leaves it drawn.
       coalesce(m.given_winner, match_winner(m.home_score, m.away_score, m.period_scores)) AS winner,
       ${OVERTIME} AS overtime, ${SHOOT_OUT} AS shoot_out, ${SET_POINTS} AS set_points, ${figures} AS figures,
       ${INNINGS} AS innings
     FROM match m WHERE m.season_id = ${season} AND m.status_detail <> 'cancelled'
     ORDER BY m.scheduled_start, m.id`;
const MATCHES = prepared('season matches', matchesSql('$1', '$2', FIGURES));

/**
 * Returns a season's matches, oldest first, including future matches but not cancelled ones.
 * @param now ISO time; matches that should have a result by then but have none are marked
 * @param figures names of statistics to read
 */
export async function seasonMatches(
  db: Queryable,
  seasonId: number,
  now: string,
  figures: readonly string[] = [],
): Promise<TableMatchRow[]> {
  const { rows } = await db.query<TableMatchRow>(MATCHES([seasonId, now, figures]));
  return rows;
}

export interface TeamRow {
  id: number;
  name: string;
  /** Today's name. */
  current_name: string;
  name_ru: string | null;
  /** Points that the organizer has added in this season; negative if deducted. */
  adjustment: number;
  /** The place that the organizer has assigned, regardless of points. */
  placed: number | null;
}

/**
 * @param season SQL for the season's id
 * @param before SQL for the time, in milliseconds since 1970
 * @param isChosen SQL condition for a side
 */
const teamsSql = (season: string, before: string, isChosen: string) =>
  `SELECT team.id, named.name, named.name_ru, p.name AS current_name, coalesce(a.points, 0) AS adjustment, a.position AS placed
     FROM (
       SELECT side.id, max(m.scheduled_start) AS last_start
       FROM match m CROSS JOIN LATERAL (VALUES (m.home_id), (m.away_id)) side (id)
       WHERE m.season_id = ${season} AND ${isChosen} GROUP BY side.id
     ) team
     JOIN participant p ON p.id = team.id
     CROSS JOIN LATERAL names_at(team.id, team.last_start) named
     CROSS JOIN LATERAL (
       SELECT sum(d.points)::int AS points, (array_agg(d.position ORDER BY d.decided_on DESC) FILTER (WHERE d.position IS NOT NULL))[1] AS position
       FROM points_decision d
       WHERE d.participant_id = team.id AND d.season_id = ${season} AND d.decided_on < to_timestamp(${before}::float8 / 1000) AT TIME ZONE 'UTC'
     ) a`;
const TEAMS = prepared('season teams', teamsSql('$1', '$3', 'side.id = ANY ($2)'));

/**
 * Returns teams with the names that they had at their last match in the season.
 * @param before milliseconds since 1970; only decisions that the organizer made before then count
 */
export async function seasonTeams(
  db: Queryable,
  seasonId: number,
  ids: readonly number[],
  before: number,
): Promise<Map<number, TeamRow>> {
  const { rows } = await db.query<TeamRow>(TEAMS([seasonId, ids, before]));
  return new Map(rows.map((team) => [team.id, team]));
}

/** An organizer's decision about a side. */
export interface PointsDecision {
  participant_id: number;
  /** Added points; negative if deducted. */
  points: number;
  /** Assigned place. */
  position: number | null;
  /** YYYY-MM-DD. Empty for a decision that counts from the start of the season. */
  day: string;
}

/** @param season SQL for the season's id */
const decisionsSql = (season: string) =>
  `SELECT participant_id, points, position, coalesce(to_char(nullif(decided_on, '-infinity'), 'YYYY-MM-DD'), '') AS day
   FROM points_decision WHERE season_id = ${season} ORDER BY decided_on`;
const DECISIONS = prepared('points decisions', decisionsSql('$1'));

/** Returns a season's decisions, oldest first. */
export async function seasonDecisions(db: Queryable, seasonId: number): Promise<PointsDecision[]> {
  return (await db.query<PointsDecision>(DECISIONS([seasonId]))).rows;
}

/** The data from which a season's tables are made. */
export interface TableSeason {
  season: SeasonRow & { tournament_ru: string | null };
  /** Without statistics. */
  matches: TableMatchRow[];
  teams: TeamRow[];
  decisions: PointsDecision[];
}

const TABLE_SEASON = prepared(
  'season with matches and teams',
  `WITH season AS MATERIALIZED (${seasonSql(', t.name_ru AS tournament_ru')})
   SELECT (SELECT row_to_json(season) FROM season) AS season,
     (SELECT coalesce(json_agg(m), '[]') FROM (${matchesSql('(SELECT season_id FROM season)', '$4', 'NULL::json')}) m) AS matches,
     (SELECT coalesce(json_agg(t), '[]') FROM (${teamsSql('(SELECT season_id FROM season)', '$5', 'true')}) t) AS teams,
     (SELECT coalesce(json_agg(d), '[]') FROM (${decisionsSql('(SELECT season_id FROM season)')}) d) AS decisions`,
);

/**
 * Reads the given season; by default, the current season. Null if there is no such season or tournament.
 * @param tournamentId null for none
 * @param now ms since 1970
 */
export const tableSeasonRead = (
  tournamentId: number | null,
  seasonId: number | undefined,
  now: number,
): Read<TableSeason | null> => ({
  statement: TABLE_SEASON([tournamentId, seasonId ?? null, utcDay(now), new Date(now).toISOString(), now]),
  toValue: (rows: (TableSeason | { season: null })[]) => {
    const [found] = rows;
    return found === undefined || found.season === null ? null : found;
  },
});
