/** What was changed in an account, by whom and from where. Details never contain a secret, a key or a password. */
import type { Queryable } from '../db/postgres.ts';

/** Who changes something. */
export interface Actor {
  /** An email, `key 12`, `operator` or `system`. */
  name: string;
  /** Of the client; null where there is none. */
  address: string | null;
}

export const OPERATOR: Actor = { name: 'operator', address: null };
export const SYSTEM: Actor = { name: 'system', address: null };

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
