/** Signing in: the password, then the second factor where there is one. */
import type { Logger } from 'pino';
import { transaction } from '../../db/postgres.ts';
import { Problem } from '../../http/errors.ts';
import { audit } from '../audit.ts';
import { type MemberDeps, readMember } from './members.ts';
import { verifyPassword } from './passwords.ts';
import { takeCode } from './second-factor.ts';
import { type Client, createSession, endSession } from './sessions.ts';
import type { SignInLimits } from './sign-in-limits.ts';

export interface SignInDeps extends MemberDeps {
  signInLimits: SignInLimits;
  logger: Pick<Logger, 'warn'>;
}

export interface SignIn {
  email: string;
  password: string;
  /** Of a browser that has signed in to this account before; see device.ts. */
  device: string | null;
  /** The session that the browser has, if any: it ends. */
  before: Buffer | null;
}

/** `token` for the cookie; with `code_needed` it opens nothing but the page for the code. */
export interface SignedIn {
  state: 'signed_in' | 'code_needed';
  token: string;
  email: string;
}

const wrong = () => new Problem('key_invalid', 'The email or the password is wrong.');

/** @throws {Problem} key_invalid where email or password is wrong, whichever; rate_limited; key_not_permitted if the account is suspended or waits for approval */
export async function signIn(deps: SignInDeps, input: SignIn, client: Client): Promise<SignedIn> {
  const { pool, clock, logger, signInLimits } = deps;
  const attempt = signInLimits.password(input.email, client.address, input.device);
  const member = await readMember(pool, input.email);
  const isRight = await verifyPassword(member?.password ?? null, input.password);
  if (member === null) throw wrong();
  const actor = { name: member.email, address: client.address };
  if (!isRight) {
    // Not waited for: the time of the reply must not tell whether there is such a member.
    audit(pool, clock, { accountId: member.accountId, actor, action: 'member.sign_in_failed' }).catch((err) =>
      logger.warn({ err }, 'a failed sign-in could not be written to the audit log'),
    );
    throw wrong();
  }
  attempt.succeeded();
  if (member.awaitsApproval)
    throw new Problem('key_not_permitted', 'The account waits for approval by an operator of this service.');
  if (member.isSuspended)
    throw new Problem('key_not_permitted', 'The account is suspended. Ask the operator of this service.');
  return transaction(pool, async (db) => {
    if (input.before !== null) await endSession(db, input.before);
    const token = await createSession(db, clock, member.id, client, member.hasSecondFactor ? 'missing' : 'unneeded');
    if (member.hasSecondFactor) return { state: 'code_needed', token, email: member.email };
    await db.query('UPDATE member SET signed_in_at = $2 WHERE id = $1', [member.id, new Date(clock.now())]);
    await audit(db, clock, { accountId: member.accountId, actor, action: 'member.signed_in' });
    return { state: 'signed_in', token, email: member.email };
  });
}

/**
 * The second step.
 * @param awaiting see findAwaitingCode
 * @throws {Problem} key_invalid where the code is wrong or was used; rate_limited
 */
export async function signInWithCode(
  deps: SignInDeps,
  awaiting: { memberId: number; hash: Buffer },
  code: string,
  client: Client,
): Promise<SignedIn> {
  const { pool, clock, signInLimits } = deps;
  const attempt = signInLimits.code(awaiting.memberId);
  const member = await readMember(pool, awaiting.memberId);
  if (member === null) throw wrong();
  const actor = { name: member.email, address: client.address };
  const signedIn = await transaction(pool, async (db): Promise<SignedIn | null> => {
    const used = await takeCode(db, deps, member.id, code);
    if (used === null) return null;
    await endSession(db, awaiting.hash);
    const token = await createSession(db, clock, member.id, client, 'given');
    await db.query('UPDATE member SET signed_in_at = $2 WHERE id = $1', [member.id, new Date(clock.now())]);
    await audit(db, clock, { accountId: member.accountId, actor, action: 'member.signed_in', details: { code: used } });
    return { state: 'signed_in', token, email: member.email };
  });
  if (signedIn === null) {
    await audit(pool, clock, { accountId: member.accountId, actor, action: 'member.code_failed' });
    throw new Problem('key_invalid', 'The code is wrong, or was used before.');
  }
  attempt.succeeded();
  return signedIn;
}
