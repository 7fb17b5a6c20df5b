/** API keys: their form, and how they are made and found. Stored as SHA-256, shown once. */
import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type pg from 'pg';
import { z } from 'zod';
import { type Queryable, transaction } from '../db/postgres.ts';
import { invalidParameter } from '../http/errors.ts';
import type { KeyRecord, KeyStore } from '../http/key-cache.ts';

export const PLAN_NAMES = ['free', 'trial', 'starter', 'pro', 'business'] as const;
export type PlanName = (typeof PLAN_NAMES)[number];

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62^32 is 190 bits: a stored hash needs no salt. */
const RANDOM_LENGTH = 32;
/** Enough base-62 digits for 32 bits. */
const CHECKSUM_LENGTH = 6;
const FORM = new RegExp(`^(sk|pk)_live_[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i += 1) {
    digits = ALPHABET[rest % ALPHABET.length] + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}

export function generateKey(kind: 'sk' | 'pk'): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return `${kind}_live_${random}${checksum(`${kind}_live_${random}`)}`;
}

/** Whether form and checksum are right, so that typing errors and guesses cost no query. */
export function isWellFormedKey(key: string): boolean {
  return FORM.test(key) && checksum(key.slice(0, -CHECKSUM_LENGTH)) === key.slice(-CHECKSUM_LENGTH);
}

export const hashOf = (key: string) => createHash('sha256').update(key).digest();

export async function findKey(db: Queryable, key: string): Promise<KeyRecord | null> {
  if (!isWellFormedKey(key)) return null;
  const { rows } = await db.query<KeyRecord>(
    `SELECT api_key.id AS "keyId", api_key.account_id AS "accountId", api_key.kind, account.plan, api_key.origins,
            floor(extract(epoch FROM api_key.expires_at) * 1000)::bigint AS "expiresAt",
            floor(extract(epoch FROM api_key.revoked_at) * 1000)::bigint AS "revokedAt"
       FROM api_key JOIN account ON account.id = api_key.account_id
      WHERE api_key.hash = $1`,
    [hashOf(key)],
  );
  return rows[0] ?? null;
}

export const keyStore = (db: Queryable): KeyStore => ({
  wellFormed: isWellFormedKey,
  find: (key) => findKey(db, key),
});

export interface NewKey {
  email: string;
  /** Of a new account: trial unless given. Given for an account that exists, it moves the account to that plan. */
  plan?: string | undefined;
  kind?: 'sk' | 'pk' | undefined;
  name?: string | undefined;
  /** For a publishable key: the only origins that may use it, as browsers send them (https://example.com). */
  origins?: readonly string[] | undefined;
  expiresAt?: Date | undefined;
}

export interface CreatedKey {
  /** The key itself; it cannot be shown again. */
  key: string;
  keyId: number;
  accountId: number;
  plan: string;
}

const MAX_EMAIL_LENGTH = 254;
const MAX_NAME_LENGTH = 100;
const emailForm = z.email().max(MAX_EMAIL_LENGTH);

function checkOrigin(origin: string): void {
  if (URL.canParse(origin) && /^https?:/.test(origin) && new URL(origin).origin === origin) return;
  throw invalidParameter('origins', 'invalid_origin', `${origin} is not an origin like https://example.com`);
}

function check({ email, plan, kind, name, origins, expiresAt }: NewKey, now: number): void {
  if (!emailForm.safeParse(email).success) {
    throw invalidParameter('email', 'invalid_email', `${JSON.stringify(email)} is not an email address`);
  }
  if (plan !== undefined && !(PLAN_NAMES as readonly string[]).includes(plan)) {
    throw invalidParameter('plan', 'unknown_plan', `must be one of ${PLAN_NAMES.join(', ')}`);
  }
  if (name !== undefined && (name.trim() === '' || name.length > MAX_NAME_LENGTH || name.includes('\0'))) {
    throw invalidParameter('name', 'invalid_text', `must have 1 to ${MAX_NAME_LENGTH} characters`);
  }
  if (origins !== undefined && kind !== 'pk') {
    throw invalidParameter('origins', 'not_publishable', 'are for publishable keys');
  }
  for (const origin of origins ?? []) checkOrigin(origin);
  if (expiresAt !== undefined && !(expiresAt.getTime() > now)) {
    throw invalidParameter('expires_at', 'in_the_past', 'must be in the future');
  }
}

/**
 * Makes a key, and the account where there is none with that email (letter case aside).
 * @throws {Problem} invalid_parameter naming what is wrong.
 */
export async function createKey(pool: pg.Pool, clock: { now(): number }, input: NewKey): Promise<CreatedKey> {
  check(input, clock.now());
  const { email, plan, kind = 'sk', name, origins, expiresAt } = input;
  const key = generateKey(kind);
  const now = new Date(clock.now());
  return transaction(pool, async (db) => {
    const { rows: accounts } = await db.query<{ id: number; plan: string }>(
      `INSERT INTO account (email, plan, created_at) VALUES ($1, coalesce($2, 'trial'), $3)
       ON CONFLICT (lower(email)) DO UPDATE SET plan = coalesce($2, account.plan)
       RETURNING id, plan`,
      [email, plan ?? null, now],
    );
    const account = accounts[0]!;
    const { rows } = await db.query<{ id: number }>(
      `INSERT INTO api_key (account_id, kind, hash, hint, name, origins, created_at, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id`,
      [
        account.id,
        kind,
        hashOf(key),
        key.slice(-4),
        name ?? null,
        origins?.length ? origins : null,
        now,
        expiresAt ?? null,
      ],
    );
    return { key, keyId: rows[0]!.id, accountId: account.id, plan: account.plan };
  });
}
