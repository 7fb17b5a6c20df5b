/** Accounts and their keys, for operators. */
import type pg from 'pg';
import { type Queryable, transaction } from '../db/postgres.ts';
import { checkEmail, checkPlan, hashOf } from './keys.ts';

export interface Account {
  id: number;
  email: string;
  plan: string;
  created_at: Date;
  /** Keys that are neither revoked nor expired. */
  keys: number;
}

export interface ListedKey {
  id: number;
  email: string;
  kind: 'sk' | 'pk';
  /** The last four characters. */
  hint: string;
  name: string | null;
  origins: string[] | null;
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
}

interface Clock {
  now(): number;
}

/** All of them, the oldest first. @param email only this one */
export async function listAccounts(db: Queryable, clock: Clock, email?: string): Promise<Account[]> {
  const { rows } = await db.query<Account>(
    `SELECT a.id, a.email, a.plan, a.created_at,
       (SELECT count(*)::int FROM api_key k WHERE k.account_id = a.id AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $2)) AS keys
     FROM account a WHERE $1::text IS NULL OR lower(a.email) = lower($1) ORDER BY a.id`,
    [email ?? null, new Date(clock.now())],
  );
  return rows;
}

/** Without a key. @throws {Problem} invalid_parameter; {Error} where there is one with that email (case-insensitive) */
export async function createAccount(
  db: Queryable,
  clock: Clock,
  { email, plan = 'trial' }: { email: string; plan?: string | undefined },
): Promise<number> {
  checkEmail(email);
  checkPlan(plan);
  const { rows } = await db.query<{ id: number }>(
    'INSERT INTO account (email, plan, created_at) VALUES ($1, $2, $3) ON CONFLICT (lower(email)) DO NOTHING RETURNING id',
    [email, plan, new Date(clock.now())],
  );
  if (rows[0] === undefined) throw new Error(`there is an account ${email}`);
  return rows[0].id;
}

/**
 * Takes effect on all keys, streams and webhooks of the account within seconds.
 * @returns the plan before
 * @throws {Problem} invalid_parameter; {Error} for an unknown account
 */
export async function changePlan(pool: pg.Pool, email: string, plan: string): Promise<string> {
  checkPlan(plan);
  return transaction(pool, async (client) => {
    const { rows } = await client.query<{ id: number; plan: string }>(
      'SELECT id, plan FROM account WHERE lower(email) = lower($1) FOR UPDATE',
      [email],
    );
    const account = rows[0] ?? unknownAccount(email);
    await client.query('UPDATE account SET plan = $2 WHERE id = $1', [account.id, plan]);
    return account.plan;
  });
}

export function unknownAccount(email: string): never {
  throw new Error(`there is no account ${email}`);
}

/** The oldest first. @param email only those of this account */
export async function listKeys(db: Queryable, email?: string): Promise<ListedKey[]> {
  const { rows } = await db.query<ListedKey>(
    `SELECT k.id, a.email, k.kind, k.hint, k.name, k.origins, k.created_at, k.expires_at, k.revoked_at
     FROM api_key k JOIN account a ON a.id = k.account_id WHERE $1::text IS NULL OR lower(a.email) = lower($1) ORDER BY k.id`,
    [email ?? null],
  );
  return rows;
}

/**
 * Ends a key for ever: within 5 s for requests, open streams included.
 * @param key its id, or the key itself
 * @returns since when it is revoked, now or before
 * @throws {Error} for an unknown key
 */
export async function revokeKey(db: Queryable, clock: Clock, key: number | string): Promise<Date> {
  const [column, value] = typeof key === 'number' ? ['id', key] : ['hash', hashOf(key)];
  const { rows } = await db.query<{ revoked_at: Date }>(
    `UPDATE api_key SET revoked_at = coalesce(revoked_at, $2) WHERE ${column} = $1 RETURNING revoked_at`,
    [value, new Date(clock.now())],
  );
  if (rows[0] === undefined) throw new Error('there is no such key');
  return rows[0].revoked_at;
}
