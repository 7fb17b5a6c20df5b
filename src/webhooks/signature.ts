/** The signatures of one attempt: ours over `<timestamp>.<body>`, and those of Standard Webhooks, so that its libraries verify us. */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { VERSION } from '../runtime/version.ts';
import { openSecret, secretBytes } from './secret.ts';

/** The old secret signs too for so long after a rotation (spec: 24 hours). */
export const OVERLAP_MS = 24 * 3_600_000;

/** A secret, ready to sign. */
export interface SigningKey {
  /** Its text: our own scheme's key. */
  text: KeyObject;
  /** The bytes behind its prefix: Standard Webhooks' key. */
  bytes: KeyObject;
}

export const signingKey = (secret: string): SigningKey => ({
  text: createSecretKey(Buffer.from(secret, 'utf8')),
  bytes: createSecretKey(secretBytes(secret)),
});

/**
 * What signs at this time: for 24 hours after a rotation the old secret too.
 * @throws when a secret cannot be opened
 */
export function keysOf(
  { secret, previousSecret, rotatedAt }: { secret: string; previousSecret: string | null; rotatedAt: number | null },
  secretKeys: readonly string[],
  now: number,
): SigningKey[] {
  const overlap = previousSecret !== null && now < (rotatedAt ?? 0) + OVERLAP_MS;
  return [secret, ...(overlap ? [previousSecret] : [])].map((text) => signingKey(openSecret(text, secretKeys)));
}

export interface Signed {
  /** The envelope's id. */
  id: string;
  /** Unix seconds of this attempt. */
  timestamp: number;
  body: Buffer;
}

/** @param keys the present one first */
export function signatureHeaders({ id, timestamp, body }: Signed, keys: readonly SigningKey[]): Record<string, string> {
  const ours = keys.map(({ text }) => {
    const digest = createHmac('sha256', text).update(`${timestamp}.`).update(body).digest('hex');
    return `v1=${digest}`;
  });
  const standard = keys.map(({ bytes }) => {
    const digest = createHmac('sha256', bytes).update(`${id}.${timestamp}.`).update(body).digest('base64');
    return `v1,${digest}`;
  });
  return {
    'X-Service-Timestamp': String(timestamp),
    'X-Service-Signature': ours.join(','),
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': standard.join(' '),
  };
}

export interface Addressed extends Signed {
  /** From 1. */
  attempt: number;
  /** The same on all attempts. */
  deliveryId: string;
}

/** All headers of one attempt but those of HTTP itself. */
export const headersOf = (sent: Addressed, keys: readonly SigningKey[]): Record<string, string> => ({
  'Content-Type': 'application/json; charset=utf-8',
  'User-Agent': `Touchline-Webhooks/${VERSION}`,
  'X-Service-Attempt': String(sent.attempt),
  'X-Service-Delivery-Id': sent.deliveryId,
  ...signatureHeaders(sent, keys),
});

/** Names a delivery: one event to one subscription. @param eventId evt_… */
export const deliveryIdOf = (subscriptionId: number, eventId: string) =>
  `dlv_${subscriptionId}_${eventId.slice('evt_'.length)}`;
