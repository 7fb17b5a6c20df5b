/** Builds `rating` in the pre-match analytics, with both sides' Elo ratings and the probabilities from them. Pure. */
import { findSport } from '../../sports/sports.ts';
import { type RatingsBefore, winProbabilities } from '../elo/margin-elo.ts';
import { fairOdds } from '../poisson/poisson-model.ts';
import { roundTo } from '../rounding.ts';
import type { AnalyticsCard } from '../schema.ts';

export type RatingBlock = NonNullable<AnalyticsCard['rating']>;

/** Minimum number of rated matches for a side. With fewer, a rating is mostly the starting value. */
export const LEAST_MATCHES = 5;

/**
 * @param before ratings with which the sides enter the match; null if they have none
 * @returns null if the sport has no such ratings, or if a side has fewer than five rated matches
 */
export function ratingBlock(sport: string, neutral: boolean, before: RatingsBefore | null): RatingBlock | null {
  const parameters = findSport(sport)?.rating;
  if (!parameters || before === null) return null;
  const { home, away, home_matches, away_matches } = before;
  if (Math.min(home_matches, away_matches) < LEAST_MATCHES) return null;
  const home_advantage = neutral ? 0 : parameters.homeAdvantage;
  const difference = home - away + home_advantage;
  const chances = winProbabilities(difference, parameters.drawRate);
  const percent = (probability: number) => roundTo(2, probability * 100);
  const price = (probability: number) => {
    const odds = fairOdds(probability);
    return odds === null ? null : roundTo(2, odds);
  };
  const hasDraws = parameters.drawRate > 0;
  return {
    method: 'elo_margin',
    parameters: parameters.source,
    home: { rating: roundTo(1, home), matches: home_matches },
    away: { rating: roundTo(1, away), matches: away_matches },
    home_advantage,
    difference: roundTo(1, difference),
    probabilities: {
      home_win: percent(chances.home),
      draw: hasDraws ? percent(chances.draw) : null,
      away_win: percent(chances.away),
    },
    fair_odds: {
      home_win: price(chances.home),
      draw: hasDraws ? price(chances.draw) : null,
      away_win: price(chances.away),
    },
  };
}
