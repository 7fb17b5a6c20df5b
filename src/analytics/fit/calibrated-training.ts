/** Fits the hyper-parameters. Each candidate predicts past matches from earlier matches only. Pure. */

import { fitLeague, type LeagueFit, predictCalibrated } from '../calibrated/calibrated-model.ts';
import { type Method, WINDOW_DAYS } from '../calibrated/columns.ts';
import type { Parameters } from '../calibrated/parameters.ts';
import type { HistoryMatch } from '../history/match-source.ts';
import { matchDays } from '../samples/match-days.ts';
import { searchParameters } from './parameter-search.ts';

/** Only every second match day is predicted. This halves the time and still covers all seasons. */
const DAY_STRIDE = 2;
/** Lower bound for a probability in the log-loss. */
const SMALLEST_PROBABILITY = 1e-15;

/** The search starts from average values published for the large football leagues. */
const START: Parameters = {
  half_life_days: 320,
  ridge: 14,
  newcomer_attack: 0.15,
  newcomer_defence: 0.15,
  newcomer_matches: 30,
  shots_share: 0.5,
  level_matches: 10,
  level_goals: 1.35,
  level_home_advantage: 0.3,
  difference_scale: 1.2,
  total_scale: 0.8,
  low_score_correlation: -0.05,
};

export interface Training {
  /** Each tournament's matches. */
  tournaments: readonly (readonly HistoryMatch[])[];
  /** Matches are predicted if they start at or after `from` and before `to`, in seconds since 1970. */
  from: number;
  to: number;
}

/** Mean log-losses in nats. */
export interface Losses {
  outcome: number;
  over_under_2_5: number;
}

export interface Trained {
  parameters: Parameters;
  losses: Losses;
  /** How many matches were predicted. */
  matches: number;
}

/** A predicted day in a league. */
interface TrainingDay {
  start: number;
  earlier: HistoryMatch[];
  matches: readonly HistoryMatch[];
}

/**
 * Minimises the sum of two log-losses: for the outcome, and for more than 2.5 goals.
 * @param method `goals` does not use shots on target; with `shots`, only days with shots in the sample are predicted
 * @throws Error if no match can be predicted
 */
export function train(
  training: Training,
  method: Method,
  onGain: (parameters: Parameters, loss: number) => void,
): Trained {
  const start = method === 'shots' ? START : { ...START, shots_share: 0 };
  const fitDay = (day: TrainingDay, parameters: Parameters) =>
    fitLeague(day.earlier, day.start, { goals: parameters, shots: parameters });
  const days = listTrainingDays(training).filter((day) => fitDay(day, start)?.method === method);
  if (days.length === 0) throw new Error(`no match in the period can be predicted from ${method}`);
  const fit = (parameters: Parameters) =>
    days.flatMap(({ matches, ...day }) => {
      const found = fitDay({ matches, ...day }, parameters);
      return found === null ? [] : [{ matches, fit: found }];
    });
  const parameters = searchParameters({
    start,
    fit,
    loss: (fits, candidate) => {
      const { outcome, over_under_2_5 } = computeLosses(fits, candidate);
      return outcome + over_under_2_5;
    },
    fixed: method === 'shots' ? [] : ['shots_share'],
    onGain,
  });
  return {
    parameters,
    losses: computeLosses(fit(parameters), parameters),
    matches: days.reduce((sum, { matches }) => sum + matches.length, 0),
  };
}

function listTrainingDays({ tournaments, from, to }: Training): TrainingDay[] {
  const days: TrainingDay[] = [];
  for (const league of tournaments) {
    let index = 0;
    for (const day of matchDays(league)) {
      const matches = day.matches.filter(
        ({ start, home_id, away_id }) => start >= from && start < to && home_id !== away_id,
      );
      if (matches.length === 0) continue;
      if (index % DAY_STRIDE === 0) days.push({ start: day.start, earlier: day.earlier(WINDOW_DAYS), matches });
      index += 1;
    }
  }
  return days;
}

function computeLosses(
  days: readonly { matches: readonly HistoryMatch[]; fit: LeagueFit }[],
  parameters: Parameters,
): Losses {
  let [outcome, goals, count] = [0, 0, 0];
  for (const { matches, fit: former } of days) {
    const fit = { ...former, parameters };
    for (const { home_id, away_id, home_score, away_score, neutral } of matches) {
      const { home_win, draw, away_win, over_2_5, under_2_5 } = predictCalibrated(
        fit,
        home_id,
        away_id,
        neutral,
      )!.probabilities;
      outcome += logLoss(home_score > away_score ? home_win : home_score < away_score ? away_win : draw);
      goals += logLoss(home_score + away_score > 2.5 ? over_2_5 : under_2_5);
      count += 1;
    }
  }
  return { outcome: outcome / count, over_under_2_5: goals / count };
}

const logLoss = (probability: number): number => -Math.log(Math.max(probability, SMALLEST_PROBABILITY));
