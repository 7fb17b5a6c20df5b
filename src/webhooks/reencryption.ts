/** Secrets that are encrypted with an older key of SECRET_KEY are re-encrypted with the first key, so that the older one can be dropped. */

import { decryptSecret, encryptSecret, storedPrefix } from '../accounts/stored-secret.ts';
import type { Queryable } from '../db/postgres.ts';

/** $1: the prefix of a secret that is encrypted with the first key. */
const hasOlderKey = (column: string) => `ended_at IS NULL AND NOT starts_with(${column}, $1)`;

export interface Reencrypted {
  /** Secrets that are re-encrypted now. */
  count: number;
  /** Subscriptions with a secret that no key decrypts. */
  undecryptable: number[];
}

/** May run in several processes at a time, and while secrets are rotated: a secret that has changed since it was read is left as it is. */
export async function reencryptSecrets(db: Queryable, secretKeys: readonly string[]): Promise<Reencrypted> {
  let count = 0;
  const undecryptable = new Set<number>();
  // In this order: a rotation in between makes the secret the previous one.
  for (const column of ['secret', 'previous_secret']) {
    const { rows } = await db.query<{ id: number; stored: string }>(
      `SELECT id, ${column} AS stored FROM webhook_subscription WHERE ${hasOlderKey(column)} ORDER BY id`,
      [storedPrefix(secretKeys)],
    );
    for (const { id, stored } of rows) {
      let secret: string;
      try {
        secret = decryptSecret(stored, secretKeys);
      } catch {
        undecryptable.add(id);
        continue;
      }
      const { rowCount } = await db.query(
        `UPDATE webhook_subscription SET ${column} = $3 WHERE id = $1 AND ${column} = $2`,
        [id, stored, encryptSecret(secret, secretKeys)],
      );
      count += rowCount!;
    }
  }
  return { count, undecryptable: [...undecryptable] };
}

/** @returns how many subscriptions have a secret that is not encrypted with the first key */
export async function countOlderKeys(db: Queryable, secretKeys: readonly string[]): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM webhook_subscription WHERE ${hasOlderKey('secret')} OR ${hasOlderKey('previous_secret')}`,
    [storedPrefix(secretKeys)],
  );
  return rows[0]!.count;
}
