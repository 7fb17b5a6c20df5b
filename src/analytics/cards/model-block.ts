/** Builds `model` in the pre-match analytics, with figures of the specification's model and of the calibrated one. */
import {
  type CalibratedModel,
  fitLeague,
  predictCalibrated,
  toCalibratedModel,
} from '../calibrated/calibrated-model.ts';
import { WINDOW_DAYS } from '../calibrated/columns.ts';
import type { SportParameters } from '../calibrated/parameters.ts';
import type { Probabilities } from '../poisson/poisson.ts';
import { predict, toModel } from '../poisson/poisson-model.ts';
import { type Bounds, type Explanation, explain } from '../samples/explain.ts';
import { lastDays, modelSample } from '../samples/match-samples.ts';
import type { AnalyticsCard } from '../schema.ts';
import type { LeagueMatch } from './history-queries.ts';
import type { MatchSubject } from './subjects.ts';
import { type Price, valueBets } from './value-bets.ts';

type Model = NonNullable<AnalyticsCard['model']>;

/** A match's models without prices. */
export interface ModelFacts {
  block: Omit<Model, 'calibrated'>;
  /** Unrounded probabilities from the specification's model. */
  probabilities: Probabilities;
  /** Null if the sample has no match. */
  calibrated: { block: CalibratedModel & { explain: Explanation }; probabilities: Probabilities } | null;
}

/**
 * @param league the tournament's matches before the match date, as many as the calibrated model uses
 * @param bounds bounds for both samples
 * @returns null if there is no model
 */
export function modelFacts(
  { start, home, away, neutral }: MatchSubject,
  league: readonly LeagueMatch[],
  parameters: SportParameters,
  bounds: { spec: Bounds; calibrated: Bounds },
): ModelFacts | null {
  const sample = modelSample(start, league);
  const prediction = predict(sample, home.id, away.id);
  if (prediction === null) return null;
  const fit = fitLeague(league, start, parameters);
  const calibrated = fit && predictCalibrated(fit, home.id, away.id, neutral);
  const idsOf = (matches: readonly LeagueMatch[]) => explain(matches, {}).event_ids;
  return {
    block: {
      ...toModel(prediction),
      explain: {
        ...explain(sample, bounds.spec),
        league_averages: prediction.averages,
        home_event_ids: idsOf(sample.filter(({ home_id }) => home_id === home.id)),
        away_event_ids: idsOf(sample.filter(({ away_id }) => away_id === away.id)),
      },
    },
    probabilities: prediction.probabilities,
    calibrated: calibrated && {
      block: {
        ...toCalibratedModel(calibrated),
        explain: explain(lastDays(start, league, WINDOW_DAYS), bounds.calibrated),
      },
      probabilities: calibrated.probabilities,
    },
  };
}

export const renderModel = ({ block, calibrated }: ModelFacts, prices: readonly Price[]): Model => ({
  ...block,
  ...(calibrated && {
    calibrated: { ...calibrated.block, value_bets: valueBets(calibrated.probabilities, prices) },
  }),
});
