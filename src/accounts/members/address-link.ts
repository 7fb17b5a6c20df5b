/** Links that prove that a member reads the mail to an address. It is either the one given at sign-up or a new one. */
import type pg from 'pg';
import { type Queryable, transaction } from '../../db/postgres.ts';
import { invalidParameter, Problem, rateLimited } from '../../http/index.ts';
import { audit, OPERATOR } from '../audit.ts';
import { endCredentials } from '../credentials/credentials.ts';
import { createLink, readLink, useLink } from '../credentials/one-time-links.ts';
import { checkEmail, normalEmail } from '../email-address.ts';
import { addressAccount, type MemberDeps, type SignedInMember } from './members.ts';
import { sendNotice } from './security-notice.ts';
import { MAILS } from './sign-in-limits.ts';

type LinkDeps = Pick<MemberDeps, 'pool' | 'clock' | 'mail' | 'signInLimits'>;

/**
 * Sends a link to a member's address. The link works only for that member, only once, and only within a day.
 * @returns `limited` if the address has already had the maximum number of mails in an hour, `unsent` if no mail can be
 *   sent
 */
export async function sendAddressLink(
  { pool, clock, mail, signInLimits }: LinkDeps,
  memberId: number,
  email: string,
): Promise<'sent' | 'limited' | 'unsent'> {
  if (!mail.isConfigured) return 'unsent';
  if (!signInLimits.mail('address', email)) return 'limited';
  const accountId = await addressAccount(pool, memberId);
  const token = await createLink(pool, clock, 'address', { memberId, accountId, email, plan: null });
  const isQueued = mail.send({
    to: email,
    subject: 'Verify your address for Touchline',
    text: `Somebody, probably you, gave this address for a Touchline account.

If it was you, sign in and open this link within a day:
${mail.link(`/account/address?token=${token}`)}

If it was not you, you need not do anything. Do not open the link: the person who created the account does not receive it.
`,
  });
  return isQueued ? 'sent' : 'unsent';
}

/**
 * Reads a link without using it up. A link of an earlier release names only the account.
 * @returns the address that it would verify; null if it belongs to another member, or is unknown, used or expired
 */
export async function readAddressLink(
  db: Queryable,
  clock: MemberDeps['clock'],
  token: string,
  memberId: number,
): Promise<string | null> {
  const link = await readLink(db, clock, 'address', token);
  if (link === null) return null;
  const isTheirs =
    link.memberId === null
      ? link.accountId !== null && (await addressAccount(db, memberId)) === link.accountId
      : link.memberId === memberId;
  return isTheirs ? link.email : null;
}

/**
 * Uses a link up. Its address becomes the member's, and that of the account which the member's address stands for. It counts
 * as verified.
 * @throws {Problem} invalid_parameter if the link belongs to another member, or is unknown, used or expired; conflict
 *   if the address has been taken meanwhile
 */
export async function verifyAddress(
  { pool, clock, mail }: Pick<MemberDeps, 'pool' | 'clock' | 'mail'>,
  signedIn: SignedInMember,
  token: string,
): Promise<void> {
  const { accountId, memberId, email: before, address } = signedIn;
  const email = await transaction(pool, async (db) => {
    const isTheirs = (await readAddressLink(db, clock, token, memberId)) !== null;
    const link = isTheirs ? await useLink(db, clock, 'address', token) : null;
    if (link?.email == null)
      throw invalidParameter('token', 'invalid_link', 'The link is for another account, has expired or was used');
    if (link.email !== before) await moveMember(db, clock, signedIn, link.email);
    await markVerified(db, clock, link.email);
    const actor = { name: link.email, address };
    const isMoved = link.email !== before;
    const details = isMoved ? { from: before, to: link.email } : {};
    await audit(db, clock, {
      accountId,
      actor,
      action: isMoved ? 'member.email_changed' : 'member.email_verified',
      details,
    });
    return link.email;
  });
  if (email !== before) sendNotice(mail, before, 'email_changed', address);
}

/** Also ends links, and sessions except this one, so that whoever reads mail at the former address loses access. */
async function moveMember(
  db: Queryable,
  clock: MemberDeps['clock'],
  { accountId, memberId, sessionHash, email: before, address }: SignedInMember,
  email: string,
): Promise<void> {
  await db.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`email ${email}`]);
  const own = await addressAccount(db, memberId);
  const { rows } = await db.query(
    `SELECT FROM account WHERE lower(email) = $1 AND id IS DISTINCT FROM $2
     UNION ALL SELECT FROM member WHERE lower(email) = $1 AND id <> $3`,
    [email, own, memberId],
  );
  if (rows.length > 0) throw new Problem('conflict', 'A different account has this email.');
  // An account that a resource declares keeps the address by which the resource finds it.
  await db.query(
    `UPDATE account a SET email = $2 WHERE id = $1
       AND NOT EXISTS (SELECT FROM managed_resource r WHERE r.kind = 'Account' AND r.target = a.id::text)`,
    [own, email],
  );
  await db.query('UPDATE member SET email = $2 WHERE id = $1', [memberId, email]);
  const actor = { name: before, address };
  await endCredentials(db, clock, 'moved', { accountId, memberId, keptSession: sessionHash, actor });
}

/** Marks the address as verified, either because its owner used a link or because an operator vouches for it. */
export async function markVerified(db: Queryable, clock: MemberDeps['clock'], email: string): Promise<void> {
  await db.query('UPDATE account SET awaits_verification = false WHERE lower(email) = $1', [normalEmail(email)]);
  await db.query('UPDATE member SET verified_at = coalesce(verified_at, $2) WHERE lower(email) = $1', [
    normalEmail(email),
    new Date(clock.now()),
  ]);
}

/** Marks an account's address as verified on an operator's word. */
export async function verifyByOperator(
  pool: pg.Pool,
  clock: MemberDeps['clock'],
  { id: accountId, email }: { id: number; email: string },
): Promise<void> {
  await transaction(pool, async (db) => {
    await markVerified(db, clock, email);
    await audit(db, clock, { accountId, actor: OPERATOR, action: 'member.email_verified' });
  });
}

/**
 * Moves a member to a new address. Without a mail server, the member moves at once. With a mail server, this happens
 * when the link that was sent to the new address is used. The caller has to confirm the password first.
 * @returns whether the member has been moved
 * @throws {Problem} invalid_parameter; conflict if the address is taken; rate_limited
 */
export async function changeAddress(deps: LinkDeps, signedIn: SignedInMember, given: string): Promise<boolean> {
  const { pool, clock, mail } = deps;
  const { accountId, memberId, email: before, address } = signedIn;
  checkEmail(given);
  const email = normalEmail(given);
  if (email === normalEmail(before)) throw invalidParameter('email', 'unchanged', 'is your current address');
  if (!mail.isConfigured) {
    await transaction(pool, async (db) => {
      await moveMember(db, clock, signedIn, email);
      const actor = { name: before, address };
      await audit(db, clock, {
        accountId,
        actor,
        action: 'member.email_changed',
        details: { from: before, to: email },
      });
    });
    return true;
  }
  // Only the mail to the new address may reveal whether it is already taken.
  const outcome = await sendAddressLink(deps, memberId, email);
  if (outcome === 'unsent') throw new Problem('unavailable', 'No mail can be sent now. Try again later.');
  if (outcome === 'limited')
    throw rateLimited('Several mails were sent to this address within an hour. Try again later.', MAILS.seconds);
  await audit(pool, clock, {
    accountId,
    actor: { name: before, address },
    action: 'member.email_change_requested',
    details: { to: email },
  });
  sendNotice(mail, before, 'email_change_requested', address);
  return false;
}
