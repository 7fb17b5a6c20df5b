/** Iterates over matches day by day, so that a computation for a day knows only earlier days. Pure. */
import { SECONDS_PER_DAY, startOfDay } from './match-samples.ts';

/** Matches on a UTC day and on earlier days. */
export interface MatchDay<M> {
  /** When the day starts, in seconds since 1970. */
  start: number;
  matches: readonly M[];
  /** Returns the matches in the given number of days before this day, oldest first. */
  earlier: (days: number) => M[];
  /**
   * All earlier matches, oldest first. They are the first `count` entries in an array that all days share, so that no
   * copies are needed.
   */
  history: { matches: readonly M[]; count: number };
}

/**
 * @param matches in any order @returns the days, oldest first. `earlier` and `history` contain no match from the same
 * day or from later days.
 */
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
