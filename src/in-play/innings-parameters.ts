/** Parameters of the win probability in Twenty20 cricket, written by `touchline fit-innings` and read once. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { sportsWith } from '../sports/sports.ts';

const FILE = new URL('../../data/analytics/innings-parameters.json', import.meta.url);

export const FULL_BALLS = 120;
export const ALL_WICKETS = 10;

export const inningsCoefficients = z.strictObject({
  /** How fast an innings uses up its resources with all wickets in hand: b in resources.ts. */
  decay: z.number().positive(),
  /** F in resources.ts for 1 to 9 wickets in hand; 1 for all. */
  wicket_shares: z.array(z.number().positive()).length(ALL_WICKETS - 1),
  /**
   * Log-odds for each standard unit of the expected margin while the first side bats, at the end of the second innings, and what
   * the root of the resources that are left adds to the latter.
   */
  first_innings: z.number(),
  second_innings: z.number(),
  second_innings_rest: z.number(),
  /** Log-odds of the side that bats first, times the root of the resources that are left. */
  batting_first: z.number(),
});
export type InningsCoefficients = z.infer<typeof inningsCoefficients>;

const file = inningsCoefficients.extend({
  /** Runs of a full innings in a tournament with few earlier matches: the mean of the fitted matches. */
  level: z.number().positive(),
  /** Where the parameters come from. The program does not use these figures. */
  fitted_on: z.strictObject({
    tournaments: z.string(),
    /** First and last day. */
    from: z.string(),
    to: z.string(),
    matches: z.int(),
    balls: z.int(),
  }),
});
export type InningsParameters = z.infer<typeof file>;

/** Sports with such a win probability. */
export const INNINGS_SPORTS: readonly string[] = sportsWith(({ wickets }) => wickets === true);

let shipped: InningsParameters | undefined;

/** Returns the parameters that come with the service. */
export function inningsParameters(): InningsParameters {
  shipped ??= file.parse(JSON.parse(readFileSync(FILE, 'utf8')));
  return shipped;
}
