/**
 * A queue's floor. No row below this id can still be waiting, so a search may begin there. Deleted rows stay in the
 * index as long as any snapshot is older than the deletion, and a search from the start steps over all of them
 * (measured: 380 ms under a long snapshot, 0.3 ms with a floor).
 */
import { firstRow, type Queryable } from '../db/postgres.ts';

/**
 * Milliseconds. Write transactions are shorter than this (TRANSACTION_TIMEOUT_S), so a row whose id was assigned longer
 * ago is visible by now or was rolled back.
 */
const SETTLED_MS = 2 * 60_000;
/** Time between two samples of the sequence. */
const SAMPLE_EVERY_MS = 10_000;
/**
 * A full search still runs at this interval, in case Postgres was restored to an earlier state and the sequence assigns
 * ids again.
 */
const FULL_SEARCH_EVERY_MS = 60_000;

export interface QueueFloor {
  /** Begins a search; call it before each. @returns the floor; only larger ids need to be searched */
  begin(): number;
  /** Records that the last search found no row. @param last reads the sequence's last value */
  drained(last: () => Promise<number>): Promise<void>;
  /** Forgets all samples because Postgres's earlier answers may no longer hold. */
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
  /** Only the oldest can be settled. `at` is taken after the read, so every id up to `last` was assigned before it. */
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
      // Time is taken before the search and after the read, since this process may be paused anywhere in between.
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
  // A fresh sequence has last_value 1, the same as after the first value.
  const { rows } = await db.query<{ last: number }>(
    `SELECT last_value - (NOT is_called)::int AS last FROM ${queue}_id_seq`,
  );
  return firstRow(rows).last;
}
