/** What was changed in an account, by whom and from where. Details never contain a secret, a key or a password. */
import { type Queryable, wireTimeSql } from '../db/postgres.ts';
import type { Principal } from '../http/auth.ts';

/** Who changes something. */
export interface Actor {
  /** An email, `key 12`, `operator` or `system`. */
  name: string;
  /** Of the client; null where there is none. */
  address: string | null;
}

export const OPERATOR: Actor = { name: 'operator', address: null };

export interface AuditEntry {
  accountId: number;
  actor: Actor;
  /** Noun and participle: `key.created`, `webhook.paused`, `member.signed_in`. */
  action: string;
  /** `key 12`, `webhook 3`. */
  target?: string | undefined;
  details?: Readonly<Record<string, unknown>> | undefined;
}

/** In the transaction of the change itself, so that there is neither without the other. */
export async function audit(db: Queryable, clock: { now(): number }, entry: AuditEntry): Promise<void> {
  const { accountId, actor, action, target = null, details = {} } = entry;
  await db.query(
    'INSERT INTO audit_entry (account_id, at, actor, address, action, target, details) VALUES ($1, $2, $3, $4, $5, $6, $7)',
    [accountId, new Date(clock.now()), actor.name, actor.address, action, target, JSON.stringify(details)],
  );
}

export interface AuditPage {
  /** The newest first. */
  entries: {
    id: number;
    at: string;
    actor: string;
    address: string | null;
    action: string;
    target: string | null;
    details: Record<string, unknown>;
  }[];
  /** For the next, older entries; null: there are none. */
  next_cursor: number | null;
}

/** @param cursor `next_cursor` of the page before */
export async function readAudit(db: Queryable, accountId: number, limit: number, cursor?: number): Promise<AuditPage> {
  const { rows } = await db.query<AuditPage['entries'][number]>(
    `SELECT id, ${wireTimeSql('at')} AS at, actor, address, action, target, details FROM audit_entry
     WHERE account_id = $1 AND ($2::bigint IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
    [accountId, cursor ?? null, limit + 1],
  );
  const entries = rows.slice(0, limit);
  return { entries, next_cursor: rows.length > limit ? entries.at(-1)!.id : null };
}

/** Who sends a request. @throws {TypeError} for a route that anybody may use */
export function actorOf({ principal, address }: { principal: Principal | null; address: string }): Actor {
  if (principal?.kind === 'member') return { name: principal.email, address };
  if (principal !== null && 'keyId' in principal) return { name: `key ${principal.keyId}`, address };
  throw new TypeError('nobody has signed in');
}

/** @throws {TypeError} for a route that anybody may use */
export function accountIdOf(principal: Principal | null): number {
  if (principal !== null && 'accountId' in principal) return principal.accountId;
  throw new TypeError('nobody has signed in');
}
