/** Invitations to join an organisation. Each is for one address, works once, and for 7 days. */
import type pg from 'pg';
import { firstRow, type Queryable, transaction } from '../../db/postgres.ts';
import { type Lang, maskAddress, Problem, type Role, rateLimited } from '../../http/index.ts';
import { createSecret } from '../../wire/secret-formats.ts';
import { DAY_MS } from '../../wire/time.ts';
import { audit } from '../audit.ts';
import { TOKEN_FORMAT, tokenHash } from '../credentials/member-tokens.ts';
import { chooseAccount } from '../credentials/sessions.ts';
import { checkEmail, normalEmail } from '../email-address.ts';
import { mayGrant, rolePermissions } from '../roles.ts';
import { markVerified } from './address-link.ts';
import { type Member, type MemberDeps, readMember, type SignedInMember } from './members.ts';
import { lockOrganisation, roleNotPermitted } from './memberships.ts';
import { sendOrganisationMail } from './organisation-mail.ts';
import { checkNewPassword } from './password-rules.ts';
import { MAILS } from './sign-in-limits.ts';

const LIFETIME_MS = 7 * DAY_MS;
const MAX_OPEN_INVITATIONS = 20;
const MAX_MEMBERS = 200;

export interface MemberInvitation {
  id: number;
  email: string;
  role: Role;
  /** Email of the inviter. */
  invited_by: string;
  created_at: Date;
  expires_at: Date;
}

const OPEN = `SELECT i.id, i.email, i.role, m.email AS invited_by, i.created_at, i.expires_at
  FROM member_invitation i JOIN member m ON m.id = i.invited_by WHERE i.expires_at > $1`;

/** Lists an organisation's open invitations, oldest first. */
export async function listMemberInvitations(
  db: Queryable,
  clock: MemberDeps['clock'],
  accountId: number,
): Promise<MemberInvitation[]> {
  const { rows } = await db.query<MemberInvitation>(`${OPEN} AND i.account_id = $2 ORDER BY i.id`, [
    new Date(clock.now()),
    accountId,
  ]);
  return rows;
}

export interface NewInvitation {
  email: string;
  role: Role;
  /** Language of the mail. */
  lang: Lang;
}

type InviteDeps = Pick<MemberDeps, 'pool' | 'clock' | 'mail' | 'signInLimits'>;

/**
 * Invites somebody, by mail if a mail server is configured. An earlier invitation to the same address ends.
 * @returns the invitation, and its token, which cannot be shown again
 * @throws {Problem} invalid_parameter; role_not_permitted if the role permits more than the inviter's; conflict for a member,
 *   and if there are too many invitations or members; rate_limited; unavailable if no mail can be sent
 */
