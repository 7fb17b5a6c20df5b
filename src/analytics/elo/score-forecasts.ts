/** Forecasts of margins and of scores in sets, from a match's rating difference. Pure. */
import type { MarginRating } from '../../sports/margin-rating.ts';

/** A final score in sets, with its probability. */
export interface SetScore {
  home: number;
  away: number;
  probability: number;
}

/** Returns the expected margin of the home side in points, or null if the sport has no such forecast. */
export const expectedMargin = (difference: number, { marginPerPoint }: MarginRating): number | null =>
  marginPerPoint === undefined ? null : marginPerPoint * difference;

/** Nodes and weights of Gauss-Hermite quadrature, for the mean over a normal distribution. */
const NODES = [
  { at: -Math.sqrt(3), weight: 1 / 6 },
  { at: 0, weight: 2 / 3 },
  { at: Math.sqrt(3), weight: 1 / 6 },
];
/** Bounds for the log-odds of winning a set, far beyond any real match. */
const MOST_LOG_ODDS = 12;
const HALVINGS = 50;

/**
 * Returns the probabilities of all final scores of a match that ends when a side has won `toWin` sets. Within a match, each set is won
 * with the same probability. The log-odds of that probability vary from match to match with the deviation `deviation`, because sets
 * without such a variation would be too close: straight sets are more frequent. The probabilities of the home side's wins add up to
 * `homeWin`.
 */
export function setScores(homeWin: number, { toWin, deviation }: NonNullable<MarginRating['sets']>): SetScore[] {
  const scoresAt = (centre: number) => mixed(centre, deviation, toWin);
  let [low, high] = [-MOST_LOG_ODDS, MOST_LOG_ODDS];
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (low + high) / 2;
    if (winProbability(scoresAt(middle)) < homeWin) low = middle;
    else high = middle;
  }
  return scoresAt((low + high) / 2);
}

const winProbability = (scores: readonly SetScore[]) =>
  scores.reduce((sum, { home, away, probability }) => sum + (home > away ? probability : 0), 0);

function mixed(centre: number, deviation: number, toWin: number): SetScore[] {
  const shapes = NODES.map(({ at, weight }) => ({
    weight,
    scores: independent(1 / (1 + Math.exp(-centre - deviation * at)), toWin),
  }));
  return shapes[0]!.scores.map(({ home, away }, index) => ({
    home,
    away,
    probability: shapes.reduce((sum, { weight, scores }) => sum + weight * scores[index]!.probability, 0),
  }));
}

/** Returns the scores from the home side's clearest win to the away side's, if each set is won with the same probability. */
function independent(set: number, toWin: number): SetScore[] {
  const losses = Array.from({ length: toWin }, (_, lost) => lost);
  const probability = (won: number, lost: number) => waysToWin(toWin, lost) * won ** toWin * (1 - won) ** lost;
  return [
    ...losses.map((lost) => ({ home: toWin, away: lost, probability: probability(set, lost) })),
    ...losses.toReversed().map((lost) => ({ home: lost, away: toWin, probability: probability(1 - set, lost) })),
  ];
}

/** Returns in how many orders a side can win, since it always wins the last set. */
function waysToWin(toWin: number, lost: number): number {
  let ways = 1;
  for (let index = 1; index <= lost; index++) ways = (ways * (toWin - 1 + index)) / index;
  return ways;
}
