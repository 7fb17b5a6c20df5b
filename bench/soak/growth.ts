/** Decides from one sample a minute whether a process is still growing. All functions are pure. */

export const MEASURES = ['rss', 'heap', 'external', 'handles', 'prepared'] as const;
export type Measure = (typeof MEASURES)[number];

const MB = 1_048_576;

/**
 * Tolerated growth per minute. At 100 events a second, a megabyte a minute is 175 bytes per event. The system's allocator retains memory,
 * so `rss` varies more than the memory in use.
 */
export const BOUNDS: Readonly<Record<Measure | 'leases', number>> = {
  rss: 4 * MB,
  heap: 1 * MB,
  external: 1 * MB,
  handles: 1,
  prepared: 1,
  leases: 1,
};

/**
 * Returns the median of the slopes between any two samples, so that one outlier does not decide.
 * @returns growth from one sample to the next
 */
export function growth(values: readonly number[]): number {
  const slopes = values
    .flatMap((value, later) => values.slice(0, later).map((before, earlier) => (value - before) / (later - earlier)))
    .sort((one, other) => one - other);
  if (slopes.length === 0) return 0;
  const middle = slopes.length >> 1;
  return slopes.length % 2 === 1 ? slopes[middle]! : (slopes[middle - 1]! + slopes[middle]!) / 2;
}

/** Whether every value in the second half is above every value in the first half. If values only fluctuate, it is not. */
function isAbove(values: readonly number[]): boolean {
  const half = values.length >> 1;
  return half > 0 && Math.min(...values.slice(-half)) > Math.max(...values.slice(0, half));
}

export interface Grown {
  what: string;
  perMinute: number;
  bound: number;
}

/**
 * @param looks samples, by role or table name
 * @returns the measures that have grown by more than the bound and have not come down again
 */
export function grown(looks: Readonly<Record<string, readonly Readonly<Partial<Record<string, number>>>[]>>): Grown[] {
  return Object.entries(looks).flatMap(([name, rows]) =>
    Object.entries(BOUNDS).flatMap(([measure, bound]) => {
      const values = rows.flatMap((row) => row[measure] ?? []);
      const perMinute = growth(values);
      return perMinute > bound && isAbove(values) ? [{ what: `${name} ${measure}`, perMinute, bound }] : [];
    }),
  );
}
