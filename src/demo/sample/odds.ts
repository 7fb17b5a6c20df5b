/**
 * Prices of invented bookmakers for a match: fair ones by its strengths, with a margin and a random error per
 * bookmaker.
 */
import type { MatchUpdateInput } from '../../wire/feed-update.ts';
import type { Recording } from '../recordings/recording.ts';
import { listedState } from '../recordings/states.ts';
import { seededRandom } from './random.ts';

type Odds = NonNullable<MatchUpdateInput['match']['odds']>;

const BOOKMAKERS = ['Demo Bets', 'Harbour Odds'];
/** Sum of the implied probabilities. */
const MARGIN = 1.05;
const ERROR = 0.06;
const SHORTEST = 1.02;
const LONGEST = 30;

/** @param winner whose price has won; undefined: the match is not over */
export function generateOdds(recording: Recording, winner?: '1' | 'X' | '2'): Odds {
  const chances = listedState(recording).update.match.win_probability!;
  const random = seededRandom(`${recording.name} odds`);
  const price = (percent: number) => {
    const decimal = (100 / (percent * MARGIN)) * random.around(1, ERROR);
    return Number(Math.min(LONGEST, Math.max(SHORTEST, decimal)).toFixed(2));
  };
  return BOOKMAKERS.flatMap((bookmaker) =>
    (
      [
        ['1', chances.homeWin],
        ['X', chances.draw ?? 0],
        ['2', chances.awayWin],
      ] as const
    ).map(([choice_name, percent]) => {
      const opening_decimal = price(percent);
      return {
        market_name: '1x2',
        market_group: '1x2',
        choice_name,
        decimal_value: Number(Math.max(SHORTEST, opening_decimal * random.around(1, ERROR / 2)).toFixed(2)),
        opening_decimal,
        bookmaker,
        winning: winner === undefined ? null : winner === choice_name,
      };
    }),
  );
}
