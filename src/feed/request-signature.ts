/** The signature on a feed request, which is HMAC-SHA256 over `<timestamp>.<body>`, as on our webhooks. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { FEED_CHALLENGE, Problem } from '../http/index.ts';

/** Maximum difference between the signature's time and the service's clock, as for webhooks. */
const TOLERANCE_SECONDS = 5 * 60;

export type Headers = Readonly<Record<string, string | undefined>>;

export const refuse = (code: 'key_invalid' | 'key_revoked', detail: string) =>
  new Problem(code, detail, { headers: FEED_CHALLENGE });

/** @param now current time in ms @throws {Problem} key_invalid */
export function verifySignature(headers: Headers, body: Uint8Array, secret: string, now: number): void {
  const timestamp = headers['x-service-timestamp'] ?? '';
  if (!/^\d{1,12}$/.test(timestamp))
    throw refuse('key_invalid', 'X-Service-Timestamp must be the Unix time of the request, in seconds.');
  if (Math.abs(now / 1_000 - Number(timestamp)) > TOLERANCE_SECONDS)
    throw refuse('key_invalid', 'X-Service-Timestamp is more than 5 minutes away from the clock of the service.');
  const wanted = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
  const given = (headers['x-service-signature'] ?? '')
    .split(',')
    .map((part) => /^\s*v1=([0-9a-f]{64})\s*$/.exec(part)?.[1]);
  if (!given.some((hex) => hex !== undefined && timingSafeEqual(wanted, Buffer.from(hex, 'hex'))))
    throw refuse(
      'key_invalid',
      'The signature is wrong: X-Service-Signature is v1=<hex of HMAC-SHA256 over timestamp.body>.',
    );
}
