/** How API keys are formatted, created and looked up. Keys are stored as SHA-256 and shown once. */
import { createHash } from 'node:crypto';
import type pg from 'pg';
import { isNetwork } from '../../config/network.ts';
import { firstRow, type Queryable, transaction } from '../../db/postgres.ts';
import {
  invalidParameter,
  KEY_SCOPES,
  type KeyRecord,
  type KeyScope,
  type KeyStore,
  type Role,
} from '../../http/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import { createSecret, isSecret, SECRETS } from '../../wire/secret-formats.ts';
import { audit, OPERATOR } from '../audit.ts';
import { checkEmail, normalEmail } from '../email-address.ts';
import { refuseManaged } from '../managed-resources.ts';
import type { OfferedPlans } from '../plans/plans.ts';
import { rolePermissions, rolesWith } from '../roles.ts';

const NAMES = { sk: 'secret_key', pk: 'publishable_key' } as const;

export const generateKey = (kind: 'sk' | 'pk'): string => createSecret(NAMES[kind]);

/** Checks format and checksum, so that typing errors and guesses cost no query. */
export const isWellFormedKey = (key: string): boolean => Object.values(NAMES).some((name) => isSecret(name, key));

export const hashKey = (key: string) => createHash('sha256').update(key).digest();

/** SQL condition that is true if the key is valid and has the scope `stream`. @param key alias of api_key */
export const mayStreamSql = (key: string) =>
  `(${key}.revoked_at IS NULL AND (${key}.expires_at IS NULL OR ${key}.expires_at > now())
    AND (${key}.scopes IS NULL OR 'stream' = ANY (${key}.scopes))
    AND (${key}.member_id IS NULL OR EXISTS (SELECT FROM membership o WHERE o.account_id = ${key}.account_id AND o.member_id = ${key}.member_id
      AND o.role = ANY ('{${rolesWith('own_keys')}}'))))`;

/** SQL for milliseconds since 1970. */
const milliseconds = (column: string) => `floor(extract(epoch FROM ${column}) * 1000)::float8`;

export async function findKey(db: Queryable, key: string): Promise<KeyRecord | null> {
  if (!isWellFormedKey(key)) return null;
  const { rows } = await db.query<Omit<KeyRecord, 'permissions'> & { role: Role | null; isPersonal: boolean }>(
    `SELECT k.id AS "keyId", k.account_id AS "accountId", k.kind, a.plan, a.awaits_verification AS "awaitsVerification", k.origins, k.addresses, k.scopes,
            ${milliseconds('k.expires_at')} AS "expiresAt", ${milliseconds('k.revoked_at')} AS "revokedAt",
            a.suspended_at IS NOT NULL AS suspended, a.awaits_approval AS "awaitsApproval", k.member_id IS NOT NULL AS "isPersonal", o.role
       FROM api_key k JOIN account a ON a.id = k.account_id
       LEFT JOIN membership o ON o.account_id = k.account_id AND o.member_id = k.member_id
      WHERE k.hash = $1`,
    [hashKey(key)],
  );
  if (rows[0] === undefined) return null;
  const { role, isPersonal, ...record } = rows[0];
  return { ...record, permissions: isPersonal ? rolePermissions(role) : null };
}

export const keyStore = (db: Queryable): KeyStore => ({
  wellFormed: isWellFormedKey,
  find: (key) => findKey(db, key),
});

export interface KeySettings {
  kind?: 'sk' | 'pk' | undefined;
  name?: string | undefined;
  /** For publishable keys only: the origins that may use the key, as browsers send them (https://example.com). */
  origins?: readonly string[] | undefined;
  /** The only addresses and networks that may use the key. */
  addresses?: readonly string[] | undefined;
  /** The only scopes of the key. Without them, it has all. */
  scopes?: readonly KeyScope[] | undefined;
  expiresAt?: Date | undefined;
  /** The person to whom the key belongs. Without one, it belongs to the organisation. */
  memberId?: number | undefined;
}

export interface NewKey extends KeySettings {
  email: string;
  /** The plan for a new account (default: trial). An existing account moves to this plan. */
  plan?: string | undefined;
}

export interface CreatedKey {
  /** The key text, which cannot be shown again. */
  key: string;
  keyId: number;
  accountId: number;
  plan: string;
}

export const MAX_NAME_LENGTH = 100;
/** Maximum number of origins in a key's list, and of addresses. */
export const MAX_LISTED = 50;
/** How many characters are shown from the start of a key: its kind's prefix, and the first four random characters. */
const PREFIX_LENGTH = SECRETS.secret_key.prefix.length + 4;

function checkOrigin(origin: string): void {
  if (URL.canParse(origin) && /^https?:/.test(origin) && new URL(origin).origin === origin) return;
  throw invalidParameter('origins', 'invalid_origin', `${origin} is not an origin like https://example.com`);
}

