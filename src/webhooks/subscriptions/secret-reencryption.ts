/**
 * Re-encrypts all stored secrets, not only those for webhooks, with the first key. The dispatcher does this when it
 * starts, and regularly after that.
 */
import { BROWSER_SECRETS, MEMBER_SECRETS, PUSH_KEY_SECRETS } from '../../accounts/credentials/index.ts';
import { countOlderSecrets, type Reencrypted, reencryptColumns, type SecretColumn } from '../../accounts/index.ts';
import { SINGLE_SIGN_ON_SECRETS } from '../../accounts/single-sign-on/index.ts';
import type { Queryable } from '../../db/postgres.ts';
import { FEED_TOKEN_SECRETS } from '../../feed/feed-tokens.ts';

const webhookColumn = (
  column: 'secret' | 'previous_secret' | 'secret_headers' | 'destination_secret',
): SecretColumn => ({
  name: 'webhook',
  async read(db, prefix) {
    const { rows } = await db.query<{ id: number; stored: string }>(
      `SELECT id, ${column} AS stored FROM webhook_subscription
       WHERE ended_at IS NULL AND ${column} IS NOT NULL AND NOT starts_with(${column}, $1) ORDER BY id`,
      [prefix],
    );
    return rows;
  },
  async replace(db, id, stored, replacement) {
    const { rowCount } = await db.query(
      `UPDATE webhook_subscription SET ${column} = $3 WHERE id = $1 AND ${column} = $2`,
      [id, stored, replacement],
    );
    return rowCount === 1;
  },
});

/**
 * The current secret's column comes first. If a rotation then moves the secret to the other column, it is processed
 * there.
 */
const COLUMNS = [
  webhookColumn('secret'),
  webhookColumn('previous_secret'),
  webhookColumn('secret_headers'),
  webhookColumn('destination_secret'),
  ...MEMBER_SECRETS,
  BROWSER_SECRETS,
  PUSH_KEY_SECRETS,
  FEED_TOKEN_SECRETS,
  ...SINGLE_SIGN_ON_SECRETS,
];

/** @see reencryptColumns */
export const reencryptSecrets = (db: Queryable, secretKeys: readonly string[]): Promise<Reencrypted> =>
  reencryptColumns(db, COLUMNS, secretKeys);

/** @returns the number of secrets that are not encrypted with the first key */
export const countOlderKeys = (db: Queryable, secretKeys: readonly string[]): Promise<number> =>
  countOlderSecrets(db, COLUMNS, secretKeys);
