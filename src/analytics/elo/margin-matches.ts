/**
 * Matches in sports that have a margin rating. Played matches change the ratings. Upcoming matches only get the ratings with which their
 * sides will enter them.
 */
import { firstRow, type Queryable } from '../../db/postgres.ts';
import { findSport } from '../../sports/sports.ts';
import { FINAL_WINNER } from '../../sports/winner-sql.ts';
import type { MarginMatch } from './margin-elo.ts';

export interface MarginFixture extends MarginMatch {
  tournament_id: number;
  /** True if the match was played to the end. Awarded matches do not count, because they say nothing about strength. */
  counts: boolean;
  /** True if men's first teams play in a real league. Only such matches enter rankings. */
  ranks: boolean;
}

/** How many days before its start an upcoming match gets ratings. */
const AHEAD_DAYS = 60;

const COUNTS = `m.status = 'finished' AND m.status_detail IN ('ended', 'after_extra_time', 'after_penalties')
  AND m.home_score IS NOT NULL AND m.away_score IS NOT NULL AND m.home_id <> m.away_id`;

const FIXTURES = `SELECT m.id, floor(extract(epoch FROM m.scheduled_start))::float8 AS start, m.tournament_id, m.home_id, m.away_id,
    coalesce(m.home_score, 0) AS home_score, coalesce(m.away_score, 0) AS away_score, s.season_label,
    ${FINAL_WINNER} AS winner,
    CASE WHEN m.neutral OR $3 AND m.neutral IS NULL THEN NULL ELSE 'home' END AS host, ${COUNTS} AS counts,
    t.gender = 'men' AND NOT t.youth AND NOT t.amateur AND NOT t.demo AS ranks
  FROM match m JOIN tournament t ON t.id = m.tournament_id JOIN season s ON s.id = m.season_id
  WHERE m.sport = $1 AND ($2::timestamptz IS NULL OR m.scheduled_start < $2::timestamptz + interval '${AHEAD_DAYS} days')
    AND ($4::bigint[] IS NULL OR m.tournament_id <> ALL ($4))`;

/** Tournaments in which sides bat twice, as in Test cricket. They have draws, which no other form of the game has. */
const LONG_FORMS = `SELECT coalesce(array_agg(DISTINCT tournament_id), '{}') AS ids FROM match
  WHERE sport = $1 AND EXISTS (SELECT FROM json_array_elements(period_scores) p WHERE p ->> 'period' = 'I3')`;

/** @param sport slug @param now YYYY-MM-DDTHH:MM:SSZ. Matches that start more than 60 days later are left out. */
export async function marginFixtures(
  db: Queryable,
  sport: string,
  now: string | null = null,
): Promise<MarginFixture[]> {
  const { rating, wickets } = findSport(sport)!;
  const left = wickets ? firstRow((await db.query<{ ids: number[] }>(LONG_FORMS, [sport])).rows).ids : null;
  const { rows } = await db.query<Omit<MarginFixture, 'year'> & { season_label: string }>(FIXTURES, [
    sport,
    now,
    rating?.knownHosts ?? false,
    left,
  ]);
  return rows.map(({ season_label, ...match }) => ({ ...match, year: Number(season_label.slice(0, 4)) }));
}
