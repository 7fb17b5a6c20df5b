/** When a job is due. Pure. */

/** Runs `everyMs` after the last one, or once a day from the full hour on (UTC). */
export type Schedule = { everyMs: number } | { dailyAtHour: number };

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export const intervalMs = (schedule: Schedule): number => ('everyMs' in schedule ? schedule.everyMs : DAY_MS);

/**
 * Whether a daily job has to run. A night that was missed is made up for at the next opportunity.
 * @param last success, or when the job was added. Both in ms
 */
export function isDailyDue(hour: number, last: number, now: number): boolean {
  const today = Math.floor(now / DAY_MS) * DAY_MS + hour * HOUR_MS;
  const latest = now >= today ? today : today - DAY_MS;
  // A clock that was set back, or a database from a backup, has a success in the future.
  return last < latest || last > now;
}
