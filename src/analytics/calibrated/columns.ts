/** Training matches for the calibrated model, as number columns, which are faster to sum than objects. Pure. */
import { lastDays, SECONDS_PER_DAY, startOfDay } from '../samples/match-samples.ts';
import type { Parameters, SportParameters } from './parameters.ts';

/** Length of the sample, about four seasons. Older matches would have little weight. */
export const WINDOW_DAYS = 1_461;
/** Maximum number of goals that count for a side. A higher number is an error, or tells nothing more about the next match. */
const MOST_GOALS = 20;
/** Minimum share of matches with shots on target. If the share is smaller, the parameters for shots do not suit the sample. */
const LEAST_SHARE_WITH_SHOTS = 0.5;

/** A match with a result that counts. */
export interface CalibratedMatch {
  /** Seconds since 1970. */
  start: number;
  home_id: number;
  away_id: number;
  /** Without shoot-out goals. */
  home_score: number;
  away_score: number;
  neutral: boolean;
  /** Null if unknown. */
  home_shots_on_target: number | null;
  away_shots_on_target: number | null;
}

/** What the model treats as goals. `goals` means goals only, `shots` means goals and shots on target. */
export type Method = 'goals' | 'shots';

/** Each row is a match; a column has one value per row. */
export interface Columns {
  method: Method;
  parameters: Parameters;
  /** Each side's index in the arrays over sides, by side id. */
  sides: Map<number, number>;
  home: Int32Array;
  away: Int32Array;
  /** 1 for a match on the same day, halved after each half-life. */
  weight: Float64Array;
  /** The values that the model treats as goals, without weights. */
  homeGoals: Float64Array;
  awayGoals: Float64Array;
  neutral: boolean[];
  /** First and last start, in seconds since 1970; null if there is no match. */
  period: { from: number; to: number } | null;
}

/**
 * Rows are in an order that does not depend on the input order, so that sums of doubles are always the same.
 * @param league matches in any order
 * @param start when the predicted match starts. Only matches before that UTC day are included.
 */
export function buildColumns(league: readonly CalibratedMatch[], start: number, sport: SportParameters): Columns {
  const matches = lastDays(start, league, WINDOW_DAYS)
    .filter(({ home_id, away_id }) => home_id !== away_id)
    .sort(byContent);
  const method = chooseMethod(matches, sport);
  const [first, last] = [matches[0], matches.at(-1)];
  const columns: Columns = {
    method,
    parameters: sport[method],
    sides: new Map(),
    home: new Int32Array(matches.length),
    away: new Int32Array(matches.length),
    weight: new Float64Array(matches.length),
    homeGoals: new Float64Array(matches.length),
    awayGoals: new Float64Array(matches.length),
    neutral: matches.map(({ neutral }) => neutral),
    period: first && last ? { from: first.start, to: last.start } : null,
  };
  fill(columns, matches, startOfDay(start));
  return columns;
}

// Loops over indices, because typed array methods with callbacks take three times as long.
function fill(columns: Columns, matches: readonly CalibratedMatch[], today: number): void {
  const { half_life_days, shots_share } = columns.parameters;
  const sideIndex = (id: number) => {
    const index = columns.sides.get(id) ?? columns.sides.size;
    columns.sides.set(id, index);
    return index;
  };
  for (let row = 0; row < matches.length; row += 1) {
    const match = matches[row]!;
    const days = (today - startOfDay(match.start)) / SECONDS_PER_DAY;
    columns.weight[row] = 2 ** (-days / half_life_days);
    columns.home[row] = sideIndex(match.home_id);
    columns.away[row] = sideIndex(match.away_id);
  }
  const conversion = shots_share > 0 ? estimateConversion(matches, columns.weight) : null;
  for (let row = 0; row < matches.length; row += 1) {
    const match = matches[row]!;
    const share = conversion !== null && hasShots(match) ? shots_share : 0;
    const counted = (goals: number, shots: number | null) =>
      (1 - share) * Math.min(goals, MOST_GOALS) + share * Math.min((conversion ?? 0) * (shots ?? 0), MOST_GOALS);
    columns.homeGoals[row] = counted(match.home_score, match.home_shots_on_target);
    columns.awayGoals[row] = counted(match.away_score, match.away_shots_on_target);
  }
}

const hasShots = (match: CalibratedMatch): boolean =>
  match.home_shots_on_target !== null && match.away_shots_on_target !== null;

const chooseMethod = (matches: readonly CalibratedMatch[], sport: SportParameters): Method => {
  if (sport.shots.shots_share === 0) return 'goals';
  const count = matches.filter(hasShots).length;
  return count > 0 && count >= LEAST_SHARE_WITH_SHOTS * matches.length ? 'shots' : 'goals';
};

/** @returns goals per shot on target; null if there were no shots */
function estimateConversion(matches: readonly CalibratedMatch[], weight: Float64Array): number | null {
  let [goals, shots] = [0, 0];
  for (let row = 0; row < matches.length; row += 1) {
    const match = matches[row]!;
    if (!hasShots(match)) continue;
    goals += weight[row]! * (Math.min(match.home_score, MOST_GOALS) + Math.min(match.away_score, MOST_GOALS));
    shots += weight[row]! * (match.home_shots_on_target! + match.away_shots_on_target!);
  }
  return shots > 0 ? goals / shots : null;
}

/** Orders matches by their values. Matches that compare equal are interchangeable. */
const byContent = (a: CalibratedMatch, b: CalibratedMatch): number =>
  a.start - b.start ||
  a.home_id - b.home_id ||
  a.away_id - b.away_id ||
  a.home_score - b.home_score ||
  a.away_score - b.away_score ||
  Number(a.neutral) - Number(b.neutral) ||
  (a.home_shots_on_target ?? -1) - (b.home_shots_on_target ?? -1) ||
  (a.away_shots_on_target ?? -1) - (b.away_shots_on_target ?? -1);
