/**
 * Fits the model of expected goals: a ridge logistic regression by Newton's method, whose penalty is the one with the
 * least log-loss when each league is predicted from the others. Pure, and the same shots give the same model.
 */
import { CholeskyDecomposition, Matrix } from 'ml-matrix';
import type { ExpectedGoalsModel } from '../../expected-goals/shot-model.ts';
import { isGoal, isPenalty, shotColumns, shotsBefore } from '../../expected-goals/shots.ts';
import type { ShotMatch } from './shot-source.ts';

const RIDGES = [0.01, 0.1, 1, 10, 100] as const;
/** The fit ends when no log-odds coefficient of a standardised column changes by more. */
const PRECISION = 1e-9;
const MOST_STEPS = 50;
/** Significant digits in the file. */
const DIGITS = 6;

export type FittedModel = Omit<ExpectedGoalsModel, 'fitted_on'>;

/** A shot other than a penalty. */
interface Sample {
  league: string;
  columns: Record<string, number>;
  goal: 0 | 1;
}

/**
 * @returns the fit, with the mean log-loss of the shots other than penalties when each league is predicted from the others
 * @throws Error with one line without penalties, or without shots of two leagues
 */
export function fitExpectedGoals(matches: readonly ShotMatch[]): FittedModel & { crossValidated: number } {
  const samples = matches.flatMap(toSamples);
  const penalties = matches.flatMap(({ shots }) => shots.filter(isPenalty));
  if (penalties.length === 0) throw new Error('there is no penalty among the shots');
  const leagues = [...new Set(samples.map(({ league }) => league))].sort();
  if (leagues.length < 2) throw new Error('the fit needs shots with coordinates of two leagues, to compare ridges');
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
    const columns = isPenalty(shot) ? null : shotColumns(shot, before[position]!);
    return columns === null ? [] : [{ league: country, columns, goal: isGoal(shot) ? 1 : 0 }];
  });
}

/** Returns the mean log-loss of each shot, predicted from the other leagues. */
function lossAcrossLeagues(samples: readonly Sample[], leagues: readonly string[], ridge: number): number {
  let loss = 0;
  for (const left of leagues) {
    const { intercept, coefficients } = fitLogistic(
      samples.filter(({ league }) => league !== left),
      ridge,
    );
    for (const { columns, goal } of samples.filter(({ league }) => league === left)) {
      const logOdds = Object.entries(coefficients).reduce(
        (sum, [name, value]) => sum + value * columns[name]!,
        intercept,
      );
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
  const names = Object.keys(samples[0]!.columns);
  const scales = names.map((name) => measureScale(samples.map(({ columns }) => columns[name]!)));
  // A column that is the same for all shots tells nothing.
  const used = [...names.keys()].filter((index) => scales[index]!.deviation > 0);
  const rows = samples.map(({ columns }) => [
    1,
    ...used.map((index) => (columns[names[index]!]! - scales[index]!.mean) / scales[index]!.deviation),
  ]);
  const weights = newton(
    rows,
    samples.map(({ goal }) => goal),
    ridge,
  );
  const raw = used.map((index, position) => weights[position + 1]! / scales[index]!.deviation);
  return {
    intercept: used.reduce((sum, index, position) => sum - raw[position]! * scales[index]!.mean, weights[0]!),
    coefficients: Object.fromEntries(used.map((index, position) => [names[index]!, raw[position]!])),
  };
}

function measureScale(values: readonly number[]): { mean: number; deviation: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, deviation: Math.sqrt(variance) };
}

/** @param rows begin with 1, for the intercept, which has no penalty @returns the weight of each column */
function newton(rows: readonly number[][], outcomes: readonly number[], ridge: number): number[] {
  const width = rows[0]!.length;
  const weights = new Array<number>(width).fill(0);
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const gradient = weights.map((weight, column) => (column === 0 ? 0 : -ridge * weight));
    const curvature = weights.map((_, column) =>
      weights.map((__, other) => (column === other && column > 0 ? ridge : 0)),
    );
    for (const [position, row] of rows.entries()) addSample(row, outcomes[position]!, weights, gradient, curvature);
    for (let column = 0; column < width; column += 1)
      for (let other = 0; other < column; other += 1) curvature[other]![column] = curvature[column]![other]!;
    const change = new CholeskyDecomposition(new Matrix(curvature)).solve(Matrix.columnVector(gradient)).to1DArray();
    for (const [column, value] of change.entries()) weights[column]! += value;
    if (Math.max(...change.map(Math.abs)) < PRECISION) return weights;
  }
  throw new Error('the fit of expected goals does not converge');
}

/** Adds a shot to the gradient of the log-likelihood and to the lower half of its curvature. */
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
