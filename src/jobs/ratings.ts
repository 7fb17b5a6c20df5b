import { publishRatings } from '../analytics/elo/publish-ratings.ts';
import { precedenceVariables } from '../identity/config.ts';
import { createRests } from '../runtime/pause.ts';
import { defineJob, jobLease } from './job.ts';

const lease = jobLease('ratings');

export const ratings = defineJob({
  name: 'ratings',
  summary: 'computes the Elo ratings of football and of other sports, and publishes them as rankings',
  variables: precedenceVariables,
  lease,
  // Runs after the coverage job, which measures all seasons from 03:00 on.
  schedule: { dailyAtHour: 4 },
  retryMs: 600_000,
  limitMs: 3_600_000,
  failed: 'computing the ratings failed, retrying in ten minutes',
  recovered: 'the ratings are computed again',
  open:
    ({ pool, config, clock }) =>
    (generation) => ({
      async run(signal) {
        const options = { pool, precedence: config.precedence, now: clock.now(), pause: createRests(signal) };
        // The result is null if the command is publishing the ratings at the moment.
        const published = await publishRatings((work) => lease.transaction(pool, generation, work), options);
        return { result: published === null ? 'idle' : 'done' };
      },
    }),
});
