/**
 * The floor of a queue: the id below which no row can be waiting any more, where a search may begin. Deleted rows stay in the index as
 * long as any snapshot is older than their deletion, and a search from the start steps over all of them (measured: 380 ms under a long
 * snapshot, 0.3 ms with a floor).
 */
import type { Queryable } from '../db/postgres.ts';

/**
 * Milliseconds. Writers live shorter than this (TRANSACTION_TIMEOUT_S), so a row whose id was given longer ago is visible by now or was
 * rolled back.
 */
const SETTLED_MS = 2 * 60_000;
/** Between two samples of the sequence. */
const SAMPLE_EVERY_MS = 10_000;
/** A search from the start is made all the same, in case Postgres was restored to an earlier state and its sequence gives ids again. */
const FULL_SEARCH_EVERY_MS = 60_000;

export interface QueueFloor {
  /** To be called before each search. @returns only larger ids need to be searched */
  begin(): number;
  /** The last search has found nothing. @param last reads the sequence's last value */
  drained(last: () => Promise<number>): Promise<void>;
  /** Forgets everything: what Postgres has answered so far may no longer hold. */
  reset(): void;
}

/**
 * @param now milliseconds of a monotonic clock
 * @param fullSearchEvery milliseconds
 */
export function createQueueFloor(
  now: () => number = () => performance.now(),
  fullSearchEvery = FULL_SEARCH_EVERY_MS,
): QueueFloor {
  /** Only the oldest may be settled; `at` is taken after the reading, so every id up to `last` was given before it. */
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
      // Time is taken before the search and after the reading, since this process may be paused anywhere in between.
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

/** The last id that a queue's sequence has given; 0 before the first. */
export async function lastId(db: Queryable, queue: 'outbox' | 'match_touch'): Promise<number> {
  // The last_value of a sequence that has given nothing yet is 1, as after its first value.
  const { rows } = await db.query<{ last: number }>(
    `SELECT last_value - (NOT is_called)::int AS last FROM ${queue}_id_seq`,
  );
  return rows[0]!.last;
}
