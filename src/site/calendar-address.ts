/** Calendar addresses, for the buttons with which readers subscribe. */
import type { Lang } from '../http/index.ts';
import type { CalendarKind } from '../wire/calendar.ts';

export interface CalendarAddress {
  /** Address for a browser, or for pasting into a calendar program. */
  web: string;
  /** The same address as `webcal://…`, which opens in the reader's calendar program. */
  webcal: string;
}

/**
 * @param baseUrl the service's public address, without a trailing slash
 * @param path relative to the service's root
 */
function toAddress(baseUrl: string, path: string, query: Record<string, string>): CalendarAddress {
  const web = `${baseUrl}/calendar/${path}.ics?${new URLSearchParams(query)}`;
  return { web, webcal: web.replace(/^https?:/, 'webcal:') };
}

/**
 * Returns the calendar address for a team or tournament. The address contains the language, because a calendar program that fetches it
 * later does not send the reader's Accept-Language. If the site is not public, the reader adds `&token=` (see `/account/calendar`).
 */
export const calendarAddress = (baseUrl: string, kind: CalendarKind, id: number, lang: Lang): CalendarAddress =>
  toAddress(baseUrl, `${kind}/${id}`, { lang });

/** Returns the address of a member's personal calendar. */
export const ownCalendarAddress = (baseUrl: string, token: string): CalendarAddress =>
  toAddress(baseUrl, 'mine', { token });
