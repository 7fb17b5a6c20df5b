/** Builds `rating` in the pre-match analytics, with both sides' Elo ratings and the probabilities from them. Pure. */
import { findSport } from '../../sports/sports.ts';
import { overtimeProbability, type RatingsBefore, winProbabilities } from '../elo/margin-elo.ts';
import { expectedMargin, setScores } from '../elo/score-forecasts.ts';
import { fairOdds } from '../poisson/poisson-model.ts';
import { roundTo } from '../rounding.ts';
import type { AnalyticsCard } from '../schema.ts';

export type RatingBlock = NonNullable<AnalyticsCard['rating']>;

/** Ratings before a match. The advantages are null if they were stored by an earlier version. */
export type StoredRatings = {
  [Name in keyof RatingsBefore]: Name extends 'home_advantage' | 'rest' ? number | null : number;
};

/** Minimum number of rated matches for a side. With fewer, a rating is mostly the starting value. */
export const LEAST_MATCHES = 5;

/**
 * @param before ratings with which the sides enter the match; null if they have none
 * @returns null if the sport has no such ratings, or if a side has fewer than five rated matches
 */
export function ratingBlock(sport: string, neutral: boolean, before: StoredRatings | null): RatingBlock | null {
  const parameters = findSport(sport)?.rating;
  if (!parameters || before === null) return null;
  const { home, away, home_matches, away_matches } = before;
  if (Math.min(home_matches, away_matches) < LEAST_MATCHES) return null;
  const usual = neutral ? 0 : parameters.homeAdvantage;
  const { home_advantage, rest } = { home_advantage: before.home_advantage ?? usual, rest: before.rest ?? 0 };
  const difference = home - away + home_advantage + rest;
  const chances = winProbabilities(difference, parameters.drawRate);
  const percent = (probability: number) => roundTo(2, probability * 100);
  const price = (probability: number) => {
    const odds = fairOdds(probability);
    return odds === null ? null : roundTo(2, odds);
  };
  const margin = expectedMargin(difference, parameters);
  const hasDraws = parameters.drawRate > 0;
  return {
    method: 'elo_margin',
    parameters: parameters.source,
    home: { rating: roundTo(1, home), matches: home_matches },
    away: { rating: roundTo(1, away), matches: away_matches },
    home_advantage: roundTo(1, home_advantage),
    rest: roundTo(1, rest),
    difference: roundTo(1, difference),
    probabilities: {
      home_win: percent(chances.home),
      draw: hasDraws ? percent(chances.draw) : null,
      away_win: percent(chances.away),
    },
    overtime:
      parameters.overtimeRate === undefined ? null : percent(overtimeProbability(difference, parameters.overtimeRate)),
    fair_odds: {
      home_win: price(chances.home),
      draw: hasDraws ? price(chances.draw) : null,
      away_win: price(chances.away),
    },
    expected_margin: margin === null ? null : roundTo(1, margin),
    set_scores:
      parameters.sets?.toWin === undefined
        ? null
        : setScores(chances.home, parameters.sets).map((score) => ({
            ...score,
            probability: percent(score.probability),
          })),
  };
}
