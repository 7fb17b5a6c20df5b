/** Expected goals for a day's matches, from earlier days' matches. Win probabilities during a match are computed from them. Pure. */
import type { BySide } from '../../in-play/index.ts';
import { fitLeague, predictCalibrated } from '../calibrated/calibrated-model.ts';
import type { CalibratedMatch } from '../calibrated/columns.ts';
import type { SportParameters } from '../calibrated/parameters.ts';

interface Pairing {
  home_id: number;
  away_id: number;
  neutral: boolean;
}

/**
 * Expected goals, and where they come from. If the tournament has no earlier match, they are the sport's averages rather than the model's
 * figures.
 */
export interface Expected {
  expected: BySide;
  basis: 'model' | 'average';
}

/**
 * @param league earlier tournament matches. Only matches before the UTC day of `start` count.
 * @param start when one match starts, in seconds since 1970
 */
export function expectedOn(
  league: readonly CalibratedMatch[],
  start: number,
  sport: SportParameters,
): (match: Pairing) => Expected {
  const fit = fitLeague(league, start, sport);
  return ({ home_id, away_id, neutral }) => {
    const prediction = fit && predictCalibrated(fit, home_id, away_id, neutral);
    return prediction
      ? { expected: prediction.expected, basis: 'model' }
      : { expected: average(sport, neutral), basis: 'average' };
  };
}

function average({ goals: { level_goals, level_home_advantage } }: SportParameters, neutral: boolean): BySide {
  const half = neutral ? 0 : level_home_advantage / 2;
  return { home: level_goals * Math.exp(half), away: level_goals * Math.exp(-half) };
}
