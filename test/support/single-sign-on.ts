import type pg from 'pg';
import { encryptSecret } from '../../src/accounts/stored-secret.ts';
import type { Clock } from '../../src/runtime/clock.ts';

/** Stores single sign-on with a domain, unless it is there. */
export async function storeSingleSignOn(
  { pool, clock, config }: { pool: pg.Pool; clock: Clock; config: { secretKeys: readonly string[] } },
  accountId: number,
  clientId: string,
  domain: string,
): Promise<void> {
  const now = new Date(clock.now());
  await pool.query(
    `INSERT INTO single_sign_on (account_id, issuer, client_id, client_secret, groups_claim, default_role, group_roles, required, changed_at)
     VALUES ($1, 'https://login.example.com', $2, $3, 'groups', 'viewer', '[]', false, $4) ON CONFLICT (account_id) DO NOTHING`,
    [accountId, clientId, encryptSecret('client secret', config.secretKeys), now],
  );
  await pool.query(
    'INSERT INTO single_sign_on_domain (account_id, domain, proof, verified_at, checked_at) VALUES ($1, $2, $3, $4, $4) ON CONFLICT (account_id, domain) DO NOTHING',
    [accountId, domain, '00112233445566778899aabbccddeeff', now],
  );
}
