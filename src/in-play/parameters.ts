/** Parameters of the goals of a football match by minute: written by `touchline fit-live`, read once. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { sportsWith } from '../sports/sports.ts';

const FILE = new URL('../../data/analytics/in-play-parameters.json', import.meta.url);

/** Logarithms of factors on the goals of a side in a minute. */
export const coefficients = z.strictObject({
  /** The share of the expected goals that falls into a minute at the start of a match, and its rise until minute 90. */
  level: z.number(),
  rise: z.number(),
  /** By how much more the last minute of each half has, which includes the added time. */
  first_half_end: z.number(),
  second_half_end: z.number(),
  /** Factors for a side that leads, and for one that trails. */
  leading: z.number(),
  trailing: z.number(),
  /** For each player of the side that is sent off, and for each of the other side. */
  sent_off: z.number(),
  opponent_sent_off: z.number(),
});
export type Coefficients = z.infer<typeof coefficients>;

const file = coefficients.extend({
  /** Provenance, for the reader only. */
  fitted_on: z.strictObject({
    /** Names of the tournaments. */
    tournaments: z.string(),
    /** First and last day. */
    from: z.string(),
    to: z.string(),
    matches: z.int(),
    goals: z.int(),
  }),
});
export type InPlayParameters = z.infer<typeof file>;

/** Sports with such parameters. Ice hockey has none: no open history of its goals by minute is at hand. */
export const IN_PLAY_SPORTS: readonly string[] = sportsWith(({ goalModel }) => goalModel === 'fitted');

let shipped: InPlayParameters | undefined;

/** Returns the parameters that come with the service. */
export function inPlayParameters(): InPlayParameters {
  shipped ??= file.parse(JSON.parse(readFileSync(FILE, 'utf8')));
  return shipped;
}
