/** Decides which replies a cache in front of the service may keep and serve to everybody (docs/caching.md). */
import type { IncomingMessage } from 'node:http';
import { parseCookie } from 'cookie';

/**
 * Request headers that may change a reply without being named in Vary: credentials, the origin that CORS answers, and
 * the wish to check the query strictly.
 */
const PERSONAL_HEADERS = ['authorization', 'x-api-key', 'x-service-token', 'origin', 'prefer'] as const;
/** Query parameters that are credentials, or that make the reply set a cookie. */
const PERSONAL_PARAMETERS = ['key', 'lang', 'token', 'invitation'] as const;
/** All our cookies have this text in their names. Cookies that other software of the site sets do not change a page. */
const OWN_COOKIE = /touchline/i;
/** The handlers of the few pages that depend on this cookie decide. */
const TIME_ZONE_COOKIE = 'touchline_tz';

/** True if everybody whose request has the same address and the same headers in Vary gets the same reply. */
export function isForEverybody({ headers, url = '' }: Pick<IncomingMessage, 'headers' | 'url'>): boolean {
  if (PERSONAL_HEADERS.some((name) => headers[name] !== undefined)) return false;
  const { cookie } = headers;
  if (cookie !== undefined && Object.keys(parseCookie(cookie)).some(isPersonal)) return false;
  const start = url.indexOf('?');
  if (start === -1) return true;
  const query = new URLSearchParams(url.slice(start));
  return !PERSONAL_PARAMETERS.some((name) => query.has(name));
}

const isPersonal = (cookie: string): boolean => OWN_COOKIE.test(cookie) && cookie !== TIME_ZONE_COOKIE;

/**
 * Returns Cache-Control for a reply that is for everybody. Caches keep a page for a second, whatever browsers may do,
 * because a goal has to be seen within two seconds.
 * @param maxAge in seconds, for browsers
 */
export const sharedCacheControl = (isPage: boolean, maxAge: number): string =>
  isPage || maxAge === 0
    ? `public, max-age=${maxAge}, s-maxage=1, stale-while-revalidate=1`
    : `public, max-age=${maxAge}`;
