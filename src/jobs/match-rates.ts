import { computeRates, nextDueTournament } from '../analytics/live/rates-due.ts';
import { refreshWinProbabilities } from '../apply/index.ts';
import { storeRates } from '../in-play/index.ts';
import { createRests } from '../runtime/pause.ts';
import { defineJob, jobLease } from './job.ts';

const lease = jobLease('match_rates');

export const matchRates = defineJob({
  name: 'match_rates',
  summary: 'computes the expected goals for the win probabilities of live and future matches',
  variables: {},
  lease,
  schedule: { everyMs: 10_000 },
  retryMs: 10_000,
  limitMs: 120_000,
  failed: 'computing win probabilities failed, retrying',
  recovered: 'win probabilities are computed again',
  open:
    ({ pool, clock, changes }) =>
    (generation) => ({
      /** Computes one tournament in each run, so that a run is short. */
      async run(signal) {
        const now = clock.now();
        const due = await nextDueTournament(pool, now);
        if (due === null) return { result: 'idle' };
        const rates = await computeRates(pool, due, createRests(signal));
        const changed = await lease.transaction(pool, generation, async (client) => {
          await storeRates(client, rates, now);
          return refreshWinProbabilities(
            client,
            rates.map(({ match_id }) => match_id),
            now,
          );
        });
        changes.publish(changed);
        return { result: 'done', pauseMs: 0 };
      },
    }),
});
