/** Setting a new password by a link. */
import { firstRow, type Queryable, transaction } from '../../db/postgres.ts';
import { invalidParameter, maskAddress } from '../../http/index.ts';
import { type Actor, audit } from '../audit.ts';
import { endCredentials } from '../credentials/credentials.ts';
import { createLink, type Link, readLink, useLink } from '../credentials/one-time-links.ts';
import { normalEmail } from '../email-address.ts';
import { markVerified } from './address-link.ts';
import { addressAccount, type Member, type MemberDeps, readMember } from './members.ts';
import { checkNewPassword } from './password-rules.ts';
import { type Leftovers, readLeftovers } from './reset-link.ts';
import { sendNotice } from './security-notice.ts';

/** Mails a reset link to the address if it has an account. The requester does not learn whether an account exists. */
export async function sendResetLink(
  { pool, clock, mail }: Pick<MemberDeps, 'pool' | 'clock' | 'mail'>,
  email: string,
): Promise<void> {
  const owner = await findOwner(pool, email);
  if (owner === null) return;
  const token = await createLink(pool, clock, 'reset', { ...owner, plan: null });
  mail.send({
    to: owner.email,
    subject: 'Set a new password for Touchline',
    text: `Somebody, probably you, asked for a new password for the account ${owner.email}.

Set it within an hour:
${mail.link(`/account/reset?token=${token}`)}

If it was not you, you need not do anything: the password stays the same.
`,
  });
}

/** Finds the member with an address or, if nobody has it, the account that has it. Suspended accounts do not count. */
async function findOwner(
  db: Queryable,
  email: string,
): Promise<{ memberId: number | null; accountId: number | null; email: string } | null> {
  const member = await readMember(db, email);
  if (member !== null)
    return member.isSuspended
      ? null
      : { memberId: member.id, accountId: await addressAccount(db, member.id), email: member.email };
  const { rows } = await db.query<{ id: number; email: string }>(
    `SELECT id, email FROM account a WHERE lower(email) = $1 AND suspended_at IS NULL
       AND NOT EXISTS (SELECT FROM membership WHERE account_id = a.id)`,
    [normalEmail(email)],
  );
  return rows[0] === undefined ? null : { memberId: null, accountId: rows[0].id, email: rows[0].email };
}

export interface ResetForm extends Leftovers {
  /** True if the address has never been verified, so that another person may have created the account. */
  isUnverified: boolean;
}

/**
 * Reads what the form that asks for a new password shows. Only the owner of an account decides about its keys.
 * @returns null if the link is unknown, used or expired
 */
export async function readResetForm(
  db: Queryable,
  clock: MemberDeps['clock'],
  token: string,
): Promise<ResetForm | null> {
  const target = await readTarget(db, await readLink(db, clock, 'reset', token));
  if (target === null) return null;
  const { member, accountId } = target;
  const leftovers =
    accountId === null
      ? { hasSecondFactor: member?.hasSecondFactor === true, keys: 0, webhooks: 0, hasSingleSignOn: false }
      : await readLeftovers(db, clock, accountId);
  return { ...leftovers, isUnverified: member !== null && member.verifiedAt === null };
}

/** The member whose password a link sets, and the account whose keys may be revoked with it. */
interface ResetTarget {
  email: string;
  /** Null for the first password of an account without members. */
  member: Member | null;
  accountId: number | null;
}

/** A link of an earlier release names only the account. @returns null for an unknown link */
async function readTarget(db: Queryable, link: Link | null): Promise<ResetTarget | null> {
  if (link === null) return null;
  if (link.memberId !== null) {
    const member = await readMember(db, link.memberId);
    return member && { email: member.email, member, accountId: await addressAccount(db, member.id) };
  }
  const { rows } = await db.query<{ email: string; hasMembers: boolean }>(
    'SELECT email, EXISTS (SELECT FROM membership WHERE account_id = a.id) AS "hasMembers" FROM account a WHERE id = $1',
    [link.accountId],
  );
  if (rows[0] === undefined) return null;
  const { email, hasMembers } = rows[0];
  if (!hasMembers) return { email, member: null, accountId: link.accountId };
  const member = await readMember(db, email);
  if (member === null || (await addressAccount(db, member.id)) !== link.accountId) return null;
  return { email, member, accountId: link.accountId };
}

