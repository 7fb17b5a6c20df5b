import { hasUnlinkedNames, linkPlayers } from '../apply/index.ts';
import { precedenceVariables } from '../identity/config.ts';
import { createRests } from '../runtime/pause.ts';
import { defineJob, jobLease } from './job.ts';

/** Time between two checks for names without a link. */
const LOOK_MS = 60_000;
/** Minimum time between two runs that link names, because each run compares all names. */
const LINK_EVERY_MS = 10 * 60_000;

export const playerLinks = defineJob({
  name: 'player_links',
  summary: 'links the names of players that feeds send without an id',
  variables: precedenceVariables,
  lease: jobLease('player_links'),
  schedule: { everyMs: LOOK_MS },
  retryMs: LOOK_MS,
  limitMs: 3_600_000,
  failed: 'linking players failed, retrying in a minute',
  recovered: 'players are linked again',
  open: (context) => () => {
    // The first run links all names again, because a new release may come with new rules and reviewed decisions.
    let linkedAt: number | null = null;
    return {
      async run(signal) {
        const now = context.clock.now();
        if (linkedAt !== null && (now - linkedAt < LINK_EVERY_MS || !(await hasUnlinkedNames(context.pool))))
          return { result: 'idle' };
        // The result is null if a command, or a process from an earlier release, is linking names at the moment.
        if ((await linkPlayers(context, createRests(signal))) === null) return { result: 'idle' };
        linkedAt = now;
        return { result: 'done' };
      },
    };
  },
});
