/** Both sides' expected runs in a full innings, from the tournament's earlier matches and the Elo ratings. */
import { prepared, type Queryable } from '../db/postgres.ts';
import type { BySide } from './chances.ts';
import { expectedRuns } from './innings-chances.ts';
import { INNINGS_SPORTS, type InningsParameters, inningsParameters } from './innings-parameters.ts';

/** The facts from which a match's expected runs are computed. */
export interface RunsInput {
  match_id: number;
  /** Mean runs of the tournament's last full first innings before the day of the match. Null without one. */
  level: number | null;
  /** How many innings that are. */
  innings: number;
  /** The home side's lead in rating points, home advantage included; 0 without ratings. */
  difference: number;
}

/** Innings from which the level is computed: about one season. */
const MOST_INNINGS = 60;
/** With fewer innings, the level is that of all fitted matches. */
const LEAST_INNINGS = 10;

/** An innings is full if all 20 overs were bowled, or all wickets fell before. */
const INPUT = `SELECT m.id AS match_id, l.level, l.innings,
    coalesce(r.home - r.away + coalesce(r.home_advantage, 0) + coalesce(r.rest, 0), 0) AS difference
  FROM match m
  LEFT JOIN match_rating r ON (r.match_id, r.home_id, r.away_id) = (m.id, m.home_id, m.away_id)
  CROSS JOIN LATERAL (
    SELECT avg(runs)::float8 AS level, count(*)::int AS innings FROM (
      SELECT (f.p ->> 'home')::int + (f.p ->> 'away')::int AS runs
      FROM match e CROSS JOIN LATERAL (SELECT e.period_scores -> 0 AS p) f
      CROSS JOIN LATERAL (SELECT f.p -> 'innings' ->> 'overs' AS overs, (f.p -> 'innings' ->> 'wickets')::int AS wickets) i
      WHERE e.tournament_id = m.tournament_id AND e.status = 'finished' AND f.p ->> 'period' = 'I1'
        AND e.scheduled_start < date_trunc('day', m.scheduled_start AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'
        AND (i.overs = '20' OR i.wickets = 10 AND split_part(i.overs, '.', 1)::int < 20)
      ORDER BY e.scheduled_start DESC, e.id DESC LIMIT ${MOST_INNINGS}
    ) last
  ) l`;

const OF_MATCHES = prepared('inputs of expected runs', `${INPUT} WHERE m.id = ANY ($1::bigint[])`);
const OF_PERIOD = prepared(
  'inputs of expected runs in a period',
  `${INPUT} WHERE m.sport = ANY ($1) AND m.status = 'finished' AND extract(epoch FROM m.scheduled_start) >= $2::float8
     AND extract(epoch FROM m.scheduled_start) < $3::float8 ORDER BY m.scheduled_start, m.id`,
);

/** Reads the inputs of all finished matches that start in a period, in seconds since 1970, oldest first. */
export async function runsInputs(db: Queryable, { from, to }: { from: number; to: number }): Promise<RunsInput[]> {
  return (await db.query<RunsInput>(OF_PERIOD([INNINGS_SPORTS, from, to]))).rows;
}

export const toExpectedRuns = (
  { level, innings, difference }: RunsInput,
  parameters: Pick<InningsParameters, 'first_innings' | 'level'>,
): BySide =>
  expectedRuns(level !== null && innings >= LEAST_INNINGS ? level : parameters.level, difference, parameters);

/** Returns the matches' expected runs by match id. */
export async function expectRuns(db: Queryable, ids: readonly number[]): Promise<Map<number, BySide>> {
  if (ids.length === 0) return new Map();
  const { rows } = await db.query<RunsInput>(OF_MATCHES([ids]));
  return new Map(rows.map((row) => [row.match_id, toExpectedRuns(row, inningsParameters())]));
}