export async function inviteMember(
  { pool, clock, mail, signInLimits }: InviteDeps,
  acting: SignedInMember,
  { email: given, role, lang }: NewInvitation,
): Promise<MemberInvitation & { token: string }> {
  checkEmail(given);
  const email = normalEmail(given);
  const { accountId } = acting;
  if (mail.isConfigured) {
    signInLimits.invitation(accountId);
    if (!signInLimits.mail('invitation', email))
      throw rateLimited('Several mails were sent to this address within an hour. Try again later.', MAILS.seconds);
  }
  const token = createSecret('invitation');
  return transaction(pool, async (db) => {
    const own = await lockOrganisation(db, acting, 'members');
    if (!mayGrant(own.role, role)) throw roleNotPermitted();
    const now = clock.now();
    await checkRoom(db, accountId, email, new Date(now));
    if (mail.isConfigured) await checkVerified(db, accountId);
    await db.query(
      `INSERT INTO member_invitation (account_id, hash, email, role, invited_by, mailed, created_at, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        accountId,
        tokenHash(token),
        email,
        role,
        acting.memberId,
        mail.isConfigured,
        new Date(now),
        new Date(now + LIFETIME_MS),
      ],
    );
    const { rows } = await db.query<MemberInvitation>(`${OPEN} AND i.hash = $2`, [new Date(now), tokenHash(token)]);
    const invitation = firstRow(rows);
    const actor = { name: acting.email, address: acting.address };
    const target = `member invitation ${invitation.id}`;
    await audit(db, clock, { accountId, actor, action: 'member_invitation.created', target, details: { email, role } });
    const path = `/account/join?token=${token}`;
    const facts = { organisation: own.name, by: acting.email, role, path };
    if (mail.isConfigured && !sendOrganisationMail(mail, { email, language: lang }, 'invitation', facts))
      throw new Problem('unavailable', 'No mail can be sent now. Try again later.');
    return { ...invitation, token };
  });
}

const full = () => new Problem('conflict', `An organisation has at most ${MAX_MEMBERS} members.`);

/** @throws {Problem} conflict for a member, and if there are too many members or invitations */
async function checkRoom(db: Queryable, accountId: number, email: string, now: Date): Promise<void> {
  await db.query('DELETE FROM member_invitation WHERE account_id = $1 AND (expires_at <= $2 OR email = $3)', [
    accountId,
    now,
    email,
  ]);
  const { rows } = await db.query<{ invitations: number; members: number; isMember: boolean }>(
    `SELECT (SELECT count(*)::int FROM member_invitation WHERE account_id = $1) AS invitations, count(*)::int AS members,
       coalesce(bool_or(lower(m.email) = $2), false) AS "isMember"
     FROM membership b JOIN member m ON m.id = b.member_id WHERE b.account_id = $1`,
    [accountId, email],
  );
  const { invitations, members, isMember } = firstRow(rows);
  if (isMember) throw new Problem('conflict', 'This person is a member already.');
  if (members >= MAX_MEMBERS) throw full();
  if (invitations >= MAX_OPEN_INVITATIONS)
    throw new Problem(
      'conflict',
      `An organisation has at most ${MAX_OPEN_INVITATIONS} open invitations. Revoke one first.`,
    );
}

/** Somebody who has not verified an address may not make this service send mail to strangers. @throws {Problem} address_unverified */
async function checkVerified(db: Queryable, accountId: number): Promise<void> {
  const { rows } = await db.query('SELECT FROM account WHERE id = $1 AND awaits_verification', [accountId]);
  if (rows.length > 0)
    throw new Problem(
      'address_unverified',
      'Verify your address first: you can request a link on the overview of your account.',
    );
}

/** @throws {Problem} role_not_permitted; not_found if it is unknown, used or expired */
export async function revokeMemberInvitation(
  { pool, clock }: Pick<MemberDeps, 'pool' | 'clock'>,
  acting: SignedInMember,
  id: number,
): Promise<void> {
  const { accountId, email: name, address } = acting;
  await transaction(pool, async (db) => {
    await lockOrganisation(db, acting, 'members');
    const { rows } = await db.query<{ email: string; role: Role }>(
      'DELETE FROM member_invitation WHERE account_id = $1 AND id = $2 RETURNING email, role',
      [accountId, id],
    );
    if (rows[0] === undefined) throw new Problem('not_found', `There is no open invitation ${id}.`);
    const target = `member invitation ${id}`;
    const entry = { accountId, actor: { name, address }, target, details: rows[0] };
    await audit(db, clock, { ...entry, action: 'member_invitation.revoked' });
  });
}

export interface ReceivedInvitation {
  id: number;
  accountId: number;
  organisation: string;
  email: string;
  role: Role;
  mailed: boolean;
  inviter: string;
  inviterRole: Role;
  /** Whether somebody with this address can sign in already. */
  isKnown: boolean;
}

/**
 * Reads an invitation without using it up.
 * @returns null if it is unknown, used, revoked or expired, if the organisation is suspended, or if the inviter may no longer
 *   give this role
 */
export async function readMemberInvitation(
  db: Queryable,
  clock: MemberDeps['clock'],
  token: string,
): Promise<ReceivedInvitation | null> {
  if (!TOKEN_FORMAT.test(token)) return null;
  const { rows } = await db.query<ReceivedInvitation>(
    `SELECT i.id, a.id AS "accountId", coalesce(a.name, a.email) AS organisation, i.email, i.role, i.mailed, m.email AS inviter,
       g.role AS "inviterRole", EXISTS (SELECT FROM member p WHERE lower(p.email) = i.email) AS "isKnown"
     FROM member_invitation i JOIN account a ON a.id = i.account_id JOIN member m ON m.id = i.invited_by
       JOIN membership g ON g.account_id = i.account_id AND g.member_id = i.invited_by
     WHERE i.hash = $1 AND i.expires_at > $2 AND a.suspended_at IS NULL`,
    [tokenHash(token), new Date(clock.now())],
  );
  const found = rows[0];
  if (found === undefined) return null;
  const isValid = rolePermissions(found.inviterRole).has('members') && mayGrant(found.inviterRole, found.role);
  return isValid ? found : null;
}

const invalidInvitation = () =>
  new Problem('not_found', 'The invitation is unknown, has expired, or was used or revoked. Ask for a new one.');

/** Uses an invitation up, and locks the organisation. Only one of two concurrent calls succeeds. @throws {Problem} not_found */
async function useInvitation(db: Queryable, clock: MemberDeps['clock'], token: string): Promise<ReceivedInvitation> {
  const found = await readMemberInvitation(db, clock, token);
  if (found === null) throw invalidInvitation();
  await db.query('SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE', [found.accountId]);
  const { rowCount } = await db.query('DELETE FROM member_invitation WHERE id = $1', [found.id]);
  if (rowCount === 0) throw invalidInvitation();
  return found;
}

async function addMembership(
  db: Queryable,
  clock: MemberDeps['clock'],
  { accountId, role, email, mailed, inviter }: ReceivedInvitation,
  memberId: number,
  address: string,
): Promise<void> {
  const { rows } = await db.query('SELECT FROM membership WHERE account_id = $1', [accountId]);
  if (rows.length >= MAX_MEMBERS) throw full();
  const { rowCount } = await db.query(
    `INSERT INTO membership (account_id, member_id, role, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (account_id, member_id) DO NOTHING`,
    [accountId, memberId, role, new Date(clock.now())],
  );
  if (rowCount === 0) throw new Problem('conflict', 'You are a member of this organisation already.');
  if (mailed) await markVerified(db, clock, email);
  const details = { member: email, role, invited_by: inviter };
  await audit(db, clock, { accountId, actor: { name: email, address }, action: 'member.joined', details });
}

/**
 * Joins an organisation as the signed-in person, whose session then acts for it.
 * @throws {Problem} not_found; key_not_permitted if the invitation is for a different address; conflict for a member, and if there are
 *   too many members
 */
export async function joinOrganisation(
  { pool, clock }: { pool: pg.Pool; clock: MemberDeps['clock'] },
  acting: SignedInMember,
  token: string,
): Promise<void> {
  await transaction(pool, async (db) => {
    const invitation = await useInvitation(db, clock, token);
    if (normalEmail(acting.email) !== invitation.email)
      throw new Problem('key_not_permitted', `This invitation is for another address than ${acting.email}.`);
    await addMembership(db, clock, invitation, acting.memberId, acting.address);
    await chooseAccount(db, acting, invitation.accountId);
  });
}

/**
 * Joins an organisation as a new person, who gets a password.
 * @throws {Problem} not_found; conflict if somebody has the address already, and if there are too many members; invalid_parameter for a weak
 *   password; unavailable
 */
export async function joinAsNewMember(
  { pool, clock, passwords }: Pick<MemberDeps, 'pool' | 'clock' | 'passwords'>,
  { token, password }: { token: string; password: string },
  address: string,
): Promise<Member> {
  const invited = await readMemberInvitation(pool, clock, token);
  if (invited === null) throw invalidInvitation();
  await checkNewPassword(password, invited.email);
  const hashed = await passwords.hash(password, { network: maskAddress(address), isKnown: true });
  return transaction(pool, async (db) => {
    const invitation = await useInvitation(db, clock, token);
    const { rows } = await db.query<{ id: number }>(
      `INSERT INTO member (email, password, created_at) VALUES ($1, $2, $3)
       ON CONFLICT (lower(email)) DO NOTHING RETURNING id`,
      [invitation.email, hashed, new Date(clock.now())],
    );
    if (rows[0] === undefined)
      throw new Problem('conflict', 'There is already an account with this email. Sign in, or set a new password.');
    await addMembership(db, clock, invitation, rows[0].id, address);
    return (await readMember(db, rows[0].id))!;
  });
}
