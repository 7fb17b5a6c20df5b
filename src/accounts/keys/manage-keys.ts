/** Lists, changes, rotates and revokes an account's keys. */
import type pg from 'pg';
import { type Queryable, transaction } from '../../db/postgres.ts';
import { invalidParameter, type KeyScope, type Permission, type Principal, Problem } from '../../http/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import { DAY_SECONDS } from '../../wire/time.ts';
import { type Actor, audit, toActor } from '../audit.ts';
import { normalEmail } from '../email-address.ts';
import { refuseManaged } from '../managed-resources.ts';
import { checkKeySettings, hashKey, insertKey, type KeySettings, storedScopes } from './key-store.ts';

/** Maximum number of usable keys in an account. */
const MAX_KEYS = 50;
/** How long a rotated key stays valid together with the new key, unless the request sets a time. */
export const OVERLAP_SECONDS = DAY_SECONDS;
export const MAX_OVERLAP_SECONDS = 30 * DAY_SECONDS;

export interface ListedKey {
  id: number;
  accountId: number;
  email: string;
  kind: 'sk' | 'pk';
  /** The key's first characters. */
  prefix: string;
  /** The key's last four characters. */
  hint: string;
  name: string | null;
  origins: string[] | null;
  addresses: string[] | null;
  /** Null for all scopes. */
  scopes: KeyScope[] | null;
  /** The person to whom the key belongs. Null for a key of the organisation. */
  memberId: number | null;
  /** The address of this person. */
  member: string | null;
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
  /** Client address. */
  last_used_from: string | null;
  /** Id of the key that replaced this one in a rotation. */
  replaced_by: number | null;
  /** The Kubernetes resource that owns the key. Null if none does. */
  managed: { namespace: string; name: string } | null;
}

/** Lists keys, oldest first. */
export async function listKeys(
  db: Queryable,
  { email, accountId, id }: { email?: string | undefined; accountId?: number; id?: number } = {},
): Promise<ListedKey[]> {
  const { rows } = await db.query<ListedKey>(
    `SELECT k.id, k.account_id AS "accountId", a.email, k.kind, coalesce(k.prefix, k.kind || '_live_') AS prefix, k.hint, k.name, k.origins,
       k.addresses, k.scopes, k.member_id AS "memberId", m.email AS member, k.created_at, k.expires_at, k.revoked_at, k.last_used_at, k.last_used_from, k.replaced_by,
       CASE WHEN r.uid IS NOT NULL THEN json_build_object('namespace', r.namespace, 'name', r.name) END AS managed
     FROM api_key k JOIN account a ON a.id = k.account_id LEFT JOIN member m ON m.id = k.member_id
       LEFT JOIN managed_resource r ON r.kind = 'ApiKey' AND r.target = k.id::text
     WHERE ($1::text IS NULL OR lower(a.email) = $1) AND ($2::bigint IS NULL OR k.account_id = $2) AND ($3::bigint IS NULL OR k.id = $3)
     ORDER BY k.id`,
    [email === undefined ? null : normalEmail(email), accountId ?? null, id ?? null],
  );
  return rows;
}

export function keyState({ revoked_at, expires_at }: ListedKey, now: number): 'active' | 'expired' | 'revoked' {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && expires_at.getTime() <= now ? 'expired' : 'active';
}

/** @throws {Problem} not_found, also for a key of a different account */
export async function findAccountKey(db: Queryable, accountId: number, id: number): Promise<ListedKey> {
  const [key] = await listKeys(db, { accountId, id });
  if (key === undefined) throw new Problem('not_found', `There is no key ${id}.`);
  return key;
}

/**
 * Refuses a new key if the account has the maximum number. The second of two concurrent requests waits, so that both
 * are counted.
 */
async function checkCount(db: Queryable, clock: Clock, accountId: number): Promise<void> {
  await db.query('SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE', [accountId]);
  const keys = await listKeys(db, { accountId });
  if (keys.filter((key) => keyState(key, clock.now()) === 'active').length >= MAX_KEYS)
    throw new Problem('conflict', `An account has at most ${MAX_KEYS} keys. Revoke one first.`);
}

const settingsText = ({ name, origins, addresses, scopes, expiresAt }: KeySettings) => ({
  ...(name !== undefined && { name }),
  ...(origins !== undefined && { origins }),
  ...(addresses !== undefined && { addresses }),
  ...(scopes !== undefined && { scopes }),
  ...(expiresAt !== undefined && { expires_at: expiresAt.toISOString() }),
});

/** The account that owns the key, and the member who changes it. */
export interface KeyOwner {
  accountId: number;
  actor: Actor;
  memberId: number;
  permissions: ReadonlySet<Permission>;
}

