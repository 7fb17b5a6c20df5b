/** Signing in with a passkey, alone or after the password. */
import { transaction } from '../../db/postgres.ts';
import { audit } from '../audit.ts';
import { type CheckedUse, checkUsed, PasskeyRefused, type PasskeySite } from '../credentials/passkey-answers.ts';
import { type PasskeyUse, recordUse } from '../credentials/passkeys.ts';
import type { Client } from '../credentials/sessions.ts';
import { type MemberDeps, readMember } from './members.ts';
import { beginSession, refuseClosed, type SignedIn, type SignInDeps } from './sign-in.ts';

/** The answer of a passkey, as JSON from the browser, and the site that asked for it. */
export interface PasskeyAnswer {
  site: PasskeySite;
  text: string;
}

/**
 * Signs in without the password.
 * @param holder see createHolder
 * @param before the browser's current session, if any. It ends.
 * @throws {Problem} key_invalid; rate_limited; key_not_permitted if the account is suspended or is waiting for approval
 */
export async function signInWithPasskey(
  deps: SignInDeps,
  { site, text }: PasskeyAnswer,
  { holder, before }: { holder: Buffer | null; before: Buffer | null },
  client: Client,
): Promise<SignedIn> {
  const attempt = deps.signInLimits.passkey(client.address);
  const signedIn = await refusalsAudited(deps, client.address, async () => {
    const checked = await checkUsed(deps, site, { holder, memberId: null }, text);
    const replaced = before === null ? null : { hash: before, isRequired: false };
    return begin(deps, checked, 'alone', replaced, client);
  });
  attempt.giveBack();
  return signedIn;
}

/**
 * The second step in signing in, in place of a code.
 * @param awaiting see findAwaitingCode
 * @throws {Problem} key_invalid; rate_limited
 */
export async function signInWithSecondPasskey(
  deps: SignInDeps,
  { site, text }: PasskeyAnswer,
  awaiting: { memberId: number; hash: Buffer },
  client: Client,
): Promise<SignedIn> {
  const attempt = deps.signInLimits.passkey(client.address);
  const signedIn = await refusalsAudited(deps, client.address, async () => {
    const checked = await checkUsed(deps, site, { holder: awaiting.hash, memberId: awaiting.memberId }, text);
    return begin(deps, checked, 'after_password', { hash: awaiting.hash, isRequired: true }, client);
  });
  attempt.giveBack();
  return signedIn;
}

async function begin(
  deps: SignInDeps,
  { passkey, counter }: CheckedUse,
  use: PasskeyUse,
  before: { hash: Buffer; isRequired: boolean } | null,
  client: Client,
): Promise<SignedIn> {
  const { pool, clock } = deps;
  const member = await readMember(pool, passkey.memberId);
  if (member === null) throw new PasskeyRefused('unknown');
  // A sign-in that waits for the second step may have begun at a provider.
  if (use === 'alone') await refuseClosed(pool, member);
  const outcome = await transaction(pool, async (db) => {
    // The row is locked as in signIn: a new password that is set meanwhile ends this session, or the passkey needs it.
    await db.query('SELECT FROM member WHERE id = $1 FOR NO KEY UPDATE', [member.id]);
    const recorded = await recordUse(db, clock, { id: passkey.id, counter, use });
    if (recorded !== 'used') return recorded;
    const details = { passkey: passkey.name };
    return beginSession(db, clock, { member, before, client, code: 'given', details });
  });
  // The waiting session has ended meanwhile.
  if (outcome === null) throw new PasskeyRefused('expired', passkey);
  if (typeof outcome === 'object') return outcome;
  throw new PasskeyRefused(outcome === 'removed' ? 'unknown' : outcome, passkey);
}

/** Writes an entry to the audit log if a known passkey is refused. */
export async function refusalsAudited<T>(
  { pool, clock }: Pick<MemberDeps, 'pool' | 'clock'>,
  address: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const passkey = error instanceof PasskeyRefused ? error.passkey : null;
    const member = passkey === null ? null : await readMember(pool, passkey.memberId);
    if (member !== null)
      await audit(pool, clock, {
        accountId: member.accountId,
        actor: { name: member.email, address },
        action: 'member.passkey_refused',
        target: `passkey ${passkey!.id}`,
        details: { name: passkey!.name, reason: (error as PasskeyRefused).reason },
      });
    throw error;
  }
}
