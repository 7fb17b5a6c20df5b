/** Queries for the matches and sides of a season's bracket. */
import { prepared, type Queryable } from '../../db/postgres.ts';
import type { Read } from '../../db/reads.ts';
import type { RoundMatch } from './knockout-rounds.ts';

export interface SeasonMatch extends RoundMatch {
  round_num: number | null;
}

const MATCHES = prepared(
  'round matches',
  `SELECT id, sport, round_name, round_num, group_name AS group, home_id, away_id, extract(epoch FROM scheduled_start)::float8 AS start,
     status, status_detail, home_score, away_score, period_scores, shootout_winner, given_winner
   FROM match WHERE season_id = $1 ORDER BY scheduled_start, id`,
);

/** Reads the matches of `roundMatches` together with the rest of a page. @param seasonId null for none */
export const roundMatchesRead = (seasonId: number | null): Read<SeasonMatch[]> => ({
  statement: MATCHES([seasonId]),
  toValue: (rows: SeasonMatch[]) => rows,
});

/** Returns all matches, including cancelled ones, oldest first. */
export async function roundMatches(db: Queryable, seasonId: number): Promise<SeasonMatch[]> {
  return (await db.query<SeasonMatch>(MATCHES([seasonId]))).rows;
}

export interface SideRow {
  id: number;
  name: string;
  name_ru: string | null;
  /** A national team's country; null for a club. */
  country: string | null;
  /** Letter code from a provider; null if no provider gave one. */
  code: string | null;
}

const SIDES = prepared(
  'season sides',
  `SELECT p.id, named.name, named.name_ru, CASE WHEN p.key LIKE '%|national team %' THEN p.country END AS country,
     CASE jsonb_typeof(p.extra -> 'code') WHEN 'string' THEN p.extra ->> 'code' END AS code
   FROM (
     SELECT side.id, max(m.scheduled_start) AS last_start
     FROM match m CROSS JOIN LATERAL (VALUES (m.home_id), (m.away_id)) side (id)
     WHERE m.season_id = $1 AND side.id = ANY ($2::bigint[]) GROUP BY side.id
   ) side
   JOIN participant p ON p.id = side.id
   CROSS JOIN LATERAL names_at(p.id, side.last_start) named`,
);

const byId = (rows: readonly SideRow[]) => new Map(rows.map((side) => [side.id, side]));

/** Reads the sides of `seasonSides` together with the rest of a page. @param seasonId null for none */
export const seasonSidesRead = (
  seasonId: number | null,
  ids: readonly number[],
): Read<ReadonlyMap<number, SideRow>> => ({
  statement: SIDES([seasonId, ids]),
  toValue: byId,
});

/** Returns sides with the names that they had at the last match in the season. */
export async function seasonSides(
  db: Queryable,
  seasonId: number,
  ids: readonly number[],
): Promise<Map<number, SideRow>> {
  return byId((await db.query<SideRow>(SIDES([seasonId, ids]))).rows);
}
