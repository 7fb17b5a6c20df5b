import { firstRow } from '../db/postgres.ts';
import { storeRefereeFigures } from '../people/index.ts';
import { defineJob, jobLease } from './job.ts';

const LOOK_MS = 60_000;
/** Pause after a slice, as a multiple of the time that the slice took. */
const PAUSE_FACTOR = 4;

export const refereeFigures = defineJob({
  name: 'referee_figures',
  summary:
    'computes cards and penalties of matches with a referee after they have changed, before somebody asks for them',
  variables: {},
  lease: jobLease('referee_figures'),
  schedule: { everyMs: LOOK_MS },
  retryMs: LOOK_MS,
  limitMs: 120_000,
  failed: 'computing figures of referees failed, retrying in a minute',
  recovered: 'figures of referees are computed again',
  open: ({ pool }) => {
    // Without a changed match, no figures can be stale.
    let seen: number | null = null;
    return () => ({
      async run() {
        const begun = performance.now();
        const { rows } = await pool.query<{ change_seq: number }>('SELECT change_seq FROM relay');
        const { change_seq } = firstRow(rows);
        if (seen === change_seq) return { result: 'idle' };
        if (await storeRefereeFigures(pool))
          return { result: 'done', pauseMs: PAUSE_FACTOR * (performance.now() - begun) };
        seen = change_seq;
        return { result: 'idle' };
      },
    });
  },
});
