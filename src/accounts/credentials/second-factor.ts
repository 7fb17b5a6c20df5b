/**
 * The second factor: time-based codes (RFC 6238: SHA-1, 6 digits, 30 s), and recovery codes for members who have lost
 * their device.
 */
import { createHash, randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { Queryable } from '../../db/postgres.ts';
import { invalidParameter } from '../../http/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { SecretColumn } from '../secret-reencryption.ts';
import { decryptSecret, encryptSecret } from '../stored-secret.ts';

const PERIOD_SECONDS = 30;
/** RFC 6238, 5.2: one time step each way, for clock skew and slow typing. */
const STEPS_EITHER_WAY = 1;
const SECRET_BYTES = 20;
const CODE = /^\d{6}$/;

const RECOVERY_CODES = 10;
/**
 * Without letters and digits that look alike. 24 characters from these 31 have 118 bits, so a plain hash is enough
 * (ASVS 5.0 6.5.2: from 112 bits).
 */
const RECOVERY_ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const RECOVERY_LENGTH = 24;
const RECOVERY_GROUP = /.{4}(?=.)/g;

interface Deps {
  clock: Clock;
  config: { secretKeys: readonly string[] };
}

/** SQL: whether the member `m` has to give more than the password in order to sign in. */
export const HAS_SECOND_FACTOR =
  '(m.totp_secret IS NOT NULL OR EXISTS (SELECT FROM passkey k WHERE k.member_id = m.id))';

/** Whether the text looks like an app code. If not, it can only be a recovery code. */
export const isAppCode = (code: string): boolean => CODE.test(code.replace(/\s/g, ''));

const totp = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret), period: PERIOD_SECONDS });

/** @returns the time step to which the code belongs, or null if it is wrong */
function matchingStep(secret: string, code: string, now: number): number | null {
  if (!CODE.test(code)) return null;
  const delta = totp(secret).validate({ token: code, timestamp: now, window: STEPS_EITHER_WAY });
  return delta === null ? null : Math.floor(now / 1_000 / PERIOD_SECONDS) + delta;
}

async function pendingSecret(db: Queryable, { config }: Deps, memberId: number): Promise<string | null> {
  const { rows } = await db.query<{ pending: string | null }>(
    'SELECT totp_pending AS pending FROM member WHERE id = $1 FOR UPDATE',
    [memberId],
  );
  const pending = rows[0]?.pending ?? null;
  return pending === null ? null : decryptSecret(pending, config.secretKeys);
}

/**
 * Creates a secret that takes effect with the first code.
 * @param isNew if false, an earlier secret that still waits for its first code is returned again
 * @returns base32, and the `otpauth://` address for a QR code
 */
export async function beginSecondFactor(
  db: Queryable,
  deps: Deps,
  { memberId, email }: { memberId: number; email: string },
  isNew = true,
): Promise<{ secret: string; uri: string }> {
  const { config } = deps;
  const pending = isNew ? null : await pendingSecret(db, deps, memberId);
  const secret = pending ?? new Secret({ size: SECRET_BYTES }).base32;
  await db.query('UPDATE member SET totp_pending = $2 WHERE id = $1', [
    memberId,
    encryptSecret(secret, config.secretKeys),
  ]);
  const uri = new TOTP({ issuer: 'Touchline', label: email, secret: Secret.fromBase32(secret) }).toString();
  return { secret, uri };
}

/**
 * Turns the second factor on.
 * @returns recovery codes, shown once
 * @throws {Problem} invalid_parameter if the code is wrong
 */
export async function confirmSecondFactor(
  db: Queryable,
  deps: Deps,
  memberId: number,
  code: string,
): Promise<string[]> {
  const pending = await pendingSecret(db, deps, memberId);
  const step = pending === null ? null : matchingStep(pending, code.replace(/\s/g, ''), deps.clock.now());
  if (step === null) throw invalidParameter('code', 'invalid_code', 'is not the code that the app shows now');
  await db.query('UPDATE member SET totp_secret = totp_pending, totp_pending = NULL, totp_step = $2 WHERE id = $1', [
    memberId,
    step,
  ]);
  return renewRecoveryCodes(db, memberId);
}

