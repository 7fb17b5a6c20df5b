/** Asks a signed-in member for the password or the second factor again, before an important change. */
import { transaction } from '../../db/postgres.ts';
import { invalidParameter } from '../../http/index.ts';
import { type AuditEntry, audit } from '../audit.ts';
import type { AuditAction } from '../audit-actions.ts';
import { takeCode } from '../credentials/second-factor.ts';
import { confirmSession } from '../credentials/sessions.ts';
import { confirmPassword, type MemberDeps, type SignedInMember } from './members.ts';

/** What the member gives. Empty texts count as missing. */
export interface Proof {
  password: string;
  /** An app code or a recovery code. */
  code: string;
}

/**
 * Checks what the member gives, and records in the session that it was given now. A code counts for more than a password,
 * see confirmSession.
 * @throws {Problem} invalid_parameter if it is wrong, was used before, or is missing; rate_limited; unavailable
 */
export async function proveAgain(deps: MemberDeps, member: SignedInMember, { password, code }: Proof): Promise<void> {
  if (code !== '') return proveByCode(deps, member, code);
  if (password === '') throw invalidParameter('password', 'missing', 'is required');
  await confirmPassword(deps, member, password);
  await transaction(deps.pool, async (db) => {
    await confirmSession(db, deps.clock, member.sessionHash, 'password');
    await audit(db, deps.clock, entryOf(member, 'member.password_confirmed'));
  });
}

const entryOf = (
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
    await audit(db, clock, entryOf(member, 'member.code_confirmed', { code: kind }));
    return kind;
  });
  if (taken === null) {
    await audit(pool, clock, entryOf(member, 'member.code_failed'));
    throw invalidParameter('code', 'invalid_code', 'is wrong or has already been used');
  }
  attempt.giveBack();
}
