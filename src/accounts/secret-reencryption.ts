/** Re-encrypts stored secrets with the first SECRET_KEY entry, so that older entries can be removed. */
import type { Queryable } from '../db/postgres.ts';
import { decryptSecret, encryptSecret, storedPrefix } from './stored-secret.ts';

/** A column with encrypted secrets, and how to read and write it. */
export interface SecretColumn {
  /** The kind of row that has the secret, such as `webhook`. */
  name: string;
  /** Returns the rows whose secret does not begin with the prefix, by id. */
  read(db: Queryable, prefix: string): Promise<{ id: number; stored: string }[]>;
  /** Replaces a secret, unless it has changed since it was read. @returns whether it was replaced */
  replace(db: Queryable, id: number, stored: string, replacement: string): Promise<boolean>;
}

export interface Reencrypted {
  /** How many secrets were re-encrypted. */
  count: number;
  /** The rows whose secret cannot be decrypted by any key, such as `webhook 12`, `member 3`, `feed token 4`. */
  undecryptable: string[];
}

/**
 * Re-encrypts all secrets in these columns. Several processes may do so at the same time, also during a rotation. A
 * secret that has changed since it was read is left unchanged.
 */
export async function reencryptColumns(
  db: Queryable,
  columns: readonly SecretColumn[],
  secretKeys: readonly string[],
): Promise<Reencrypted> {
  let count = 0;
  const undecryptable = new Set<string>();
  for (const { name, read, replace } of columns)
    for (const { id, stored } of await read(db, storedPrefix(secretKeys))) {
      let secret: string;
      try {
        secret = decryptSecret(stored, secretKeys);
      } catch {
        undecryptable.add(`${name} ${id}`);
        continue;
      }
      if (await replace(db, id, stored, encryptSecret(secret, secretKeys))) count += 1;
    }
  return { count, undecryptable: [...undecryptable] };
}

/** @returns the number of secrets that are not encrypted with the first key */
export async function countOlderSecrets(
  db: Queryable,
  columns: readonly SecretColumn[],
  secretKeys: readonly string[],
): Promise<number> {
  let count = 0;
  for (const { read } of columns) count += (await read(db, storedPrefix(secretKeys))).length;
  return count;
}
