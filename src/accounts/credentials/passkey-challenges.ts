/**
 * Challenges, which a passkey has to sign. Each belongs to one session, or to one browser that is not signed in, and can be
 * answered once and within 5 minutes.
 */
import { createHash, randomBytes } from 'node:crypto';
import { parseCookie } from 'cookie';
import type { Queryable } from '../../db/postgres.ts';
import type { Clock } from '../../runtime/clock.ts';
import { MINUTE_MS } from '../../wire/time.ts';

export const CHALLENGE_MS = 5 * MINUTE_MS;
const CHALLENGE_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** The answer adds a passkey, or it uses one. */
export type ChallengePurpose = 'add' | 'use';

/** With https, the browser accepts the cookie from this host only, never from elsewhere in the same domain. */
const cookieName = (secure: boolean) => (secure ? '__Host-touchline_passkey' : 'touchline_passkey');

/** Creates a token for a browser that is not signed in. @returns the holder of its challenges, and a value for Set-Cookie */
export function createHolder(secure: boolean): { holder: Buffer; cookie: string } {
  const token = randomBytes(CHALLENGE_BYTES).toString('base64url');
  const cookie = `${cookieName(secure)}=${token}; Path=/; Max-Age=${CHALLENGE_MS / 1_000}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
  return { holder: holderHash(token), cookie };
}

const holderHash = (token: string) => createHash('sha256').update(`passkey ${token}`).digest();

/** @param cookies the Cookie header. @returns null if the browser has no token */
export function readHolder(cookies: string | undefined, secure: boolean): Buffer | null {
  const token = parseCookie(cookies ?? '')[cookieName(secure)];
  return token !== undefined && TOKEN.test(token) ? holderHash(token) : null;
}

/** @param holder the hash of a session's token, or see createHolder */
export async function createChallenge(
  db: Queryable,
  clock: Clock,
  holder: Buffer,
  purpose: ChallengePurpose,
): Promise<Buffer> {
  const challenge = randomBytes(CHALLENGE_BYTES);
  const now = clock.now();
  await db.query('DELETE FROM passkey_challenge WHERE expires_at < $1', [new Date(now)]);
  await db.query('INSERT INTO passkey_challenge (challenge, holder, purpose, expires_at) VALUES ($1, $2, $3, $4)', [
    challenge,
    holder,
    purpose,
    new Date(now + CHALLENGE_MS),
  ]);
  return challenge;
}

/** Uses a challenge up, even if the answer to it is wrong. @returns false if it is unknown, used, expired, or of another holder */
export async function takeChallenge(
  db: Queryable,
  clock: Clock,
  { holder, purpose, challenge }: { holder: Buffer; purpose: ChallengePurpose; challenge: string },
): Promise<boolean> {
  const { rowCount } = await db.query(
    'DELETE FROM passkey_challenge WHERE challenge = $1 AND holder = $2 AND purpose = $3 AND expires_at > $4',
    [Buffer.from(challenge, 'base64url'), holder, purpose, new Date(clock.now())],
  );
  return rowCount === 1;
}
