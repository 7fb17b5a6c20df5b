/** The mark of a browser that has signed in to an account before: it may try passwords while strangers may not. It signs nobody in. */
import { createHash, randomBytes } from 'node:crypto';
import Keygrip from 'keygrip';

/** By https the browser accepts the cookie from this host alone; that name requires the path `/`. */
const cookieName = (secure: boolean) => (secure ? '__Host-touchline_device' : 'touchline_device');
const MAX_AGE_SECONDS = 365 * 24 * 3_600;
const VALUE = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{20,60})$/;

const signed = (email: string, id: string) =>
  `device ${id} ${createHash('sha256').update(email.toLowerCase()).digest('hex')}`;

/** @returns for Set-Cookie */
export function deviceCookie(secretKeys: readonly string[], email: string, secure: boolean): string {
  const id = randomBytes(16).toString('base64url');
  const signature = new Keygrip([...secretKeys], 'sha256').sign(signed(email, id));
  return `${cookieName(secure)}=${id}.${signature}; Path=${secure ? '/' : '/account'}; Max-Age=${MAX_AGE_SECONDS}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
}

/** @returns its id, where this browser has signed in to the account of this email; null otherwise */
export function readDevice(
  secretKeys: readonly string[],
  cookies: string | undefined,
  email: string,
  secure: boolean,
): string | null {
  const prefix = `${cookieName(secure)}=`;
  for (const part of (cookies ?? '').split(';')) {
    const cookie = part.trim();
    if (!cookie.startsWith(prefix)) continue;
    const [, id, signature] = VALUE.exec(cookie.slice(prefix.length)) ?? [];
    if (id === undefined || signature === undefined) continue;
    if (new Keygrip([...secretKeys], 'sha256').verify(signed(email, id), signature)) return id;
  }
  return null;
}
