/** Signing in, with the password and then the second factor if the member has one. */
import type { Logger } from 'pino';
import { type Queryable, transaction } from '../../db/postgres.ts';
import { maskAddress, Problem } from '../../http/index.ts';
import { audit } from '../audit.ts';
import { readDevice } from '../credentials/device-mark.ts';
import { takeCode } from '../credentials/second-factor.ts';
import { type Client, needsNoProvider, type Origin, replaceSession } from '../credentials/sessions.ts';
import { type Member, type MemberDeps, readMember } from './members.ts';

export interface SignInDeps extends MemberDeps {
  logger: Pick<Logger, 'warn'>;
}

export interface SignIn {
  email: string;
  password: string;
  /** The Cookie header, with the device mark if the browser has signed in as this member before; see device-mark.ts. */
  cookies: string | undefined;
  /** Whether the public address is https. */
  secure: boolean;
  /** The browser's current session, if any. It ends. */
  before: Buffer | null;
}

/**
 * The session after the right password was given. `token` is for the cookie. With `code_needed`, it opens only the page
 * that asks for the code.
 */
export interface SignedIn {
  state: 'signed_in' | 'code_needed';
  token: string;
  member: Member;
}

const wrong = () => new Problem('key_invalid', 'The email or the password is wrong.');

/** Checks the password. Counts the attempt before hashing, and refunds it if the queue is full. */
async function tryPassword(deps: SignInDeps, input: SignIn, member: Member | null, address: string): Promise<boolean> {
  const { clock, config, passwords, signInLimits } = deps;
  const mark = member === null ? null : readDevice(config.secretKeys, input.cookies, member, clock.now(), input.secure);
  const device = mark === null ? null : { mark, memberId: member!.id };
  const attempt = signInLimits.password(input.email, address, device);
  const asker = { network: maskAddress(address), isKnown: device !== null };
  try {
    const isRight = await passwords.verify(member?.password ?? null, input.password, asker);
    if (isRight) attempt.giveBack();
    return isRight;
  } catch (error) {
    attempt.giveBack();
    throw error;
  }
}

/**
 * @throws {Problem} key_invalid if email or password is wrong, without saying which; rate_limited; unavailable;
 * key_not_permitted if the account is suspended or is waiting for approval
 */
export async function signIn(deps: SignInDeps, input: SignIn, client: Client): Promise<SignedIn> {
  const { pool, clock, logger } = deps;
  const member = await readMember(pool, input.email);
  const isRight = await tryPassword(deps, input, member, client.address);
  if (member === null) throw wrong();
  const actor = { name: member.email, address: client.address };
  if (!isRight) {
    // Not awaited, so that the reply time does not reveal whether the member exists.
    audit(pool, clock, { accountId: member.accountId, actor, action: 'member.sign_in_failed' }).catch((err) =>
      logger.warn({ err }, 'a failed sign-in could not be written to the audit log'),
    );
    throw wrong();
  }
  await refuseClosed(pool, member);
  return transaction(pool, async (db) => {
    // If the password was changed meanwhile, all sessions have ended, and no new one may begin with the old password.
    const { rows } = await db.query('SELECT FROM member WHERE id = $1 AND password = $2 FOR NO KEY UPDATE', [
      member.id,
      member.password,
    ]);
    if (rows.length === 0) throw wrong();
    return openSession(db, clock, member, { before: input.before, client });
  });
}

/** @throws {Problem} key_not_permitted if nobody may sign in to the member's accounts, or only at a provider */
export async function refuseClosed(
  db: Queryable,
  member: Pick<Member, 'id' | 'awaitsApproval' | 'isSuspended'>,
): Promise<void> {
  if (member.awaitsApproval)
    throw new Problem('key_not_permitted', 'The account waits for approval by an operator of this service.');
  if (member.isSuspended)
    throw new Problem('key_not_permitted', 'The account is suspended. Ask the operator of this service.');
  if (!(await needsNoProvider(db, member.id)))
    throw new Problem('key_not_permitted', "Your organisation requires you to sign in with your company's account.");
}

/** The first step of a sign-in, which has been proved. */
export interface Opening {
  /** The browser's current session, if any. It ends. */
  before: Buffer | null;
  client: Client;
  /** Where and when the sign-in was proved. By default here and now. */
  origin?: Origin;
  /** For the audit log. */
  details?: Record<string, unknown>;
}

/** Opens a session after the first step. If the member has a second factor, the session waits for it. */
export async function openSession(
  db: Queryable,
  clock: MemberDeps['clock'],
  member: Member,
  opening: Opening,
): Promise<SignedIn> {
  const { client, origin } = opening;
  const before = opening.before === null ? null : { hash: opening.before, isRequired: false };
  if (!member.hasSecondFactor)
    return (await beginSession(db, clock, { ...opening, member, before, code: 'unneeded' }))!;
  const token = (await replaceSession(db, clock, before, member.id, client, 'missing', origin))!;
  return { state: 'code_needed', token, member };
}

interface Beginning extends Omit<Opening, 'before'> {
  member: Member;
  /** The session that this one replaces, see replaceSession. */
  before: { hash: Buffer; isRequired: boolean } | null;
  code: 'given' | 'unneeded';
}

/** Begins the session of a member who has proved everything. @returns null if the session before had to be open and has ended */
export async function beginSession(
  db: Queryable,
  clock: MemberDeps['clock'],
  { member, before, client, code, origin, details = {} }: Beginning,
): Promise<SignedIn | null> {
  const token = await replaceSession(db, clock, before, member.id, client, code, origin);
  if (token === null) return null;
  await db.query('UPDATE member SET signed_in_at = $2 WHERE id = $1', [member.id, new Date(clock.now())]);
  const actor = { name: member.email, address: client.address };
  const accountId = origin?.provider ?? member.accountId;
  await audit(db, clock, { accountId, actor, action: 'member.signed_in', details });
  return { state: 'signed_in', token, member };
}

/**
 * The second step in signing in.
 * @param awaiting see findAwaitingCode
 * @throws {Problem} key_invalid if the code is wrong or was used; rate_limited
 */
export async function signInWithCode(
  deps: SignInDeps,
  awaiting: { memberId: number; hash: Buffer },
  code: string,
  client: Client,
): Promise<SignedIn> {
  const { pool, clock, signInLimits } = deps;
  const attempt = signInLimits.code(awaiting.memberId, code, client.address);
  const member = await readMember(pool, awaiting.memberId);
  if (member === null) throw wrong();
  const actor = { name: member.email, address: client.address };
  const signedIn = await transaction(pool, async (db): Promise<SignedIn | null> => {
    const used = await takeCode(db, deps, member.id, code);
    if (used === null) return null;
    // If the waiting session has ended meanwhile, the sign-in fails.
    const before = { hash: awaiting.hash, isRequired: true };
    return beginSession(db, clock, { member, before, client, code: 'given', details: { code: used } });
  });
  if (signedIn === null) {
    await audit(pool, clock, { accountId: member.accountId, actor, action: 'member.code_failed' });
    throw new Problem('key_invalid', 'The code is wrong or has already been used.');
  }
  attempt.giveBack();
  return signedIn;
}
