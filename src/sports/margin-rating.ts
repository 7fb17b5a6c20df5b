/** Elo rating parameters for sports that have no goal model, see analytics/elo/margin-elo.ts. */

/**
 * How much more a clear win moves than a narrow one. The lead that the winner has in rating dampens it, since a
 * favourite wins by more. Without that, a favourite's rating would outgrow its strength.
 *
 * - log: ln(margin + 1) × 2.2 ÷ (lead × 0.001 + 2.2)
 * - power: (margin + 3)^0.8 ÷ (7.5 + lead × 0.006)
 */
export type MarginFactor = 'log' | 'power';

export interface MarginRating {
  /** Points at stake in a match with a factor of 1. */
  k: number;
  /** Points that playing at home is worth. */
  homeAdvantage: number;
  margin: MarginFactor;
  /** Share of the distance to `mean` that a team loses between two seasons, because players leave and new ones join. */
  regression: number;
  mean: number;
  /** A new team's rating, which is below the mean if leagues grow by weak clubs. */
  start: number;
  /** Probability of a draw between equal teams; 0 if a match always has a winner. */
  drawRate: number;
  /** The published method that the parameters are from, or `assumed` if we chose them by analogy. */
  source: 'fivethirtyeight' | 'assumed';
}