/** @returns new codes, shown once; the previous ones become invalid */
export async function renewRecoveryCodes(db: Queryable, memberId: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  await db.query('DELETE FROM recovery_code WHERE member_id = $1', [memberId]);
  await db.query('INSERT INTO recovery_code (member_id, hash) SELECT $1, unnest($2::bytea[])', [
    memberId,
    codes.map(recoveryHash),
  ]);
  return codes;
}

function newRecoveryCode(): string {
  const letters = Array.from({ length: RECOVERY_LENGTH }, () => RECOVERY_ALPHABET[randomInt(RECOVERY_ALPHABET.length)]);
  return letters.join('').replace(RECOVERY_GROUP, '$&-');
}

const recoveryHash = (code: string) =>
  createHash('sha256')
    .update(code.toUpperCase().replace(/[^0-9A-Z]/g, ''))
    .digest();

/** Removes the recovery codes of a member without a second factor. */
export async function dropUnneededCodes(db: Queryable, memberId: number): Promise<void> {
  await db.query(
    `DELETE FROM recovery_code c USING member m WHERE m.id = c.member_id AND m.id = $1 AND NOT ${HAS_SECOND_FACTOR}`,
    [memberId],
  );
}

/**
 * Removes the app codes, even if they still wait for the first one, and the recovery codes if no passkey is left.
 * @returns 1 if they were on, otherwise 0
 */
export async function removeSecondFactor(db: Queryable, memberId: number): Promise<number> {
  const { rowCount } = await db.query(
    'UPDATE member SET totp_secret = NULL WHERE id = $1 AND totp_secret IS NOT NULL',
    [memberId],
  );
  await db.query('UPDATE member SET totp_pending = NULL, totp_step = NULL WHERE id = $1', [memberId]);
  await dropUnneededCodes(db, memberId);
  return rowCount ?? 0;
}

/**
 * Uses up an app code or a recovery code.
 * @returns which kind it is; null if it is wrong or was used before
 */
export async function takeCode(
  db: Queryable,
  { config, clock }: Deps,
  memberId: number,
  code: string,
): Promise<'app' | 'recovery' | null> {
  const typed = code.replace(/\s/g, '');
  const { rows } = await db.query<{ secret: string | null }>('SELECT totp_secret AS secret FROM member WHERE id = $1', [
    memberId,
  ]);
  const secret = rows[0]?.secret ?? null;
  const step = secret === null ? null : matchingStep(decryptSecret(secret, config.secretKeys), typed, clock.now());
  if (step !== null) {
    const { rowCount } = await db.query(
      'UPDATE member SET totp_step = $2 WHERE id = $1 AND (totp_step IS NULL OR totp_step < $2)',
      [memberId, step],
    );
    return rowCount === 1 ? 'app' : null;
  }
  const { rowCount } = await db.query('DELETE FROM recovery_code WHERE member_id = $1 AND hash = $2', [
    memberId,
    recoveryHash(typed),
  ]);
  return rowCount === 1 ? 'recovery' : null;
}

const secretColumn = (column: 'totp_secret' | 'totp_pending'): SecretColumn => ({
  name: 'member',
  async read(db, prefix) {
    const { rows } = await db.query<{ id: number; stored: string }>(
      `SELECT id, ${column} AS stored FROM member WHERE ${column} IS NOT NULL AND NOT starts_with(${column}, $1) ORDER BY id`,
      [prefix],
    );
    return rows;
  },
  async replace(db, id, stored, replacement) {
    const { rowCount } = await db.query(`UPDATE member SET ${column} = $3 WHERE id = $1 AND ${column} = $2`, [
      id,
      stored,
      replacement,
    ]);
    return rowCount === 1;
  },
});

/** The columns with second factor secrets. */
export const MEMBER_SECRETS: readonly SecretColumn[] = [secretColumn('totp_secret'), secretColumn('totp_pending')];
