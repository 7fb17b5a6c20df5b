/** Elo rating parameters for sports without a goal model; see analytics/elo/margin-elo.ts. */

/**
 * Formula for how much more a clear win moves the ratings than a narrow one. The factor is smaller if the winner had the
 * higher rating. Otherwise a favourite would be overrated, since favourites win by larger margins.
 *
 * - log: ln(margin + 1) × 2.2 ÷ (lead × 0.001 + 2.2)
 * - power: (margin + 3)^0.8 ÷ (7.5 + lead × 0.006)
 */
export type MarginFactor = 'log' | 'power';

export interface MarginRating {
  /** Points at stake in a match with a factor of 1. */
  k: number;
  /** Home advantage, in rating points. */
  homeAdvantage: number;
  margin: MarginFactor;
  /** Share of the distance to `mean` that a rating moves between two seasons, because players leave and new ones join. */
  regression: number;
  mean: number;
  /** A new team's rating, which is below the mean if new clubs are usually weak. */
  start: number;
  /** Probability of a draw between equal teams; 0 if a match always has a winner. */
  drawRate: number;
  /** The published method that the parameters come from, or `assumed` if we chose them by analogy. */
  source: 'fivethirtyeight' | 'assumed';
}
