/** Members: who may sign in to the pages of an account. For now each account has one, with the email of the account. */
import type pg from 'pg';
import { type Queryable, transaction } from '../../db/postgres.ts';
import { invalidParameter, Problem } from '../../http/errors.ts';
import { type Actor, audit } from '../audit.ts';
import type { AccountConfig } from '../config.ts';
import { checkEmail, insertKey } from '../keys/keys.ts';
import type { Mail } from '../mail.ts';
import { defaultPlan } from '../plans/plans.ts';
import { createLink, useLink } from './links.ts';
import { checkNewPassword, hashPassword, verifyPassword } from './passwords.ts';
import { endSessions } from './sessions.ts';

export interface MemberDeps {
  pool: pg.Pool;
  clock: { now(): number };
  config: Pick<AccountConfig, 'signUp' | 'secretKeys'>;
  mail: Mail;
}

export interface Member {
  id: number;
  accountId: number;
  email: string;
  /** null: none has been set. */
  password: string | null;
  hasSecondFactor: boolean;
  isSuspended: boolean;
  /** The account is new, and suspended until an operator approves it. */
  awaitsApproval: boolean;
}

/** @param by its email, in any case, or its id */
export async function readMember(db: Queryable, by: string | number): Promise<Member | null> {
  const condition = typeof by === 'string' ? 'lower(m.email) = lower($1)' : 'm.id = $1';
  const { rows } = await db.query<Member>(
    `SELECT m.id, m.account_id AS "accountId", m.email, m.password, m.totp_secret IS NOT NULL AS "hasSecondFactor",
       a.suspended_at IS NOT NULL AS "isSuspended", a.awaits_approval AS "awaitsApproval"
     FROM member m JOIN account a ON a.id = m.account_id WHERE ${condition}`,
    [by],
  );
  return rows[0] ?? null;
}

export interface SignUp {
  email: string;
  password: string;
  /** The token of an invitation. */
  invitation?: string | undefined;
}

export interface SignedUp {
  accountId: number;
  memberId: number;
  /** The first key; it cannot be shown again. */
  key: string;
  keyId: number;
  /** Neither key nor password is taken until an operator approves the account. */
  awaitsApproval: boolean;
}

const closed = () =>
  new Problem('not_found', 'Nobody can sign up here. Ask the operator of this service for an account.');

async function useInvitation(db: Queryable, deps: MemberDeps, { email, invitation }: SignUp): Promise<string | null> {
  if (!invitation) {
    if (deps.config.signUp !== 'invite') return null;
    throw invalidParameter('invitation', 'missing', 'is required: this service is open to invited people');
  }
  const link = await useLink(db, deps.clock, 'invitation', invitation);
  if (link === null) throw invalidParameter('invitation', 'invalid_invitation', 'is unknown, expired or used');
  if (link.email !== null && link.email.toLowerCase() !== email.toLowerCase())
    throw invalidParameter('invitation', 'other_email', 'is for another email');
  return link.plan;
}

/**
 * An account with its first member and its first key.
 * @throws {Problem} invalid_parameter; not_found where nobody can sign up; conflict where there is an account with the email
 */
export async function signUp(deps: MemberDeps, input: SignUp, address: string): Promise<SignedUp> {
  const { pool, clock, config } = deps;
  const { email, password } = input;
  if (config.signUp === 'off') throw closed();
  checkEmail(email);
  checkNewPassword(password, email);
  const hashed = await hashPassword(password);
  return transaction(pool, async (db) => {
    const plan = await useInvitation(db, deps, input);
    const now = new Date(clock.now());
    // Whoever has an invitation is approved.
    const awaitsApproval = config.signUp === 'approve' && !input.invitation;
    const { rows } = await db.query<{ id: number }>(
      `INSERT INTO account (email, plan, created_at, suspended_at, awaits_approval) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (lower(email)) DO NOTHING RETURNING id`,
      [email, plan ?? defaultPlan(), now, awaitsApproval ? now : null, awaitsApproval],
    );
    const accountId = rows[0]?.id;
    if (accountId === undefined)
      throw new Problem('conflict', 'There is an account with this email. Sign in, or set a new password.');
    const { rows: members } = await db.query<{ id: number }>(
      'INSERT INTO member (account_id, email, password, created_at) VALUES ($1, $2, $3, $4) RETURNING id',
      [accountId, email, hashed, now],
    );
    const actor: Actor = { name: email, address };
    await audit(db, clock, { accountId, actor, action: 'account.created', details: { plan: plan ?? defaultPlan() } });
    const made = await insertKey(db, clock, accountId, { name: 'First key' });
    await audit(db, clock, {
      accountId,
      actor,
      action: 'key.created',
      target: `key ${made.keyId}`,
      details: { kind: 'sk' },
    });
    return { accountId, memberId: members[0]!.id, awaitsApproval, ...made };
  });
}

