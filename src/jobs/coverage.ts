import { CoverageRefresh, coverageLease } from '../catalogue/coverage/index.ts';
import { defineJob } from './job.ts';

/** Time between two checks for changes. An import counts as ended only if several checks in a row find none. */
const LOOK_MS = 2_000;
/**
 * Pause after a step, as a multiple of the step's duration. The job therefore uses one Postgres connection for at most a
 * fifth of the time.
 */
const PAUSE_FACTOR = 4;
const LONGEST_PAUSE_MS = 5_000;

export const coverage = defineJob({
  name: 'coverage',
  summary: 'measures the coverage of tournaments: changed ones after an import, all of them once a night',
  variables: {},
  lease: coverageLease,
  schedule: { everyMs: LOOK_MS },
  retryMs: 30_000,
  limitMs: 120_000,
  failed: 'measuring the coverage failed, retrying',
  recovered: 'the coverage is measured again',
  open:
    ({ pool, clock }) =>
    (generation) => {
      const refresh = new CoverageRefresh({ pool, clock }, generation);
      return {
        async run() {
          const begun = performance.now();
          const hasMore = await refresh.step().catch((error) => {
            // The transaction has been rolled back, but the pass in memory has not, so it is dropped.
            refresh.reset();
            throw error;
          });
          if (!hasMore) return { result: 'idle' };
          return {
            result: 'done',
            pauseMs: Math.min(PAUSE_FACTOR * (performance.now() - begun), LONGEST_PAUSE_MS),
          };
        },
      };
    },
});
