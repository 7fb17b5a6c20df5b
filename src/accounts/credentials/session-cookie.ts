/** The session cookie: name, attributes and format. */
import { parseCookie } from 'cookie';
import { DAY_MS } from '../../wire/time.ts';
import { TOKEN_FORMAT, tokenHash } from './member-tokens.ts';

/** Maximum age of a session, however often it is used. */
export const SESSION_LIFETIME_MS = 90 * DAY_MS;

/** With https, the browser accepts the cookie from this host only, never from elsewhere in the same domain. */
const cookieName = (secure: boolean) => (secure ? '__Host-touchline_member' : 'touchline_member');

/** @param token null removes the cookie. @returns a value for Set-Cookie */
export function sessionCookie(token: string | null, secure: boolean): string {
  const age = token === null ? 0 : SESSION_LIFETIME_MS / 1_000;
  return `${cookieName(secure)}=${token ?? ''}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
}

/** @param cookies the Cookie header. @returns the hash of the session's token, or null if there is none */
export function sessionHash(cookies: string | undefined, secure: boolean): Buffer | null {
  const value = parseCookie(cookies ?? '')[cookieName(secure)];
  return value !== undefined && TOKEN_FORMAT.test(value) ? tokenHash(value) : null;
}
