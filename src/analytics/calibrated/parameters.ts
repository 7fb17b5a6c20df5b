/** The calibrated model's hyper-parameters, written by `touchline fit-model` and read once. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { SPORTS } from '../../sports/sports.ts';

const FILE = new URL('../../../data/analytics/calibrated-parameters.json', import.meta.url);

const positive = z.number().positive();
const parameters = z.strictObject({
  /** Half-life of a match's weight, in days. */
  half_life_days: positive,
  /**
   * Penalty on the squared distance between a logarithmic strength and the prior. It is 1 ÷ the strengths' variance.
   */
  ridge: positive,
  /**
   * For a side without matches: how far its expected goals are below the average, and how far its expected goals conceded are above it.
   * Both are logarithms.
   */
  newcomer_attack: z.number(),
  newcomer_defence: z.number(),
  /** Weighted matches after which a side's expected distance from the average is halved. */
  newcomer_matches: positive,
  /**
   * The model treats a mixture of actual goals and shots on target as goals, with shots multiplied by the league's conversion rate. This is
   * the share of shots in the mixture.
   */
  shots_share: z.number().min(0).max(1),
  /** Weight of the sport's averages (the next two values) relative to the league's own goals, as a number of matches. */
  level_matches: positive,
  /** Goals per side and match, and the logarithm of home goals ÷ away goals. */
  level_goals: positive,
  level_home_advantage: z.number(),
  /** Factors for the difference and the sum of both sides' logarithmic goals. */
  difference_scale: positive,
  total_scale: positive,
  /** Dixon and Coles' ρ. If it is below 0, the model has more 0:0 and 1:1 draws than two independent goal counts would give. */
  low_score_correlation: z.number().min(-1).max(1),
});
export type Parameters = z.infer<typeof parameters>;

const trainedOn = z.strictObject({
  /** Number of matches predicted with the fitted parameters, and the predictions' mean log-losses, in nats. */
  matches: z.int(),
  outcome_log_loss: z.number(),
  over_under_2_5_log_loss: z.number(),
});
const file = z.strictObject({
  /** Where the parameters come from. For information only; no code reads these figures. */
  fitted_on: z.strictObject({
    /** Tournament names. */
    tournaments: z.string(),
    /** First and last day. */
    from: z.string(),
    to: z.string(),
    goals: trainedOn,
    shots: trainedOn,
  }),
  /** `goals` is for samples in which most matches lack shots on target, `shots` for samples that have them. */
  goals: parameters,
  shots: parameters,
});
export type ParametersFile = z.infer<typeof file>;

/** A sport's parameters. */
export interface SportParameters {
  goals: Parameters;
  shots: Parameters;
}

/** Lists the sports that have models. @example football and ice hockey */
export const modelledSports = (lang: 'en' | 'ru'): string =>
  new Intl.ListFormat(lang).format(
    SPORTS.filter(({ goalModel }) => goalModel !== undefined).map((sport) =>
      (lang === 'ru' ? sport.name_ru : sport.name).toLowerCase(),
    ),
  );

/** @returns parameters by sport @throws ZodError if the file is not a parameter file */
export function readParameters(text: string): ReadonlyMap<string, SportParameters> {
  const { goals, shots } = file.parse(JSON.parse(text));
  return new Map(
    SPORTS.flatMap(({ slug, goalModel }) => {
      if (goalModel === undefined) return [];
      if (goalModel === 'fitted') return [[slug, { goals, shots }]];
      const assumed = parameters.parse({ ...goals, ...goalModel });
      return [[slug, { goals: assumed, shots: assumed }]];
    }),
  );
}

let shipped: string | undefined;
const shippedText = (): string => {
  shipped ??= readFileSync(FILE, 'utf8');
  return shipped;
};

/** Returns where the shipped parameters come from. */
export const fittedOn = (): ParametersFile['fitted_on'] => file.parse(JSON.parse(shippedText())).fitted_on;

let known: ReturnType<typeof readParameters> | undefined;

/** @param sport a slug @returns undefined if the sport has no model */
export function sportParameters(sport: string): SportParameters | undefined {
  known ??= readParameters(shippedText());
  return known.get(sport);
}
