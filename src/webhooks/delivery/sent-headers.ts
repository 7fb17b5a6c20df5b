/**
 * The headers that an attempt was sent with, which help the owner to find a mistake. They are not stored, but computed
 * again from the attempt, the body, and the secrets at that time.
 */
import type { Queryable } from '../../db/postgres.ts';
import type { Clock } from '../../runtime/clock.ts';
import { isSigned } from '../destinations/kinds.ts';
import { HIDDEN_VALUE } from '../subscriptions/custom-headers.ts';
import { type SigningKey, SigningKeys } from '../subscriptions/signing-keys.ts';
import { readSubscriptions, type SubscriptionRow } from '../subscriptions/subscription-row.ts';
import type { Attempt, DeliveryDetail } from './delivery-log.ts';
import { deliveryHeaders, signatureHeaders, signatureTimestamp } from './signature.ts';

/** How long after a rotation some dispatchers may still sign with the former secret. */
const ROTATION_SETTLED_MS = 60_000;
/** Attempt times are stored in whole seconds, so an attempt may have started up to this much later. */
const ROUNDING_MS = 999;

export interface SentHeaders {
  headers: Record<string, string>;
  /** Why the signature headers are left out. Null if they are included. */
  unsigned: string | null;
}

interface Context {
  pool: Queryable;
  clock: Clock;
  secretKeys: readonly string[];
}

/** @returns a function that computes an attempt's headers again */
export async function readSentHeaders(
  { pool, clock, secretKeys }: Context,
  subscriptionId: number,
  { id: deliveryId, event_id: id, body }: DeliveryDetail,
): Promise<(attempt: Attempt) => SentHeaders> {
  const [row] = await readSubscriptions(pool, [subscriptionId]);
  return ({ attempt, at: time }) => {
    const at = Date.parse(time);
    const own = (row?.headers ?? []).map(({ name, value }) => [name, value ?? HIDDEN_VALUE]);
    const headers = { ...Object.fromEntries(own), ...deliveryHeaders({ attempt, deliveryId }) };
    const unsigned = (reason: string) => ({ headers, unsigned: reason });
    if (row !== undefined && !isSigned(row.destination))
      return { headers: {}, unsigned: 'Chats get the event as a line of text, without a signature.' };
    if (clock.isSet) return unsigned('The clock of this service was set, so the time of the signature is not known.');
    if (body === null) return unsigned('The body is not stored any more, so the signature is not known.');
    const keys = row === undefined ? null : keysAt(row, secretKeys, at);
    if (keys === null)
      return unsigned('The secret was rotated since, or cannot be read, so the signature is not known.');
    const signed = { id, timestamp: signatureTimestamp(clock, at), body: Buffer.from(body) };
    return { headers: { ...headers, ...signatureHeaders(signed, keys) }, unsigned: null };
  };
}

/** Returns the keys that signed at a given time. Null if it is not certain which keys did. */
function keysAt(row: SubscriptionRow, secretKeys: readonly string[], at: number): readonly SigningKey[] | null {
  if (row.rotated_at !== null && at < row.rotated_at + ROTATION_SETTLED_MS) return null;
  try {
    const all = new SigningKeys(row, secretKeys, at);
    const keys = all.at(at);
    return all.at(at + ROUNDING_MS).length === keys.length ? keys : null;
  } catch {
    return null;
  }
}
