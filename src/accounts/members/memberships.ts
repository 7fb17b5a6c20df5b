/**
 * Membership of organisations, with roles. Changes of one organisation's members run one at a time, and check the
 * role of the person who acts again, since it may have changed after the request began.
 */
import { type Queryable, transaction } from '../../db/postgres.ts';
import { invalidParameter, type Permission, Problem, type Role } from '../../http/index.ts';
import { removeAccount } from '../accounts.ts';
import { audit } from '../audit.ts';
import { chooseAccount, endAccountSessions } from '../credentials/sessions.ts';
import { revokePersonalKeys } from '../keys/manage-keys.ts';
import { mayGrant, rolePermissions } from '../roles.ts';
import type { MemberDeps, SignedInMember } from './members.ts';
import { sendOrganisationMail } from './organisation-mail.ts';

export type OrganisationDeps = Pick<MemberDeps, 'pool' | 'clock' | 'mail'>;

const MAX_NAME_LENGTH = 100;

export interface Organisation {
  id: number;
  /** The name or, if there is none, the account's address. */
  name: string;
  role: Role;
}

/** Lists the organisations to which a person belongs, by name. Suspended ones are left out. */
export async function listOrganisations(db: Queryable, memberId: number): Promise<Organisation[]> {
  const { rows } = await db.query<Organisation>(
    `SELECT a.id, coalesce(a.name, a.email) AS name, b.role FROM membership b JOIN account a ON a.id = b.account_id
     WHERE b.member_id = $1 AND a.suspended_at IS NULL ORDER BY name, a.id`,
    [memberId],
  );
  return rows;
}

/**
 * Makes a session act for a different organisation.
 * @throws {Problem} not_found if the person does not belong to it, or if it is suspended
 */
export async function switchOrganisation(
  db: Queryable,
  member: Pick<SignedInMember, 'memberId' | 'sessionHash'>,
  accountId: number,
): Promise<void> {
  if (!(await chooseAccount(db, member, accountId)))
    throw new Problem('not_found', `There is no organisation ${accountId}.`);
}

export const roleNotPermitted = (): Problem =>
  new Problem(
    'role_not_permitted',
    'Your role in this organisation does not permit this. Ask an owner or an admin of the organisation.',
  );

/** @returns the organisation's name, and the role of the person who acts. @throws {Problem} role_not_permitted */
export async function lockOrganisation(
  db: Queryable,
  { accountId, memberId }: Pick<SignedInMember, 'accountId' | 'memberId'>,
  permission: Permission,
): Promise<{ name: string; role: Role }> {
  const { rows } = await db.query<{ name: string }>(
    'SELECT coalesce(name, email) AS name FROM account WHERE id = $1 FOR NO KEY UPDATE',
    [accountId],
  );
  const { rows: own } = await db.query<{ role: Role }>(
    'SELECT role FROM membership WHERE account_id = $1 AND member_id = $2',
    [accountId, memberId],
  );
  const role = own[0]?.role;
  if (rows[0] === undefined || role === undefined || !rolePermissions(role).has(permission)) throw roleNotPermitted();
  return { name: rows[0].name, role };
}

interface Target {
  email: string;
  role: Role;
  language: string | null;
  /** Whether the person would be an operator without any organisation. */
  isLostOperator: boolean;
}

/** @returns null for somebody who does not belong to the organisation */
export async function readTarget(db: Queryable, accountId: number, memberId: number): Promise<Target | null> {
  const { rows } = await db.query<Target>(
    `SELECT m.email, b.role, m.language, m.operator_since IS NOT NULL
       AND NOT EXISTS (SELECT FROM membership o WHERE o.member_id = m.id AND o.account_id <> $1) AS "isLostOperator"
     FROM membership b JOIN member m ON m.id = b.member_id WHERE b.account_id = $1 AND b.member_id = $2`,
    [accountId, memberId],
  );
  return rows[0] ?? null;
}

/** @throws {Problem} not_found */
export async function findMembership(db: Queryable, accountId: number, memberId: number): Promise<Target> {
  const target = await readTarget(db, accountId, memberId);
  if (target === null) throw new Problem('not_found', `There is no member ${memberId}.`);
  return target;
}

