/** Secrets that an older key of SECRET_KEY has sealed are sealed anew with the first one, so that the older key can be dropped. */
import type { Queryable } from '../db/postgres.ts';
import { openSecret, sealedWith, sealSecret } from './secret.ts';

/** $1: what a secret that the first key has sealed begins with. */
const isOlder = (column: string) => `ended_at IS NULL AND NOT starts_with(${column}, $1)`;

export interface Resealed {
  /** Secrets that the first key has sealed now. */
  count: number;
  /** Subscriptions with a secret that none of the keys opens. */
  closed: number[];
}

/** May run in several processes at a time, and while secrets are rotated: what has changed since it was read is left alone. */
export async function resealSecrets(db: Queryable, secretKeys: readonly string[]): Promise<Resealed> {
  let count = 0;
  const closed = new Set<number>();
  // In this order: a rotation in between makes the secret the previous one.
  for (const column of ['secret', 'previous_secret']) {
    const { rows } = await db.query<{ id: number; sealed: string }>(
      `SELECT id, ${column} AS sealed FROM webhook_subscription WHERE ${isOlder(column)} ORDER BY id`,
      [sealedWith(secretKeys)],
    );
    for (const { id, sealed } of rows) {
      let secret: string;
      try {
        secret = openSecret(sealed, secretKeys);
      } catch {
        closed.add(id);
        continue;
      }
      const { rowCount } = await db.query(
        `UPDATE webhook_subscription SET ${column} = $3 WHERE id = $1 AND ${column} = $2`,
        [id, sealed, sealSecret(secret, secretKeys)],
      );
      count += rowCount!;
    }
  }
  return { count, closed: [...closed] };
}

/** @returns how many subscriptions have a secret that the first key has not sealed */
export async function sealedWithOlderKeys(db: Queryable, secretKeys: readonly string[]): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM webhook_subscription WHERE ${isOlder('secret')} OR ${isOlder('previous_secret')}`,
    [sealedWith(secretKeys)],
  );
  return rows[0]!.count;
}
