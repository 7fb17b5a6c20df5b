/**
 * Computes expected goals. For shots, a logistic regression uses place, body part, situation and the previous shots. A penalty's value is
 * the share of penalties that are scored. The coefficients are data, fitted by `touchline fit-expected-goals`. Pure.
 */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { isAttempt, isPenalty, type ModelledShot, shotColumns, shotsBefore } from './shot-features.ts';

const FILE = new URL('../../data/analytics/expected-goals.json', import.meta.url);

const probability = z.number().min(0).max(1);
const file = z.strictObject({
  /** Where the coefficients come from. */
  fitted_on: z.strictObject({
    source: z.string(),
    /** League names. */
    tournaments: z.string(),
    season: z.string(),
    shots: z.int(),
    goals: z.int(),
    penalties: z.int(),
  }),
  /** Penalty on the squared coefficients, for columns that are divided by their standard deviation. */
  ridge: z.number().positive(),
  /** Share of penalties that are scored. */
  penalty: probability,
  intercept: z.number(),
  /** Change in the log-odds per unit in each column from `shotColumns`. */
  coefficients: z.record(z.string(), z.number()),
});
export type ExpectedGoalsModel = z.infer<typeof file>;

/** @throws ZodError if the text is not a coefficient file */
const parseModel = (text: string): ExpectedGoalsModel => file.parse(JSON.parse(text));

let shipped: ExpectedGoalsModel | undefined;
export function shippedModel(): ExpectedGoalsModel {
  shipped ??= parseModel(readFileSync(FILE, 'utf8'));
  return shipped;
}

const DECIMALS = 4;
const rounded = (value: number): number => Number(value.toFixed(DECIMALS));

/**
 * Returns expected goals between 0 and 1 for each shot in a match. They are null for own goals, shoot-out kicks, and shots without
 * coordinates.
 */
export function expectedGoals(
  shots: readonly ModelledShot[],
  model: Omit<ExpectedGoalsModel, 'fitted_on'> = shippedModel(),
): (number | null)[] {
  const before = shotsBefore(shots);
  return shots.map((shot, position) => {
    if (!isAttempt(shot)) return null;
    if (isPenalty(shot)) return rounded(model.penalty);
    const columns = shotColumns(shot, before[position]);
    if (columns === null) return null;
    let logOdds = model.intercept;
    for (const [name, coefficient] of Object.entries(model.coefficients)) logOdds += coefficient * columns[name]!;
    return rounded(1 / (1 + Math.exp(-logOdds)));
  });
}
