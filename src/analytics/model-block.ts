/** `model` of the pre-match analytics: the spec's model, and the calibrated one beside it. */
import { type Bounds, explanationOf } from './explain.ts';
import { modelOf, predict } from './model.ts';
import type { Probabilities } from './poisson.ts';
import type { LeagueMatch } from './queries.ts';
import { modelSample } from './sample.ts';
import type { AnalyticsCard } from './schema.ts';
import type { MatchSubject } from './subjects.ts';

interface ModelBlock {
  block: NonNullable<AnalyticsCard['model']>;
  /** Of the spec's model, not rounded. */
  probabilities: Probabilities;
}

/**
 * @param league matches of the tournament before the match's date
 * @param explained bounds of the sample; null: it is not explained
 * @returns null where there is no model
 */
export function modelBlock(
  { start, home, away }: MatchSubject,
  league: readonly LeagueMatch[],
  explained: Bounds | null,
): ModelBlock | null {
  const sample = modelSample(start, league);
  const prediction = predict(sample, home.id, away.id);
  if (prediction === null) return null;
  const idsOf = (matches: readonly LeagueMatch[]) => explanationOf(matches, {}).event_ids;
  return {
    block: {
      ...modelOf(prediction),
      ...(explained !== null && {
        explain: {
          ...explanationOf(sample, explained),
          league_averages: prediction.averages,
          home_event_ids: idsOf(sample.filter(({ home_id }) => home_id === home.id)),
          away_event_ids: idsOf(sample.filter(({ away_id }) => away_id === away.id)),
        },
      }),
    },
    probabilities: prediction.probabilities,
  };
}
