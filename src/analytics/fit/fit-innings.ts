/**
 * Fits the win probability of Twenty20 matches by ball: first the resources by least squares, then the coefficients of the chance by
 * logistic regression. The same matches always give the same parameters. Pure.
 */
import { CholeskyDecomposition, Matrix } from 'ml-matrix';
import {
  chanceTerms,
  type InningsCoefficients,
  inningsCoefficients,
  isInFirst,
  resources,
  toExpectedRuns,
} from '../../in-play/index.ts';
import type { MeasuredInnings } from './read-innings.ts';

type Resources = Pick<InningsCoefficients, 'decay' | 'wicket_shares'>;

const DIGITS = 4;
const short = (value: number) => Number(value.toPrecision(DIGITS));

/** @throws Error with a one-line message if too few matches have a full first innings */
export function fitInnings(matches: readonly MeasuredInnings[]): InningsCoefficients & { level: number } {
  const totals = matches.flatMap(({ total }) => total ?? []);
  if (totals.length < LEAST_MATCHES)
    throw new Error(
      `the fit needs ${LEAST_MATCHES} matches with a full first innings and all deliveries, but has ${totals.length}`,
    );
  const level = short(totals.reduce((sum, total) => sum + total, 0) / totals.length);
  const found = fitResources(remainingRuns(matches, level));
  return { ...inningsCoefficients.parse({ ...found, ...fitChances(matches, found, level) }), level };
}

const LEAST_MATCHES = 50;

/** The mean share of a full innings' runs that was still to come, by balls and wickets left. */
interface Remaining {
  balls: number;
  wickets: number;
  share: number;
  count: number;
}

function remainingRuns(matches: readonly MeasuredInnings[], level: number): Remaining[] {
  const sums = new Map<string, Remaining>();
  for (const match of matches) {
    const { total, states } = match;
    if (total === null) continue;
    const expected = toExpectedRuns({ ...match, difference: 0 }, { level, first_innings: 1 }).home;
    for (const { runs, left } of states) {
      const { balls, wickets } = left.first;
      if (balls === 0 || wickets === 0) continue;
      const key = `${balls} ${wickets}`;
      const sum = sums.get(key) ?? { balls, wickets, share: 0, count: 0 };
      sums.set(key, { ...sum, share: sum.share + (total - runs.first) / expected, count: sum.count + 1 });
    }
  }
  return [...sums.values()].map((sum) => ({ ...sum, share: sum.share / sum.count }));
}

/** Where the search begins: about the shares of Duckworth and Lewis. */
const START = [0.5, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.75, 0.9];
const FIRST_STEP = 0.2;
const LAST_STEP = 1e-5;
const LEAST_VALUE = 1e-3;

/** Minimises the squared errors by coordinate descent, with steps that grow after a gain and shrink without one. */
function fitResources(remaining: readonly Remaining[]): Resources {
  const toParameters = ([decay = 0, ...wicket_shares]: readonly number[]): Resources => ({ decay, wicket_shares });
  const loss = (values: readonly number[]) => {
    const parameters = toParameters(values);
    return remaining.reduce(
      (sum, { share, count, ...left }) => sum + count * (resources(left, parameters) - share) ** 2,
      0,
    );
  };
  let values = START;
  let best = loss(values);
  const steps = values.map((value) => value * FIRST_STEP);
  while (steps.some((step) => step > LAST_STEP))
    for (const [index, step] of steps.entries()) {
      const gain = [step, -step]
        .map((change) => values.with(index, Math.max(LEAST_VALUE, values[index]! + change)))
        .map((moved) => ({ moved, loss: loss(moved) }))
        .find((one) => one.loss < best);
      steps[index] = step * (gain === undefined ? 0.5 : 1.3);
      if (gain !== undefined) [values, best] = [gain.moved, gain.loss];
    }
  const { decay, wicket_shares } = toParameters(values);
  return { decay: short(decay), wicket_shares: wicket_shares.map(short) };
}

type Chance = Pick<InningsCoefficients, 'first_innings' | 'second_innings' | 'second_innings_rest' | 'batting_first'>;

/** The expected runs depend on a coefficient, so the fit is repeated with the last one. */
const ROUNDS = 6;

function fitChances(matches: readonly MeasuredInnings[], found: Resources, level: number): Chance {
  let chance: Chance = { first_innings: 0.5, second_innings: 0.5, second_innings_rest: 0, batting_first: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    const rows = matches.flatMap((match) => {
      const expected = toExpectedRuns(match, { level, first_innings: chance.first_innings });
      return match.states.flatMap((state) => {
        const terms = chanceTerms(state, expected, found);
        if (terms === null) return [];
        const { margin, root } = terms;
        const row: Row = isInFirst(state) ? [margin, 0, 0, root] : [0, margin, margin * root, root];
        return [{ row, won: match.firstWon }];
      });
    });
    const [first_innings, second_innings, second_innings_rest, batting_first] = logisticRegression(rows);
    chance = {
      first_innings: short(first_innings),
      second_innings: short(second_innings),
      second_innings_rest: short(second_innings_rest),
      batting_first: short(batting_first),
    };
  }
  return chance;
}

type Row = [number, number, number, number];
const STEPS = 25;

/** Maximises the likelihood without an intercept, by Newton's method. */
function logisticRegression(samples: readonly { row: Row; won: boolean }[]): Row {
  let weights: Row = [0, 0, 0, 0];
  for (let step = 0; step < STEPS; step++) {
    const gradient = [0, 0, 0, 0];
    const curvature = Matrix.zeros(4, 4);
    for (const { row, won } of samples) {
      const logOdds = row.reduce((sum, value, index) => sum + value * weights[index]!, 0);
      const chance = 1 / (1 + Math.exp(-logOdds));
      for (const [one, value] of row.entries()) {
        gradient[one]! += (Number(won) - chance) * value;
        for (const [other, factor] of row.entries())
          curvature.set(one, other, curvature.get(one, other) + chance * (1 - chance) * (value * factor));
      }
    }
    const change = new CholeskyDecomposition(curvature).solve(Matrix.columnVector(gradient)).to1DArray();
    weights = weights.map((weight, index) => weight + change[index]!) as Row;
  }
  return weights;
}

/** Balls in the states, for the note about the fit. */
export const countBalls = (matches: readonly MeasuredInnings[]): number =>
  matches.reduce((sum, { states }) => sum + states.length, 0);
