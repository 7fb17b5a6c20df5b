/** Setting a new password by a link. */
import { firstRow, type Queryable, transaction } from '../../db/postgres.ts';
import { invalidParameter, maskAddress } from '../../http/index.ts';
import { type Actor, audit } from '../audit.ts';
import { endCredentials } from '../credentials/credentials.ts';
import { createLink, type Link, readLink, useLink } from '../credentials/one-time-links.ts';
import { normalEmail } from '../email-address.ts';
import { markVerified } from './address-link.ts';
import { type Member, type MemberDeps, readMember } from './members.ts';
import { checkNewPassword } from './password-rules.ts';
import { type Leftovers, readLeftovers } from './reset-link.ts';
import { sendNotice } from './security-notice.ts';

/** Mails a reset link to the address if it has an account. The requester does not learn whether an account exists. */
export async function sendResetLink(
  { pool, clock, mail }: Pick<MemberDeps, 'pool' | 'clock' | 'mail'>,
  email: string,
): Promise<void> {
  const { rows } = await pool.query<{ id: number; email: string }>(
    'SELECT id, email FROM account WHERE lower(email) = $1 AND suspended_at IS NULL',
    [normalEmail(email)],
  );
  const account = rows[0];
  if (account === undefined) return;
  const link = { accountId: account.id, email: account.email, plan: null };
  const token = await createLink(pool, clock, 'reset', link);
  mail.send({
    to: account.email,
    subject: 'Set a new password for Touchline',
    text: `Somebody, probably you, asked for a new password for the account ${account.email}.

Set it within an hour:
${mail.link(`/account/reset?token=${token}`)}

If it was not you, you need not do anything: the password stays the same.
`,
  });
}

export interface ResetForm extends Leftovers {
  /** True if the address has never been verified, so that another person may have created the account. */
  isUnverified: boolean;
}

/**
 * Reads the account for the form that asks for a new password. @returns null if the link is unknown, used or expired
 */
export async function readResetForm(
  db: Queryable,
  clock: MemberDeps['clock'],
  token: string,
): Promise<ResetForm | null> {
  const link = await readLink(db, clock, 'reset', token);
  if (link?.accountId == null) return null;
  const { rows } = await db.query<{ isUnverified: boolean }>(
    'SELECT EXISTS (SELECT FROM member WHERE account_id = $1 AND verified_at IS NULL) AS "isUnverified"',
    [link.accountId],
  );
  return { ...(await readLeftovers(db, clock, link.accountId)), isUnverified: firstRow(rows).isUnverified };
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
  await markVerified(db, clock, member.accountId);
}

export interface Reset {
  token: string;
  password: string;
  /** Whether the reset revokes every account key and pauses the webhooks. */
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
  const owner = await readOwner(pool, await readLink(pool, clock, 'reset', token));
  await checkNewPassword(password, owner);
  const hashed = await passwords.hash(password, { network: maskAddress(address), isKnown: true });
  const member = await transaction(pool, async (db) => {
    const link = await useLink(db, clock, 'reset', token);
    if (link?.accountId == null) throw invalidLink();
    const { accountId } = link;
    const { rows } = await db.query<{ id: number; email: string }>(
      `INSERT INTO member (account_id, email, password, created_at)
       SELECT a.id, a.email, $2, $3 FROM account a WHERE a.id = $1
       ON CONFLICT (lower(email)) DO UPDATE SET password = excluded.password RETURNING id, email`,
      [accountId, hashed, new Date(clock.now())],
    );
    const { id, email } = firstRow(rows);
    const actor: Actor = { name: email, address };
    await endCredentials(db, clock, revokesKeys ? 'reset_with_keys' : 'reset', { accountId, memberId: id, actor });
    if (link.email !== null) await takeBack(db, clock, (await readMember(db, id))!, actor);
    const details = { keys_revoked: revokesKeys };
    await audit(db, clock, { accountId, actor, action: 'member.password_reset', details });
    return (await readMember(db, id))!;
  });
  sendNotice(mail, member.email, 'password_reset', address);
  return member;
}

/** @returns the email of the account to which a link belongs. @throws {Problem} invalid_parameter */
async function readOwner(db: Queryable, link: Link | null): Promise<string> {
  if (link?.accountId == null) throw invalidLink();
  const { rows } = await db.query<{ email: string }>('SELECT email FROM account WHERE id = $1', [link.accountId]);
  if (rows[0] === undefined) throw invalidLink();
  return rows[0].email;
}
