/** The days of the leagues of North America: the dates of their lists of games. Pure. */
import { DateTime } from 'luxon';
import { DAY_MS, utcDay } from '../wire/time.ts';

const ZONE = 'America/New_York';
/** A day of games ends in the night, on the west coast. */
const DAY_BEGINS_HOURS = 6;

/**
 * @param now ms
 * @param after days after the present one, each of which is returned: [0, 7] for today and the same day of the next week
 * @returns YYYY-MM-DD
 */
export function leagueDays(now: number, after: readonly number[]): string[] {
  const today = DateTime.fromMillis(now, { zone: ZONE }).minus({ hours: DAY_BEGINS_HOURS }).toISODate()!;
  const start = Date.parse(today);
  return after.map((days) => utcDay(start + days * DAY_MS));
}
