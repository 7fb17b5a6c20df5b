/**
 * Where the search of a drained queue may begin. Deleted rows stay in the index while any snapshot is older than their deletion;
 * a search from the start steps over all of them (measured: 380 ms under a long snapshot, 0.3 ms with a floor).
 */
import type { Queryable } from '../db/postgres.ts';

/** Writers live shorter than this (TRANSACTION_TIMEOUT), so an id given longer ago is visible or will never be. */
export const SETTLED_MS = 2 * 60_000;
/** Between two looks at the sequence. */
const SAMPLE_EVERY_MS = 10_000;
/** A search from the start all the same, should Postgres have come back older, with a sequence that gives ids again. */
export const WHOLE_EVERY_MS = 60_000;

export interface QueueFloor {
  /** To be called before each search. @returns only larger ids are to be looked at */
  begin(): number;
  /** The search that was begun last has found nothing; `last` reads the sequence's last value. */
  drained(last: () => Promise<number>): Promise<void>;
  /** Forgets everything: something went wrong between us and Postgres. */
  reset(): void;
}

/**
 * @param now milliseconds of a clock that nobody sets
 * @param wholeEvery ms
 */
export function queueFloor(now: () => number = () => performance.now(), wholeEvery = WHOLE_EVERY_MS): QueueFloor {
  /** The oldest may be settled; `at` lies after the reading, so that every id up to `last` was given before it. */
  let samples: { at: number; last: number }[] = [];
  let value = 0;
  let begun = 0;
  let whole = Number.NEGATIVE_INFINITY;

  return {
    begin() {
      begun = now();
      if (begun - whole < wholeEvery) return value;
      whole = begun;
      value = 0;
      return value;
    },

    async drained(last) {
      // Time is taken before the search and after the reading: this process may be paused anywhere in between.
      while (samples.length > 1 && begun - samples[1]!.at >= SETTLED_MS) samples.shift();
      const [oldest] = samples;
      if (oldest !== undefined && begun - oldest.at >= SETTLED_MS) value = oldest.last;
      const newest = samples.at(-1);
      if (newest !== undefined && begun - newest.at < SAMPLE_EVERY_MS) return;
      const sample = { last: await last(), at: now() };
      if (newest !== undefined && sample.last < newest.last) this.reset();
      samples.push(sample);
    },

    reset() {
      samples = [];
      value = 0;
    },
  };
}

/** The last id that a queue's sequence has given. */
export async function lastId(db: Queryable, queue: 'outbox' | 'match_touch'): Promise<number> {
  // A sequence that has given nothing yet says 1, as one that has given its first.
  const { rows } = await db.query<{ last: number }>(
    `SELECT last_value - (NOT is_called)::int AS last FROM ${queue}_id_seq`,
  );
  return rows[0]!.last;
}
