/** The keys that sign a subscription's deliveries, from the stored secrets. */
import { createSecretKey, type KeyObject } from 'node:crypto';
import { decryptSecret } from '../../accounts/index.ts';
import { ROTATION_OVERLAP_HOURS, secretBytes } from './secret.ts';

/** One secret as keys that are ready to sign. */
export interface SigningKey {
  /** The secret's whole text, which our own signature uses as the key. */
  text: KeyObject;
  /** The bytes after the prefix, which the Standard Webhooks signature uses as the key. */
  bytes: KeyObject;
}

export const signingKey = (secret: string): SigningKey => ({
  text: createSecretKey(Buffer.from(secret, 'utf8')),
  bytes: createSecretKey(secretBytes(secret)),
});

/** A subscription's keys. They are made from the secret and, during the rotation overlap, also from the previous secret. */
export class SigningKeys {
  readonly #keys: readonly SigningKey[];
  /** When the rotation overlap ends, in milliseconds since 1970. */
  readonly #overlapEndsAt: number;

  /**
   * @param row encrypted secrets; `rotated_at` in milliseconds since 1970
   * @param from first time at which the keys are used. If the overlap has ended by then, the previous secret is not
   * decrypted.
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
