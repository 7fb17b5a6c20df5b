import { addMissingSeasonTeams } from '../apply/index.ts';
import { dropWrongFigures, refreshStaleSeason } from '../statistics/index.ts';
import { HOUR_MS } from '../wire/time.ts';
import { defineJob, jobLease } from './job.ts';

const LOOK_MS = 10_000;
/** Pause after a season, as a multiple of the time that the season took. The job therefore uses at most a fifth of a processor. */
const PAUSE_FACTOR = 4;
/**
 * Time between two comparisons of all figures with the matches. They are needed because a process of an earlier release
 * changes matches without marking them.
 */
const COMPARE_MS = HOUR_MS;

export const seasonFigures = defineJob({
  name: 'season_figures',
  summary:
    'computes figures of players and teams by season after their matches have changed, before somebody asks for them',
  variables: {},
  lease: jobLease('season_figures'),
  schedule: { everyMs: LOOK_MS },
  retryMs: LOOK_MS,
  limitMs: 120_000,
  failed: 'computing season figures failed, retrying in ten seconds',
  recovered: 'season figures are computed again',
  open: ({ pool, clock }) => {
    let comparedAt: number | null = null;
    return () => ({
      async run() {
        const begun = performance.now();
        if (comparedAt === null || clock.now() - comparedAt >= COMPARE_MS) {
          await addMissingSeasonTeams(pool);
          await dropWrongFigures(pool);
          comparedAt = clock.now();
        }
        if (!(await refreshStaleSeason(pool))) return { result: 'idle' };
        return { result: 'done', pauseMs: PAUSE_FACTOR * (performance.now() - begun) };
      },
    });
  },
});
