/** Password reset links that an operator hands out. */
import type pg from 'pg';
import { transaction } from '../../db/postgres.ts';
import { lockAccount, refuseOperator } from '../accounts.ts';
import { type Actor, audit } from '../audit.ts';
import { createLink } from './links.ts';
import { readMember } from './members.ts';
import { removeSecondFactor } from './second-factor.ts';
import { endSessions } from './sessions.ts';

/**
 * @param by the account's email or its id
 * @param removesSecondFactor also signs the member out everywhere
 * @returns the email of the account, and the token of a link that works once and for an hour
 * @throws {Problem} not_found; conflict for the account of an operator, except on the command line
 */
export function createResetLink(
  pool: pg.Pool,
  clock: { now(): number },
  by: number | string,
  removesSecondFactor: boolean,
  actor: Actor,
): Promise<{ email: string; token: string }> {
  return transaction(pool, async (db) => {
    const account = await lockAccount(db, by);
    refuseOperator(account, actor);
    const { id: accountId, email } = account;
    const member = await readMember(db, email);
    if (removesSecondFactor && member !== null) {
      await removeSecondFactor(db, member.id);
      await endSessions(db, member.id);
    }
    const token = await createLink(db, clock, 'reset', { accountId, email: null, plan: null });
    const details = { second_factor_removed: removesSecondFactor };
    await audit(db, clock, { accountId, actor, action: 'member.reset_link_created', details });
    return { email, token };
  });
}
