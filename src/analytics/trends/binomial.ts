/** The binomial distribution. Pure. */

/** Terms below this are left out. Their sum is less than a double's rounding error. */
const NEGLIGIBLE = 1e-17;

/**
 * Returns P(X ≥ atLeast) for X ~ Binomial(trials, probability), which is the chance that at least `atLeast` independent
 * trials succeed. The terms are summed from the first upwards by p(k+1) = p(k) (n−k)/(k+1) p/(1−p). The first term is
 * the exponential of a sum of logarithms, so that no power leaves the range of a double.
 * @param probability between 0 and 1
 * @throws RangeError if `trials` is not a count or `probability` not a probability
 */
export function binomialTail(atLeast: number, trials: number, probability: number): number {
  if (!(Number.isInteger(trials) && trials >= 0)) throw new RangeError(`not a number of trials: ${trials}`);
  if (!(probability >= 0 && probability <= 1)) throw new RangeError(`not a probability: ${probability}`);
  const from = Math.max(0, Math.ceil(atLeast));
  if (from === 0) return 1;
  if (from > trials || probability === 0) return 0;
  if (probability === 1) return 1;
  // Below the mean, the opposite tail is smaller and takes fewer terms.
  if (from <= trials * probability) return 1 - binomialTail(trials - from + 1, trials, 1 - probability);
  let term = Math.exp(logProbability(from, trials, probability));
  let sum = 0;
  for (let k = from; k <= trials && term > sum * NEGLIGIBLE; k += 1) {
    sum += term;
    term *= ((trials - k) / (k + 1)) * (probability / (1 - probability));
  }
  return Math.min(1, sum);
}

/** Returns ln P(X = successes). */
function logProbability(successes: number, trials: number, probability: number): number {
  let sum = successes * Math.log(probability) + (trials - successes) * Math.log1p(-probability);
  for (let i = 1; i <= successes; i += 1) sum += Math.log((trials - successes + i) / i);
  return sum;
}