/** True if a publishable key may have the scope. */
export const isPublicScope = (scope: KeyScope): boolean => scope === 'read' || scope === 'stream';

function checkScopes(kind: KeySettings['kind'], scopes: readonly KeyScope[]): void {
  if (scopes.length === 0) throw invalidParameter('scopes', 'missing', 'must name at least one scope');
  const denied = kind === 'pk' ? scopes.find((scope) => !isPublicScope(scope)) : undefined;
  if (denied !== undefined)
    throw invalidParameter('scopes', 'not_secret', `${denied} is for secret keys only: browsers see this key`);
}

/** @throws {Problem} invalid_parameter */
export function checkKeySettings(settings: KeySettings, now: number): void {
  const { kind, name, origins, addresses, scopes, expiresAt } = settings;
  if (name !== undefined && (name.trim() === '' || [...name].length > MAX_NAME_LENGTH || /\p{Cc}/u.test(name)))
    throw invalidParameter('name', 'invalid_text', `must have 1 to ${MAX_NAME_LENGTH} characters`);
  if (origins !== undefined && kind !== 'pk')
    throw invalidParameter('origins', 'not_publishable', 'are for publishable keys only');
  for (const [parameter, listed] of Object.entries({ origins, addresses }))
    if ((listed?.length ?? 0) > MAX_LISTED)
      throw invalidParameter(parameter, 'too_many', `must be at most ${MAX_LISTED}`);
  for (const origin of origins ?? []) checkOrigin(origin);
  for (const address of addresses ?? [])
    if (!isNetwork(address))
      throw invalidParameter(
        'addresses',
        'invalid_address',
        `${address} is neither an IP address nor a network like 10.0.0.0/8`,
      );
  if (scopes !== undefined) checkScopes(kind, scopes);
  if (expiresAt !== undefined && !(expiresAt.getTime() > now))
    throw invalidParameter('expires_at', 'in_the_past', 'must be in the future');
}

/** Returns the scopes for the row, without repetitions. Null stands for all, so that later scopes are included. */
export function storedScopes(scopes: readonly KeyScope[]): KeyScope[] | null {
  const kept = KEY_SCOPES.filter((scope) => scopes.includes(scope));
  return kept.length === KEY_SCOPES.length ? null : kept;
}

/**
 * Inserts a key with validated settings for an existing account. @returns the key text, which cannot be shown again,
 * and the id
 */
export async function insertKey(
  db: Queryable,
  clock: Clock,
  accountId: number,
  { kind = 'sk', name, origins, addresses, scopes, expiresAt, memberId }: KeySettings,
): Promise<{ key: string; keyId: number }> {
  const key = generateKey(kind);
  const { rows } = await db.query<{ id: number }>(
    `INSERT INTO api_key (account_id, kind, hash, prefix, hint, name, origins, addresses, scopes, created_at, expires_at, member_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) RETURNING id`,
    [
      accountId,
      kind,
      hashKey(key),
      key.slice(0, PREFIX_LENGTH),
      key.slice(-4),
      name ?? null,
      origins?.length ? origins : null,
      addresses?.length ? addresses : null,
      scopes === undefined ? null : storedScopes(scopes),
      new Date(clock.now()),
      expiresAt ?? null,
      memberId ?? null,
    ],
  );
  return { key, keyId: firstRow(rows).id };
}

/**
 * Creates a key for an operator. Also creates an account if none has the email (case-insensitive).
 * @throws {Problem} invalid_parameter; conflict if a plan is given for an account that a resource owns
 */
export async function createKey(pool: pg.Pool, clock: Clock, plans: OfferedPlans, input: NewKey): Promise<CreatedKey> {
  const { email, plan } = input;
  checkEmail(email);
  checkKeySettings(input, clock.now());
  return transaction(pool, async (db) => {
    if (plan !== undefined) await plans.require(db, plan);
    const { rows } = await db.query<{ id: number; plan: string }>(
      `INSERT INTO account (email, plan, created_at) VALUES ($1, coalesce($2, $4), $3)
       ON CONFLICT (lower(email)) DO UPDATE SET plan = coalesce($2, account.plan)
       RETURNING id, plan`,
      [normalEmail(email), plan ?? null, new Date(clock.now()), plans.default],
    );
    const account = firstRow(rows);
    if (plan !== undefined) await refuseManaged(db, 'Account', account.id, OPERATOR);
    const made = await insertKey(db, clock, account.id, input);
    await audit(db, clock, {
      accountId: account.id,
      actor: OPERATOR,
      action: 'key.created',
      target: `key ${made.keyId}`,
      details: { kind: input.kind ?? 'sk', name: input.name ?? null },
    });
    return { ...made, accountId: account.id, plan: account.plan };
  });
}
