/** Days in the North American leagues. A league's day is the date of its game list. Pure. */
import { DateTime } from 'luxon';
import { DAY_MS, utcDay } from '../wire/time.ts';

const ZONE = 'America/New_York';
/** Hour in the Eastern zone at which a game day begins. Games on the west coast end at night. */
const DAY_BEGINS_HOURS = 6;

/**
 * @param now ms
 * @param after number of days after the present day; 7 is the same weekday next week
 * @returns YYYY-MM-DD
 */
export function leagueDay(now: number, after = 0): string {
  const today = DateTime.fromMillis(now, { zone: ZONE }).minus({ hours: DAY_BEGINS_HOURS }).toISODate()!;
  return utcDay(Date.parse(today) + after * DAY_MS);
}