/**
 * Replaces the password of a member, and ends all other sessions.
 * @throws {Problem} invalid_parameter where the current one is wrong, or the new one too weak
 */
export async function changePassword(
  { pool, clock }: Pick<MemberDeps, 'pool' | 'clock'>,
  member: { memberId: number; email: string; accountId: number; sessionHash: Buffer },
  { current, password }: { current: string; password: string },
  address: string,
): Promise<void> {
  checkNewPassword(password, member.email);
  const stored = await readMember(pool, member.memberId);
  if (!(await verifyPassword(stored?.password ?? null, current)))
    throw invalidParameter('current', 'wrong_password', 'is not your password');
  const hashed = await hashPassword(password);
  await transaction(pool, async (db) => {
    await db.query('UPDATE member SET password = $2 WHERE id = $1', [member.memberId, hashed]);
    await endSessions(db, member.memberId, member.sessionHash);
    const actor: Actor = { name: member.email, address };
    await audit(db, clock, { accountId: member.accountId, actor, action: 'member.password_changed' });
  });
}

/** What the owner of an address sees is sent to it; whoever asks learns nothing. @param url of the page, with `{token}` */
export async function sendResetLink({ pool, clock, mail }: MemberDeps, email: string, url: string): Promise<void> {
  const { rows } = await pool.query<{ id: number; email: string }>(
    'SELECT id, email FROM account WHERE lower(email) = lower($1) AND suspended_at IS NULL',
    [email],
  );
  const account = rows[0];
  if (account === undefined) return;
  const token = await createLink(pool, clock, 'reset', { accountId: account.id, email: null, plan: null });
  mail.send({
    to: account.email,
    subject: 'Set a new password for Touchline',
    text: `Somebody, probably you, asked for a new password for the account ${account.email}.

Set it within an hour:
${url.replace('{token}', token)}

If it was not you, nothing has to be done: the password stays as it is.
`,
  });
}

/**
 * Sets a password by a link, and ends all sessions. The member is created where an operator created the account.
 * @returns the member
 * @throws {Problem} invalid_parameter where the link is unknown, used or expired, or the password too weak
 */
export async function resetPassword(
  { pool, clock }: Pick<MemberDeps, 'pool' | 'clock'>,
  { token, password }: { token: string; password: string },
  address: string,
): Promise<Member> {
  // The rule about the email is checked once it is known.
  checkNewPassword(password, '');
  const hashed = await hashPassword(password);
  return transaction(pool, async (db) => {
    const link = await useLink(db, clock, 'reset', token);
    if (link?.accountId == null)
      throw invalidParameter(
        'token',
        'invalid_link',
        'The link is unknown, has expired or was used. Ask for a new one.',
      );
    const { rows } = await db.query<{ id: number; email: string }>(
      `INSERT INTO member (account_id, email, password, created_at)
       SELECT a.id, a.email, $2, $3 FROM account a WHERE a.id = $1
       ON CONFLICT (lower(email)) DO UPDATE SET password = excluded.password RETURNING id, email`,
      [link.accountId, hashed, new Date(clock.now())],
    );
    const { id, email } = rows[0]!;
    checkNewPassword(password, email);
    await endSessions(db, id);
    await audit(db, clock, {
      accountId: link.accountId,
      actor: { name: email, address },
      action: 'member.password_reset',
    });
    return (await readMember(db, id))!;
  });
}
