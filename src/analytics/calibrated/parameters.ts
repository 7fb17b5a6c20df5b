/** The hyper-parameters of the calibrated model: written by `touchline fit-model`, read once. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';

const FILE = new URL('./parameters.json', import.meta.url);

const positive = z.number().positive();
const parameters = z.strictObject({
  /** A match that is so many days old weighs half. */
  half_life_days: positive,
  /** Penalty on the squared distance of a logarithmic strength from its prior: 1 ÷ the variance of the strengths. */
  ridge: positive,
  /** By how much a side without matches is expected to score less, and to concede more, than the average: logarithms. */
  newcomer_attack: z.number(),
  newcomer_defence: z.number(),
  /** A side with so many weighted matches is expected to be half as far from the average. */
  newcomer_matches: positive,
  /** What counts as goals: this share of shots on target, at the league's rate of conversion, the rest goals. */
  shots_share: z.number().min(0).max(1),
  /** The league's goals are those of its matches and of so many of the average below. */
  level_matches: positive,
  /** Goals per side and match, and the logarithm of the home side's over the away side's. */
  level_goals: positive,
  level_home_advantage: z.number(),
  /** Of the logarithmic differences between the sides, and of the sums. */
  difference_scale: positive,
  total_scale: positive,
  /** Dixon and Coles' ρ: below 0, there are more draws by 0:0 and 1:1 than two independent numbers of goals give. */
  low_score_correlation: z.number().min(-1).max(1),
});
export type Parameters = z.infer<typeof parameters>;

const trainedOn = z.strictObject({
  /** Predicted with the fitted parameters, and the mean log-losses of these predictions, in nats. */
  matches: z.int(),
  outcome_log_loss: z.number(),
  over_under_2_5_log_loss: z.number(),
});
const file = z.strictObject({
  /** Kept for the reader. */
  fitted_on: z.strictObject({
    /** Their names. */
    tournaments: z.string(),
    /** First and last day. */
    from: z.string(),
    to: z.string(),
    goals: trainedOn,
    shots: trainedOn,
  }),
  /** Where most matches have no shots on target, and where they have them. */
  goals: parameters,
  shots: parameters,
});
export type ParametersFile = z.infer<typeof file>;

/** Parameters of a sport. */
export interface SportParameters {
  goals: Parameters;
  shots: Parameters;
}

/**
 * Assumed, not fitted: no open history of hockey is at hand. Sides of a large league differ less than in football (a
 * standard deviation of about 8 % of the goals for or against), score about 2.9 goals, at home about 9 % more than away.
 * Nothing is scaled or moved.
 */
const HOCKEY: Partial<Parameters> = {
  ridge: 150,
  newcomer_attack: 0.08,
  newcomer_defence: 0.08,
  level_goals: 2.9,
  level_home_advantage: 0.09,
  difference_scale: 1,
  total_scale: 1,
  low_score_correlation: 0,
  shots_share: 0,
};

/** @throws ZodError for a file that is not one of parameters */
export function readParameters(text: string): Record<'football' | 'ice-hockey', SportParameters> {
  const { goals, shots } = file.parse(JSON.parse(text));
  const hockey = { ...goals, ...HOCKEY };
  return { football: { goals, shots }, 'ice-hockey': { goals: hockey, shots: hockey } };
}

let shipped: string | undefined;
const shippedText = (): string => {
  shipped ??= readFileSync(FILE, 'utf8');
  return shipped;
};

/** What the shipped parameters were fitted to. */
export const fittedOn = (): ParametersFile['fitted_on'] => file.parse(JSON.parse(shippedText())).fitted_on;

let known: ReturnType<typeof readParameters> | undefined;

/** @param sport a slug @returns undefined where the sport has no model */
export function sportParameters(sport: string): SportParameters | undefined {
  known ??= readParameters(shippedText());
  return sport === 'football' || sport === 'ice-hockey' ? known[sport] : undefined;
}
