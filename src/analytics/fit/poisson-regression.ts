/** Poisson regression by Newton's method. The logarithm of the mean is an offset plus a weighted sum. Pure. */
import { CholeskyDecomposition, Matrix } from 'ml-matrix';

const MOST_STEPS = 30;
const SMALLEST_STEP = 1e-10;

export interface Observations {
  /** Column count in `features`. */
  width: number;
  /** The values, row by row. */
  features: Float64Array;
  /** For each row, the logarithm of the known factor of the mean, and the observed count. */
  offsets: Float64Array;
  counts: Float64Array;
}

/** @throws Error if the observations do not determine each coefficient */
export function poissonRegression({ width, features, offsets, counts }: Observations): Float64Array {
  const coefficients = new Float64Array(width);
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const gradient = new Float64Array(width);
    const information = Array.from({ length: width }, () => new Float64Array(width));
    for (let row = 0; row < counts.length; row += 1) {
      const first = row * width;
      let logarithm = offsets[row]!;
      for (let one = 0; one < width; one += 1) logarithm += coefficients[one]! * features[first + one]!;
      const mean = Math.exp(logarithm);
      for (let one = 0; one < width; one += 1) {
        const value = features[first + one]!;
        if (value === 0) continue;
        gradient[one]! += (counts[row]! - mean) * value;
        for (let other = 0; other <= one; other += 1)
          information[one]![other]! += mean * value * features[first + other]!;
      }
    }
    const change = newtonStep(information, gradient);
    for (const [one, value] of change.entries()) coefficients[one]! += value;
    if (change.every((value) => Math.abs(value) < SMALLEST_STEP)) return coefficients;
  }
  throw new Error('the regression found no coefficients');
}

/**
 * Returns the change to each coefficient by Newton's method.
 * @param information only the lower triangle is read
 */
function newtonStep(information: readonly Float64Array[], gradient: Float64Array): number[] {
  const size = gradient.length;
  const whole = Matrix.zeros(size, size);
  for (const [row, values] of information.entries())
    for (const [column, value] of values.subarray(0, row + 1).entries()) {
      whole.set(row, column, value);
      whole.set(column, row, value);
    }
  const cholesky = new CholeskyDecomposition(whole);
  const lower = cholesky.lowerTriangularMatrix;
  // If the matrix is singular, a diagonal element is at most as large as a rounding error.
  const isDetermined = whole
    .diagonal()
    .every((value, index) => lower.get(index, index) ** 2 > value * Number.EPSILON * size);
  if (!isDetermined) throw new Error('the observations do not determine each coefficient');
  return cholesky.solve(Matrix.columnVector(gradient)).to1DArray();
}
