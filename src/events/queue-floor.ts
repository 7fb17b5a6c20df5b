/**
 * Where the search of a drained queue may begin. Deleted rows stay in the index while any snapshot is older than their deletion;
 * a search from the start steps over all of them (measured: 380 ms under a long snapshot, 0.3 ms with a floor).
 */

/** Writers live shorter than this (TRANSACTION_TIMEOUT), so an id given longer ago is visible or will never be. */
const SETTLED_MS = 2 * 60_000;
const SAMPLE_EVERY_MS = 10_000;

export interface QueueFloor {
  /** Rows with smaller ids are gone. */
  value: number;
  /** To be called when a search from `value` found nothing; `last` reads the sequence's last value. */
  drained(now: number, last: () => Promise<number>): Promise<void>;
}

export function queueFloor(): QueueFloor {
  const samples: { at: number; last: number }[] = [];
  return {
    value: 0,
    async drained(now, last) {
      const newest = samples.at(-1);
      if (newest === undefined || now - newest.at >= SAMPLE_EVERY_MS) samples.push({ at: now, last: await last() });
      // Ids up to a settled sample were visible to the search that has just found nothing.
      while (samples.length > 0 && now - samples[0]!.at >= SETTLED_MS) this.value = samples.shift()!.last;
    },
  };
}
