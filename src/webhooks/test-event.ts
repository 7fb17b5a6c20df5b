/** A test that the owner asks for: a genuine signed request, sent at once and logged; it counts neither for health nor as an event. */
import type { Sender } from './attempt.ts';
import { ownEnvelope } from './envelope.ts';
import { nextEventNumber, readHeld, writeAttempts } from './lease-queries.ts';
import { deliveryIdOf, headersOf, keysOf } from './signature.ts';
import { type SubscriptionDeps, unknownSubscription } from './subscription.ts';

export interface TestOutcome {
  eventId: string;
  /** Of the reply; null: there was none. */
  status: number | null;
  /** null: delivered. */
  failure: string | null;
  durationMs: number;
}

/** @throws {Problem} not_found */
export async function sendTest(
  { pool, clock, secretKeys }: SubscriptionDeps,
  sender: Sender,
  id: number,
): Promise<TestOutcome> {
  const [row] = await readHeld(pool, [id]);
  if (row === undefined || row.secret === '') throw unknownSubscription(id);
  const at = clock.now();
  const eventId = `evt_0_${await nextEventNumber(pool)}`;
  const deliveryId = deliveryIdOf(id, eventId);
  const body = Buffer.from(ownEnvelope('webhook.test', eventId, id, at));
  const signed = { id: eventId, timestamp: Math.floor(at / 1_000), body, attempt: 1, deliveryId };
  const { status, failure, durationMs } = await sender.send(
    new URL(row.url),
    headersOf(signed, keysOf(row, secretKeys, at)),
    body,
    1,
  );
  const entry = { subscriptionId: id, deliveryId, eventId, eventType: 'webhook.test', attempt: 1, nextAttemptAt: null };
  await writeAttempts(pool, [{ ...entry, at, durationMs, status, failure }]);
  return { eventId, status, failure, durationMs };
}
