/** The time zone of the reader who asks for a page. */
import { parseCookie } from 'cookie';
import { z } from 'zod';
import { timeZone } from '../http/index.ts';
import { readChoices } from '../site/reader-choices.ts';

/** A cache in front sends the zone from the cookie in this way, and can then keep the page (docs/caching.md). */
export const zoneField = z.string().max(80).optional();

/** Returns a valid time zone; UTC for any other text. @param text in a query, where a plus sign stands for a space */
function readTimeZone(text: string | undefined): string {
  const zone = timeZone.safeParse(text?.replaceAll(' ', '+'));
  return zone.success ? zone.data : 'UTC';
}

/**
 * Reads the zone from the address, or else from the cookie in which the page's script has stored the browser's zone. A zone that the reader
 * has chosen counts before both.
 * @param cookie the header Cookie
 * @param tz in the query
 * @returns the zone, and whether a page in this zone is only for readers with the same cookie
 */
export function readZone(cookie: string | undefined, tz: string | undefined): { zone: string; isPersonal: boolean } {
  const stored = parseCookie(cookie ?? '').touchline_tz;
  return { zone: readChoices(cookie).zone ?? readTimeZone(tz || stored), isPersonal: !tz && stored !== undefined };
}
