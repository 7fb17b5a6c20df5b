/** Elo rating parameters; see analytics/elo/margin-elo.ts. */

/**
 * Formula for how much more a clear win moves the ratings than a narrow one. The factor is smaller if the winner had the
 * higher rating. Otherwise a favourite would be overrated, since favourites win by larger margins.
 *
 * - log: ln(margin + 1) × 2.2 ÷ (lead × 0.001 + 2.2)
 * - power: (margin + 3)^0.8 ÷ (7.5 + lead × 0.006)
 * - none: 1, because the score does not show how clear a win was. In cricket the side that bats second stops when it has won.
 */
export type MarginFactor = 'log' | 'power' | 'none';

export interface MarginRating {
  /** Points at stake in a match with a factor of 1. */
  k: number;
  /** Home advantage, in rating points. With `homeLearning`, a league's first value. */
  homeAdvantage: number;
  /** Points by which a league's home advantage grows with a home win that nobody expected. Absent if it is constant. */
  homeLearning?: number;
  /** Points that a side loses if it also played on the day before. */
  backToBack?: number;
  /**
   * How much faster a newcomer's rating moves: `k` is multiplied by 1 + boost × e^(−matches played ÷ matches). A team that
   * comes back after more than two years is a newcomer, too. In a league's first known season, all teams start at the mean.
   */
  newcomer?: { boost: number; matches: number };
  /** Share of a win that a shoot-out, or a super over, is worth. Absent if it counts as a draw. */
  shootOut?: number;
  /** Share of matches between equal sides that go to overtime. Absent if it is not forecast. */
  overtimeRate?: number;
  margin: MarginFactor;
  /**
   * Set if a side has the home advantage only in a match that a source calls not neutral, because sources list the sides in any
   * order.
   */
  knownHosts?: true;
  /** Share of the distance to `mean` that a rating moves between two seasons, because players leave and new ones join. */
  regression: number;
  mean: number;
  /** A new team's rating, which is below the mean if new clubs are usually weak. */
  start: number;
  /** Probability of a draw between equal teams; 0 if a match always has a winner. */
  drawRate: number;
  /** Expected margin in points for each rating point of difference. Absent if margins are not forecast. */
  marginPerPoint?: number;
  /** Set if scores in sets are forecast: sets that win a match, and how much a set's log-odds vary from match to match. */
  sets?: { toWin: number; deviation: number };
  /** The published method that the parameters come from; `fitted` to earlier seasons, or `assumed` by analogy. */
  source: 'fivethirtyeight' | 'fitted' | 'assumed';
}
