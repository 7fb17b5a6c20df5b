import { precedenceVariables } from '../identity/config.ts';
import { findPairs } from '../pairs/find-pairs.ts';
import { finishMoves } from '../pairs/pairs.ts';
import { createRegisterPairs } from '../pairs/register-pairs.ts';
import { createRests } from '../runtime/pause.ts';
import { defineJob, jobLease } from './job.ts';

const EVERY_MS = 60_000;

export const participantPairs = defineJob({
  name: 'participant_pairs',
  summary:
    'lists pairs of teams and players that may be the same, for an operator to decide, and moves the matches of decided pairs',
  variables: precedenceVariables,
  lease: jobLease('participant_pairs'),
  schedule: { everyMs: EVERY_MS },
  retryMs: EVERY_MS,
  limitMs: 3_600_000,
  failed: 'comparing participants failed, retrying in a minute',
  recovered: 'participants are compared again',
  open: (context) => {
    const addRegisterPairs = createRegisterPairs(context);
    return () => ({
      async run(signal) {
        const moved = await finishMoves(context);
        const found = await findPairs(context, createRests(signal));
        const claimed = await addRegisterPairs();
        return { result: moved + claimed > 0 || found !== null ? 'done' : 'idle' };
      },
    });
  },
});
