/** A test event that the owner requests: signed like any other, sent at once and logged; it counts neither for health nor as an event. */
import { Problem } from '../http/errors.ts';
import type { Sender } from './attempt.ts';
import { ownEnvelope } from './envelope.ts';
import type { FailureCause } from './failure.ts';
import { nextEventNumber, readSubscriptions } from './lease-queries.ts';
import { writeAttempts } from './outcome-queries.ts';
import { deliveryIdOf, headersOf } from './signature.ts';
import { readSettings, UnreadableSubscription } from './stored-settings.ts';
import { type SubscriptionDeps, unknownSubscription } from './subscription.ts';

export interface TestOutcome {
  eventId: string;
  deliveryId: string;
  at: number;
  /** Of the reply; null: there was no reply. */
  status: number | null;
  /** null: delivered. */
  failure: string | null;
  cause: FailureCause | null;
  /** The beginning of its body; null: there was none. */
  reply: string | null;
  durationMs: number;
}

/** @throws {Problem} not_found; conflict where its row cannot be read */
export async function sendTest(
  { pool, clock, secretKeys }: SubscriptionDeps,
  sender: Sender,
  id: number,
): Promise<TestOutcome> {
  const [row] = await readSubscriptions(pool, [id]);
  if (row === undefined || row.secret === '') throw unknownSubscription(id);
  const at = clock.now();
  const { url, keys } = settingsOf(row, secretKeys, at);
  const eventId = `evt_0_${await nextEventNumber(pool)}`;
  const deliveryId = deliveryIdOf(id, eventId);
  const envelope = ownEnvelope('webhook.test', eventId, id, at);
  const body = Buffer.from(envelope);
  const signed = { id: eventId, timestamp: Math.floor(at / 1_000), body, attempt: 1, deliveryId };
  const { status, failure, cause, reply, durationMs } = await sender.send(url, headersOf(signed, keys.at(at)), body, 1);
  const attempt = { subscription_id: id, delivery_id: deliveryId, event_id: eventId, event_type: 'webhook.test' };
  await writeAttempts(pool, [
    {
      ...attempt,
      attempt: 1,
      at,
      duration_ms: durationMs,
      status,
      failure,
      cause,
      reply,
      next_attempt_at: null,
      cursor: null,
      body: envelope,
      single: true,
    },
  ]);
  return { eventId, deliveryId, at, status, failure, cause, reply, durationMs };
}

function settingsOf(...[row, secretKeys, now]: Parameters<typeof readSettings>) {
  try {
    return readSettings(row, secretKeys, now);
  } catch (error) {
    if (!(error instanceof UnreadableSubscription)) throw error;
    throw new Problem('conflict', `The subscription cannot be read: ${error.message}.`);
  }
}
