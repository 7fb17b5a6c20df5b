import { refreshStoredFigures } from '../apply/index.ts';
import { createRests } from '../runtime/pause.ts';
import { DAY_MS } from '../wire/time.ts';
import { defineJob, jobLease } from './job.ts';

const LOOK_MS = 60_000;
/** Time after which the figures are computed again, because a process from an earlier release may store matches during the first run. */
const AGAIN_MS = DAY_MS;

export const expectedGoals = defineJob({
  name: 'expected_goals',
  summary: 'computes expected goals of matches that were stored by an earlier release',
  variables: {},
  lease: jobLease('expected_goals'),
  schedule: { everyMs: LOOK_MS },
  retryMs: LOOK_MS,
  limitMs: 3_600_000,
  failed: 'computing expected goals failed, retrying in a minute',
  recovered: 'expected goals are computed again',
  open: (context) => () => {
    let lookedAt: number | null = null;
    return {
      async run(signal) {
        const now = context.clock.now();
        if (lookedAt !== null && now - lookedAt < AGAIN_MS) return { result: 'idle' };
        await refreshStoredFigures(context, createRests(signal));
        lookedAt = now;
        return { result: 'done' };
      },
    };
  },
});
