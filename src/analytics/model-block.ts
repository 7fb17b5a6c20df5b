/** `model` of the pre-match analytics: the spec's model, and the calibrated one beside it. */
import { fitLeague, predictCalibrated, toCalibratedModel } from './calibrated/calibrated.ts';
import type { SportParameters } from './calibrated/parameters.ts';
import { type Bounds, explain } from './explain.ts';
import { predict, toModel } from './model.ts';
import type { Probabilities } from './poisson.ts';
import type { LeagueMatch } from './queries.ts';
import { modelSample } from './sample.ts';
import type { AnalyticsCard } from './schema.ts';
import type { MatchSubject } from './subjects.ts';
import { type Price, valueBets } from './value-bets.ts';

interface ModelBlock {
  block: NonNullable<AnalyticsCard['model']>;
  /** Unrounded probabilities of the specification's model. */
  probabilities: Probabilities;
}

/**
 * @param league matches of the tournament before the match's date, as many as the calibrated model uses
 * @param explained bounds of both samples; null without `explain`
 * @param prices current prices of the match
 * @returns null if there is no model
 */
export function modelBlock(
  { start, home, away, neutral }: MatchSubject,
  league: readonly LeagueMatch[],
  parameters: SportParameters,
  explained: { spec: Bounds; calibrated: Bounds } | null,
  prices: readonly Price[],
): ModelBlock | null {
  const sample = modelSample(start, league);
  const prediction = predict(sample, home.id, away.id);
  if (prediction === null) return null;
  const fit = fitLeague(league, start, parameters);
  const calibrated = fit && predictCalibrated(fit, home.id, away.id, neutral);
  const idsOf = (matches: readonly LeagueMatch[]) => explain(matches, {}).event_ids;
  return {
    block: {
      ...toModel(prediction),
      ...(calibrated && {
        calibrated: {
          ...toCalibratedModel(calibrated),
          value_bets: valueBets(calibrated.probabilities, prices),
          ...(explained && { explain: explain(league, explained.calibrated) }),
        },
      }),
      ...(explained !== null && {
        explain: {
          ...explain(sample, explained.spec),
          league_averages: prediction.averages,
          home_event_ids: idsOf(sample.filter(({ home_id }) => home_id === home.id)),
          away_event_ids: idsOf(sample.filter(({ away_id }) => away_id === away.id)),
        },
      }),
    },
    probabilities: prediction.probabilities,
  };
}
