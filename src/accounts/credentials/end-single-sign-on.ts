/** Removes an organisation's single sign-on, because somebody else may have set it up. */
import type { Queryable } from '../../db/postgres.ts';
import type { Clock } from '../../runtime/clock.ts';
import { type Actor, audit } from '../audit.ts';
import { dropIdentities } from './identities.ts';
import { dropBrowserOfSession } from './push-browsers.ts';

/**
 * Removes the settings with the verified domains, the sign-ins that have begun there, and the sessions that began there. The audit
 * entry has what an owner needs to set it up again.
 * @returns 0 if the organisation has no single sign-on, otherwise 1
 */
export async function endSingleSignOn(
  db: Queryable,
  clock: Clock,
  { accountId, actor }: { accountId: number; actor: Actor },
): Promise<number> {
  const { rows } = await db.query<{ issuer: string; client_id: string; domains: string[] }>(
    `DELETE FROM single_sign_on o WHERE o.account_id = $1 RETURNING o.issuer, o.client_id,
       ARRAY(SELECT d.domain FROM single_sign_on_domain d WHERE d.account_id = o.account_id ORDER BY d.domain) AS domains`,
    [accountId],
  );
  const removed = rows[0];
  if (removed === undefined) return 0;
  await db.query('DELETE FROM sign_in_attempt WHERE account_id = $1', [accountId]);
  const { rows: sessions } = await db.query<{ hash: Buffer }>(
    'DELETE FROM member_session WHERE provider_account_id = $1 RETURNING hash',
    [accountId],
  );
  for (const { hash } of sessions) await dropBrowserOfSession(db, hash);
  await audit(db, clock, { accountId, actor, action: 'single_sign_on.removed', details: removed });
  return 1;
}

/**
 * Unlinks every person of the organisation from all providers. Otherwise somebody who had linked a person to a provider of their own
 * could sign in as this person through another organisation.
 * @returns how many links there were
 */
export async function dropIdentitiesOfAccount(db: Queryable, accountId: number): Promise<number> {
  const { rows } = await db.query<{ id: number }>('SELECT member_id AS id FROM membership WHERE account_id = $1', [
    accountId,
  ]);
  return dropIdentities(
    db,
    rows.map(({ id }) => id),
  );
}
