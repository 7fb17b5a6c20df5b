/**
 * Re-encrypts secrets that are encrypted with an older key of SECRET_KEY with the first key, so that the older one can
 * be dropped.
 */
import { decryptSecret, encryptSecret, storedPrefix } from '../../accounts/index.ts';
import type { Queryable } from '../../db/postgres.ts';
import { firstRow } from '../../db/postgres.ts';

/** Columns with secrets. Their order matters: a rotation between the first two makes the secret the previous one. */
const PLACES = [
  { table: 'webhook_subscription', column: 'secret', name: 'webhook', where: 'ended_at IS NULL' },
  { table: 'webhook_subscription', column: 'previous_secret', name: 'webhook', where: 'ended_at IS NULL' },
  { table: 'member', column: 'totp_secret', name: 'member', where: 'true' },
  { table: 'member', column: 'totp_pending', name: 'member', where: 'true' },
  { table: 'feed_token', column: 'secret', name: 'feed token', where: 'revoked_at IS NULL' },
] as const;

/** $1: the prefix of a secret that is encrypted with the first key. */
const hasOlderKey = ({ column, where }: (typeof PLACES)[number]) =>
  `${where} AND ${column} IS NOT NULL AND NOT starts_with(${column}, $1)`;

export interface Reencrypted {
  /** Number of re-encrypted secrets. */
  count: number;
  /** Owners of secrets that no key decrypts: `webhook 12`, `member 3`, `feed token 4`. */
  undecryptable: string[];
}

/**
 * Safe in several processes at a time, and during rotations: a secret that has changed since it was read is left
 * unchanged.
 */
export async function reencryptSecrets(db: Queryable, secretKeys: readonly string[]): Promise<Reencrypted> {
  let count = 0;
  const undecryptable = new Set<string>();
  for (const place of PLACES) {
    const { table, column, name } = place;
    const { rows } = await db.query<{ id: number; stored: string }>(
      `SELECT id, ${column} AS stored FROM ${table} WHERE ${hasOlderKey(place)} ORDER BY id`,
      [storedPrefix(secretKeys)],
    );
    for (const { id, stored } of rows) {
      let secret: string;
      try {
        secret = decryptSecret(stored, secretKeys);
      } catch {
        undecryptable.add(`${name} ${id}`);
        continue;
      }
      const { rowCount } = await db.query(`UPDATE ${table} SET ${column} = $3 WHERE id = $1 AND ${column} = $2`, [
        id,
        stored,
        encryptSecret(secret, secretKeys),
      ]);
      count += rowCount!;
    }
  }
  return { count, undecryptable: [...undecryptable] };
}

/** @returns the number of secrets that are not encrypted with the first key */
export async function countOlderKeys(db: Queryable, secretKeys: readonly string[]): Promise<number> {
  const counts = PLACES.map((place) => `(SELECT count(*) FROM ${place.table} WHERE ${hasOlderKey(place)})`);
  const { rows } = await db.query<{ count: number }>(`SELECT (${counts.join(' + ')})::int AS count`, [
    storedPrefix(secretKeys),
  ]);
  return firstRow(rows).count;
}
