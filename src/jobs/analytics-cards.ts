import { CARD_JOB, CardRefresh } from '../analytics/cards/index.ts';
import { defineJob, jobLease } from './job.ts';

/** Time between two checks for changes. */
const LOOK_MS = 1_000;

export const analyticsCards = defineJob({
  name: CARD_JOB,
  summary:
    'keeps fresh analytics of matches that start soon, are live or have just ended, and of their sides and leagues; at rest, computes those of other sides and leagues',
  variables: {},
  lease: jobLease(CARD_JOB),
  schedule: { everyMs: LOOK_MS },
  retryMs: 2_000,
  limitMs: 120_000,
  failed: 'refreshing the analytics failed, retrying',
  recovered: 'the analytics are refreshed again',
  open(context) {
    return () => {
      const refresh = new CardRefresh(context);
      return {
        async run(signal) {
          if (!context.clickhouse.isOpen()) return { result: 'idle' };
          if (await refresh.step(signal)) return { result: 'done', pauseMs: 0 };
          await refresh.fill(signal);
          return { result: 'idle' };
        },
      };
    };
  },
});
