/** Random numbers that depend only on their seed, so that a generated match is always the same. */
export interface Random {
  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** Integer, both ends inclusive. */
  int(low: number, high: number): number;
  pick<T>(list: readonly T[]): T;
  /** Item of the list, with a probability proportional to its weight. */
  weighted<T>(list: readonly T[], weight: (item: T) => number): T;
  /** A count whose mean is `mean` (Knuth's method: for means below about 30). */
  poisson(mean: number): number;
  /** Approximately normal: the mean of four uniform numbers, scaled. */
  around(mean: number, spread: number): number;
}

/** Mulberry32, seeded by FNV-1a of the text. */
export function seededRandom(seed: string): Random {
  let state = 0x811c9dc5;
  for (let index = 0; index < seed.length; index++) state = Math.imul(state ^ seed.charCodeAt(index), 0x01000193);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const int = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    int,
    pick: (list) => list[int(0, list.length - 1)]!,
    weighted(list, weight) {
      let left = next() * list.reduce((sum, item) => sum + weight(item), 0);
      for (const item of list) {
        left -= weight(item);
        if (left < 0) return item;
      }
      return list.at(-1)!;
    },
    poisson(mean) {
      const limit = Math.exp(-mean);
      let count = 0;
      for (let product = next(); product > limit; product *= next()) count++;
      return count;
    },
    around: (mean, spread) => mean + (next() + next() + next() + next() - 2) * spread,
  };
}
