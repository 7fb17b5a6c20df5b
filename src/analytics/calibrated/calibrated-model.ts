/**
 * The calibrated match model, which is a regression over the league's recent matches with a correction for low scores.
 * One fit is used for all the league's matches on a day. Pure.
 */

import {
  likelyScorelines,
  type Probabilities,
  type Scoreline,
  type ScoreMatrix,
  scoreMatrix,
  toProbabilities,
} from '../poisson/poisson.ts';
import { type Model, type ModelFigures, modelFigures, toScorelines } from '../poisson/poisson-model.ts';
import { buildColumns, type CalibratedMatch, type Method } from './columns.ts';
import type { Parameters, SportParameters } from './parameters.ts';
import { type LogStrength, priorStrength, regress } from './regression.ts';

/** Lower bound, far below any real side's expected goals. It keeps the score matrix small for any results. */
const FEWEST_EXPECTED_GOALS = 0.01;
const MOST_EXPECTED_GOALS = 50;

/** The model as fitted to a league's matches before a day. */
export interface LeagueFit {
  method: Method;
  parameters: Parameters;
  /** Logarithm of the goals that an average side scores against an average side at a neutral venue. */
  level: number;
  /** Logarithm of home goals ÷ away goals. */
  homeAdvantage: number;
  strengths: ReadonlyMap<number, LogStrength>;
  /** First and last start in the sample, in seconds since 1970, and the number of matches. */
  sample: { from: number; to: number; matches: number };
}

/** All values are unrounded. */
export interface CalibratedPrediction {
  method: Method;
  scorelines: Scoreline[];
  expected: { home: number; away: number };
  probabilities: Probabilities;
}

/**
 * @param league tournament matches in any order. The sample contains only those before the UTC day of `start` and within the last four
 * years.
 * @param start when the predicted match starts, in seconds since 1970
 * @returns null if there is no match
 */
export function fitLeague(league: readonly CalibratedMatch[], start: number, sport: SportParameters): LeagueFit | null {
  const columns = buildColumns(league, start, sport);
  const { method, parameters, sides, period } = columns;
  if (period === null) return null;
  const { level, homeAdvantage, attack, defence } = regress(columns);
  const strengths = new Map<number, LogStrength>();
  for (const [id, index] of sides) strengths.set(id, { attack: attack[index]!, defence: defence[index]! });
  return {
    method,
    parameters,
    level,
    homeAdvantage,
    strengths,
    sample: { ...period, matches: columns.home.length },
  };
}

/**
 * A side without matches in the sample has a newcomer's strength.
 * @param neutral true for a neutral venue, where it does not matter which side is home
 * @returns null for a side against itself
 */
export function predictCalibrated(
  fit: LeagueFit,
  homeId: number,
  awayId: number,
  neutral: boolean,
): CalibratedPrediction | null {
  if (homeId === awayId) return null;
  const { expected, matrix } = calibratedScores(fit, homeId, awayId, neutral);
  return {
    method: fit.method,
    expected,
    probabilities: withLowScores(toProbabilities(matrix), matrix.moved),
    scorelines: likelyScorelines(matrix),
  };
}

/** Returns a match's expected goals and score probabilities. */
export function calibratedScores(
  fit: LeagueFit,
  homeId: number,
  awayId: number,
  neutral: boolean,
): { expected: CalibratedPrediction['expected']; matrix: Required<ScoreMatrix> } {
  const expected = expectedGoals(fit, homeId, awayId, neutral);
  const matrix = scoreMatrix(expected.home, expected.away);
  return { expected, matrix: { ...matrix, moved: movedProbability(matrix, fit.parameters.low_score_correlation) } };
}

/**
 * Computes e^(level + sum ÷ 2 ± difference ÷ 2). Sum and difference are of the logarithms of both sides' goals, multiplied by the fitted
 * scales.
 */
function expectedGoals(
  { level, homeAdvantage, strengths, parameters }: LeagueFit,
  homeId: number,
  awayId: number,
  neutral: boolean,
): CalibratedPrediction['expected'] {
  const sideStrength = (id: number) => strengths.get(id) ?? priorStrength(0, parameters);
  const [home, away] = [sideStrength(homeId), sideStrength(awayId)];
  const [forHome, forAway] = [home.attack + away.defence, away.attack + home.defence];
  const middle = level + (parameters.total_scale * (forHome + forAway)) / 2;
  const half = ((neutral ? 0 : homeAdvantage) + parameters.difference_scale * (forHome - forAway)) / 2;
  const goals = (logarithm: number) =>
    Math.min(MOST_EXPECTED_GOALS, Math.max(FEWEST_EXPECTED_GOALS, Math.exp(logarithm)));
  return { home: goals(middle + half), away: goals(middle - half) };
}

/**
 * Returns the probability that the correction by M. J. Dixon and S. G. Coles (Appl. Statist. 46, 1997) moves: ρ × both sides' expected
 * goals × the probability of 0:0. It is moved from each of 0:0 and 1:1 to each of 1:0 and 0:1. Neither side's goal distribution changes. ρ
 * is limited so that no score gets a negative probability.
 */
function movedProbability({ home, away }: ScoreMatrix, correlation: number): number {
  const [home0 = 0, home1 = 0] = home;
  const [away0 = 0, away1 = 0] = away;
  const [none, each] = [home0 * away0, home1 * away1];
  const [homeOnly, awayOnly] = [home1 * away0, home0 * away1];
  // The 1:1 probability is the 0:0 probability times both sides' expected goals.
  return Math.min(none, each, Math.max(-homeOnly, -awayOnly, correlation * each));
}

function withLowScores(probabilities: Probabilities, moved: number): Probabilities {
  const bounded = (probability: number) => Math.min(1, Math.max(0, probability));
  return {
    ...probabilities,
    home_win: bounded(probabilities.home_win + moved),
    draw: bounded(probabilities.draw - 2 * moved),
    away_win: bounded(probabilities.away_win + moved),
    over_1_5: bounded(probabilities.over_1_5 - moved),
    btts: bounded(probabilities.btts - moved),
    btts_no: bounded(probabilities.btts_no + moved),
  };
}

const METHODS = { goals: 'ridge_poisson_goals', shots: 'ridge_poisson_goals_and_shots_on_target' } as const;

/** `model.calibrated` in the pre-match analytics. */
export type CalibratedModel = ModelFigures & Pick<Model, 'likely_scorelines'> & { method: string };

/** @returns the prediction as replies show it, rounded */
export const toCalibratedModel = (prediction: CalibratedPrediction): CalibratedModel => ({
  ...modelFigures(prediction),
  method: METHODS[prediction.method],
  likely_scorelines: toScorelines(prediction.scorelines),
});
