/** The expected goals of matches, stored before the start, so that in-play chances need no history. */
import { prepared, type Queryable, wireTimeSql } from '../db/postgres.ts';
import type { BySide } from './chances.ts';

/** A match's sides and tournament when the rates were computed. If they change, the match gets new rates. */
export interface RatedFixture {
  match_id: number;
  tournament_id: number;
  home_id: number;
  away_id: number;
}

export interface MatchRates extends RatedFixture {
  /** Each side's expected goals in 90 minutes. */
  expected: BySide;
  /** `model` means the calibrated model. `average` means the sport's average, which is used if the tournament has no earlier match. */
  basis: 'model' | 'average';
  /** YYYY-MM-DDTHH:MM:SSZ */
  computed_at: string;
}

const STORE = prepared(
  'store match rates',
  // The query leaves out matches that were deleted in the meantime.
  `INSERT INTO match_rates (match_id, tournament_id, home_id, away_id, scheduled_start, expected_home, expected_away, basis, sample_cursor, computed_at)
   SELECT r.match_id, r.tournament_id, r.home_id, r.away_id, r.scheduled_start, r.expected_home, r.expected_away, r.basis, r.sample_cursor, $2
   FROM json_to_recordset($1) AS r (match_id bigint, tournament_id bigint, home_id bigint, away_id bigint, scheduled_start timestamptz,
     expected_home float8, expected_away float8, basis text, sample_cursor bigint)
   JOIN match m ON m.id = r.match_id
   ON CONFLICT (match_id) DO UPDATE SET tournament_id = excluded.tournament_id, home_id = excluded.home_id, away_id = excluded.away_id,
     scheduled_start = excluded.scheduled_start, expected_home = excluded.expected_home, expected_away = excluded.expected_away,
     basis = excluded.basis, sample_cursor = excluded.sample_cursor, computed_at = excluded.computed_at`,
);

export interface NewRates extends Omit<MatchRates, 'computed_at'> {
  /** The match start for which the rates were computed. */
  scheduled_start: string;
  /** The tournament's last change cursor before the rates were computed. */
  sample_cursor: number;
}

/** @param now ms since 1970 */
export async function storeRates(db: Queryable, rates: readonly NewRates[], now: number): Promise<void> {
  if (rates.length === 0) return;
  const rows = rates.map(({ expected, ...rest }) => ({
    ...rest,
    expected_home: expected.home,
    expected_away: expected.away,
  }));
  await db.query(STORE([JSON.stringify(rows), new Date(now)]));
}

const READ = prepared(
  'match rates',
  `SELECT match_id, tournament_id, home_id, away_id, json_build_object('home', expected_home, 'away', expected_away) AS expected, basis,
     ${wireTimeSql('computed_at')} AS computed_at
   FROM match_rates WHERE match_id = ANY ($1::bigint[])`,
);

/** Returns the stored rates by match id. */
export async function matchRates(db: Queryable, ids: readonly number[]): Promise<Map<number, MatchRates>> {
  if (ids.length === 0) return new Map();
  const { rows } = await db.query<MatchRates>(READ([ids]));
  return new Map(rows.map((row) => [row.match_id, row]));
}

/** True if rates were computed for the match's present tournament and sides, which may have changed since. */
export const areCurrent = (
  rates: RatedFixture,
  match: { tournament_id: number; home_id: number; away_id: number },
): boolean =>
  rates.tournament_id === match.tournament_id && rates.home_id === match.home_id && rates.away_id === match.away_id;
