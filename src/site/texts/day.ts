/** Match days and times in both languages. */
import type { Lang } from '../../http/index.ts';

const LOCALES = { en: 'en-GB', ru: 'ru' } as const;
const formats = (options: Intl.DateTimeFormatOptions) => ({
  en: new Intl.DateTimeFormat(LOCALES.en, { ...options, timeZone: 'UTC' }),
  ru: new Intl.DateTimeFormat(LOCALES.ru, { ...options, timeZone: 'UTC' }),
});
const LONG = formats({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
const SHORT = formats({ weekday: 'short', day: 'numeric', month: 'short' });
const DAY = formats({ day: 'numeric', month: 'short' });
const DAY_AND_YEAR = formats({ day: 'numeric', month: 'short', year: 'numeric' });
const TIME = formats({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

/** @param day YYYY-MM-DD @example Sunday 10 May 2026 */
export const longDay = (day: string, lang: Lang): string => LONG[lang].format(new Date(`${day}T00:00:00Z`));
/** @example Sun 10 May */
export const shortDay = (day: string, lang: Lang): string => SHORT[lang].format(new Date(`${day}T00:00:00Z`));

/**
 * Formats a match's start. The format is the same as in the pages' script, so that the width of the text does not change when the script
 * replaces it. Only the time is shown for today's matches, and the year only if it is not the current one.
 * @param start time in UTC, or only a day
 * @param now ms since 1970
 * @param part only the day, or only the time
 */
export function startText(start: string, lang: Lang, now: number, part?: 'day' | 'time'): string {
  const date = new Date(start.length === 10 ? `${start}T00:00:00Z` : start);
  const today = new Date(now).toISOString();
  // Removes the "г." at the end of Russian dates in which the month is a word.
  const day = (start.slice(0, 4) === today.slice(0, 4) ? DAY : DAY_AND_YEAR)[lang].format(date).replace(' г.', '');
  if (start.length === 10 || part === 'day') return day;
  const time = TIME[lang].format(date);
  return part === 'time' || start.slice(0, 10) === today.slice(0, 10) ? time : `${day}, ${time}`;
}
