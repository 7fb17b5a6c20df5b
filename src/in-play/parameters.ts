/** Parameters for goals by minute in a football match, written by `touchline fit-live` and read once. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { sportsWith } from '../sports/sports.ts';

const FILE = new URL('../../data/analytics/in-play-parameters.json', import.meta.url);

/** Logarithms of factors on a side's goals in a minute. */
export const coefficients = z.strictObject({
  /** The share of a match's expected goals that falls into one minute: its value at the start, and the rise until minute 90. */
  level: z.number(),
  rise: z.number(),
  /** How much larger the share is in the last minute of each half, which includes the added time. */
  first_half_end: z.number(),
  second_half_end: z.number(),
  /** Factors for a side that leads, and for a side that trails. */
  leading: z.number(),
  trailing: z.number(),
  /** Factors for each player sent off on this side, and for each on the opponent's side. */
  sent_off: z.number(),
  opponent_sent_off: z.number(),
});
export type Coefficients = z.infer<typeof coefficients>;

const file = coefficients.extend({
  /** Where the parameters come from. The program does not use these figures. */
  fitted_on: z.strictObject({
    /** Tournament names. */
    tournaments: z.string(),
    /** First and last day. */
    from: z.string(),
    to: z.string(),
    matches: z.int(),
    goals: z.int(),
  }),
});
export type InPlayParameters = z.infer<typeof file>;

/** Sports with such parameters. Ice hockey has none, because no open history has goals by minute. */
export const IN_PLAY_SPORTS: readonly string[] = sportsWith(({ goalModel }) => goalModel === 'fitted');

let shipped: InPlayParameters | undefined;

/** Returns the parameters that come with the service. */
export function inPlayParameters(): InPlayParameters {
  shipped ??= file.parse(JSON.parse(readFileSync(FILE, 'utf8')));
  return shipped;
}