/** Stores the password. Somebody who sets the first password of an account owns it. @returns the member's id */
async function storePassword(
  db: Queryable,
  { member, accountId, email }: ResetTarget,
  hashed: string,
  now: Date,
): Promise<number> {
  if (member !== null) {
    await db.query('UPDATE member SET password = $2 WHERE id = $1', [member.id, hashed]);
    return member.id;
  }
  const { rows } = await db.query<{ id: number }>(
    `INSERT INTO member (account_id, email, password, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (lower(email)) DO UPDATE SET password = excluded.password RETURNING id`,
    [accountId, email, hashed, now],
  );
  const { id } = firstRow(rows);
  await db.query(
    `INSERT INTO membership (account_id, member_id, role, created_at) VALUES ($1, $2, 'owner', $3)
     ON CONFLICT (account_id, member_id) DO NOTHING`,
    [accountId, id, now],
  );
  return id;
}

const invalidLink = () =>
  invalidParameter('token', 'invalid_link', 'The link is unknown, has expired or was used. Ask for a new one.');

/**
 * Whoever uses a link that was sent to the address has proved to own it. If the address had not been verified before,
 * another person may have created the account. A second factor is then removed, because that person may have set it.
 */
async function takeBack(db: Queryable, clock: MemberDeps['clock'], member: Member, actor: Actor): Promise<void> {
  if (member.verifiedAt === null && member.hasSecondFactor) {
    await endCredentials(db, clock, 'factor_lost', { accountId: member.accountId, memberId: member.id, actor });
    const details = { reason: 'set before the address was verified' };
    await audit(db, clock, { accountId: member.accountId, actor, action: 'member.second_factor_off', details });
  }
  await markVerified(db, clock, member.email);
}

export interface Reset {
  token: string;
  password: string;
  /**
   * Whether the reset revokes every key of the account, pauses its webhooks and removes its single sign-on. Without effect unless the
   * member owns it.
   */
  revokesKeys: boolean;
}

/**
 * Sets a password by a link, ends the access that other people may have, and notifies the member by mail. If an
 * operator created the account, it has no member yet, and one is created.
 * @param address the client address
 * @returns the member after the change
 * @throws {Problem} invalid_parameter if the link is unknown, used or expired, or if the password is too weak;
 *   unavailable
 */
export async function resetPassword(
  { pool, clock, mail, passwords }: Pick<MemberDeps, 'pool' | 'clock' | 'mail' | 'passwords'>,
  { token, password, revokesKeys }: Reset,
  address: string,
): Promise<Member> {
  const owner = await readTarget(pool, await readLink(pool, clock, 'reset', token));
  if (owner === null) throw invalidLink();
  await checkNewPassword(password, owner.email);
  const hashed = await passwords.hash(password, { network: maskAddress(address), isKnown: true });
  const { member, hadSingleSignOn } = await transaction(pool, async (db) => {
    const link = await useLink(db, clock, 'reset', token);
    const target = await readTarget(db, link);
    if (link === null || target === null) throw invalidLink();
    const id = await storePassword(db, target, hashed, new Date(clock.now()));
    const member = (await readMember(db, id))!;
    const actor: Actor = { name: member.email, address };
    const endsKeys = revokesKeys && target.accountId !== null;
    const accountId = target.accountId ?? member.accountId;
    const occasion = endsKeys ? 'reset_with_keys' : 'reset';
    const ended = await endCredentials(db, clock, occasion, { accountId, memberId: id, actor });
    if (link.email !== null) await takeBack(db, clock, member, actor);
    const details = { keys_revoked: endsKeys };
    await audit(db, clock, { accountId, actor, action: 'member.password_reset', details });
    const hadSingleSignOn = ended.get('client secret of single sign-on') === 1;
    return { member: (await readMember(db, id))!, hadSingleSignOn };
  });
  sendNotice(mail, member.email, 'password_reset', address);
  if (hadSingleSignOn) sendNotice(mail, member.email, 'single_sign_on_removed', address);
  return member;
}
