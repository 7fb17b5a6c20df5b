/**
 * A browser that has signed in to an account before has a device mark. With the mark, the browser may try passwords
 * even while unknown browsers may not. The mark alone does not sign in.
 */
import { createHash, randomBytes } from 'node:crypto';
import { parseCookie } from 'cookie';
import Keygrip from 'keygrip';
import { DAY_SECONDS } from '../../wire/time.ts';

/** A browser that has not signed in for this long counts as unknown again. */
const LIFETIME_SECONDS = 180 * DAY_SECONDS;
const VALUE = /^(\d{1,12})\.([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{20,60})$/;

/**
 * The member data to which a mark is bound. The mark becomes invalid when the member is removed or the password
 * changes.
 */
export interface MarkedMember {
  id: number;
  createdAt: Date;
  password: string | null;
}

/** With https, the browser accepts the cookie from this host only, never from elsewhere in the same domain. */
const cookieName = (secure: boolean) => (secure ? '__Host-touchline_device' : 'touchline_device');

const signed = ({ id, createdAt, password }: MarkedMember, issued: string, mark: string) =>
  `device ${mark} ${issued} ${id} ${createdAt.getTime()} ${createHash('sha256')
    .update(password ?? '')
    .digest('hex')}`;

/** @param now ms. @returns the value for Set-Cookie */
export function deviceCookie(
  secretKeys: readonly string[],
  member: MarkedMember,
  now: number,
  secure: boolean,
): string {
  const mark = randomBytes(16).toString('base64url');
  const issued = String(Math.floor(now / 1_000));
  const signature = new Keygrip([...secretKeys], 'sha256').sign(signed(member, issued, mark));
  return `${cookieName(secure)}=${issued}.${mark}.${signature}; Path=/; Max-Age=${LIFETIME_SECONDS}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
}

/**
 * @param cookies the Cookie header
 * @param now ms
 * @returns the mark if this browser has signed in as this member; otherwise null
 */
export function readDevice(
  secretKeys: readonly string[],
  cookies: string | undefined,
  member: MarkedMember,
  now: number,
  secure: boolean,
): string | null {
  const value = parseCookie(cookies ?? '')[cookieName(secure)];
  const [, issued, mark, signature] = VALUE.exec(value ?? '') ?? [];
  if (issued === undefined || mark === undefined || signature === undefined) return null;
  const isValid = new Keygrip([...secretKeys], 'sha256').verify(signed(member, issued, mark), signature);
  return isValid && now / 1_000 - Number(issued) <= LIFETIME_SECONDS ? mark : null;
}
