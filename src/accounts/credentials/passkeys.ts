/**
 * Passkeys (WebAuthn), by which a member signs in without the password, or after it in place of a code. From a new password
 * on, each passkey needs that password once, so that nobody who added one before can sign in with it alone.
 */
import { randomBytes } from 'node:crypto';
import type { AuthenticatorTransport } from '@simplewebauthn/server';
import { firstRow, type Queryable } from '../../db/postgres.ts';
import { Problem } from '../../http/index.ts';
import type { Clock } from '../../runtime/clock.ts';

/** Maximum number of passkeys of a member. */
export const MAX_PASSKEYS = 20;
const HANDLE_BYTES = 32;

export interface ListedPasskey {
  id: number;
  name: string;
  /** The host for which it was made. Elsewhere it cannot be used. */
  rp_id: string;
  created_at: Date;
  /** Null if it has not been used yet. */
  used_at: Date | null;
}

/** Lists a member's passkeys, oldest first. */
export async function listPasskeys(db: Queryable, memberId: number): Promise<ListedPasskey[]> {
  const { rows } = await db.query<ListedPasskey>(
    'SELECT id, name, rp_id, created_at, used_at FROM passkey WHERE member_id = $1 ORDER BY id',
    [memberId],
  );
  return rows;
}

/** Lets a browser find a passkey. */
export interface PasskeyReference {
  id: string;
  transports: AuthenticatorTransport[];
}

export async function passkeyReferences(db: Queryable, memberId: number, rpId: string): Promise<PasskeyReference[]> {
  const { rows } = await db.query<PasskeyReference>(
    'SELECT credential AS id, transports FROM passkey WHERE member_id = $1 AND rp_id = $2 ORDER BY id',
    [memberId, rpId],
  );
  return rows;
}

/** @returns the random bytes by which authenticators know the member */
export async function passkeyHandle(db: Queryable, memberId: number): Promise<Buffer> {
  const { rows } = await db.query<{ handle: Buffer }>(
    'UPDATE member SET passkey_handle = coalesce(passkey_handle, $2) WHERE id = $1 RETURNING passkey_handle AS handle',
    [memberId, randomBytes(HANDLE_BYTES)],
  );
  return firstRow(rows).handle;
}

/** A passkey that an authenticator has made. */
export interface NewPasskey {
  credential: string;
  publicKey: Buffer;
  counter: number;
  rpId: string;
  transports: readonly string[];
}

/**
 * Stores a passkey. The member's row has to be locked.
 * @returns the id
 * @throws {Problem} conflict if the member has as many as possible, or if a member has this passkey
 */
export async function insertPasskey(
  db: Queryable,
  clock: Clock,
  memberId: number,
  { name, credential, publicKey, counter, rpId, transports }: NewPasskey & { name: string },
): Promise<number> {
  const { rows: counted } = await db.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM passkey WHERE member_id = $1',
    [memberId],
  );
  if (firstRow(counted).count >= MAX_PASSKEYS)
    throw new Problem('conflict', `You have ${MAX_PASSKEYS} passkeys, which is the maximum: remove one first.`);
  const { rows } = await db.query<{ id: number }>(
    `INSERT INTO passkey (member_id, credential, public_key, counter, rp_id, transports, name, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (credential) DO NOTHING RETURNING id`,
    [memberId, credential, publicKey, counter, rpId, transports, name, new Date(clock.now())],
  );
  if (rows[0] === undefined) throw new Problem('conflict', 'This passkey has been added already.');
  return rows[0].id;
}

/** A stored passkey whose answer can be checked. */
export interface StoredPasskey {
  id: number;
  name: string;
  memberId: number;
  credential: string;
  publicKey: Buffer;
  /** See passkeyHandle. */
  handle: Buffer | null;
}

/** @param credential the authenticator's id for it, base64url. @returns null if it is unknown or has been removed */
export async function findPasskey(db: Queryable, credential: string): Promise<StoredPasskey | null> {
  const { rows } = await db.query<StoredPasskey>(
    `SELECT k.id, k.name, k.member_id AS "memberId", k.credential, k.public_key AS "publicKey", m.passkey_handle AS handle
     FROM passkey k JOIN member m ON m.id = k.member_id WHERE k.credential = $1`,
    [credential],
  );
  return rows[0] ?? null;
}

/** How a passkey is used: alone, after the password, or in a session that is already open. */
export type PasskeyUse = 'alone' | 'after_password' | 'in_session';

/**
 * Records a use whose answer has been checked. Two answers at the same time wait for each other here.
 * @param counter of signatures, in the answer
 * @returns `copied` if the counter has not grown, so that there may be two copies of the passkey
 */
export async function recordUse(
  db: Queryable,
  clock: Clock,
  { id, counter, use }: { id: number; counter: number; use: PasskeyUse },
): Promise<'used' | 'removed' | 'copied' | 'password_needed'> {
  const { rows } = await db.query<{ counter: number; isFirstFactor: boolean }>(
    'SELECT counter, is_first_factor AS "isFirstFactor" FROM passkey WHERE id = $1 FOR UPDATE',
    [id],
  );
  const stored = rows[0];
  if (stored === undefined) return 'removed';
  // An authenticator that does not count always sends 0.
  if ((stored.counter > 0 || counter > 0) && counter <= stored.counter) return 'copied';
  if (use === 'alone' && !stored.isFirstFactor) return 'password_needed';
  await db.query(
    'UPDATE passkey SET counter = $2, used_at = $3, is_first_factor = is_first_factor OR $4 WHERE id = $1',
    [id, counter, new Date(clock.now()), use === 'after_password'],
  );
  return 'used';
}

/** @returns the passkey and the former name; null if the member has no such passkey */
export async function updateName(
  db: Queryable,
  memberId: number,
  id: number,
  name: string,
): Promise<(ListedPasskey & { before: string }) | null> {
  const { rows } = await db.query<ListedPasskey & { before: string }>(
    `UPDATE passkey k SET name = $3 FROM passkey f WHERE k.id = $1 AND k.member_id = $2 AND f.id = k.id
     RETURNING k.id, k.name, k.rp_id, k.created_at, k.used_at, f.name AS before`,
    [id, memberId, name],
  );
  return rows[0] ?? null;
}

/** @returns the name; null if the member has no such passkey */
export async function deletePasskey(db: Queryable, memberId: number, id: number): Promise<string | null> {
  const { rows } = await db.query<{ name: string }>(
    'DELETE FROM passkey WHERE id = $1 AND member_id = $2 RETURNING name',
    [id, memberId],
  );
  return rows[0]?.name ?? null;
}

/** @returns how many there were */
export async function deletePasskeys(db: Queryable, memberId: number): Promise<number> {
  const { rowCount } = await db.query('DELETE FROM passkey WHERE member_id = $1', [memberId]);
  return rowCount ?? 0;
}

/** Makes each passkey need the password once more. @returns how many did not need it */
export async function requirePassword(db: Queryable, memberId: number): Promise<number> {
  const { rowCount } = await db.query(
    'UPDATE passkey SET is_first_factor = false WHERE member_id = $1 AND is_first_factor',
    [memberId],
  );
  return rowCount ?? 0;
}
