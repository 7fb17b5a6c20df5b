/** Times as counts in bins of equal width. */

export const BIN_US = 100;

/** Returns how many milliseconds this share of all deliveries took at most. */
export function percentile(counts: readonly number[], share: number): number {
  const total = counts.reduce((sum, count) => sum + count, 0);
  let seen = 0;
  for (let bin = 0; bin < counts.length; bin += 1) {
    seen += counts[bin]!;
    if (seen >= total * share) return ((bin + 1) * BIN_US) / 1_000;
  }
  return Number.NaN;
}

export const sum = (one: readonly number[], other: readonly number[]): number[] =>
  Array.from({ length: Math.max(one.length, other.length) }, (_, bin) => (one[bin] ?? 0) + (other[bin] ?? 0));
