/** Computes when a job is due. */
import { DAY_MS, HOUR_MS } from '../wire/time.ts';

/** When a job runs: `everyMs` after its last run, or once a day when the given hour (UTC) begins. */
export type Schedule = { everyMs: number } | { dailyAtHour: number };

export const intervalMs = (schedule: Schedule): number => ('everyMs' in schedule ? schedule.everyMs : DAY_MS);

/**
 * True if a daily job has to run now. A missed run is made up for as soon as possible.
 * @param last when the job last succeeded, in ms; before the first success, when it was added
 * @param now ms
 */
export function isDailyDue(hour: number, last: number, now: number): boolean {
  const today = Math.floor(now / DAY_MS) * DAY_MS + hour * HOUR_MS;
  const latest = now >= today ? today : today - DAY_MS;
  // A last success in the future means that the clock was set back, or the database was restored from a backup.
  return last < latest || last > now;
}
