/**
 * Sign-ins at an identity provider that have begun. Each belongs to one browser by a cookie, works once, and for 10 minutes. State,
 * nonce and PKCE verifier are derived from the cookie, so that the database has nothing with which a sign-in could be finished.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { parseCookie } from 'cookie';
import type { Queryable } from '../../db/postgres.ts';
import type { Clock } from '../../runtime/clock.ts';
import { MINUTE_MS } from '../../wire/time.ts';
import { TOKEN_FORMAT, tokenHash } from '../credentials/member-tokens.ts';
import type { Proof } from './provider.ts';

const LIFETIME_MS = 10 * MINUTE_MS;

/** With https, the browser accepts the cookie from this host only, never from elsewhere in the same domain. */
const cookieName = (secure: boolean) => (secure ? '__Host-touchline_company' : 'touchline_company');

/** @param token null removes the cookie. @returns a value for Set-Cookie */
export function attemptCookie(token: string | null, secure: boolean): string {
  const age = token === null ? 0 : LIFETIME_MS / 1_000;
  // With SameSite=Strict, the browser would not send the cookie when it comes back from the provider.
  return `${cookieName(secure)}=${token ?? ''}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
}

/** @param cookies the Cookie header */
export function readAttemptToken(cookies: string | undefined, secure: boolean): string | null {
  const value = parseCookie(cookies ?? '')[cookieName(secure)];
  return value !== undefined && TOKEN_FORMAT.test(value) ? value : null;
}

export function deriveProof(token: string): Proof {
  const derive = (purpose: string) => createHmac('sha256', token).update(purpose).digest('base64url');
  return { state: derive('state'), nonce: derive('nonce'), verifier: derive('verifier') };
}

export const matchesState = (token: string, state: string): boolean =>
  timingSafeEqual(tokenHash(deriveProof(token).state), tokenHash(state));

export interface Attempt {
  /** The organisation at whose provider the person signs in. Null for the provider of the operators. */
  accountId: number | null;
  /** The page to show afterwards. */
  next: string;
  /** Whether the person has to prove to the provider again who signs in. */
  again: boolean;
}

/** @returns the token, for the cookie */
export async function beginAttempt(db: Queryable, clock: Clock, { accountId, next, again }: Attempt): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const now = clock.now();
  await db.query('DELETE FROM sign_in_attempt WHERE expires_at <= $1', [new Date(now)]);
  await db.query(
    'INSERT INTO sign_in_attempt (hash, account_id, next, again, expires_at) VALUES ($1, $2, $3, $4, $5)',
    [tokenHash(token), accountId, next, again, new Date(now + LIFETIME_MS)],
  );
  return token;
}

/** Uses an attempt up. @returns null if it is unknown, expired or used */
export async function useAttempt(db: Queryable, clock: Clock, token: string): Promise<Attempt | null> {
  const { rows } = await db.query<Attempt>(
    'DELETE FROM sign_in_attempt WHERE hash = $1 AND expires_at > $2 RETURNING account_id AS "accountId", next, again',
    [tokenHash(token), new Date(clock.now())],
  );
  return rows[0] ?? null;
}
