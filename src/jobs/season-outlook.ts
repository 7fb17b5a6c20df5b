import { OutlookRefresh } from '../analytics/outlook/refresh.ts';
import { createPause, defineJob, jobLease } from './job.ts';

const LOOK_MS = 5_000;

export const seasonOutlook = defineJob({
  name: 'season_outlook',
  summary: 'simulates the rest of running seasons after each result, and past weeks that have no outlook',
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
          const begun = performance.now();
          if (!(await refresh.step(createPause(signal)))) return { result: 'idle' };
          // It takes at most half of one core.
          return { result: 'done', pauseMs: performance.now() - begun };
        },
      };
    };
  },
});