/** @throws {Problem} conflict if nobody else owns the organisation */
async function checkOtherOwner(db: Queryable, accountId: number, memberId: number): Promise<void> {
  const { rows } = await db.query(
    "SELECT FROM membership WHERE account_id = $1 AND member_id <> $2 AND role = 'owner' LIMIT 1",
    [accountId, memberId],
  );
  if (rows.length === 0)
    throw new Problem(
      'conflict',
      'The organisation would have no owner. Hand it over to another member first, or delete it.',
    );
}

/**
 * Gives a member a new role, from the next request on.
 * @throws {Problem} not_found; role_not_permitted if a role permits more than one's own; conflict for the last owner
 */
export async function changeRole(
  { pool, clock, mail }: OrganisationDeps,
  acting: SignedInMember,
  memberId: number,
  role: Role,
): Promise<void> {
  const { accountId, email, address } = acting;
  const changed = await transaction(pool, async (db) => {
    const own = await lockOrganisation(db, acting, 'members');
    const target = await findMembership(db, accountId, memberId);
    if (!mayGrant(own.role, target.role) || !mayGrant(own.role, role)) throw roleNotPermitted();
    if (target.role === role) return null;
    if (target.role === 'owner') await checkOtherOwner(db, accountId, memberId);
    await storeRole(db, accountId, memberId, role);
    const details = { member: target.email, from: target.role, to: role };
    await audit(db, clock, { accountId, actor: { name: email, address }, action: 'member.role_changed', details });
    return { target, organisation: own.name };
  });
  if (changed === null || memberId === acting.memberId) return;
  sendOrganisationMail(mail, changed.target, 'role_changed', { organisation: changed.organisation, by: email, role });
}

/** Stores a role. Offers and invitations that the person could no longer make end. */
export async function storeRole(db: Queryable, accountId: number, memberId: number, role: Role): Promise<void> {
  await db.query('UPDATE membership SET role = $3 WHERE account_id = $1 AND member_id = $2', [
    accountId,
    memberId,
    role,
  ]);
  if (role !== 'owner')
    await db.query('DELETE FROM ownership_offer WHERE account_id = $1 AND from_member_id = $2', [accountId, memberId]);
  const { rows } = await db.query<{ id: number; role: Role }>(
    'SELECT id, role FROM member_invitation WHERE account_id = $1 AND invited_by = $2',
    [accountId, memberId],
  );
  const ended = rows.filter((one) => !rolePermissions(role).has('members') || !mayGrant(role, one.role));
  await db.query('DELETE FROM member_invitation WHERE id = ANY ($1)', [ended.map(({ id }) => id)]);
}

/**
 * Removes a member. The person's sessions in this organisation end at once, and personal keys with them.
 * @throws {Problem} not_found; role_not_permitted for a role that permits more than one's own; conflict for the last owner, and
 *   for an operator of this service who belongs to no other organisation
 */
export async function removeMember(
  { pool, clock, mail }: OrganisationDeps,
  acting: SignedInMember,
  memberId: number,
): Promise<void> {
  const { accountId, email, address } = acting;
  const removed = await transaction(pool, async (db) => {
    const own = await lockOrganisation(db, acting, 'members');
    const target = await findMembership(db, accountId, memberId);
    if (!mayGrant(own.role, target.role)) throw roleNotPermitted();
    await endMembership(db, clock, acting, memberId, target);
    const details = { member: target.email, role: target.role };
    await audit(db, clock, { accountId, actor: { name: email, address }, action: 'member.removed', details });
    return { target, organisation: own.name };
  });
  if (memberId !== acting.memberId)
    sendOrganisationMail(mail, removed.target, 'removed', { organisation: removed.organisation, by: email });
}

/**
 * Leaves the organisation. The session goes on in one that is left, if any.
 * @throws {Problem} conflict, as for removeMember
 */
export async function leaveOrganisation({ pool, clock }: OrganisationDeps, acting: SignedInMember): Promise<void> {
  const { accountId, memberId, email, address, sessionHash } = acting;
  await transaction(pool, async (db) => {
    const { role } = await lockOrganisation(db, acting, 'personal');
    await db.query('UPDATE member_session SET account_id = NULL WHERE hash = $1', [sessionHash]);
    await endMembership(db, clock, acting, memberId, await findMembership(db, accountId, memberId), sessionHash);
    const details = { member: email, role };
    await audit(db, clock, { accountId, actor: { name: email, address }, action: 'member.left', details });
  });
}

