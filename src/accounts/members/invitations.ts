/** Open invitations, for operators. */
import { firstRow, type Queryable } from '../../db/postgres.ts';
import { Problem } from '../../http/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import { tokenHash } from '../credentials/member-tokens.ts';
import { createLink } from '../credentials/one-time-links.ts';
import { checkEmail, normalEmail } from '../email-address.ts';
import type { OfferedPlans } from '../plans/plans.ts';

export interface Invitation {
  id: number;
  /** The only address that may use the invitation; null for any. */
  email: string | null;
  /** Null for the plan that new accounts get. */
  plan: string | null;
  created_at: Date;
  expires_at: Date;
}

/**
 * @param createdBy the operator's account. @returns the token, which cannot be shown again. @throws {Problem}
 * invalid_parameter
 */
export async function createInvitation(
  db: Queryable,
  clock: Clock,
  plans: OfferedPlans,
  { email, plan, createdBy = null }: Pick<Invitation, 'email' | 'plan'> & { createdBy?: number | null },
): Promise<{ id: number; token: string }> {
  if (email !== null) checkEmail(email);
  if (plan !== null) await plans.require(db, plan);
  const token = await createLink(db, clock, 'invitation', {
    accountId: null,
    email: email === null ? null : normalEmail(email),
    plan,
    createdBy,
  });
  const { rows } = await db.query<{ id: number }>('SELECT id FROM account_link WHERE hash = $1 AND id IS NOT NULL', [
    tokenHash(token),
  ]);
  return { id: firstRow(rows).id, token };
}

/** Lists invitations, newest first. @param before lists only invitations older than the one with this id */
export async function listInvitations(
  db: Queryable,
  clock: Clock,
  limit: number,
  before?: number,
): Promise<Invitation[]> {
  // Assigns ids to invitations made by a version without ids.
  await db.query(
    `UPDATE account_link SET id = DEFAULT
     WHERE hash IN (SELECT hash FROM account_link WHERE id IS NULL AND purpose = 'invitation' LIMIT 1000 FOR UPDATE SKIP LOCKED)`,
  );
  const { rows } = await db.query<Invitation>(
    `SELECT id, email, plan, created_at, expires_at FROM account_link
     WHERE purpose = 'invitation' AND expires_at > $1 AND id IS NOT NULL AND ($2::bigint IS NULL OR id < $2)
     ORDER BY id DESC LIMIT $3`,
    [new Date(clock.now()), before ?? null, limit],
  );
  return rows;
}

/** @returns the invitation, for the audit log. @throws {Problem} not_found if it is unknown, used or revoked */
export async function revokeInvitation(db: Queryable, id: number): Promise<Pick<Invitation, 'email' | 'plan'>> {
  const { rows } = await db.query<Pick<Invitation, 'email' | 'plan'>>(
    "DELETE FROM account_link WHERE id = $1 AND purpose = 'invitation' RETURNING email, plan",
    [id],
  );
  if (rows[0] === undefined) throw new Problem('not_found', `There is no open invitation ${id}.`);
  return rows[0];
}
