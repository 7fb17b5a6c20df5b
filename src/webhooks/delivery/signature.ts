/**
 * The signatures for one attempt. Our own signs `<timestamp>.<body>`. The second one follows Standard Webhooks, so that
 * the Standard Webhooks libraries can verify it.
 */
import { createHmac } from 'node:crypto';
import { type Clock, sharedTime } from '../../runtime/clock.ts';
import { VERSION } from '../../runtime/version.ts';
import type { SigningKey } from '../subscriptions/signing-keys.ts';

/** Returns the Unix seconds that are signed. @param at when the attempt started, by `clock`, in milliseconds since 1970 */
export const signatureTimestamp = (clock: Clock, at: number): number =>
  Math.floor((clock.isSet ? sharedTime(clock) : at) / 1_000);

export interface Signed {
  /** The envelope's id. */
  id: string;
  /** When this attempt was signed, in Unix seconds. */
  timestamp: number;
  body: Buffer;
}

/** Returns the signature headers. @param keys all keys that sign, the current one first */
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
  /** The attempt number, from 1. */
  attempt: number;
  /** The delivery's id, which all attempts share. */
  deliveryId: string;
}

/** Returns an attempt's headers except the signatures. */
export const deliveryHeaders = (sent: Pick<Addressed, 'attempt' | 'deliveryId'>): Record<string, string> => ({
  'Content-Type': 'application/json; charset=utf-8',
  'User-Agent': `Touchline-Webhooks/${VERSION}`,
  'X-Service-Attempt': String(sent.attempt),
  'X-Service-Delivery-Id': sent.deliveryId,
});

/** Returns all headers for one attempt, except those that the HTTP client adds. */
export const signedHeaders = (sent: Addressed, keys: readonly SigningKey[]): Record<string, string> => ({
  ...deliveryHeaders(sent),
  ...signatureHeaders(sent, keys),
});

/** Returns the delivery id for one event to one subscription. @param eventId evt_… */
export const deriveDeliveryId = (subscriptionId: number, eventId: string) =>
  `dlv_${subscriptionId}_${eventId.slice('evt_'.length)}`;

const DELIVERY = /_(?<match>\d+)_(?<sequence>\d+)$/;
/** Returns the match of a delivery's event, and the event's number in the match. Both are 0 for an id of another form. */
export function partsOfDelivery(deliveryId: string): { matchId: number; sequence: number } {
  const { match = 0, sequence = 0 } = DELIVERY.exec(deliveryId)?.groups ?? {};
  return { matchId: Number(match), sequence: Number(sequence) };
}
