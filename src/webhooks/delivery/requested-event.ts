/**
 * Test events and challenges, which the owner requests. They are signed like any event, sent at once and logged. A test
 * event does not affect the subscription's health and is not counted as an event.
 */

import { type Buckets, Problem, rateLimited } from '../../http/index.ts';
import type { AttemptResult, Sender } from '../destinations/attempt.ts';
import type { Destinations } from '../destinations/connections.ts';
import { readSettings, UnreadableSubscription } from '../subscriptions/stored-settings.ts';
import { type SubscriptionDeps, unknownSubscription } from '../subscriptions/subscription.ts';
import { readSubscriptions, type SubscriptionRow } from '../subscriptions/subscription-row.ts';
import { ownAttempt, writeAttempts, writeChallenges } from './attempt-queries.ts';
import { judged, newChallenge } from './handshake.ts';
import { newEventId, ownEnvelope } from './own-events.ts';
import { deriveDeliveryId, signatureTimestamp, signedHeaders } from './signature.ts';

/** Limit on requests from this process to one host, for all owners together. The host may belong to a third party. */
const PER_HOST = { requests: 30, seconds: 60 };

/**
 * The attempt's result. `failure` is null if the event was delivered and, for a challenge, the reply confirmed the
 * URL.
 */
export interface RequestedResult extends Omit<AttemptResult, 'retryAfter'> {
  eventId: string;
  deliveryId: string;
  at: number;
}

export interface RequestDeps extends Pick<SubscriptionDeps, 'pool' | 'clock' | 'secretKeys' | 'plans'> {
  sender: Sender;
  destinations: Destinations;
  /** Token buckets by host, which all accounts share. */
  hostBuckets: Buckets;
}

/**
 * Sends a test event.
 * @throws {Problem} not_found; conflict if the subscription's row cannot be read or the URL is not confirmed;
 * rate_limited
 */
export async function sendTest(deps: RequestDeps, id: number): Promise<RequestedResult> {
  const row = await readRow(deps, id);
  if (row.unconfirmed_since !== null)
    throw new Problem('conflict', 'The URL is not confirmed yet, so only challenges are sent to it: confirm it first.');
  return send(deps, row, null);
}

/**
 * Sends a challenge. If the URL needs no confirmation, the challenge changes nothing.
 * @throws {Problem} not_found; conflict if the subscription's row cannot be read; rate_limited
 */
export async function sendChallenge(deps: RequestDeps, id: number): Promise<RequestedResult> {
  const row = await readRow(deps, id);
  if (row.destination !== null) throw new Problem('conflict', 'Only URLs are confirmed by a challenge.');
  const sent = await send(deps, row, newChallenge());
  const challenges = row.challenges + 1;
  const { url } = row;
  await writeChallenges(deps.pool, [{ subscription_id: id, url, challenges, at: sent.at, failure: sent.failure }]);
  return sent;
}

async function readRow({ pool }: RequestDeps, id: number): Promise<SubscriptionRow> {
  const [row] = await readSubscriptions(pool, [id]);
  if (row === undefined || row.secret === '') throw unknownSubscription(id);
  return row;
}

/** @param challenge null for a test event */
async function send(
  { pool, clock, secretKeys, plans, sender, destinations, hostBuckets }: RequestDeps,
  row: SubscriptionRow,
  challenge: string | null,
): Promise<RequestedResult> {
  const at = clock.now();
  const { endpoint, host, keys, headers } = usableSettings(row, { secretKeys, plans, now: at });
  takeFrom(hostBuckets, host);
  const eventType = challenge === null ? 'webhook.test' : 'webhook.challenge';
  const eventId = await newEventId(pool);
  const deliveryId = deriveDeliveryId(row.id, eventId);
  const envelope = ownEnvelope(eventType, eventId, row.id, at, challenge);
  const body = Buffer.from(envelope);
  const signed = { id: eventId, timestamp: signatureTimestamp(clock, at), body, attempt: 1, deliveryId };
  const sent = { ...headers, ...signedHeaders(signed, keys.at(at)) };
  const reply =
    endpoint instanceof URL
      ? await sender.send(endpoint, sent, body, 1)
      : await destinations.send(endpoint, {
          eventId,
          type: eventType,
          matchId: null,
          envelope,
          headers: sent,
          attempt: 1,
        });
  const outcome = challenge === null ? reply : judged(reply, challenge);
  const event = { delivery_id: deliveryId, event_id: eventId, event_type: eventType, body: envelope };
  await writeAttempts(pool, [ownAttempt({ subscription_id: row.id, ...event, at }, outcome)]);
  return { eventId, deliveryId, at, ...outcome };
}

/** @throws {Problem} rate_limited */
function takeFrom(buckets: Buckets, host: string): void {
  const wait = buckets.take(host, PER_HOST);
  if (wait === 0) return;
  const { requests, seconds } = PER_HOST;
  throw rateLimited(`At most ${requests} test events and challenges in ${seconds} s to one host.`, wait);
}

function usableSettings(...given: Parameters<typeof readSettings>) {
  try {
    return readSettings(...given);
  } catch (error) {
    if (!(error instanceof UnreadableSubscription)) throw error;
    throw new Problem('conflict', `The stored settings of the subscription cannot be used: ${error.message}.`);
  }
}
