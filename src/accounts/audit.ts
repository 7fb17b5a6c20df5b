/**
 * The audit log records what was changed in an account, by whom, and from which address. Details never contain a
 * secret, a key or a password.
 */
import { type Queryable, wireTimeSql } from '../db/postgres.ts';
import type { Principal } from '../http/index.ts';
import type { Clock } from '../runtime/clock.ts';
import type { AuditAction } from './audit-actions.ts';
import { normalEmail } from './email-address.ts';

/** The person or process that makes a change. */
export interface Actor {
  /** An email, `key 12`, `operator` or `system`. */
  name: string;
  /** Client address; null if there is none. */
  address: string | null;
  /** Set if the actor acts as an operator of this service, not as an account member. */
  isOperator?: true;
  /** The uid of the Kubernetes resource that requests the change. */
  resource?: string;
}

/** The actor for commands on the command line. */
export const OPERATOR: Actor = { name: 'operator', address: null, isOperator: true };

export interface AuditEntry {
  /** Null for a change that an operator makes outside accounts. */
  accountId: number | null;
  actor: Actor;
  action: AuditAction;
  /** `key 12`, `webhook 3`. */
  target?: string | undefined;
  details?: Readonly<Record<string, unknown>> | undefined;
}

/** Writes an entry. Runs in the transaction that makes the change, so that both are stored or neither is. */
export async function audit(db: Queryable, clock: Clock, entry: AuditEntry): Promise<void> {
  const { accountId, actor, action, target = null, details = {} } = entry;
  await db.query(
    `INSERT INTO audit_entry (account_id, at, actor, address, by_operator, action, target, details)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      accountId,
      new Date(clock.now()),
      actor.name,
      actor.address,
      actor.isOperator === true,
      action,
      target,
      JSON.stringify(details),
    ],
  );
}

export interface AuditRow {
  id: number;
  at: string;
  actor: string;
  address: string | null;
  /** Whether the actor was an operator of this service. */
  by_operator: boolean;
  action: string;
  target: string | null;
  details: Record<string, unknown>;
}

export interface AuditPage<Row extends AuditRow = AuditRow> {
  /** Newest first. */
  entries: Row[];
  /** Cursor for the next (older) entries; null if there are none. */
  next_cursor: number | null;
}

/** SQL for an AuditRow, from the table `e`. */
export const COLUMNS = `e.id, ${wireTimeSql('e.at')} AS at, e.actor, e.address, e.by_operator, e.action, e.target, e.details`;

function auditPage<Row extends AuditRow>(rows: readonly Row[], limit: number): AuditPage<Row> {
  const entries = rows.slice(0, limit);
  return { entries, next_cursor: rows.length > limit ? entries.at(-1)!.id : null };
}

/** @param cursor `next_cursor` from the previous page */
export async function readAudit(db: Queryable, accountId: number, limit: number, cursor?: number): Promise<AuditPage> {
  const { rows } = await db.query<AuditRow>(
    `SELECT ${COLUMNS} FROM audit_entry e
     WHERE e.account_id = $1 AND ($2::bigint IS NULL OR e.id < $2) ORDER BY e.id DESC LIMIT $3`,
    [accountId, cursor ?? null, limit + 1],
  );
  return auditPage(rows, limit);
}

export interface AccountAuditRow extends AuditRow {
  /** Null for a change outside accounts. */
  account_id: number | null;
  account: string | null;
}

/** Filters match whole values; actor and account are case-insensitive. */
export interface AuditFilter {
  /** The account's email. */
  account?: string | undefined;
  actor?: string | undefined;
  action?: string | undefined;
}

/** Searches the entries of all accounts. @param cursor `next_cursor` from the previous page */
export async function searchAudit(
  db: Queryable,
  filter: AuditFilter,
  limit: number,
  cursor?: number,
): Promise<AuditPage<AccountAuditRow>> {
  const values: unknown[] = [limit + 1];
  const conditions: string[] = [];
  const add = (condition: (value: string) => string, value: string | number | undefined) => {
    if (value === undefined) return;
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  };
  add((value) => `lower(a.email) = ${value}`, filter.account === undefined ? undefined : normalEmail(filter.account));
  add((value) => `lower(e.actor) = lower(${value})`, filter.actor);
  add((value) => `e.action = ${value}`, filter.action);
  add((value) => `e.id < ${value}`, cursor);
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  const { rows } = await db.query<AccountAuditRow>(
    `SELECT ${COLUMNS}, e.account_id, a.email AS account FROM audit_entry e LEFT JOIN account a ON a.id = e.account_id
     ${where} ORDER BY e.id DESC LIMIT $1`,
    values,
  );
  return auditPage(rows, limit);
}

/**
 * Returns the actor who sent a request.
 * @throws {TypeError} for a public route
 */
export function toActor({ principal, address }: { principal: Principal | null; address: string }): Actor {
  if (principal?.kind === 'member') return { name: principal.email, address };
  if (principal !== null && 'keyId' in principal) return { name: `key ${principal.keyId}`, address };
  throw new TypeError('no member is signed in');
}

/** @throws {TypeError} on a public route */
export function accountIdOf(principal: Principal | null): number {
  if (principal !== null && 'accountId' in principal) return principal.accountId;
  throw new TypeError('no member is signed in');
}

/** True if the caller may read the account's audit log: a member by the role, a key by the scope. */
export function readsAudit(principal: Principal | null): boolean {
  if (principal?.kind === 'member') return principal.permissions.has('audit');
  if (principal === null || principal.permissions?.has('audit') === false) return false;
  return principal.scopes === null || principal.scopes.includes('account');
}
