/** Accounts and keys, for operators. */
import type pg from 'pg';
import { type PoolAndClock, type Queryable, transaction } from '../db/postgres.ts';
import { Problem } from '../http/index.ts';
import { type Clock, systemClock } from '../runtime/clock.ts';
import { type Actor, audit, OPERATOR } from './audit.ts';
import { endCredentials } from './credentials/credentials.ts';
import { endAccountSessions } from './credentials/sessions.ts';
import { checkEmail, normalEmail } from './email-address.ts';
import { refuseManaged } from './managed-resources.ts';
import type { OfferedPlans } from './plans/plans.ts';

interface PlanDeps extends PoolAndClock {
  plans: OfferedPlans;
}

export interface Account {
  id: number;
  email: string;
  /** Shown in place of the email; null if it has none. */
  name: string | null;
  plan: string;
  created_at: Date;
  suspended_at: Date | null;
  /** True until the address has been verified. */
  awaits_verification: boolean;
  /** Whether the account is suspended until an operator approves it. */
  awaits_approval: boolean;
  /** Whether an operator of this service owns the account, or belongs only to this one. */
  is_operator: boolean;
  /** Keys that are neither revoked nor expired. */
  keys: number;
  /** The Kubernetes resource that owns the account. Null if none does. */
  managed: { namespace: string; name: string } | null;
}

const IS_OPERATOR = `EXISTS (SELECT FROM membership b JOIN member m ON m.id = b.member_id
  WHERE b.account_id = a.id AND m.operator_since IS NOT NULL
    AND (b.role = 'owner' OR NOT EXISTS (SELECT FROM membership o WHERE o.member_id = m.id AND o.account_id <> a.id))) AS is_operator`;

/** The parameter $1 is the current time. */
const ACCOUNTS = `SELECT a.id, a.email, a.name, a.plan, a.created_at, a.suspended_at, a.awaits_verification, a.awaits_approval, ${IS_OPERATOR},
    (SELECT count(*)::int FROM api_key k WHERE k.account_id = a.id AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $1)) AS keys,
    CASE WHEN r.uid IS NOT NULL THEN json_build_object('namespace', r.namespace, 'name', r.name) END AS managed
  FROM account a LEFT JOIN managed_resource r ON r.kind = 'Account' AND r.target = a.id::text`;

/**
 * Lists all accounts, oldest first.
 * @param email if set, lists only the account with this email
 */
export async function listAccounts(db: Queryable, clock: Clock, email?: string): Promise<Account[]> {
  const { rows } = await db.query<Account>(`${ACCOUNTS} WHERE $2::text IS NULL OR lower(a.email) = $2 ORDER BY a.id`, [
    new Date(clock.now()),
    email === undefined ? null : normalEmail(email),
  ]);
  return rows;
}

export interface AccountSearch {
  /** Part of the email, case-insensitive. */
  email?: string | undefined;
  plan?: string | undefined;
  /** Finds only accounts that are waiting for approval. */
  waiting?: boolean;
  /** Finds only accounts older than the one with this id. */
  before?: number | undefined;
}

/** Searches the accounts, newest first. */
export async function searchAccounts(
  db: Queryable,
  clock: Clock,
  { email, plan, waiting = false, before }: AccountSearch,
  limit: number,
): Promise<Account[]> {
  const { rows } = await db.query<Account>(
    `${ACCOUNTS} WHERE ($2::text IS NULL OR strpos(lower(a.email), lower($2)) > 0) AND ($3::text IS NULL OR a.plan = $3)
       AND (NOT $4 OR a.awaits_approval) AND ($5::bigint IS NULL OR a.id < $5) ORDER BY a.id DESC LIMIT $6`,
    [new Date(clock.now()), email ?? null, plan ?? null, waiting, before ?? null, limit],
  );
  return rows;
}

/** Counts accounts by plan name, including plans that are no longer offered. */
export async function countByPlan(db: Queryable): Promise<Map<string, number>> {
  const { rows } = await db.query<{ plan: string; count: number }>(
    'SELECT plan, count(*)::int AS count FROM account GROUP BY plan ORDER BY plan',
  );
  return new Map(rows.map(({ plan, count }) => [plan, count]));
}

/** @returns null if the account was deleted */
export async function findAccount(db: Queryable, clock: Clock, id: number): Promise<Account | null> {
  const { rows } = await db.query<Account>(`${ACCOUNTS} WHERE a.id = $2`, [new Date(clock.now()), id]);
  return rows[0] ?? null;
}

interface NewAccount {
  email: string;
  /** Default: the plan for new accounts. */
  plan?: string | undefined;
}

/**
 * Creates an account without a key. @throws {Problem} invalid_parameter; {Error} if the email is taken
 * (case-insensitive)
 */
export const createAccount = (deps: PlanDeps, account: NewAccount): Promise<number> =>
  transaction(deps.pool, (client) => insertAccount(client, deps, account));

/** As `createAccount`. Runs in a transaction. */
export async function insertAccount(
  db: Queryable,
  { clock, plans }: Omit<PlanDeps, 'pool'>,
  { email, plan = plans.default }: NewAccount,
): Promise<number> {
  checkEmail(email);
  await plans.require(db, plan);
  const { rows } = await db.query<{ id: number }>(
    'INSERT INTO account (email, plan, created_at) VALUES ($1, $2, $3) ON CONFLICT (lower(email)) DO NOTHING RETURNING id',
    [normalEmail(email), plan, new Date(clock.now())],
  );
  if (rows[0] === undefined) throw new Error(`there is already an account ${email}`);
  return rows[0].id;
}

type LockedAccount = Omit<Account, 'name' | 'created_at' | 'awaits_verification' | 'keys' | 'managed'>;

