import { createHousekeeping } from '../apply/index.ts';
import { precedenceVariables } from '../identity/config.ts';
import { EntityCache } from '../identity/entities.ts';
import { defineJob, jobLease } from './job.ts';

const EVERY_MS = 60_000;

export const housekeeping = defineJob({
  name: 'housekeeping',
  summary:
    'finalizes matches, replaces leading providers that have fallen silent, marks matches without news, deletes old rejections',
  variables: precedenceVariables,
  lease: jobLease('housekeeping'),
  schedule: { everyMs: EVERY_MS },
  retryMs: EVERY_MS,
  limitMs: 600_000,
  failed: 'housekeeping failed, retrying in a minute',
  recovered: 'housekeeping recovered',
  open: (context) => () => {
    const entities = new EntityCache();
    const unfollow = entities.follow(context.changes);
    const tidy = createHousekeeping({ ...context, entities });
    return {
      end: unfollow,
      async run() {
        await tidy();
        return { result: 'done' };
      },
    };
  },
});