/** @throws {TypeError} if no member is signed in */
export function toKeyOwner(input: { principal: Principal | null; address: string }): KeyOwner {
  if (input.principal?.kind !== 'member') throw new TypeError('no member is signed in');
  const { accountId, memberId, permissions } = input.principal;
  return { accountId, memberId, permissions, actor: toActor(input) };
}

/** True if the member may change the key: a personal key is changed only by its person, who alone may act with it. */
export const mayChangeKey = (
  { memberId, permissions }: Pick<KeyOwner, 'memberId' | 'permissions'>,
  key: Pick<ListedKey, 'memberId'>,
): boolean => (key.memberId === null ? permissions.has('keys') : key.memberId === memberId);

/** True if the member may revoke the key. */
export const mayRevokeKey: typeof mayChangeKey = (owner, key) =>
  owner.permissions.has('keys') || key.memberId === owner.memberId;

/** @throws {Problem} not_found; role_not_permitted */
async function findOwnKey(db: Queryable, owner: KeyOwner, id: number, may = mayChangeKey): Promise<ListedKey> {
  const key = await findAccountKey(db, owner.accountId, id);
  if (may(owner, key)) return key;
  const whose = key.memberId === null ? 'the organisation' : 'somebody else';
  throw new Problem('role_not_permitted', `The key belongs to ${whose}: your role does not permit this.`);
}

/**
 * Runs in a transaction.
 * @param isPersonal true for a key of the member. By default, a member who may create keys of the organisation creates such a key
 * @throws {Problem} invalid_parameter; role_not_permitted; conflict if there are too many
 */
export async function createAccountKey(
  db: Queryable,
  clock: Clock,
  { accountId, actor, memberId, permissions }: KeyOwner,
  settings: Omit<KeySettings, 'memberId'>,
  isPersonal = !permissions.has('keys'),
): Promise<{ key: string; keyId: number }> {
  if (!isPersonal && !permissions.has('keys'))
    throw new Problem('role_not_permitted', 'Your role permits personal keys only.');
  checkKeySettings(settings, clock.now());
  await checkCount(db, clock, accountId);
  const made = await insertKey(db, clock, accountId, { ...settings, ...(isPersonal && { memberId }) });
  const details = { kind: settings.kind ?? 'sk', ...(isPersonal && { personal: true }), ...settingsText(settings) };
  await audit(db, clock, { accountId, actor, action: 'key.created', target: `key ${made.keyId}`, details });
  return made;
}

/** Fields to change; null clears a field. */
export interface KeyChange {
  name?: string | undefined;
  origins?: readonly string[] | null | undefined;
  addresses?: readonly string[] | null | undefined;
  /** Null gives the key all scopes. */
  scopes?: readonly KeyScope[] | null | undefined;
}

/** Runs in a transaction. @throws {Problem} invalid_parameter, not_found; conflict if the key is revoked */
export async function changeKey(
  db: Queryable,
  clock: Clock,
  owner: KeyOwner,
  id: number,
  change: KeyChange,
): Promise<void> {
  const { accountId, actor } = owner;
  const { kind, revoked_at } = await findOwnKey(db, owner, id);
  await refuseManaged(db, 'ApiKey', id, actor);
  if (revoked_at !== null) throw new Problem('conflict', 'The key has been revoked.');
  const { name, origins, addresses, scopes } = change;
  checkKeySettings(
    { kind, name, origins: origins ?? undefined, addresses: addresses ?? undefined, scopes: scopes ?? undefined },
    clock.now(),
  );
  const listed = (list: readonly string[] | null | undefined) => (list?.length ? list : null);
  await db.query(
    `UPDATE api_key SET name = coalesce($3, name), origins = CASE WHEN $4 THEN $5 ELSE origins END,
       addresses = CASE WHEN $6 THEN $7 ELSE addresses END, scopes = CASE WHEN $8 THEN $9 ELSE scopes END
     WHERE account_id = $1 AND id = $2`,
    [
      accountId,
      id,
      name ?? null,
      origins !== undefined,
      listed(origins),
      addresses !== undefined,
      listed(addresses),
      scopes !== undefined,
      scopes ? storedScopes(scopes) : null,
    ],
  );
  await audit(db, clock, { accountId, actor, action: 'key.changed', target: `key ${id}`, details: { ...change } });
}

/**
 * Creates a key with the same settings. The old key expires after an overlap, so that clients can be moved one by one.
 * Runs in a transaction.
 * @param overlapSeconds with 0, the old key expires at once
 * @throws {Problem} not_found; conflict if the old key is no longer in use
 */
