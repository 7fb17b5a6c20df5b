/**
 * The secret of a subscription: its form, and its encryption at rest. Stored as `v1.<key id>.<base64url of nonce, ciphertext, tag>`,
 * AES-256-GCM with a key that is derived from SECRET_KEY; of a list of keys the first encrypts and all decrypt.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { invalidParameter } from '../http/errors.ts';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;
/** The lengths that the Standard Webhooks specification allows for a secret from elsewhere. */
const MIN_BYTES = 24;
const MAX_BYTES = 64;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const PURPOSE = 'touchline webhook secret';

export const generateSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** The bytes that Standard Webhooks signs with. */
export const secretBytes = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), 'base64');

/** @throws {Problem} invalid_parameter; its text does not contain the secret */
export function checkSecret(secret: string): void {
  const bytes = secretBytes(secret);
  const wellFormed = secret.startsWith(PREFIX) && bytes.toString('base64') === secret.slice(PREFIX.length);
  if (wellFormed && bytes.length >= MIN_BYTES && bytes.length <= MAX_BYTES) return;
  throw invalidParameter(
    'secret',
    'invalid_secret',
    `must be ${PREFIX} and base64 of ${MIN_BYTES} to ${MAX_BYTES} bytes`,
  );
}

export const keyIdOf = (secretKey: string): string =>
  createHash('sha256').update(`${PURPOSE} id:${secretKey}`).digest('hex').slice(0, 8);

const keyOf = (secretKey: string) => Buffer.from(hkdfSync('sha256', secretKey, '', PURPOSE, 32));

function encryptionKey([secretKey]: readonly string[]): string {
  if (secretKey === undefined) throw new Error('SECRET_KEY is required to store webhook secrets');
  return secretKey;
}

/** The prefix of a stored secret that is encrypted with the first key. @param secretKeys `config.secretKeys` */
export const storedPrefix = (secretKeys: readonly string[]): string => `v1.${keyIdOf(encryptionKey(secretKeys))}.`;

/** @param secretKeys `config.secretKeys` */
export function encryptSecret(secret: string, secretKeys: readonly string[]): string {
  const secretKey = encryptionKey(secretKeys);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyOf(secretKey), nonce);
  const encrypted = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return storedPrefix(secretKeys) + encrypted.toString('base64url');
}

/** @throws when it is encrypted with a key that is not in the list, or was altered */
export function decryptSecret(stored: string, secretKeys: readonly string[]): string {
  const [version, keyId, text] = stored.split('.');
  const secretKey = secretKeys.find((one) => keyIdOf(one) === keyId);
  if (version !== 'v1' || text === undefined) throw new Error('a webhook secret is stored in an unknown format');
  if (secretKey === undefined)
    throw new Error(`SECRET_KEY has no key ${keyId}, which a webhook secret is encrypted with`);
  const bytes = Buffer.from(text, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secretKey), bytes.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    throw new Error('a stored webhook secret is corrupted');
  }
}
