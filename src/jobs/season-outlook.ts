import { setTimeout as sleep } from 'node:timers/promises';
import { OutlookRefresh } from '../analytics/outlook/index.ts';
import { defineJob, jobLease } from './job.ts';

const LOOK_MS = 5_000;
/** Pause between two outlooks. */
const BETWEEN_MS = 200;
/**
 * Pause after a step, as a multiple of the step's duration. Requests to the same process therefore wait for at most one step.
 */
const PAUSE_FACTOR = 3;

/** Creates a function that pauses after each step. It throws if the run is aborted. */
function createSlowPause(signal: AbortSignal): () => Promise<void> {
  let begun = performance.now();
  return async () => {
    await sleep(PAUSE_FACTOR * (performance.now() - begun), undefined, { signal });
    begun = performance.now();
  };
}

export const seasonOutlook = defineJob({
  name: 'season_outlook',
  summary: 'simulates the rest of current seasons after each result, and computes missing outlooks of past weeks',
  variables: {},
  lease: jobLease('season_outlook'),
  schedule: { everyMs: LOOK_MS },
  retryMs: 10_000,
  limitMs: 120_000,
  failed: 'computing an outlook failed, retrying in ten seconds',
  recovered: 'the outlooks are computed again',
  open(context) {
    return () => {
      const refresh = new OutlookRefresh(context);
      return {
        async run(signal) {
          if (!context.clickhouse.isOpen()) return { result: 'idle' };
          return (await refresh.step(createSlowPause(signal)))
            ? { result: 'done', pauseMs: BETWEEN_MS }
            : { result: 'idle' };
        },
      };
    };
  },
});
