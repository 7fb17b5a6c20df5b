/** The format of a subscription's secret, and how long it still signs after a rotation. */
import { invalidParameter } from '../../http/index.ts';
import { createSecret, SECRETS } from '../../wire/secret-formats.ts';

/** How long the previous secret also signs after a rotation (spec: 24 hours). */
export const ROTATION_OVERLAP_HOURS = 24;

const PREFIX = SECRETS.webhook_secret.prefix;
/** Length limits for an imported secret, from the Standard Webhooks specification. */
const MIN_BYTES = 24;
const MAX_BYTES = 64;

export const generateSecret = (): string => createSecret('webhook_secret');

/** Returns the bytes with which Standard Webhooks signs. */
export const secretBytes = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), 'base64');

/**
 * Checks a secret that an owner supplies.
 * @throws {Problem} invalid_parameter, with a text that does not contain the secret
 */
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
