/**
 * Fits the expected goals model, a ridge logistic regression, by Newton's method. The penalty is the one with the least log-loss when each
 * league is predicted from the other leagues. The same shots always give the same model. Pure.
 */
import { CholeskyDecomposition, Matrix } from 'ml-matrix';
import { isGoal, isPenalty, shotColumns, shotsBefore } from '../../expected-goals/shot-features.ts';
import type { ExpectedGoalsModel } from '../../expected-goals/shot-model.ts';
import type { ShotMatch } from './shot-source.ts';

const RIDGES = [0.01, 0.1, 1, 10, 100] as const;
/** The fit ends when all log-odds coefficients for standardised columns change by at most this. */
const PRECISION = 1e-9;
const MOST_STEPS = 50;
/** Significant digits in the file. */
const DIGITS = 6;

export type FittedModel = Omit<ExpectedGoalsModel, 'fitted_on'>;

/** A shot that is not a penalty. */
interface Sample {
  league: string;
  /** Values by name, in the same order in all samples. */
  columns: Record<string, number>;
  goal: 0 | 1;
}

/**
 * @returns the fit, and the mean log-loss for all shots except penalties when each league is predicted from the rest
 * @throws Error with a one-line message if no shot is a penalty, or if fewer than two leagues have shots
 */
export function fitExpectedGoals(matches: readonly ShotMatch[]): FittedModel & { crossValidated: number } {
  const samples = matches.flatMap(toSamples);
  const penalties = matches.flatMap(({ shots }) => shots.filter(isPenalty));
  if (penalties.length === 0) throw new Error('there is no penalty among the shots');
  const leagues = [...new Set(samples.map(({ league }) => league))].sort();
  if (leagues.length < 2)
    throw new Error('the fit needs shots with coordinates of two leagues, to compare the ridge penalties');
  const tried = RIDGES.map((ridge) => ({ ridge, loss: lossAcrossLeagues(samples, leagues, ridge) }));
  const { ridge, loss } = tried.reduce((best, one) => (one.loss < best.loss ? one : best));
  const { intercept, coefficients } = fitLogistic(samples, ridge);
  const short = (value: number) => Number(value.toPrecision(DIGITS));
  return {
    ridge,
    penalty: short(penalties.filter(isGoal).length / penalties.length),
    intercept: short(intercept),
    coefficients: Object.fromEntries(Object.entries(coefficients).map(([name, value]) => [name, short(value)])),
    crossValidated: loss,
  };
}

function toSamples({ country, shots }: ShotMatch): Sample[] {
  const before = shotsBefore(shots);
  return shots.flatMap((shot, position) => {
    const columns = isPenalty(shot) ? null : shotColumns(shot, before[position]);
    return columns === null ? [] : [{ league: country, columns, goal: isGoal(shot) ? 1 : 0 }];
  });
}

/** Returns the mean log-loss over all shots. Each shot is predicted from the other leagues. */
function lossAcrossLeagues(samples: readonly Sample[], leagues: readonly string[], ridge: number): number {
  let loss = 0;
  for (const left of leagues) {
    const { intercept, coefficients } = fitLogistic(
      samples.filter(({ league }) => league !== left),
      ridge,
    );
    for (const { columns, goal } of samples.filter(({ league }) => league === left)) {
      let logOdds = intercept;
      for (const [name, value] of Object.entries(columns)) logOdds += (coefficients[name] ?? 0) * value;
      loss += Math.log1p(Math.exp(goal === 1 ? -logOdds : logOdds));
    }
  }
  return loss / samples.length;
}

interface Logistic {
  intercept: number;
  coefficients: Record<string, number>;
}

/** Minimises the log-loss plus ½ × ridge × the squared coefficients of the standardised columns. */
function fitLogistic(samples: readonly Sample[], ridge: number): Logistic {
  const table = new Matrix(samples.map(({ columns }) => Object.values(columns)));
  const names = Object.keys(samples[0]?.columns ?? {});
  // A column with the same value for all shots carries no information.
  const used = names
    .map((name, index) => ({ name, values: table.getColumn(index), ...measureScale(table.getColumn(index)) }))
    .filter(({ deviation }) => deviation > 0);
  const standardised = used.map(({ values, mean, deviation }) => values.map((value) => (value - mean) / deviation));
  const rows = new Matrix([samples.map(() => 1), ...standardised]).transpose().to2DArray();
  const [constant = 0, ...weights] = newton(
    samples.map(({ goal }, position) => ({ row: rows[position] ?? [], outcome: goal })),
    1 + used.length,
    ridge,
  );
  const raw = used.map(({ deviation, ...column }, position) => ({
    ...column,
    weight: (weights[position] ?? 0) / deviation,
  }));
  return {
    intercept: raw.reduce((sum, { weight, mean }) => sum - weight * mean, constant),
    coefficients: Object.fromEntries(raw.map(({ name, weight }) => [name, weight])),
  };
}

function measureScale(values: readonly number[]): { mean: number; deviation: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, deviation: Math.sqrt(variance) };
}

/**
 * @param rows each row begins with 1, for the intercept. The intercept has no penalty.
 * @returns a weight for each column
 */
function newton(rows: readonly { row: readonly number[]; outcome: number }[], width: number, ridge: number): number[] {
  let weights = new Array<number>(width).fill(0);
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const gradient = weights.map((weight, column) => (column === 0 ? 0 : -ridge * weight));
    const curvature = weights.map((_, column) =>
      weights.map((__, other) => (column === other && column > 0 ? ridge : 0)),
    );
    for (const { row, outcome } of rows) addSample(row, outcome, weights, gradient, curvature);
    const lower = new Matrix(curvature);
    for (let column = 0; column < width; column += 1)
      for (let other = 0; other < column; other += 1) lower.set(other, column, lower.get(column, other));
    const change = new CholeskyDecomposition(lower).solve(Matrix.columnVector(gradient));
    weights = Matrix.columnVector(weights).add(change).to1DArray();
    if (change.abs().max() < PRECISION) return weights;
  }
  throw new Error('the fit of expected goals does not converge');
}

/** Adds a shot to the gradient of the log-likelihood and to the lower half of the curvature. */
function addSample(
  row: readonly number[],
  outcome: number,
  weights: readonly number[],
  gradient: number[],
  curvature: number[][],
): void {
  let logOdds = 0;
  for (let column = 0; column < row.length; column += 1) logOdds += weights[column]! * row[column]!;
  const probability = 1 / (1 + Math.exp(-logOdds));
  const weight = probability * (1 - probability);
  for (let column = 0; column < row.length; column += 1) {
    gradient[column]! += (outcome - probability) * row[column]!;
    const line = curvature[column]!;
    for (let other = 0; other <= column; other += 1) line[other]! += weight * row[column]! * row[other]!;
  }
}
