/**
 * Members are the people who may sign in. An account is an organisation, and a membership says which people belong to it, with
 * which role. A person with one sign-in may belong to several organisations, and is removed with the last membership.
 */
import type pg from 'pg';
import { type Queryable, transaction } from '../../db/postgres.ts';
import { invalidParameter, maskAddress, type Role } from '../../http/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import { type Actor, audit } from '../audit.ts';
import type { AccountConfig } from '../config.ts';
import { endCredentials } from '../credentials/credentials.ts';
import { HAS_SECOND_FACTOR } from '../credentials/second-factor.ts';
import { normalEmail } from '../email-address.ts';
import type { Mail } from '../mail.ts';
import type { PasswordHasher } from './password-hasher.ts';
import { checkNewPassword } from './password-rules.ts';
import { sendNotice } from './security-notice.ts';
import type { SignInLimits } from './sign-in-limits.ts';

export interface MemberDeps {
  pool: pg.Pool;
  clock: Clock;
  config: Pick<AccountConfig, 'signUp' | 'secretKeys'>;
  mail: Mail;
  passwords: PasswordHasher;
  signInLimits: SignInLimits;
}

export interface Member {
  id: number;
  /** The organisation in which a new session begins. */
  accountId: number;
  email: string;
  /** Null if no password has been set. */
  password: string | null;
  createdAt: Date;
  /** When the address was verified. Null if it has not been. */
  verifiedAt: Date | null;
  /** An app with codes, or a passkey. */
  hasSecondFactor: boolean;
  /** Whether an app on a phone shows codes for the member. */
  hasCodeApp: boolean;
  /** Whether all of the member's organisations are suspended. */
  isSuspended: boolean;
  /** True if the account is new, and suspended until an operator approves it. */
  awaitsApproval: boolean;
}

/** @param by the email, as typed, or the id */
export async function readMember(db: Queryable, by: string | number): Promise<Member | null> {
  const condition = typeof by === 'string' ? 'lower(m.email) = $1' : 'm.id = $1';
  const { rows } = await db.query<Member>(
    `SELECT m.id, a.id AS "accountId", m.email, m.password, m.created_at AS "createdAt", m.verified_at AS "verifiedAt",
       ${HAS_SECOND_FACTOR} AS "hasSecondFactor", m.totp_secret IS NOT NULL AS "hasCodeApp", a.suspended_at IS NOT NULL AS "isSuspended", a.awaits_approval AS "awaitsApproval"
     FROM member m JOIN LATERAL (
         SELECT a.id, a.suspended_at, a.awaits_approval FROM membership b JOIN account a ON a.id = b.account_id WHERE b.member_id = m.id
         ORDER BY a.suspended_at IS NOT NULL, a.id IS DISTINCT FROM m.account_id, a.id LIMIT 1) a ON true
     WHERE ${condition}`,
    [typeof by === 'string' ? normalEmail(by) : by],
  );
  return rows[0] ?? null;
}

export interface ListedMember {
  id: number;
  email: string;
  role: Role;
  /** When the person joined. */
  joined_at: Date;
  has_password: boolean;
  has_second_factor: boolean;
  created_at: Date;
  /** Null if the member has never signed in. */
  signed_in_at: Date | null;
  /** Null if the member is not an operator of this service. */
  operator_since: Date | null;
}

/** Lists an account's members, in the order in which they joined. */
export async function listMembers(db: Queryable, accountId: number): Promise<ListedMember[]> {
  const { rows } = await db.query<ListedMember>(
    `SELECT m.id, m.email, b.role, b.created_at AS joined_at, m.password IS NOT NULL AS has_password,
       ${HAS_SECOND_FACTOR} AS has_second_factor, m.created_at, m.signed_in_at, m.operator_since
     FROM membership b JOIN member m ON m.id = b.member_id WHERE b.account_id = $1 ORDER BY b.created_at, m.id`,
    [accountId],
  );
  return rows;
}

/** Returns the account that has this member's address, if the member owns it. */
export async function addressAccount(db: Queryable, memberId: number): Promise<number | null> {
  const { rows } = await db.query<{ id: number }>(
    `SELECT a.id FROM member m JOIN membership b ON b.member_id = m.id AND b.role = 'owner'
       JOIN account a ON a.id = b.account_id AND lower(a.email) = lower(m.email) WHERE m.id = $1`,
    [memberId],
  );
  return rows[0]?.id ?? null;
}

/** Remembers the language for the mail to a member. */
export async function setLanguage(db: Queryable, memberId: number, language: string): Promise<void> {
  await db.query('UPDATE member SET language = $2 WHERE id = $1', [memberId, language]);
}

/** The people who get the mail about an account's webhooks: owners and admins or, without members, the account's address. */
export async function mailReaders(
  db: Queryable,
  accountId: number,
): Promise<{ email: string; language: string | null }[]> {
  const { rows } = await db.query<{ email: string; language: string | null }>(
    `SELECT coalesce(m.email, a.email) AS email, m.language
     FROM account a LEFT JOIN (membership b JOIN member m ON m.id = b.member_id) ON b.account_id = a.id AND b.role IN ('owner', 'admin')
     WHERE a.id = $1 AND a.suspended_at IS NULL AND NOT a.awaits_verification ORDER BY m.id`,
    [accountId],
  );
  return rows;
}

/** A member in an open session, and the address that sent the request. */
export interface SignedInMember {
  memberId: number;
  accountId: number;
  email: string;
  sessionHash: Buffer;
  address: string;
}

/**
 * Checks the password again, so that a stranger who finds an open session cannot take the account over.
 * @param parameter the field name in an error
 * @returns the member
 * @throws {Problem} invalid_parameter if it is wrong; rate_limited; unavailable
 */
export async function confirmPassword(
  { pool, passwords, signInLimits }: Pick<MemberDeps, 'pool' | 'passwords' | 'signInLimits'>,
  { memberId, address }: SignedInMember,
  given: string,
  parameter = 'password',
): Promise<Member> {
  signInLimits.current(memberId);
  const member = await readMember(pool, memberId);
  const isRight = await passwords.verify(member?.password ?? null, given, {
    network: maskAddress(address),
    isKnown: true,
  });
  if (member === null || !isRight) throw invalidParameter(parameter, 'wrong_password', 'is not your password');
  return member;
}

/**
 * Replaces a member's password, ends the access that other people may have, and notifies the member by mail.
 * @returns the member after the change
 * @throws {Problem} invalid_parameter if the current password is wrong or the new one is too weak; rate_limited;
 *   unavailable
 */
export async function changePassword(
  deps: Omit<MemberDeps, 'config'>,
  signedIn: SignedInMember,
  { current, password }: { current: string; password: string },
): Promise<Member> {
  const { pool, clock, mail, passwords } = deps;
  const { memberId, email, accountId, sessionHash, address } = signedIn;
  await confirmPassword(deps, signedIn, current, 'current');
  await checkNewPassword(password, email);
  const hashed = await passwords.hash(password, { network: maskAddress(address), isKnown: true });
  const member = await transaction(pool, async (db) => {
    await db.query('UPDATE member SET password = $2 WHERE id = $1', [memberId, hashed]);
    const actor: Actor = { name: email, address };
    await endCredentials(db, clock, 'new_password', { accountId, memberId, keptSession: sessionHash, actor });
    await audit(db, clock, { accountId, actor, action: 'member.password_changed' });
    return readMember(db, memberId);
  });
  sendNotice(mail, email, 'password_changed', address);
  return member!;
}
