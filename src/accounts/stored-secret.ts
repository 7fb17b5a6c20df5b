/**
 * Encryption at rest for the secrets that are needed in plain text: those of webhooks and second factors. Stored as
 * `v1.<key id>.<base64url of nonce, ciphertext, tag>`, AES-256-GCM with a key derived from SECRET_KEY. If SECRET_KEY
 * lists several keys, the first one encrypts and any of them decrypts.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Input to the key derivation. Changing this text would make stored secrets unreadable. */
const PURPOSE = 'touchline webhook secret';

export const secretKeyId = (secretKey: string): string =>
  createHash('sha256').update(`${PURPOSE} id:${secretKey}`).digest('hex').slice(0, 8);

const deriveKey = (secretKey: string) => Buffer.from(hkdfSync('sha256', secretKey, '', PURPOSE, 32));

function encryptionKey([secretKey]: readonly string[]): string {
  if (secretKey === undefined) throw new Error('SECRET_KEY is required to store secrets');
  return secretKey;
}

/** The prefix of a stored secret that is encrypted with the first key. @param secretKeys `config.secretKeys` */
export const storedPrefix = (secretKeys: readonly string[]): string => `v1.${secretKeyId(encryptionKey(secretKeys))}.`;

/** @param secretKeys `config.secretKeys` */
export function encryptSecret(secret: string, secretKeys: readonly string[]): string {
  const secretKey = encryptionKey(secretKeys);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', deriveKey(secretKey), nonce);
  const encrypted = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return storedPrefix(secretKeys) + encrypted.toString('base64url');
}

/** @throws if it is encrypted with a key that is not in the list, or was altered */
export function decryptSecret(stored: string, secretKeys: readonly string[]): string {
  const [version, keyId, text] = stored.split('.');
  const secretKey = secretKeys.find((one) => secretKeyId(one) === keyId);
  if (version !== 'v1' || text === undefined) throw new Error('a secret is stored in an unknown format');
  if (secretKey === undefined)
    throw new Error(`a stored secret is encrypted with the key ${keyId}, which SECRET_KEY does not have`);
  const bytes = Buffer.from(text, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', deriveKey(secretKey), bytes.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    throw new Error('a stored secret is corrupted');
  }
}