/**
 * Locks the account until the transaction ends. @param by the email, case-insensitive, or the id. @throws {Problem}
 * not_found
 */
export async function lockAccount(db: Queryable, by: number | string): Promise<LockedAccount> {
  const { rows } = await db.query<LockedAccount>(
    `SELECT a.id, a.email, a.plan, a.suspended_at, a.awaits_approval, ${IS_OPERATOR} FROM account a
     WHERE ${typeof by === 'number' ? 'a.id = $1' : 'lower(a.email) = $1'} FOR UPDATE OF a`,
    [typeof by === 'number' ? by : normalEmail(by)],
  );
  return rows[0] ?? unknownAccount(by);
}

/**
 * Refuses a change to an operator's account, except from the command line. Otherwise one operator, or a thief with an
 * operator's session, could lock out the rest.
 * @throws {Problem} conflict
 */
export function refuseOperator({ is_operator }: Pick<Account, 'is_operator'>, actor: Actor): void {
  if (is_operator && actor !== OPERATOR)
    throw new Problem(
      'conflict',
      'This is the account of an operator. Remove the role first: touchline account operator EMAIL --revoke.',
    );
}

/**
 * Changes the plan. The new plan applies to the account's keys, streams and webhooks within seconds.
 * @param by the email or the id
 * @returns the previous plan
 * @throws {Problem} invalid_parameter; not_found; conflict if a resource owns the account
 */
export async function changePlan(
  { pool, clock, plans }: PlanDeps,
  by: number | string,
  plan: string,
  actor: Actor = OPERATOR,
): Promise<string> {
  return transaction(pool, async (client) => {
    await plans.require(client, plan);
    const account = await lockAccount(client, by);
    await refuseManaged(client, 'Account', account.id, actor);
    await client.query('UPDATE account SET plan = $2 WHERE id = $1', [account.id, plan]);
    await audit(client, clock, {
      accountId: account.id,
      actor,
      action: 'account.plan_changed',
      details: { from: account.plan, to: plan },
    });
    return account.plan;
  });
}

export function unknownAccount(by: number | string): never {
  throw new Problem('not_found', `there is no account ${by}`);
}

/**
 * Suspends an account, or lifts its suspension. A suspended account's keys are refused, and its sessions, streams and
 * webhooks end within seconds. After a suspension is lifted, members have to sign in again.
 * @param by the email or the id
 * @throws {Problem} not_found; conflict if it is waiting for approval, belongs to an operator, or is owned by a resource
 */
export async function suspendAccount(
  pool: pg.Pool,
  clock: Clock,
  by: number | string,
  suspended: boolean,
  actor: Actor = OPERATOR,
): Promise<void> {
  await transaction(pool, async (client) => {
    const account = await lockAccount(client, by);
    if (account.awaits_approval) throw new Problem('conflict', 'The account waits for approval. Approve or delete it.');
    refuseOperator(account, actor);
    await refuseManaged(client, 'Account', account.id, actor);
    await client.query(
      'UPDATE account SET suspended_at = CASE WHEN $2 THEN coalesce(suspended_at, $3) END WHERE id = $1',
      [account.id, suspended, new Date(clock.now())],
    );
    const ended = suspended ? await endCredentials(client, clock, 'suspended', { accountId: account.id, actor }) : null;
    // Ends any session from a sign-in that was still in progress when the suspension began.
    if (!suspended && account.suspended_at !== null) await endAccountSessions(client, account.id);
    await audit(client, clock, {
      accountId: account.id,
      actor,
      action: suspended ? 'account.suspended' : 'account.resumed',
      details: ended === null ? {} : { sessions_ended: ended.get('session') },
    });
  });
}

/**
 * Approves an account, so that its keys work and its member can sign in.
 * @param by the email or the id
 * @returns the account's email
 * @throws {Problem} not_found; conflict if it is not waiting for approval
 */
export async function approveAccount(
  pool: pg.Pool,
  clock: Clock,
  by: number | string,
  actor: Actor = OPERATOR,
): Promise<string> {
  return transaction(pool, async (client) => {
    const { id, email, awaits_approval } = await lockAccount(client, by);
    if (!awaits_approval) throw new Problem('conflict', 'The account does not wait for approval.');
    await client.query('UPDATE account SET awaits_approval = false, suspended_at = NULL WHERE id = $1', [id]);
    await audit(client, clock, { accountId: id, actor, action: 'account.approved' });
    return email;
  });
}

/**
 * Deletes an account permanently, with its keys, subscriptions and logs, and with the people who belong only to it. Custom resources that name the
 * account are refused from then on. Usage that was moved to ClickHouse stays for the retention period. The account id
 * is never reused. Runs in a transaction.
 * @param by the email or the id
 * @returns the deleted account, for the audit log
 * @throws {Problem} not_found; conflict if it is an operator's account, or if a resource owns it
 */
export async function removeAccount(
  client: Queryable,
  by: number | string,
  actor: Actor,
): Promise<{ id: number; email: string; plan: string; awaits_approval: boolean }> {
  const account = await lockAccount(client, by);
  refuseOperator(account, actor);
  const { id } = account;
  await refuseManaged(client, 'Account', id, actor);
  await endCredentials(client, systemClock, 'removed', { accountId: id, actor });
  for (const table of ['account_window', 'publishable_window', 'account_usage', 'account_activity'])
    await client.query(`DELETE FROM ${table} WHERE account_id = $1`, [id]);
  await client.query('DELETE FROM account WHERE id = $1', [id]);
  return account;
}

/** @see removeAccount */
export const deleteAccount = (pool: pg.Pool, by: number | string, actor: Actor = OPERATOR) =>
  transaction(pool, (client) => removeAccount(client, by, actor));
