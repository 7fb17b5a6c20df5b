/** How good the forecasts of each model were. Pure. */
import {
  brierScore,
  type EventForecast,
  eventLogLoss,
  expectedCalibrationError,
  logLoss,
  type OutcomeForecast,
  type ReliabilityBin,
  rankedProbabilityScore,
  reliabilityTable,
} from '../evaluation.ts';
import { type Forecast, type MatchForecasts, MODELS, type ModelName } from './forecast.ts';

export const OUTCOMES = ['home', 'draw', 'away'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** See evaluation.ts for what they are. */
export interface ModelScores {
  rps: number;
  brier: number;
  log_loss: number;
  /** Of more than 2.5 goals; null where the model does not forecast goals, or another one does not for any match. */
  over_under_2_5_log_loss: number | null;
  /** Between 0 and 1. */
  calibration_error: Record<Outcome, number>;
  reliability: Record<Outcome, ReliabilityBin[]>;
}

/** Forecasts no goals. */
const OUTCOMES_ONLY: ModelName = 'elo';

/** Each model is judged by the same matches. */
export interface Evaluation {
  matches: number;
  /** Those that every model but Elo forecasts goals for. */
  over_under_matches: number;
  models: Partial<Record<ModelName, ModelScores>>;
}

/** @returns null without a match */
export function evaluate(all: readonly MatchForecasts[], models: readonly ModelName[]): Evaluation | null {
  const matches = all.filter((match) => models.every((model) => match[model] !== null));
  if (matches.length === 0) return null;
  const withGoals = matches.filter((match) =>
    models.every((model) => model === OUTCOMES_ONLY || match[model]!.over !== null),
  );
  return {
    matches: matches.length,
    over_under_matches: withGoals.length,
    models: Object.fromEntries(
      models.map((model) => [model, computeScores(matches, model === OUTCOMES_ONLY ? [] : withGoals, model)]),
    ),
  };
}

function computeScores(
  matches: readonly MatchForecasts[],
  withGoals: readonly MatchForecasts[],
  model: ModelName,
): ModelScores {
  const modelForecast = (match: MatchForecasts): Forecast => match[model]!;
  const outcomes = matches.map((match): OutcomeForecast => {
    const { home, draw, away } = modelForecast(match);
    return { probabilities: [home, draw, away], outcome: match.outcome };
  });
  const events = (outcome: Outcome): EventForecast[] =>
    matches.map((match) => ({ probability: modelForecast(match)[outcome], occurred: match.outcome === outcome }));
  const each = <V>(value: (outcome: Outcome) => V) =>
    Object.fromEntries(OUTCOMES.map((outcome) => [outcome, value(outcome)])) as Record<Outcome, V>;
  return {
    rps: rankedProbabilityScore(outcomes)!,
    brier: brierScore(outcomes)!,
    log_loss: logLoss(outcomes)!,
    over_under_2_5_log_loss: eventLogLoss(
      withGoals.map((match) => ({ probability: modelForecast(match).over!, occurred: match.over })),
    ),
    calibration_error: each((outcome) => expectedCalibrationError(events(outcome))!),
    reliability: each((outcome) => reliabilityTable(events(outcome))),
  };
}

export interface BacktestReport {
  /** What it was made from. */
  tournaments: { id: number; name: string; matches: number }[];
  /** YYYY-MM-DD of the first and the last match; null without one. */
  period: { from: string; to: string } | null;
  /** Null without a match. */
  all: Evaluation | null;
  /** The matches with odds, the bookmakers among the models; null where none are held. */
  with_odds: Evaluation | null;
  /** By label. */
  seasons: { season: string; evaluation: Evaluation }[];
}

/** The models that need no odds. */
export const OWN_MODELS = MODELS.filter((model) => model !== 'bookmakers');

/** On all matches, of the bookmakers on those with odds. */
export const scoresIn = ({ all, with_odds }: BacktestReport, model: ModelName): ModelScores | undefined =>
  all?.models[model] ?? with_odds?.models[model];
