/** One-time links, which set a password, verify an address, or invite somebody. */
import type { Queryable } from '../../db/postgres.ts';
import type { Clock } from '../../runtime/clock.ts';
import { createSecret } from '../../wire/secret-formats.ts';
import { HOUR_MS } from '../../wire/time.ts';
import { TOKEN_FORMAT, tokenHash } from './member-tokens.ts';

const LIFETIME_MS = { reset: HOUR_MS, address: 24 * HOUR_MS, invitation: 7 * 24 * HOUR_MS };
const SECRET = { reset: 'password_link', address: 'address_link', invitation: 'invitation' } as const;
export type LinkPurpose = keyof typeof LIFETIME_MS;

export interface Link {
  /** The person for whom the link is. Null for an invitation, and for the first password of an account without members. */
  memberId: number | null;
  /** The account that has the person's address; null if none has it, and for an invitation. */
  accountId: number | null;
  /**
   * The address that the link is for. For an invitation: the only address that may use it, or null for any. For
   * verification: the address to verify. For a password link: the address to which it was sent, or null if an operator
   * created the link. Such a link proves no address.
   */
  email: string | null;
  /** The plan that an invitation gives; null for the plan of new accounts. */
  plan: string | null;
}

interface NewLink extends Omit<Link, 'memberId'> {
  memberId?: number | null;
  /** Account of the operator who creates an invitation; null on the command line. */
  createdBy?: number | null;
}

/**
 * Creates a link. The earlier links for the same person or account, for the same purpose, end.
 * @returns the token
 */
export async function createLink(
  db: Queryable,
  clock: Clock,
  purpose: LinkPurpose,
  { memberId = null, accountId, email, plan, createdBy = null }: NewLink,
): Promise<string> {
  const token = createSecret(SECRET[purpose]);
  const now = clock.now();
  await db.query(
    'DELETE FROM account_link WHERE expires_at < $1 OR (purpose = $2 AND (account_id = $3 OR member_id = $4))',
    [new Date(now), purpose, accountId, memberId],
  );
  const ends = new Date(now + LIFETIME_MS[purpose]);
  await db.query(
    `INSERT INTO account_link (hash, purpose, member_id, account_id, email, plan, created_at, expires_at, created_by)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [tokenHash(token), purpose, memberId, accountId, email, plan, new Date(now), ends, createdBy],
  );
  return token;
}

const LINK = 'member_id AS "memberId", account_id AS "accountId", email, plan';
const VALID = 'hash = $1 AND purpose = $2 AND expires_at > $3';

/** Reads a link without using it up. @returns null if it is unknown, used or expired */
export async function readLink(db: Queryable, clock: Clock, purpose: LinkPurpose, token: string): Promise<Link | null> {
  if (!TOKEN_FORMAT.test(token)) return null;
  const { rows } = await db.query<Link>(`SELECT ${LINK} FROM account_link WHERE ${VALID}`, [
    tokenHash(token),
    purpose,
    new Date(clock.now()),
  ]);
  return rows[0] ?? null;
}

/**
 * Uses a link up. Only one of two concurrent calls succeeds.
 * @returns null if it is unknown, used or expired
 */
export async function useLink(db: Queryable, clock: Clock, purpose: LinkPurpose, token: string): Promise<Link | null> {
  if (!TOKEN_FORMAT.test(token)) return null;
  const { rows } = await db.query<Link>(`DELETE FROM account_link WHERE ${VALID} RETURNING ${LINK}`, [
    tokenHash(token),
    purpose,
    new Date(clock.now()),
  ]);
  return rows[0] ?? null;
}

/** Ends the links of people, and those of an account that are for nobody in particular. Returns how many there were. */
export async function endLinks(
  db: Queryable,
  purpose: 'reset' | 'address',
  accountId: number,
  memberIds: readonly number[],
): Promise<number> {
  const { rowCount } = await db.query(
    'DELETE FROM account_link WHERE purpose = $1 AND (member_id = ANY ($2) OR (member_id IS NULL AND account_id = $3))',
    [purpose, memberIds, accountId],
  );
  return rowCount ?? 0;
}

/** Ends the invitations that an account member has made as an operator. */
export async function endInvitationsFrom(
  db: Queryable,
  accountId: number,
): Promise<{ id: number | null; email: string | null; plan: string | null }[]> {
  const { rows } = await db.query<{ id: number | null; email: string | null; plan: string | null }>(
    "DELETE FROM account_link WHERE created_by = $1 AND purpose = 'invitation' RETURNING id, email, plan",
    [accountId],
  );
  return rows;
}
