/** Measures the win probability of Twenty20 matches after each ball. Pure. */
import {
  chanceTerms,
  homeChance,
  type InningsParameters,
  inningsParameters,
  isInFirst,
  toExpectedRuns,
} from '../../in-play/index.ts';
import { expectedResult } from '../elo/elo.ts';
import type { MeasuredInnings } from '../fit/read-innings.ts';
import { matchDays } from '../samples/match-days.ts';
import { playedPeriod } from '../samples/match-samples.ts';
import { type Calibration, calibration, type EventForecast, eventLogLoss } from './forecast-scores.ts';

/**
 * Forecasts that the side that bats first wins. `elo` is the forecast before the match, `batting_first` the share of the sides batting
 * first that won on earlier days, and `even` is one half.
 */
export const INNINGS_FORECASTS = ['model', 'elo', 'batting_first', 'even'] as const;
type Forecast = (typeof INNINGS_FORECASTS)[number];

export interface InningsScores {
  /** Mean (predicted − actual)². */
  brier: number;
  log_loss: number;
}

/** `start` is before the first ball, `first` and `second` are after each ball of an innings. */
export const INNINGS_PARTS = ['start', 'first', 'second', 'all'] as const;

export interface InningsReport {
  matches: number;
  /** First and last match day as YYYY-MM-DD; null if there is no match. */
  period: { from: string; to: string } | null;
  /** Empty if there is no match. */
  parts: { part: (typeof INNINGS_PARTS)[number]; forecasts: number; scores: Record<Forecast, InningsScores> }[];
  /** Of the model after each ball; null if there is no match. */
  calibration: Calibration | null;
}

type Chances = Record<Forecast, number>;
interface Predicted {
  part: 'start' | 'first' | 'second';
  chances: Chances;
  won: boolean;
}

/** The share starts as if this many matches, half of them won, had been played. */
const PRIOR_MATCHES = 20;

/** @param matches also those of earlier days, from which the share of sides batting first follows */
export function backtestInnings(
  matches: readonly MeasuredInnings[],
  from: number,
  parameters: InningsParameters = inningsParameters(),
): InningsReport {
  const measured = matches.filter(({ start }) => start >= from);
  const shares = earlierShares(matches);
  const predicted = measured.flatMap((match) => predict(match, shares.get(match.match_id)!, parameters));
  const byBall = predicted.filter(({ part }) => part !== 'start');
  return {
    matches: measured.length,
    period: playedPeriod(measured),
    parts: INNINGS_PARTS.flatMap((part) => {
      const own = part === 'all' ? byBall : predicted.filter((one) => one.part === part);
      return own.length === 0 ? [] : [{ part, forecasts: own.length, scores: allScores(own) }];
    }),
    calibration: byBall.length === 0 ? null : calibration(events(byBall, 'model')),
  };
}

/** Returns the share of sides batting first that won before each match's day, by match id. */
function earlierShares(matches: readonly MeasuredInnings[]): Map<number, number> {
  const shares = new Map<number, number>();
  let [played, won] = [0, 0];
  for (const { matches: day } of matchDays(matches.map((match) => ({ ...match, id: match.match_id })))) {
    for (const { id } of day) shares.set(id, (won + PRIOR_MATCHES / 2) / (played + PRIOR_MATCHES));
    played += day.length;
    won += day.filter(({ firstWon }) => firstWon).length;
  }
  return shares;
}

function predict(match: MeasuredInnings, batting_first: number, parameters: InningsParameters): Predicted[] {
  const expected = toExpectedRuns(match, parameters);
  const ofFirst = (home: number) => (match.first === 'home' ? home : 1 - home);
  const others = { elo: ofFirst(expectedResult(match.difference)), batting_first, even: 0.5 };
  return [match.before, ...match.states].flatMap((state, index): Predicted[] => {
    // After the last ball there is nothing to predict.
    if (chanceTerms(state, expected, parameters) === null) return [];
    const chances = { model: ofFirst(homeChance(state, expected, parameters)), ...others };
    return [{ part: index === 0 ? 'start' : isInFirst(state) ? 'first' : 'second', chances, won: match.firstWon }];
  });
}

const events = (predicted: readonly Predicted[], forecast: Forecast): EventForecast[] =>
  predicted.map(({ chances, won }) => ({ probability: chances[forecast], occurred: won }));

function allScores(predicted: readonly Predicted[]): Record<Forecast, InningsScores> {
  const entries = INNINGS_FORECASTS.map((forecast) => {
    const own = events(predicted, forecast);
    const squares = own.reduce((sum, { probability, occurred }) => sum + (probability - Number(occurred)) ** 2, 0);
    return [forecast, { brier: squares / own.length, log_loss: eventLogLoss(own)! }];
  });
  return Object.fromEntries(entries);
}
