/** Searches hyper-parameters by coordinate descent with decreasing steps. Pure. */
import type { Parameters } from '../calibrated/parameters.ts';

interface Coordinate {
  name: keyof Parameters;
  /** First step, which is added to the value, or multiplies it if `factor` is set. */
  step: number;
  factor?: true;
  least?: number;
  most?: number;
  /** Set if existing fits remain valid when this parameter changes. */
  afterFit?: true;
}

const COORDINATES: readonly Coordinate[] = [
  { name: 'difference_scale', step: 0.1, least: 0.5, afterFit: true },
  { name: 'total_scale', step: 0.1, least: 0.1, afterFit: true },
  { name: 'low_score_correlation', step: 0.02, least: -0.3, most: 0.3, afterFit: true },
  { name: 'shots_share', step: 0.15, least: 0, most: 1 },
  { name: 'half_life_days', step: 1.3, factor: true, least: 30 },
  { name: 'ridge', step: 1.5, factor: true },
  { name: 'newcomer_attack', step: 0.05, least: 0 },
  { name: 'newcomer_defence', step: 0.05, least: 0 },
  { name: 'newcomer_matches', step: 1.6, factor: true, most: 100 },
];
const ROUNDS = 3;
/** Number of rounds over the cheap coordinates (those with `afterFit`) before each costly coordinate. */
const SCALE_ROUNDS = 3;
/** Significant digits for a parameter in the file. */
const DIGITS = 3;
/** A smaller gain in log-loss is ignored. */
const LEAST_GAIN = 1e-5;

/** @typeParam F the fits for a training set */
export interface Search<F> {
  start: Parameters;
  fit: (parameters: Parameters) => F;
  /**
   * The objective to minimise.
   * @param fits made with the same parameters, except those marked `afterFit`
   */
  loss: (fits: F, parameters: Parameters) => number;
  /** Parameters that are not searched. */
  fixed: readonly (keyof Parameters)[];
  onGain: (parameters: Parameters, loss: number) => void;
}

/** @returns the best parameters found; deterministic for the same input */
export function searchParameters<F>({ start, fit, loss, fixed, onGain }: Search<F>): Parameters {
  const free = COORDINATES.filter(({ name }) => !fixed.includes(name));
  const fits = fit(start);
  let best = { parameters: start, fits, loss: loss(fits, start) };
  const attempt = (coordinate: Coordinate, round: number, direction: 1 | -1): boolean => {
    const parameters = moved(best.parameters, coordinate, round, direction);
    if (!parameters) return false;
    const candidate = coordinate.afterFit ? best.fits : fit(parameters);
    const found = loss(candidate, parameters);
    if (!(found < best.loss - LEAST_GAIN)) return false;
    best = { parameters, fits: candidate, loss: found };
    onGain(parameters, found);
    return true;
  };
  const climb = (coordinate: Coordinate, round: number) => {
    const direction = ([1, -1] as const).find((one) => attempt(coordinate, round, one));
    while (direction && attempt(coordinate, round, direction));
  };
  const scales = free.filter(({ afterFit }) => afterFit);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const coordinate of free.filter(({ afterFit }) => !afterFit)) {
      for (let again = 0; again < SCALE_ROUNDS; again += 1) for (const scale of scales) climb(scale, round);
      climb(coordinate, round);
    }
  }
  return best.parameters;
}

/** @returns undefined if the moved parameter is outside the bounds */
function moved(
  parameters: Parameters,
  { name, step, factor, least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY }: Coordinate,
  round: number,
  direction: 1 | -1,
): Parameters | undefined {
  const value = factor
    ? parameters[name] * step ** (direction / 2 ** round)
    : parameters[name] + (direction * step) / 2 ** round;
  const rounded = Number(value.toPrecision(DIGITS));
  return rounded >= least && rounded <= most && rounded !== parameters[name]
    ? { ...parameters, [name]: rounded }
    : undefined;
}
