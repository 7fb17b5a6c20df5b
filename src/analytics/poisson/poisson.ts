/** The Poisson distribution, and the score matrix for two sides. Pure. */

/** Probabilities below this are left out. Their sum is less than a double's rounding error at 1. */
const NEGLIGIBLE = 1e-20;
/** Minimum matrix size, for 0 to 10 goals by each side. */
const SMALLEST_SIZE = 11;
const WANTED_MASS = 0.999999;
const LIKELY_SCORELINES = 5;
/** Digits to which probabilities are compared. Rounding errors make equal probabilities differ in later digits. */
const COMPARED_DIGITS = 12;

/**
 * Returns the probabilities that 0, 1, 2 … goals are scored, e^-λ λ^k / k!. The most likely number is computed first, and the rest follow
 * by p(k+1) = p(k) λ/(k+1). Then all are divided by their sum. In this way, no power, factorial or e^-λ leaves a double's range.
 * @param mean λ, finite and ≥ 0
 */
export function poisson(mean: number): number[] {
  if (!(mean >= 0 && mean < Number.POSITIVE_INFINITY)) throw new RangeError(`not an expected number of goals: ${mean}`);
  const mode = Math.floor(mean);
  const weights: number[] = new Array(mode + 1).fill(0);
  weights[mode] = 1;
  for (let [k, weight] = [mode, 1]; k > 0 && weight > NEGLIGIBLE; k -= 1) {
    weight = (weight * k) / mean;
    weights[k - 1] = weight;
  }
  for (let [k, weight] = [mode, 1]; weight > NEGLIGIBLE; k += 1) {
    weight = (weight * mean) / (k + 1);
    weights.push(weight);
  }
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

/**
 * A score matrix. The probability of i:j is `home[i] * away[j]`, since the sides' goals are assumed to be independent
 * (M. J. Maher, Modelling association football scores, Statistica Neerlandica 36, 1982). Only the probabilities for
 * each side's goals are stored.
 */
export interface ScoreMatrix {
  home: number[];
  away: number[];
  /** Probability that is moved from each of 0:0 and 1:1 to each of 1:0 and 0:1; by default 0. */
  moved?: number;
}

/** Returns a score's probability. */
export function scoreProbability({ home, away, moved = 0 }: ScoreMatrix, homeGoals: number, awayGoals: number): number {
  const independent = (home[homeGoals] ?? 0) * (away[awayGoals] ?? 0);
  if (homeGoals > 1 || awayGoals > 1) return independent;
  return homeGoals === awayGoals ? independent - moved : independent + moved;
}

/** Returns the scores from 0:0 to 10:10, or more, until their probabilities add up to at least 0.999999. */
export function scoreMatrix(expectedHome: number, expectedAway: number): ScoreMatrix {
  const [home, away] = [poisson(expectedHome), poisson(expectedAway)];
  let size = 0;
  let [homeMass, awayMass] = [0, 0];
  while (size < SMALLEST_SIZE || homeMass * awayMass < WANTED_MASS) {
    homeMass += home[size] ?? 0;
    awayMass += away[size] ?? 0;
    size += 1;
  }
  const margin = (probabilities: number[]) => Array.from({ length: size }, (_, goals) => probabilities[goals] ?? 0);
  return { home: margin(home), away: margin(away) };
}

/** All values are between 0 and 1. */
export interface Probabilities {
  home_win: number;
  draw: number;
  away_win: number;
  over_1_5: number;
  over_2_5: number;
  over_3_5: number;
  under_2_5: number;
  btts: number;
  /** Probability that at most one side scores. */
  btts_no: number;
}

/** Sums matrix cells. The three outcomes, and each pair of opposites, add up to the total of the matrix. */
export function toProbabilities({ home, away }: ScoreMatrix): Probabilities {
  const [homeMass, awayMass] = [total(home), total(away)];
  const [homeScores, awayScores] = [total(home.slice(1)), total(away.slice(1))];
  const mass = homeMass * awayMass;
  const [[homeNone = 0], [awayNone = 0]] = [home, away];
  const under = (limit: number) => total(home.slice(0, limit).map((p, i) => p * total(away.slice(0, limit - i))));
  return {
    home_win: winProbability(home, away),
    draw: total(home.map((p, i) => p * away[i]!)),
    away_win: winProbability(away, home),
    over_1_5: Math.max(0, mass - under(2)),
    over_2_5: Math.max(0, mass - under(3)),
    over_3_5: Math.max(0, mass - under(4)),
    under_2_5: under(3),
    btts: homeScores * awayScores,
    btts_no: homeNone * awayMass + homeScores * awayNone,
  };
}

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** Sums the cells in which one side has more goals than its opponent. */
function winProbability(side: readonly number[], other: readonly number[]): number {
  let [sum, fewer] = [0, 0];
  for (const [goals, p] of side.entries()) {
    sum += p * fewer;
    fewer += other[goals]!;
  }
  return sum;
}

export interface Scoreline {
  home: number;
  away: number;
  /** Between 0 and 1. */
  probability: number;
}

/**
 * Returns the five most likely scores. Equally likely scores are ordered by fewer goals, then by fewer home goals. Only the scores from
 * each side's five most likely goal counts, and the low scores whose probability is moved, need to be compared.
 */
export function likelyScorelines(matrix: ScoreMatrix): Scoreline[] {
  const goals = (margin: readonly number[]) => [...new Set([...mostLikely(margin), ...(matrix.moved ? [0, 1] : [])])];
  const cells = goals(matrix.home).flatMap((i) =>
    goals(matrix.away).map((j) => ({ home: i, away: j, probability: scoreProbability(matrix, i, j) })),
  );
  return cells
    .filter(({ probability }) => probability > 0)
    .sort(
      (a, b) =>
        comparable(b.probability) - comparable(a.probability) || a.home + a.away - b.home - b.away || a.home - b.home,
    )
    .slice(0, LIKELY_SCORELINES);
}

const comparable = (probability: number): number => Number(probability.toPrecision(COMPARED_DIGITS));

/**
 * Returns goal counts, most likely first. Among equally likely counts, the smaller comes first, since sorting is
 * stable.
 */
const mostLikely = (margin: readonly number[]): number[] =>
  [...margin.entries()]
    .sort(([, a], [, b]) => comparable(b) - comparable(a))
    .slice(0, LIKELY_SCORELINES)
    .map(([goals]) => goals);
