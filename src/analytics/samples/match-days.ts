/** Iteration over matches day by day: what is computed for a day knows earlier days alone. Pure. */
import { SECONDS_PER_DAY, startOfDay } from './sample.ts';

/** Matches of a UTC day, and of earlier days. */
export interface MatchDay<M> {
  matches: readonly M[];
  /** Oldest first. */
  earlier: (days: number) => M[];
  /** All earlier matches, oldest first, as the first `count` entries of one array: reading new ones needs no copy. */
  history: { matches: readonly M[]; count: number };
}

/** @param matches in any order @returns their days, oldest first; a day exposes no match of itself or of later days */
export function* matchDays<M extends { id: number; start: number }>(matches: readonly M[]): Generator<MatchDay<M>> {
  const sorted = matches.toSorted((a, b) => a.start - b.start || a.id - b.id);
  for (let from = 0, to = 0; from < sorted.length; from = to) {
    const day = startOfDay(sorted[from]!.start);
    while (to < sorted.length && sorted[to]!.start < day + SECONDS_PER_DAY) to += 1;
    const count = from;
    yield {
      matches: sorted.slice(from, to),
      earlier: (days) => {
        const oldest = day - days * SECONDS_PER_DAY;
        let first = count;
        while (first > 0 && sorted[first - 1]!.start >= oldest) first -= 1;
        return sorted.slice(first, count);
      },
      history: { matches: sorted, count },
    };
  }
}
