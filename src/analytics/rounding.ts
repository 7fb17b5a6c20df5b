/** Rounding for output. Rounded values are never used in further calculations. Pure. */

/** Number of decimals for averages, percentages and odds. */
export const DECIMALS = 2;
export const DECIMALS_OF_EXPECTED_GOALS = 4;

/** A double holds 15 decimal digits. Differences in later digits are arithmetic errors. */
const EXACT_DIGITS = 15;

/**
 * Rounds half away from zero, going by the number's decimal digits as written. 1.005 becomes 1.01, although the double for 1.005 is
 * slightly less.
 * @param value finite; the result is never negative zero
 */
export function roundTo(decimals: number, value: number): number {
  const [digits, exponent] = Math.abs(value)
    .toExponential(EXACT_DIGITS - 1)
    .split('e');
  const shifted = Number(`${digits}e${Number(exponent) + decimals}`);
  // A number this large has no decimals to round.
  if (!(shifted < Number.MAX_SAFE_INTEGER)) return value;
  const rounded = Number(`${Math.round(shifted)}e-${decimals}`);
  return value < 0 && rounded !== 0 ? -rounded : rounded;
}

/** @returns part ÷ whole in percent, rounded; null if the whole is 0 */
export const percentage = (part: number, whole: number): number | null =>
  whole === 0 ? null : roundTo(DECIMALS, (part * 100) / whole);

/** @returns sum ÷ count, rounded; null if the count is 0 */
export const meanOrNull = (sum: number, count: number): number | null =>
  count === 0 ? null : roundTo(DECIMALS, sum / count);
