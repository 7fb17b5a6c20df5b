/** Iteration over matches day by day: what is computed for a day knows earlier days alone. Pure. */
import { SECONDS_PER_DAY, startOfDay } from './match-samples.ts';

/** Matches of a UTC day, and of earlier days. */
export interface MatchDay<M> {
  /** The first second of the day, since 1970. */
  start: number;
  matches: readonly M[];
  /** Oldest first. */
  earlier: (days: number) => M[];
  /** All earlier matches, oldest first, as the first `count` entries of one array: reading new ones needs no copy. */
  history: { matches: readonly M[]; count: number };
}

/** @param matches in any order @returns their days, oldest first; a day exposes no match of itself or of later days */
export function* matchDays<M extends { id: number; start: number }>(matches: readonly M[]): Generator<MatchDay<M>> {
  const sorted = matches.toSorted((a, b) => a.start - b.start || a.id - b.id);
  let end = 0;
  for (let next = sorted[end]; next !== undefined; ) {
    const count = end;
    const start = startOfDay(next.start);
    for (; next !== undefined && next.start < start + SECONDS_PER_DAY; next = sorted[end]) end += 1;
    yield {
      start,
      matches: sorted.slice(count, end),
      earlier: (days) => {
        const oldest = start - days * SECONDS_PER_DAY;
        let first = count;
        while (first > 0 && sorted[first - 1]!.start >= oldest) first -= 1;
        return sorted.slice(first, count);
      },
      history: { matches: sorted, count },
    };
  }
}
