/** Operators of this service: members who may use the pages under `/operator`. */
import type pg from 'pg';
import { firstRow, transaction } from '../../db/postgres.ts';
import { Problem } from '../../http/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import { lockAccount } from '../accounts.ts';
import { audit, OPERATOR } from '../audit.ts';
import { normalEmail } from '../email-address.ts';
import { readMember } from './members.ts';

/**
 * Grants or removes the operator role. The change applies from the next request on.
 * @param email the member's email
 * @returns how many operators there are afterwards
 * @throws {Problem} not_found for an unknown account; conflict if the account has no member yet
 */
export async function setOperator(pool: pg.Pool, clock: Clock, email: string, isOperator: boolean): Promise<number> {
  return transaction(pool, async (db) => {
    const member = await readMember(db, email);
    // Answers not_found if there is no such account, either.
    if (member === null) await lockAccount(db, email);
    const { rows: changed } = await db.query<{ was: boolean }>(
      `UPDATE member m SET operator_since = CASE WHEN $2 THEN coalesce(m.operator_since, $3) END
       FROM (SELECT id, operator_since IS NOT NULL AS was FROM member WHERE lower(email) = $1 FOR UPDATE) b
       WHERE m.id = b.id RETURNING b.was`,
      [normalEmail(email), isOperator, new Date(clock.now())],
    );
    if (member === null || changed[0] === undefined)
      throw new Problem(
        'conflict',
        `nobody can sign in as ${email} yet: set a password with the link that \`touchline account reset ${email}\` prints`,
      );
    if (changed[0].was !== isOperator) {
      const action = isOperator ? 'member.operator_granted' : 'member.operator_revoked';
      await audit(db, clock, { accountId: member.accountId, actor: OPERATOR, action, details: { member: email } });
    }
    const { rows } = await db.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM member WHERE operator_since IS NOT NULL',
    );
    return firstRow(rows).count;
  });
}
