/** Asks a signed-in member for the password or the second factor again, before an important change. */
import { transaction } from '../../db/postgres.ts';
import { invalidParameter } from '../../http/index.ts';
import { type AuditEntry, audit } from '../audit.ts';
import type { AuditAction } from '../audit-actions.ts';
import { checkUsed, PasskeyRefused } from '../credentials/passkey-answers.ts';
import { recordUse } from '../credentials/passkeys.ts';
import { takeCode } from '../credentials/second-factor.ts';
import { confirmSession } from '../credentials/sessions.ts';
import { confirmPassword, type MemberDeps, type SignedInMember } from './members.ts';
import { type PasskeyAnswer, refusalsAudited } from './passkey-sign-in.ts';

/** The member gives one of these. The other texts are empty. */
export interface Proof {
  password: string;
  /** An app code or a recovery code. */
  code: string;
  passkey: PasskeyAnswer;
}

/**
 * Checks the proof, and records in the session that it was given now. A code or a passkey counts for more than a password, see
 * confirmSession.
 * @throws {Problem} invalid_parameter if it is wrong, was used before, or is missing; key_invalid for a wrong passkey;
 *   rate_limited; unavailable
 */
export async function proveAgain(deps: MemberDeps, member: SignedInMember, proof: Proof): Promise<void> {
  const { password, code, passkey } = proof;
  if (passkey.text !== '') return proveByPasskey(deps, member, passkey);
  if (code !== '') return proveByCode(deps, member, code);
  if (password === '') throw invalidParameter('password', 'missing', 'is required');
  await confirmPassword(deps, member, password);
  await transaction(deps.pool, async (db) => {
    await confirmSession(db, deps.clock, member.sessionHash, 'password');
    await audit(db, deps.clock, entryFor(member, 'member.password_confirmed'));
  });
}

const entryFor = (
  { accountId, email, address }: SignedInMember,
  action: AuditAction,
  details: AuditEntry['details'] = {},
): AuditEntry => ({ accountId, actor: { name: email, address }, action, details });

async function proveByCode(deps: MemberDeps, member: SignedInMember, code: string): Promise<void> {
  const { pool, clock, signInLimits } = deps;
  const { memberId, sessionHash, address } = member;
  const attempt = signInLimits.code(memberId, code, address);
  const taken = await transaction(pool, async (db) => {
    const kind = await takeCode(db, deps, memberId, code);
    if (kind === null) return null;
    await confirmSession(db, clock, sessionHash, 'factor');
    await audit(db, clock, entryFor(member, 'member.code_confirmed', { code: kind }));
    return kind;
  });
  if (taken === null) {
    await audit(pool, clock, entryFor(member, 'member.code_failed'));
    throw invalidParameter('code', 'invalid_code', 'is wrong or has already been used');
  }
  attempt.giveBack();
}

async function proveByPasskey(deps: MemberDeps, member: SignedInMember, { site, text }: PasskeyAnswer): Promise<void> {
  const { pool, clock, signInLimits } = deps;
  const { memberId, sessionHash, address } = member;
  const attempt = signInLimits.passkey(address);
  await refusalsAudited(deps, address, async () => {
    const { passkey, counter } = await checkUsed(deps, site, { holder: sessionHash, memberId }, text);
    const outcome = await transaction(pool, async (db) => {
      const recorded = await recordUse(db, clock, { id: passkey.id, counter, use: 'in_session' });
      if (recorded !== 'used') return recorded;
      await confirmSession(db, clock, sessionHash, 'factor');
      await audit(db, clock, entryFor(member, 'member.passkey_confirmed', { name: passkey.name }));
      return recorded;
    });
    if (outcome !== 'used') throw new PasskeyRefused(outcome === 'removed' ? 'unknown' : outcome, passkey);
  });
  attempt.giveBack();
}
