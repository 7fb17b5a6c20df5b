/** Computes when a job is due. */
import { DAY_MS, HOUR_MS } from '../wire/time.ts';

/** A job's schedule, which is `everyMs` after the last run, or once a day after the full hour (UTC). */
export type Schedule = { everyMs: number } | { dailyAtHour: number };

export const intervalMs = (schedule: Schedule): number => ('everyMs' in schedule ? schedule.everyMs : DAY_MS);

/**
 * Decides if a daily job has to run. A missed night is made up for at the next opportunity.
 * @param last when the job succeeded last, in ms; before the first success, when it was added
 * @param now ms
 */
export function isDailyDue(hour: number, last: number, now: number): boolean {
  const today = Math.floor(now / DAY_MS) * DAY_MS + hour * HOUR_MS;
  const latest = now >= today ? today : today - DAY_MS;
  // If the clock was set back or the database restored from a backup, the last success may be in the future.
  return last < latest || last > now;
}
