/** Reads days as Football.TXT writes them: "Tue Sep/16 2025", "Wed Sep/17", "Sat Jul 28 2018", "June 11". */
import { isDay } from '../../providers/index.ts';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAY = /^\s*(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*\s+)?([A-Z][a-z]{2,8})[/ ](\d{1,2})(?:\s+(\d{4}))?\s*$/u;
/** Month in which a season that spans two years begins. Days from July on belong to the first year. */
const SEASON_BEGINS_MONTH = 7;

export interface DayReader {
  /** Returns YYYY-MM-DD if the line is a day, else undefined. */
  read(line: string): string | undefined;
}

/**
 * Creates a reader for days. If a day has no year, the reader takes the year that puts it nearest to the previous day in the file. The
 * first day's year follows from the season.
 * @param season 2023/24 or 2024
 */
export function readDays(season: string): DayReader {
  let last: string | undefined;
  return {
    read(line) {
      const [, name = '', date = '', year] = DAY.exec(line) ?? [];
      const month = MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
      if (month === 0) return undefined;
      const rest = `${String(month).padStart(2, '0')}-${date.padStart(2, '0')}`;
      const day = year ? `${year}-${rest}` : last ? nearest(last, rest) : `${firstYear(season, month)}-${rest}`;
      if (!isDay(day)) return undefined;
      last = day;
      return day;
    },
  };
}

function firstYear(season: string, month: number): number {
  const year = Number(season.slice(0, 4));
  return season.includes('/') && month < SEASON_BEGINS_MONTH ? year + 1 : year;
}

function nearest(last: string, rest: string): string {
  const year = Number(last.slice(0, 4));
  const distance = (candidate: number) => Math.abs(Date.parse(`${candidate}-${rest}`) - Date.parse(last));
  const best = [year - 1, year, year + 1].reduce((a, b) => (distance(b) < distance(a) ? b : a));
  return `${best}-${rest}`;
}
