/** The keys that sign a subscription's deliveries, from the stored secrets. */
import { createSecretKey, type KeyObject } from 'node:crypto';
import { decryptSecret } from '../../accounts/index.ts';
import { ROTATION_OVERLAP_HOURS, secretBytes } from './secret.ts';

/** A secret, ready to sign. */
export interface SigningKey {
  /** The secret's text, which is the key in our scheme. */
  text: KeyObject;
  /** The bytes after the prefix, which are the key in Standard Webhooks. */
  bytes: KeyObject;
}

export const signingKey = (secret: string): SigningKey => ({
  text: createSecretKey(Buffer.from(secret, 'utf8')),
  bytes: createSecretKey(secretBytes(secret)),
});

/** A subscription's keys, which are the secret and, during the rotation overlap, the previous one. */
export class SigningKeys {
  readonly #keys: readonly SigningKey[];
  /** Milliseconds since 1970. */
  readonly #overlapEndsAt: number;

  /**
   * @param row encrypted secrets; `rotated_at` in milliseconds since 1970
   * @param from first time at which the keys are used; a previous secret whose overlap has ended by then is not
   * decrypted
   * @throws if a secret cannot be decrypted
   */
  constructor(
    row: { secret: string; previous_secret: string | null; rotated_at: number | null },
    secretKeys: readonly string[],
    from = 0,
  ) {
    this.#overlapEndsAt = (row.rotated_at ?? 0) + ROTATION_OVERLAP_HOURS * 3_600_000;
    const previous = row.previous_secret !== null && from < this.#overlapEndsAt ? [row.previous_secret] : [];
    this.#keys = [row.secret, ...previous].map((text) => signingKey(decryptSecret(text, secretKeys)));
  }

  /** @returns the keys that sign at this time, the current one first */
  at(now: number): readonly SigningKey[] {
    return now < this.#overlapEndsAt ? this.#keys : this.#keys.slice(0, 1);
  }
}
