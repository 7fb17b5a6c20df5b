/**
 * Matches that count for Elo ratings: those that men's first teams have played to the end. Awarded matches do not count, because they say
 * nothing about strength.
 */
import type pg from 'pg';
import { sportsWith } from '../../sports/sports.ts';
import type { ClubMatch } from './clubs.ts';
import { matchWeight } from './match-weights.ts';
import type { NationalMatch } from './national-teams.ts';

export interface RatedMatches {
  national: NationalMatch[];
  clubs: ClubMatch[];
  /** Clubs with a fixture in the season, by season. */
  seasons: Map<number, Set<number>>;
}

const SPORTS_SQL = `'{${sportsWith(({ elo }) => elo)}}'::text[]`;

const isNational = (side: string) => `split_part(${side}.key, '|', 2) LIKE 'national team %'`;

const PLAYED = `
  FROM match m JOIN tournament t ON t.id = m.tournament_id
    JOIN participant h ON h.id = m.home_id JOIN participant a ON a.id = m.away_id LEFT JOIN venue v ON v.id = m.venue_id
  WHERE m.sport = ANY (${SPORTS_SQL}) AND t.gender = 'men' AND NOT t.youth AND NOT t.amateur AND NOT t.demo
    AND m.status = 'finished' AND m.status_detail IN ('ended', 'after_extra_time', 'after_penalties')
    AND m.home_score IS NOT NULL AND m.away_score IS NOT NULL AND m.home_id <> m.away_id`;

const COLUMNS = `m.id, floor(extract(epoch FROM m.scheduled_start))::float8 AS start, m.home_id, m.away_id, m.home_score, m.away_score`;

/**
 * SQL for the host. If sides from two countries meet at a known venue, the venue's country decides, since sources order the sides
 * differently.
 */
const HOST = `CASE
    WHEN t.country = 'INT' AND v.country IS NOT NULL THEN CASE v.country WHEN h.country THEN 'home' WHEN a.country THEN 'away' END
    WHEN m.neutral THEN NULL
    ELSE 'home' END AS host`;

const NATIONAL = `SELECT ${COLUMNS}, ${HOST}, t.name AS tournament ${PLAYED} AND ${isNational('h')} AND ${isNational('a')}`;

const CLUBS = `SELECT ${COLUMNS}, ${HOST}, m.tournament_id, m.season_id, t.country, t.tier, t.importance
  ${PLAYED} AND NOT ${isNational('h')} AND NOT ${isNational('a')} AND h.country <> 'INT' AND a.country <> 'INT'`;

const SEASONS = `
  SELECT m.season_id, array_agg(DISTINCT side.id) AS clubs
  FROM match m JOIN tournament t ON t.id = m.tournament_id CROSS JOIN LATERAL (VALUES (m.home_id), (m.away_id)) AS side (id)
  WHERE m.sport = ANY (${SPORTS_SQL}) AND t.gender = 'men' AND t.tier IS NOT NULL
  GROUP BY m.season_id`;

export async function ratedMatches(pool: pg.Pool): Promise<RatedMatches> {
  const national = await pool.query<Omit<NationalMatch, 'weight'> & { tournament: string }>(NATIONAL);
  const clubs = await pool.query<ClubMatch>(CLUBS);
  const seasons = await pool.query<{ season_id: number; clubs: number[] }>(SEASONS);
  return {
    national: national.rows.map(({ tournament, ...match }) => ({ ...match, weight: matchWeight(tournament) })),
    clubs: clubs.rows,
    seasons: new Map(seasons.rows.map(({ season_id, clubs }) => [season_id, new Set(clubs)])),
  };
}
