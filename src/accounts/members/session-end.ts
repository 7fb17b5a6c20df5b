import { type PoolAndClock, transaction } from '../../db/postgres.ts';
import type { MemberPrincipal } from '../../http/index.ts';
import { type Actor, audit } from '../audit.ts';
import { endCredentials } from '../credentials/credentials.ts';
import { endSessionById } from '../credentials/sessions.ts';
import { deviceName } from './user-agent.ts';

/**
 * Ends one session if it belongs to the given member, or acts for the given account. Operators give neither, and may end any session.
 * @returns the hash of the session token
 * @throws {Problem} not_found, also for another member's session
 */
export function endOneSession(
  { pool, clock }: PoolAndClock,
  owner: { accountId?: number; memberId?: number },
  id: number,
  actor: Actor,
): Promise<Buffer> {
  return transaction(pool, async (db) => {
    const { hash, address, agent, accountId } = await endSessionById(db, owner, id);
    const details = { device: deviceName(agent), address };
    await audit(db, clock, { accountId, actor, action: 'member.session_ended', target: `session ${id}`, details });
    return hash;
  });
}

/** Ends all of a member's sessions, or all except the current one. */
export async function endOwnSessions(
  { pool, clock }: PoolAndClock,
  { memberId, accountId, sessionHash }: MemberPrincipal,
  which: 'all' | 'others',
  actor: Actor,
): Promise<void> {
  await transaction(pool, async (db) => {
    const ended = await endCredentials(db, clock, 'signed_out', {
      accountId,
      memberId,
      actor,
      ...(which === 'others' && { keptSession: sessionHash }),
    });
    const sessions = ended.get('session');
    const action = which === 'others' ? 'member.other_sessions_ended' : 'member.signed_out_everywhere';
    await audit(db, clock, { accountId, actor, action, details: { sessions } });
  });
}

/** Ends all sessions that act for an account. */
export async function endSessionsOfAccount(
  { pool, clock }: PoolAndClock,
  accountId: number,
  actor: Actor,
): Promise<void> {
  await transaction(pool, async (db) => {
    const ended = await endCredentials(db, clock, 'signed_out', { accountId, actor });
    const sessions = ended.get('session');
    await audit(db, clock, { accountId, actor, action: 'member.sessions_ended', details: { sessions } });
  });
}
