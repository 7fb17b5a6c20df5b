/** Password reset links that an operator hands out. */
import type pg from 'pg';
import { firstRow, type Queryable, transaction } from '../../db/postgres.ts';
import type { Lang } from '../../http/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import { lockAccount, refuseOperator } from '../accounts.ts';
import { type Actor, audit } from '../audit.ts';
import { endCredentials } from '../credentials/credentials.ts';
import { createLink } from '../credentials/one-time-links.ts';
import { HAS_SECOND_FACTOR } from '../credentials/second-factor.ts';
import { addressAccount } from './members.ts';

/**
 * Options for access that ends as soon as the link is created. Each option also removes the password and signs the member out everywhere.
 * Without options, nothing ends until the link is used, and even then the second factor and the keys stay.
 */
export interface ResetScope {
  /** Removes the second factor. */
  secondFactor: boolean;
  /** Revokes all keys, pauses webhooks, and removes single sign-on. */
  keys: boolean;
}

/** Access that a former user of the account still has after a new password has been set. */
export interface Leftovers {
  hasSecondFactor: boolean;
  /** Usable keys. */
  keys: number;
  /** Webhooks that are not paused, except those from custom resources. */
  webhooks: number;
  /** Whether the organisation has single sign-on. */
  hasSingleSignOn: boolean;
}

export async function readLeftovers(db: Queryable, clock: Clock, accountId: number): Promise<Leftovers> {
  const { rows } = await db.query<Leftovers>(
    `SELECT EXISTS (SELECT FROM membership b JOIN member m ON m.id = b.member_id
         WHERE b.account_id = $1 AND b.role = 'owner' AND ${HAS_SECOND_FACTOR}) AS "hasSecondFactor",
       (SELECT count(*)::int FROM api_key WHERE account_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)) AS keys,
       (SELECT count(*)::int FROM webhook_subscription WHERE account_id = $1 AND ended_at IS NULL AND managed_uid IS NULL AND NOT paused) AS webhooks,
       EXISTS (SELECT FROM single_sign_on WHERE account_id = $1) AS "hasSingleSignOn"`,
    [accountId, new Date(clock.now())],
  );
  return firstRow(rows);
}

/** @returns `a second factor, 2 keys and 1 webhook`; null if nothing is left */
export function leftoversText(
  { hasSecondFactor, keys, webhooks, hasSingleSignOn }: Leftovers,
  lang: Lang = 'en',
): string | null {
  if (lang === 'ru') {
    const list = [
      hasSecondFactor && 'второй фактор',
      keys > 0 && `ключи (${keys})`,
      webhooks > 0 && `вебхуки (${webhooks})`,
      hasSingleSignOn && 'единый вход',
    ];
    return list.filter(Boolean).join(', ') || null;
  }
  const count = (number: number, noun: string) => number > 0 && `${number} ${noun}${number === 1 ? '' : 's'}`;
  const parts = [
    hasSecondFactor && 'a second factor',
    count(keys, 'key'),
    count(webhooks, 'webhook'),
    hasSingleSignOn && 'single sign-on',
  ].filter(Boolean);
  if (parts.length === 0) return null;
  return [parts.slice(0, -1).join(', '), parts.at(-1)].filter(Boolean).join(' and ');
}

/** Returns the owner for whom an operator creates a link: the one with the account's address, otherwise the first one. */
async function findFirstOwner(db: Queryable, accountId: number): Promise<{ id: number; email: string } | null> {
  const { rows } = await db.query<{ id: number; email: string }>(
    `SELECT m.id, m.email FROM membership b JOIN member m ON m.id = b.member_id JOIN account a ON a.id = b.account_id
     WHERE a.id = $1 AND b.role = 'owner' ORDER BY lower(m.email) <> lower(a.email), b.created_at, m.id LIMIT 1`,
    [accountId],
  );
  return rows[0] ?? null;
}

/**
 * @param by the account's email or id
 * @returns the owner's email, which is the account's as long as it has no member, the token for a link that works once within an hour, and the access that is left
 * @throws {Problem} not_found; conflict for an operator's account, except on the command line
 */
export function createResetLink(
  pool: pg.Pool,
  clock: Clock,
  by: number | string,
  scope: ResetScope,
  actor: Actor,
): Promise<{ email: string; token: string; leftovers: Leftovers }> {
  return transaction(pool, async (db) => {
    const account = await lockAccount(db, by);
    refuseOperator(account, actor);
    const { id: accountId } = account;
    const owner = await findFirstOwner(db, accountId);
    const ending = { accountId, actor, ...(owner !== null && { memberId: owner.id }) };
    if (scope.secondFactor) await endCredentials(db, clock, 'factor_lost', ending);
    if (scope.keys) await endCredentials(db, clock, 'reset_with_keys', ending);
    // Otherwise someone who knows the old password could sign in again before the link is used.
    if ((scope.secondFactor || scope.keys) && owner !== null)
      await db.query('UPDATE member SET password = NULL WHERE id = $1', [owner.id]);
    const token = await createLink(db, clock, 'reset', {
      memberId: owner?.id ?? null,
      accountId: owner === null ? accountId : await addressAccount(db, owner.id),
      email: null,
      plan: null,
    });
    const details = { second_factor_removed: scope.secondFactor, ...(scope.keys && { keys_revoked: true }) };
    await audit(db, clock, { accountId, actor, action: 'member.reset_link_created', details });
    return { email: owner?.email ?? account.email, token, leftovers: await readLeftovers(db, clock, accountId) };
  });
}
