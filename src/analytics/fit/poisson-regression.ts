/** Poisson regression by Newton's method: the logarithm of the mean is an offset plus a sum of coefficients. Pure. */

const MOST_STEPS = 30;
const SMALLEST_STEP = 1e-10;

export interface Observations {
  /** Number of columns of `features`. */
  width: number;
  /** Row by row. */
  features: Float64Array;
  /** Logarithm of the known part of the mean, and the observed count, of each row. */
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
    const change = solve(information, gradient);
    for (let one = 0; one < width; one += 1) coefficients[one]! += change[one]!;
    if (change.every((value) => Math.abs(value) < SMALLEST_STEP)) return coefficients;
  }
  throw new Error('the regression found no coefficients');
}

/**
 * Solves matrix × x = vector by a Cholesky decomposition.
 * @param matrix symmetric and positive definite; only the lower triangle is read
 */
function solve(matrix: readonly Float64Array[], vector: Float64Array): Float64Array {
  const size = vector.length;
  const lower = matrix.map((row) => Float64Array.from(row));
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column <= row; column += 1) {
      let sum = lower[row]![column]!;
      for (let k = 0; k < column; k += 1) sum -= lower[row]![k]! * lower[column]![k]!;
      if (row !== column) lower[row]![column] = sum / lower[column]![column]!;
      else if (sum > matrix[row]![row]! * Number.EPSILON * size) lower[row]![row] = Math.sqrt(sum);
      else throw new Error('the observations do not determine each coefficient');
    }
  }
  const solution = Float64Array.from(vector);
  for (let row = 0; row < size; row += 1) {
    for (let k = 0; k < row; k += 1) solution[row]! -= lower[row]![k]! * solution[k]!;
    solution[row]! /= lower[row]![row]!;
  }
  for (let row = size - 1; row >= 0; row -= 1) {
    for (let k = row + 1; k < size; k += 1) solution[row]! -= lower[k]![row]! * solution[k]!;
    solution[row]! /= lower[row]![row]!;
  }
  return solution;
}
