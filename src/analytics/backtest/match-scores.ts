/** Scores for each model's forecasts. Pure. */

import {
  calibration,
  eventLogLoss,
  type Outcome,
  type OutcomeForecast,
  type OutcomeScores,
  outcomeEvents,
  outcomeScores,
  type ReliabilityBin,
} from './forecast-scores.ts';
import { type MatchForecasts, MODELS, type ModelName } from './match-forecasts.ts';

/** The scores are defined in forecast-scores.ts. */
export interface ModelScores extends OutcomeScores {
  /** Log-loss for more than 2.5 goals. Null if the model forecasts no goals, or if no match has a goal forecast from every goal model. */
  over_under_2_5_log_loss: number | null;
  /** Between 0 and 1. */
  calibration_error: Record<Outcome, number>;
  reliability: Record<Outcome, ReliabilityBin[]>;
}

/** Models that forecast no goals. */
const OUTCOMES_ONLY: readonly ModelName[] = ['elo', 'spi'];

/** All models' scores on the same matches. */
export interface Evaluation {
  matches: number;
  /** Number of matches for which every goal model has a goal forecast. */
  over_under_matches: number;
  models: Partial<Record<ModelName, ModelScores>>;
}

/** @returns null if there is no match */
export function evaluate(all: readonly MatchForecasts[], models: readonly ModelName[]): Evaluation | null {
  const matches = all.filter((match) => models.every((model) => match[model] !== null));
  if (matches.length === 0) return null;
  const withGoals = matches.filter((match) =>
    models.every((model) => OUTCOMES_ONLY.includes(model) || (match[model]?.over ?? null) !== null),
  );
  return {
    matches: matches.length,
    over_under_matches: withGoals.length,
    models: Object.fromEntries(
      models.map((model) => [model, computeScores(matches, OUTCOMES_ONLY.includes(model) ? [] : withGoals, model)]),
    ),
  };
}

function computeScores(
  matches: readonly MatchForecasts[],
  withGoals: readonly MatchForecasts[],
  model: ModelName,
): ModelScores {
  const outcomes = matches.flatMap((match): OutcomeForecast[] => {
    const forecast = match[model];
    return forecast ? [{ probabilities: [forecast.home, forecast.draw, forecast.away], outcome: match.outcome }] : [];
  });
  const goals = withGoals.flatMap((match) => {
    const probability = match[model]?.over ?? null;
    return probability === null ? [] : [{ probability, occurred: match.over }];
  });
  const calibrated = (outcome: Outcome) => calibration(outcomeEvents(outcomes, outcome));
  const [home, draw, away] = [calibrated('home'), calibrated('draw'), calibrated('away')] as const;
  return {
    ...outcomeScores(outcomes),
    over_under_2_5_log_loss: eventLogLoss(goals),
    calibration_error: {
      home: home.calibration_error,
      draw: draw.calibration_error,
      away: away.calibration_error,
    },
    reliability: { home: home.reliability, draw: draw.reliability, away: away.reliability },
  };
}

export interface BacktestReport {
  /** The measured tournaments, with their number of matches. */
  tournaments: { id: number; name: string; matches: number }[];
  /** First and last match day as YYYY-MM-DD; null if there is no match. */
  period: { from: string; to: string } | null;
  /** Null if there is no match. */
  all: Evaluation | null;
  /** Evaluation on the matches with odds, where the bookmakers are one of the models; null if no odds are stored. */
  with_odds: Evaluation | null;
  /**
   * Evaluation on all matches with a FiveThirtyEight forecast, even if a side had played few matches by then. Absent if there are no such
   * forecasts.
   */
  published?: { all: Evaluation; leagues: { id: number; name: string; evaluation: Evaluation }[] };
  /** Season labels. */
  seasons: { season: string; evaluation: Evaluation }[];
}

/** Models that need only results. */
export const OWN_MODELS = MODELS.filter((model) => model !== 'bookmakers' && model !== 'spi');
export const PUBLISHED_MODELS = ['calibrated', 'spi'] as const satisfies readonly ModelName[];

/** Returns a model's scores on all matches, or, for published forecasts, on the matches that have one. */
export const scoresIn = ({ all, with_odds, published }: BacktestReport, model: ModelName): ModelScores | undefined =>
  all?.models[model] ?? with_odds?.models[model] ?? published?.all.models[model];
