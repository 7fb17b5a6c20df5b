/**
 * A queue's floor: an id after which a search may begin, because no earlier row can still be waiting. A search from
 * the start would be slow: deleted rows stay in the index while any snapshot is older than the deletion, and the
 * search would step over all of them (measured: 380 ms under a long snapshot, 0.3 ms with a floor).
 */
import { firstRow, type Queryable } from '../db/postgres.ts';

/**
 * Milliseconds after which an assigned id counts as settled. Write transactions are shorter than this
 * (TRANSACTION_TIMEOUT_S), so by then its row is visible or was rolled back.
 */
const SETTLED_MS = 2 * 60_000;
/** Time between two samples of the sequence. */
const SAMPLE_EVERY_MS = 10_000;
/** How often the search starts from the beginning, in case Postgres was restored to an earlier state and the sequence assigns ids again. */
const FULL_SEARCH_EVERY_MS = 60_000;

export interface QueueFloor {
  /** Begins a search. Call it before each search. @returns the floor; only larger ids need to be searched */
  begin(): number;
  /** Call it when a search has found no row. @param last reads the sequence's last value */
  drained(last: () => Promise<number>): Promise<void>;
  /** Forgets all samples, since they may no longer be true after a failure. */
  reset(): void;
}

/**
 * @param now milliseconds from a monotonic clock
 * @param fullSearchEvery milliseconds
 */
export function createQueueFloor(
  now: () => number = () => performance.now(),
  fullSearchEvery = FULL_SEARCH_EVERY_MS,
): QueueFloor {
  /**
   * Samples of the sequence, oldest first. Only the first can be settled. `at` is taken after `last` was read, so
   * every id up to `last` was assigned before `at`.
   */
  let samples: { at: number; last: number }[] = [];
  let floor = 0;
  let begun = 0;
  let fullSearch = Number.NEGATIVE_INFINITY;

  return {
    begin() {
      begun = now();
      if (begun - fullSearch < fullSearchEvery) return floor;
      fullSearch = begun;
      floor = 0;
      return floor;
    },

    async drained(last) {
      // Compares the time before the search with the time after the sample was read, since this process may be paused in between.
      while (samples.length > 1 && begun - samples[1]!.at >= SETTLED_MS) samples.shift();
      const [oldest] = samples;
      if (oldest !== undefined && begun - oldest.at >= SETTLED_MS) floor = oldest.last;
      const newest = samples.at(-1);
      if (newest !== undefined && begun - newest.at < SAMPLE_EVERY_MS) return;
      const sample = { last: await last(), at: now() };
      if (newest !== undefined && sample.last < newest.last) this.reset();
      samples.push(sample);
    },

    reset() {
      samples = [];
      floor = 0;
    },
  };
}

/** Returns the last id that a queue's sequence has assigned; 0 before the first. */
export async function lastId(db: Queryable, queue: 'outbox' | 'match_touch'): Promise<number> {
  // In a fresh sequence last_value is 1, which is also the value after the first id was assigned.
  const { rows } = await db.query<{ last: number }>(
    `SELECT last_value - (NOT is_called)::int AS last FROM ${queue}_id_seq`,
  );
  return firstRow(rows).last;
}
