import { type PoolAndClock, type Queryable, transaction } from '../../db/postgres.ts';
import { Problem } from '../../http/index.ts';
import { createSecret } from '../../wire/secret-formats.ts';
import { type Actor, audit } from '../audit.ts';
import { TOKEN_FORMAT, tokenHash } from './member-tokens.ts';

interface Owner {
  memberId: number;
  accountId: number;
}

/**
 * Creates a token for the member. An earlier token becomes invalid at once.
 * @returns the token, which cannot be shown again
 */
export function renewCalendarToken({ pool, clock }: PoolAndClock, { memberId, accountId }: Owner, actor: Actor) {
  const token = createSecret('calendar_token');
  return transaction(pool, async (db) => {
    await db.query(
      `INSERT INTO calendar_token (member_id, hash, created_at) VALUES ($1, $2, $3)
       ON CONFLICT (member_id) DO UPDATE SET hash = excluded.hash, created_at = excluded.created_at`,
      [memberId, tokenHash(token), new Date(clock.now())],
    );
    await audit(db, clock, { accountId, actor, action: 'member.calendar_address_created' });
    return token;
  });
}

/** @returns whether the member had a token */
export function revokeCalendarToken({ pool, clock }: PoolAndClock, { memberId, accountId }: Owner, actor: Actor) {
  return transaction(pool, async (db) => {
    if ((await dropCalendarTokens(db, [memberId])) === 0) return false;
    await audit(db, clock, { accountId, actor, action: 'member.calendar_address_revoked' });
    return true;
  });
}

/** Revokes and counts members' tokens. */
export async function dropCalendarTokens(db: Queryable, memberIds: readonly number[]): Promise<number> {
  const { rowCount } = await db.query('DELETE FROM calendar_token WHERE member_id = ANY ($1)', [memberIds]);
  return rowCount ?? 0;
}

/** Returns when the member's token was created. Null if there is none. */
export async function calendarTokenSince(db: Queryable, memberId: number): Promise<Date | null> {
  const { rows } = await db.query<{ created_at: Date }>('SELECT created_at FROM calendar_token WHERE member_id = $1', [
    memberId,
  ]);
  return rows[0]?.created_at ?? null;
}

const CHALLENGE = { 'WWW-Authenticate': 'Token realm="touchline calendars", query="token"' };

/**
 * Finds the member to whom a token belongs.
 * @throws {Problem} key_missing, key_invalid (also if the token was revoked or the account deleted), key_not_permitted
 */
export async function findCalendarMember(db: Queryable, token: string | undefined): Promise<number> {
  if (token === undefined || token === '') {
    const advice = 'Add the token of a member to the address, as ?token=…; /account/calendar creates one.';
    throw new Problem('key_missing', advice, { headers: CHALLENGE });
  }
  const { rows } = TOKEN_FORMAT.test(token)
    ? await db.query<{ id: number; suspended: boolean }>({
        name: 'calendar token',
        text: `SELECT c.member_id AS id, NOT EXISTS (SELECT FROM membership b JOIN account a ON a.id = b.account_id
            WHERE b.member_id = c.member_id AND a.suspended_at IS NULL) AS suspended
          FROM calendar_token c WHERE c.hash = $1`,
        values: [tokenHash(token)],
      })
    : { rows: [] };
  const [found] = rows;
  if (found === undefined) {
    const advice = 'The token is unknown, or was revoked or replaced. /account/calendar shows how to get a new one.';
    throw new Problem('key_invalid', advice, { headers: CHALLENGE });
  }
  if (found.suspended) {
    throw new Problem(
      'key_not_permitted',
      'The account is suspended. The owner of the account can ask the operator of this service.',
    );
  }
  return found.id;
}
