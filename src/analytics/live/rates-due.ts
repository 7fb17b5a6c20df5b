/** Computes rates for matches that are live or start soon. It reads only Postgres, since the process may not have ClickHouse. */
import type { Queryable } from '../../db/postgres.ts';
import { IN_PLAY_SPORTS, type NewRates } from '../../in-play/index.ts';
import { type CalibratedMatch, WINDOW_DAYS } from '../calibrated/columns.ts';
import { sportParameters } from '../calibrated/parameters.ts';
import { countedMatch } from '../loader/history-page.ts';
import { NEUTRAL, SECONDS_PER_DAY, startOfDay } from '../samples/match-samples.ts';
import { expectedOn } from './expected-before-match.ts';

/** Days before the start at which a match gets its first rates. */
const DAYS_AHEAD = 14;
/**
 * If a match in the tournament has changed, rates are computed again after this many hours. More often is not needed, since only earlier
 * days' results count.
 */
const HOURS_BETWEEN = 1;
/** A match that has not begun still gets rates for this many days after its scheduled start. */
const DAYS_LATE = 1;

export interface DueMatch {
  match_id: number;
  home_id: number;
  away_id: number;
  /** The start in Postgres format, and in seconds since 1970. */
  scheduled_start: string;
  start: number;
  neutral: boolean;
}

export interface DueTournament {
  tournament_id: number;
  sport: string;
  /** Last change cursor among the tournament's matches. */
  sample_cursor: number;
  /** All matches in the window that need rates, ordered by start. */
  matches: DueMatch[];
}

/**
 * Returns the tournament with the most urgent match that needs rates. Live matches come before matches that have not begun. A live match
 * keeps the rates with which it began, and gets new ones only if its sides or its tournament were corrected.
 * @param now ms since 1970
 * @returns null if no match needs rates
 */
export async function nextDueTournament(db: Queryable, now: number): Promise<DueTournament | null> {
  const { rows } = await db.query<DueTournament>({
    name: 'matches without current rates',
    text: `WITH due AS (
        SELECT m.id AS match_id, m.tournament_id, m.sport, m.home_id, m.away_id, m.scheduled_start, m.status, c.last,
          coalesce(${NEUTRAL}, false) AS neutral
        FROM match m
        JOIN tournament t ON t.id = m.tournament_id JOIN participant h ON h.id = m.home_id LEFT JOIN venue v ON v.id = m.venue_id
        LEFT JOIN match_rates r ON r.match_id = m.id
        CROSS JOIN LATERAL (SELECT coalesce(max(change_cursor), 0) AS last FROM match_change WHERE tournament_id = m.tournament_id) c
        WHERE m.sport = ANY ($1) AND m.home_id <> m.away_id
          AND (m.status = 'live' OR m.status = 'scheduled' AND m.status_detail <> 'postponed'
            AND m.scheduled_start BETWEEN $2::timestamptz - interval '${DAYS_LATE} days' AND $2::timestamptz + interval '${DAYS_AHEAD} days')
          AND (r.match_id IS NULL OR (r.tournament_id, r.home_id, r.away_id) <> (m.tournament_id, m.home_id, m.away_id)
            OR m.status = 'scheduled' AND (r.scheduled_start <> m.scheduled_start
              OR r.computed_at < $2::timestamptz - interval '${HOURS_BETWEEN} hours' AND r.sample_cursor < c.last))
      ), first AS (SELECT tournament_id FROM due ORDER BY status = 'live' DESC, scheduled_start, match_id LIMIT 1)
      SELECT d.tournament_id, d.sport, max(d.last) AS sample_cursor, json_agg(json_build_object('match_id', d.match_id, 'home_id', d.home_id,
          'away_id', d.away_id, 'scheduled_start', d.scheduled_start::text,
          'start', floor(extract(epoch FROM d.scheduled_start)), 'neutral', d.neutral) ORDER BY d.scheduled_start, d.match_id) AS matches
      FROM due d JOIN first f ON f.tournament_id = d.tournament_id GROUP BY d.tournament_id, d.sport`,
    values: [IN_PLAY_SPORTS, new Date(now)],
  });
  return rows[0] ?? null;
}

/**
 * Computes each match's rates from earlier days' matches.
 * @param pause called between two match days
 */
export async function computeRates(
  db: Queryable,
  { tournament_id, sport, sample_cursor, matches }: DueTournament,
  pause: () => Promise<void>,
): Promise<NewRates[]> {
  const parameters = sportParameters(sport)!;
  const days = [...new Set(matches.map(({ start }) => startOfDay(start)))];
  const league = await leagueMatches(db, tournament_id, Math.min(...days) - WINDOW_DAYS * SECONDS_PER_DAY);
  const rates: NewRates[] = [];
  for (const day of days) {
    const expected = expectedOn(league, day, parameters);
    for (const match of matches.filter(({ start }) => startOfDay(start) === day)) {
      const { match_id, home_id, away_id, scheduled_start } = match;
      rates.push({ match_id, tournament_id, home_id, away_id, scheduled_start, sample_cursor, ...expected(match) });
    }
    await pause();
  }
  return rates;
}

/** @param from seconds since 1970 */
async function leagueMatches(db: Queryable, tournamentId: number, from: number): Promise<CalibratedMatch[]> {
  const { rows } = await db.query<CalibratedMatch>({
    name: 'league matches',
    text: `SELECT c.start::float8, c.home_id, c.away_id, c.home_goals AS home_score, c.away_goals AS away_score, c.neutral = 1 AS neutral,
        c.home_shots AS home_shots_on_target, c.away_shots AS away_shots_on_target
      FROM match game CROSS JOIN LATERAL (${countedMatch('game.id')}) c
      WHERE game.tournament_id = $1 AND game.status = 'finished' AND game.scheduled_start >= to_timestamp($2)`,
    values: [tournamentId, from],
  });
  return rows;
}