async function endMembership(
  db: Queryable,
  clock: OrganisationDeps['clock'],
  { accountId, email, address }: SignedInMember,
  memberId: number,
  { role, isLostOperator }: Target,
  kept?: Buffer,
): Promise<void> {
  if (role === 'owner') await checkOtherOwner(db, accountId, memberId);
  if (isLostOperator)
    throw new Problem(
      'conflict',
      'This is an operator of this service. Remove that role first: touchline account operator EMAIL --revoke.',
    );
  await revokePersonalKeys(db, clock, { accountId, memberId, actor: { name: email, address } });
  await endAccountSessions(db, accountId, { memberId, kept });
  await db.query('DELETE FROM member_invitation WHERE account_id = $1 AND invited_by = $2', [accountId, memberId]);
  await db.query('DELETE FROM membership WHERE account_id = $1 AND member_id = $2', [accountId, memberId]);
  await moveAddress(db, accountId);
}

/**
 * If nobody in the organisation has its address any more, it gets the address of its first owner, so that the person who left can
 * sign up again. It keeps its address if every owner's address is that of another organisation.
 */
async function moveAddress(db: Queryable, accountId: number): Promise<void> {
  await db.query(
    `UPDATE account a SET email = o.email FROM (
       SELECT m.email FROM membership b JOIN member m ON m.id = b.member_id WHERE b.account_id = $1 AND b.role = 'owner'
         AND NOT EXISTS (SELECT FROM account x WHERE lower(x.email) = lower(m.email))
       ORDER BY b.created_at, m.id LIMIT 1) o
     WHERE a.id = $1 AND NOT EXISTS (
       SELECT FROM membership b JOIN member m ON m.id = b.member_id
       WHERE b.account_id = $1 AND lower(m.email) = lower(a.email))`,
    [accountId],
  );
}

/** @throws {Problem} invalid_parameter */
export function checkName(name: string): void {
  if (name !== '' && [...name].length <= MAX_NAME_LENGTH && !/\p{Cc}/u.test(name)) return;
  throw invalidParameter('name', 'invalid_text', `must have 1 to ${MAX_NAME_LENGTH} characters`);
}

/** Names the organisation; null removes the name. @throws {Problem} invalid_parameter; role_not_permitted */
export async function renameOrganisation(
  { pool, clock }: OrganisationDeps,
  acting: SignedInMember,
  given: string | null,
): Promise<void> {
  const { accountId, email, address } = acting;
  const name = given?.trim() ?? null;
  if (name !== null) checkName(name);
  await transaction(pool, async (db) => {
    await lockOrganisation(db, acting, 'organisation');
    const { rows } = await db.query<{ before: string | null }>(
      `UPDATE account a SET name = $2 FROM account b WHERE a.id = $1 AND b.id = $1 AND a.name IS DISTINCT FROM $2
       RETURNING b.name AS before`,
      [accountId, name],
    );
    if (rows[0] === undefined) return;
    const details = { from: rows[0].before, to: name };
    await audit(db, clock, { accountId, actor: { name: email, address }, action: 'account.renamed', details });
  });
}

/**
 * Deletes the organisation, and tells the remaining members. The session goes on in a different organisation, if the person belongs to one.
 * @returns whether the session goes on
 * @throws {Problem} role_not_permitted; conflict, see removeAccount
 */
export async function deleteOrganisation({ pool, mail }: OrganisationDeps, acting: SignedInMember): Promise<boolean> {
  const { accountId, memberId, email, address } = acting;
  const deleted = await transaction(pool, async (db) => {
    const { name } = await lockOrganisation(db, acting, 'organisation');
    const { rows } = await db.query<{ email: string; language: string | null }>(
      'SELECT m.email, m.language FROM membership b JOIN member m ON m.id = b.member_id WHERE b.account_id = $1 AND m.id <> $2',
      [accountId, memberId],
    );
    const [next] = (await listOrganisations(db, memberId)).filter(({ id }) => id !== accountId);
    const goesOn = next !== undefined && (await chooseAccount(db, acting, next.id));
    await removeAccount(db, accountId, { name: email, address });
    return { organisation: name, others: rows, goesOn };
  });
  for (const other of deleted.others)
    sendOrganisationMail(mail, other, 'deleted', { organisation: deleted.organisation, by: email });
  return deleted.goesOn;
}