export async function rotateKey(
  db: Queryable,
  clock: Clock,
  owner: KeyOwner,
  id: number,
  overlapSeconds: number,
): Promise<{ key: string; keyId: number }> {
  const { accountId, actor } = owner;
  await checkCount(db, clock, accountId);
  const old = await findOwnKey(db, owner, id);
  await refuseManaged(db, 'ApiKey', id, actor);
  const now = clock.now();
  if (keyState(old, now) !== 'active') throw new Problem('conflict', `The key is ${keyState(old, now)}.`);
  if (old.replaced_by !== null)
    throw new Problem('conflict', `The key has already been rotated: key ${old.replaced_by} replaces it.`);
  if (overlapSeconds < 0 || overlapSeconds > MAX_OVERLAP_SECONDS)
    throw invalidParameter('overlap_seconds', 'out_of_range', `must be from 0 to ${MAX_OVERLAP_SECONDS}`);
  const made = await insertKey(db, clock, accountId, {
    kind: old.kind,
    name: old.name ?? undefined,
    origins: old.origins ?? undefined,
    addresses: old.addresses ?? undefined,
    scopes: old.scopes ?? undefined,
    memberId: old.memberId ?? undefined,
    expiresAt: old.expires_at ?? undefined,
  });
  const ends = Math.min(now + overlapSeconds * 1_000, old.expires_at?.getTime() ?? Number.POSITIVE_INFINITY);
  await db.query(
    'UPDATE api_key SET expires_at = $2, revoked_at = CASE WHEN $3 THEN $4::timestamptz END, replaced_by = $5 WHERE id = $1',
    [id, new Date(ends), overlapSeconds === 0, new Date(now), made.keyId],
  );
  const details = { replaced_by: made.keyId, valid_until: new Date(ends).toISOString() };
  await audit(db, clock, { accountId, actor, action: 'key.rotated', target: `key ${id}`, details });
  return made;
}

/**
 * Revokes a key of the member or, if the role permits it, of the organisation. Runs in a transaction.
 * @throws {Problem} not_found; role_not_permitted
 */
export async function revokeOwnKey(db: Queryable, clock: Clock, owner: KeyOwner, id: number): Promise<void> {
  await findOwnKey(db, owner, id, mayRevokeKey);
  await refuseManaged(db, 'ApiKey', id, owner.actor);
  await revokeKey(db, clock, id, owner.actor, owner.accountId);
}

/**
 * Revokes a key permanently. Within 5 s, requests with it are refused and its open streams end.
 * @param key the id, or the key text
 * @param accountId if set, the account that has to own the key
 * @returns when the key was revoked, now or earlier; null if the key is unknown
 */
export async function revokeKey(
  db: Queryable,
  clock: Clock,
  key: number | string,
  actor: Actor,
  accountId: number | null = null,
): Promise<Date | null> {
  const [column, value] = typeof key === 'number' ? ['id', key] : ['hash', hashKey(key)];
  const now = new Date(clock.now());
  const { rows } = await db.query<{ id: number; account_id: number; revoked_at: Date; is_new: boolean }>(
    `WITH before AS (SELECT id, revoked_at FROM api_key WHERE ${column} = $1 AND ($3::bigint IS NULL OR account_id = $3) FOR UPDATE)
     UPDATE api_key k SET revoked_at = coalesce(k.revoked_at, $2) FROM before b WHERE k.id = b.id
     RETURNING k.id, k.account_id, k.revoked_at, b.revoked_at IS NULL AS is_new`,
    [value, now, accountId],
  );
  const [row] = rows;
  if (row === undefined) return null;
  if (row.is_new)
    await audit(db, clock, { accountId: row.account_id, actor, action: 'key.revoked', target: `key ${row.id}` });
  return row.revoked_at;
}

/** As `revokeKey`, but refuses a key that a resource owns. @throws {Problem} conflict */
export async function revokeKeyByHand(
  pool: pg.Pool,
  clock: Clock,
  key: number | string,
  actor: Actor,
  accountId: number | null = null,
): Promise<Date | null> {
  return transaction(pool, async (db) => {
    const { rows } = await db.query<{ id: number }>(
      `SELECT id FROM api_key WHERE ${typeof key === 'number' ? 'id' : 'hash'} = $1`,
      [typeof key === 'number' ? key : hashKey(key)],
    );
    if (rows[0] !== undefined) await refuseManaged(db, 'ApiKey', rows[0].id, actor);
    return revokeKey(db, clock, key, actor, accountId);
  });
}

/** Revokes the keys that a person has in an organisation. Runs in a transaction. */
export async function revokePersonalKeys(
  db: Queryable,
  clock: Clock,
  { accountId, memberId, actor }: Pick<KeyOwner, 'accountId' | 'memberId' | 'actor'>,
): Promise<void> {
  const { rows } = await db.query<{ id: number }>(
    'SELECT id FROM api_key WHERE account_id = $1 AND member_id = $2 AND revoked_at IS NULL ORDER BY id',
    [accountId, memberId],
  );
  for (const { id } of rows) await revokeKey(db, clock, id, actor, accountId);
}
