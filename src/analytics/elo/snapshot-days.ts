/** The days on which ratings are published. Pure. */
import { utcDay } from '../../wire/time.ts';
import { formatDate } from '../samples/match-samples.ts';

/** Number of latest years with one publication day a month. Earlier years have only one day. */
const MONTHLY_YEARS = 10;

const lastDayInMonth = (year: number, month: number): string => utcDay(Date.UTC(year, month, 0));

/**
 * Returns the last day of each year and, for the last ten years, of each month, up to the month of the last match. If that month is not
 * over yet, the day of the last match is used instead.
 * @param first
 * @param last match starts in seconds since 1970
 * @param today YYYY-MM-DD
 * @returns oldest first
 */
export function snapshotDays(first: number, last: number, today: string): string[] {
  const [from, to] = [formatDate(first), formatDate(last)];
  const [lastYear, lastMonth] = [Number(to.slice(0, 4)), Number(to.slice(5, 7))];
  const days: string[] = [];
  for (let year = Number(from.slice(0, 4)); year <= lastYear; year += 1)
    for (let month = 1; month <= 12; month += 1) {
      const day = lastDayInMonth(year, month);
      const isMonthly = year * 12 + month > (lastYear - MONTHLY_YEARS) * 12 + lastMonth;
      if (day >= from && day < to && (month === 12 || isMonthly)) days.push(day);
    }
  const end = lastDayInMonth(lastYear, lastMonth);
  days.push(end <= today ? end : to);
  return days;
}
