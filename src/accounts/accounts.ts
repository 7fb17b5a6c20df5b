/** Accounts and their keys, for operators. */
import type pg from 'pg';
import { type Queryable, transaction } from '../db/postgres.ts';
import { audit, OPERATOR } from './audit.ts';
import { checkEmail, checkPlan } from './keys/keys.ts';
import { defaultPlan } from './plans/plans.ts';

export interface Account {
  id: number;
  email: string;
  plan: string;
  created_at: Date;
  suspended_at: Date | null;
  /** Keys that are neither revoked nor expired. */
  keys: number;
}

interface Clock {
  now(): number;
}

/** $1: now */
const ACCOUNTS = `SELECT a.id, a.email, a.plan, a.created_at, a.suspended_at,
    (SELECT count(*)::int FROM api_key k WHERE k.account_id = a.id AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $1)) AS keys
  FROM account a`;

/** All of them, the oldest first. @param email only this one */
export async function listAccounts(db: Queryable, clock: Clock, email?: string): Promise<Account[]> {
  const { rows } = await db.query<Account>(
    `${ACCOUNTS} WHERE $2::text IS NULL OR lower(a.email) = lower($2) ORDER BY a.id`,
    [new Date(clock.now()), email ?? null],
  );
  return rows;
}

/** @returns null for one that was deleted */
export async function findAccount(db: Queryable, clock: Clock, id: number): Promise<Account | null> {
  const { rows } = await db.query<Account>(`${ACCOUNTS} WHERE a.id = $2`, [new Date(clock.now()), id]);
  return rows[0] ?? null;
}

/** Without a key. @throws {Problem} invalid_parameter; {Error} where there is one with that email (case-insensitive) */
export async function createAccount(
  db: Queryable,
  clock: Clock,
  { email, plan = defaultPlan() }: { email: string; plan?: string | undefined },
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
export async function changePlan(pool: pg.Pool, clock: Clock, email: string, plan: string): Promise<string> {
  checkPlan(plan);
  return transaction(pool, async (client) => {
    const { rows } = await client.query<{ id: number; plan: string }>(
      'SELECT id, plan FROM account WHERE lower(email) = lower($1) FOR UPDATE',
      [email],
    );
    const account = rows[0] ?? unknownAccount(email);
    await client.query('UPDATE account SET plan = $2 WHERE id = $1', [account.id, plan]);
    await audit(client, clock, {
      accountId: account.id,
      actor: OPERATOR,
      action: 'account.plan_changed',
      details: { from: account.plan, to: plan },
    });
    return account.plan;
  });
}

export function unknownAccount(email: string): never {
  throw new Error(`there is no account ${email}`);
}

/**
 * Refuses all keys and sessions of an account, and ends its streams and webhooks, within seconds; or allows them again.
 * @throws {Error} for an unknown account
 */
export async function suspendAccount(pool: pg.Pool, clock: Clock, email: string, suspended: boolean): Promise<void> {
  await transaction(pool, async (client) => {
    const { rows } = await client.query<{ id: number }>(
      `UPDATE account SET suspended_at = CASE WHEN $2 THEN coalesce(suspended_at, $3) END WHERE lower(email) = lower($1) RETURNING id`,
      [email, suspended, new Date(clock.now())],
    );
    const { id } = rows[0] ?? unknownAccount(email);
    await audit(client, clock, {
      accountId: id,
      actor: OPERATOR,
      action: suspended ? 'account.suspended' : 'account.resumed',
    });
  });
}

/**
 * Deletes an account for ever, with its members, keys, subscriptions and their logs. A custom resource that names it is refused from then on.
 * Usage that has moved to ClickHouse stays there until its time is over, under an id that nothing else has.
 * @param by its email or its id
 * @throws {Error} for an unknown account
 */
export async function deleteAccount(pool: pg.Pool, by: number | string): Promise<void> {
  await transaction(pool, async (client) => {
    const { rows } = await client.query<{ id: number }>(
      `SELECT id FROM account WHERE ${typeof by === 'number' ? 'id = $1' : 'lower(email) = lower($1)'} FOR UPDATE`,
      [by],
    );
    const { id } = rows[0] ?? unknownAccount(String(by));
    const subscriptions = 'SELECT id FROM webhook_subscription WHERE account_id = $1';
    await client.query(`DELETE FROM webhook_attempt WHERE subscription_id IN (${subscriptions})`, [id]);
    await client.query(`DELETE FROM webhook_delivery WHERE subscription_id IN (${subscriptions})`, [id]);
    await client.query('DELETE FROM webhook_subscription WHERE account_id = $1', [id]);
    for (const table of ['api_key', 'account_window', 'publishable_window', 'account_usage', 'account_activity'])
      await client.query(`DELETE FROM ${table} WHERE account_id = $1`, [id]);
    await client.query('DELETE FROM account WHERE id = $1', [id]);
  });
}
