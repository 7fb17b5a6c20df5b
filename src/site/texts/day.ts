/** Match days and times in both languages. */
import { LRUCache } from 'lru-cache';
import type { Lang } from '../../http/index.ts';

const LOCALES = { en: 'en-GB', ru: 'ru' } as const;
const formats = (options: Intl.DateTimeFormatOptions, timeZone = 'UTC') => ({
  en: new Intl.DateTimeFormat(LOCALES.en, { ...options, timeZone }),
  ru: new Intl.DateTimeFormat(LOCALES.ru, { ...options, timeZone }),
});
const LONG = formats({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
const SHORT = formats({ weekday: 'short', day: 'numeric', month: 'short' });
const inZone = (zone: string) => ({
  day: formats({ day: 'numeric', month: 'short' }, zone),
  dayAndYear: formats({ day: 'numeric', month: 'short', year: 'numeric' }, zone),
  time: formats({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }, zone),
  /** YYYY-MM-DD */
  date: new Intl.DateTimeFormat('en-CA', { timeZone: zone }),
});
const UTC = inZone('UTC');
/** Making the formats of a zone takes as long as formatting a page. */
const zones = new LRUCache<string, ReturnType<typeof inZone>>({ max: 100 });

function zoneFormats(zone: string): ReturnType<typeof inZone> {
  if (zone === 'UTC') return UTC;
  const known = zones.get(zone);
  if (known !== undefined) return known;
  const made = inZone(zone);
  zones.set(zone, made);
  return made;
}

/** Removes the "г." at the end of Russian dates in which the month is a word. */
const withoutYearWord = (date: string) => date.replace(/\sг\.$/u, '');

/** @param day YYYY-MM-DD @example Sunday 10 May 2026 */
export const longDay = (day: string, lang: Lang): string =>
  withoutYearWord(LONG[lang].format(new Date(`${day}T00:00:00Z`)));
/** @example Sun 10 May */
export const shortDay = (day: string, lang: Lang): string => SHORT[lang].format(new Date(`${day}T00:00:00Z`));

/** Shows a time in UTC, to the minute. @example 2026-05-10 12:00 UTC @param at such as `2026-05-10T12:00:00Z` */
export const utcText = (at: string): string => `${at.slice(0, 'YYYY-MM-DDTHH:MM'.length).replace('T', ' ')} UTC`;

/**
 * Formats a match's start. The format is the same as in the pages' script, so that the width of the text does not change when the script
 * replaces it. Only the time is shown for today's matches, and the year only if it is not the current one.
 * @param start time in UTC, or only a day
 * @param now ms since 1970
 * @param part only the day, or only the time
 * @param zone a valid time zone; a day without a time is the same in every zone
 */
export function startText(start: string, lang: Lang, now: number, part?: 'day' | 'time', zone = 'UTC'): string {
  const isDay = start.length === 10;
  const date = new Date(isDay ? `${start}T00:00:00Z` : start);
  const format = zoneFormats(isDay ? 'UTC' : zone);
  const [own, today] = [format.date.format(date), zoneFormats(zone).date.format(now)];
  const day = withoutYearWord(
    (own.slice(0, 4) === today.slice(0, 4) ? format.day : format.dayAndYear)[lang].format(date),
  );
  if (isDay || part === 'day') return day;
  const time = format.time[lang].format(date);
  return part === 'time' || own === today ? time : `${day}, ${time}`;
}
