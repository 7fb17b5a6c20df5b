/** Makes one attempt for a leased subscription. It prepares, signs and sends the request, and records the outcome. */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Counter, Histogram } from 'prom-client';
import type { Clock } from '../../runtime/clock.ts';
import { ownBytes } from '../../runtime/own-bytes.ts';
import { isTracing, runWithin, type Span, toTraceparent } from '../../runtime/tracing.ts';
import { eventIdOf } from '../../wire/envelope.ts';
import { ownAttempt } from '../delivery/attempt-queries.ts';
import { judged, newChallenge } from '../delivery/handshake.ts';
import { newEventId, ownEnvelope } from '../delivery/own-events.ts';
import { deriveDeliveryId, partsOfDelivery, signatureTimestamp, signedHeaders } from '../delivery/signature.ts';
import type { AttemptResult, Sender } from '../destinations/attempt.ts';
import type { Destinations } from '../destinations/connections.ts';
import type { Message } from '../destinations/destination.ts';
import { endAttempt, startAttempt } from './attempt-span.ts';
import { pendingDelivery } from './lease-queries.ts';
import type { LeasedSubscription } from './leased-subscription.ts';
import type { ResultBuffer } from './result-buffer.ts';
import type { SubscriptionCounters } from './subscription-counters.ts';
import type { StartedWork, Work } from './work.ts';

/** Time after which a retry whose preparation failed is due again. */
const PREPARE_RETRY_MS = 1_000;

interface DeliveryDeps {
  pool: pg.Pool;
  clock: Clock;
  logger: Pick<Logger, 'warn'>;
  sender: Sender;
  destinations: Destinations;
  outcomes: ResultBuffer;
  metrics: {
    attempts: Counter<'outcome'>;
    bySubscription: SubscriptionCounters;
    failures: Counter<'cause'>;
    duration: Histogram;
    discarded: Counter;
  };
}

interface Prepared {
  deliveryId: string;
  eventId: string;
  eventType: string;
  envelope: string;
  /** The attempt number, from 1. */
  attempt: number;
  /** The span that moved the event into the log. Null if the event is not in a sampled trace. */
  traceparent: string | null;
  /** The text that the reply has to repeat. Null if the event is not a challenge. */
  challenge: string | null;
}

const toMessage = (
  { eventId, eventType, deliveryId, envelope, attempt }: Prepared,
  headers: Readonly<Record<string, string>>,
): Message => ({
  eventId,
  type: eventType,
  matchId: partsOfDelivery(deliveryId).matchId || null,
  envelope,
  headers,
  attempt,
});

export class DeliveryRunner {
  readonly #deps: DeliveryDeps;

  constructor(deps: DeliveryDeps) {
    this.#deps = deps;
  }

  /** Makes the attempt, and finishes or cancels the work. Never rejects. */
  async run(subscription: LeasedSubscription, started: StartedWork): Promise<void> {
    const { clock, logger } = this.#deps;
    const { work } = started;
    try {
      const prepared = await this.#prepare(subscription, work);
      // The preparation may have taken so long that the lease would end before the attempt does.
      const mayStart = work.kind === 'event' || subscription.lease.isLongEnough();
      if (prepared !== null && mayStart) await this.#sendTraced(subscription, started, prepared);
      else subscription.cancel(started, prepared === null ? null : clock.now());
    } catch (error) {
      logger.warn({ err: error, subscription: subscription.id }, 'preparing a delivery failed, retrying');
      subscription.cancel(started, clock.now() + PREPARE_RETRY_MS);
    }
  }

  /** @returns null for a retry that is no longer needed */
  async #prepare(subscription: LeasedSubscription, work: Work): Promise<Prepared | null> {
    const { pool, clock } = this.#deps;
    if (work.kind === 'event') {
      const { envelope, type, traceparent = null } = work.record;
      const eventId = eventIdOf(envelope);
      const deliveryId = deriveDeliveryId(subscription.id, eventId);
      return { deliveryId, eventId, eventType: type, envelope, attempt: 1, traceparent, challenge: null };
    }
    if (work.kind === 'retry') {
      const row = await pendingDelivery(pool, work.id);
      if (row === null) return null;
      const { event_id: eventId, event_type: eventType, envelope, traceparent } = row;
      const attempt = work.attempts + 1;
      return { deliveryId: work.id, eventId, eventType, envelope, attempt, traceparent, challenge: null };
    }
    const eventType = `webhook.${work.kind}` as const;
    const eventId = await newEventId(pool);
    const challenge = work.kind === 'challenge' ? newChallenge() : null;
    const envelope = ownEnvelope(eventType, eventId, subscription.id, clock.now(), challenge);
    return {
      deliveryId: deriveDeliveryId(subscription.id, eventId),
      eventId,
      eventType,
      envelope,
      attempt: 1,
      traceparent: null,
      challenge,
    };
  }

  /** Makes the attempt, in its own span if the event is in a trace. */
  async #sendTraced(subscription: LeasedSubscription, started: StartedWork, prepared: Prepared): Promise<void> {
    const span = isTracing() ? startAttempt(subscription, prepared) : null;
    if (span === null) return this.#send(subscription, started, prepared, null);
    return runWithin(span, () => this.#send(subscription, started, prepared, span));
  }

  async #send(
    subscription: LeasedSubscription,
    started: StartedWork,
    prepared: Prepared,
    span: Span | null,
  ): Promise<void> {
    const { clock, sender, destinations, metrics } = this.#deps;
    const { attempt, deliveryId, eventId, challenge } = prepared;
    const { endpoint, keys, headers: added } = subscription.settings;
    const at = clock.now();
    // The body stays in memory until the endpoint has answered, and a thousand attempts can be in flight.
    const body = ownBytes(prepared.envelope);
    const signed = { id: eventId, timestamp: signatureTimestamp(clock, at), body, attempt, deliveryId };
    const own = signedHeaders(signed, keys.at(at));
    const headers = { ...added, ...own };
    const traceparent = span === null ? null : toTraceparent(span);
    const traced = traceparent === null ? headers : { ...headers, traceparent };
    const reply =
      endpoint instanceof URL
        ? await sender.send(endpoint, traced, body, attempt)
        : await destinations.send(endpoint, toMessage(prepared, traced));
    if (span !== null) endAttempt(span, reply);
    const outcome = challenge === null ? reply : judged(reply, challenge);
    const result = outcome.failure === null ? 'delivered' : 'failed';
    metrics.attempts.inc({ outcome: result });
    metrics.bySubscription.count(subscription.id, result);
    if (outcome.cause !== null) metrics.failures.inc({ cause: outcome.cause });
    metrics.duration.observe(outcome.durationMs / 1_000);
    if (challenge === null) this.#record(subscription, started, prepared, outcome, at);
    else if (endpoint instanceof URL)
      this.#recordChallenge(subscription, started, prepared, { url: endpoint, outcome, at });
  }

  #recordChallenge(
    subscription: LeasedSubscription,
    started: StartedWork,
    { deliveryId, eventId, eventType, envelope }: Prepared,
    { url, outcome, at }: { url: URL; outcome: AttemptResult; at: number },
  ): void {
    const { clock, outcomes, metrics } = this.#deps;
    const finished = subscription.finishChallenge(started, url, outcome, clock.now());
    if (finished === null) {
      metrics.discarded.inc();
      return;
    }
    outcomes.addChallenge(finished);
    const event = { delivery_id: deliveryId, event_id: eventId, event_type: eventType, body: envelope };
    outcomes.add(ownAttempt({ subscription_id: subscription.id, ...event, at }, outcome), null);
  }

  /** @param at when the attempt started */
  #record(
    subscription: LeasedSubscription,
    started: StartedWork,
    { deliveryId, eventId, eventType, envelope, attempt, traceparent }: Prepared,
    outcome: AttemptResult,
    at: number,
  ): void {
    const { clock, outcomes, metrics } = this.#deps;
    const finished = subscription.finish(started, deliveryId, attempt, outcome, clock.now());
    if (finished === null) {
      metrics.discarded.inc();
      return;
    }
    const { state, attempts, nextAttemptAt } = finished;
    const row = {
      subscription_id: subscription.id,
      event_id: eventId,
      event_type: eventType,
      next_attempt_at: nextAttemptAt,
      at,
    };
    const { durationMs, status, failure, cause, reply } = outcome;
    const { work } = started;
    outcomes.add(
      {
        ...row,
        delivery_id: deliveryId,
        attempt,
        duration_ms: durationMs,
        status,
        failure,
        cause,
        reply,
        cursor: work.kind === 'event' ? work.record.cursor : null,
        body: work.kind === 'ping' ? envelope : null,
        single: !finished.isStored,
      },
      finished.isStored
        ? {
            ...row,
            id: deliveryId,
            envelope: work.kind === 'event' ? envelope : null,
            traceparent,
            state,
            attempts,
          }
        : null,
    );
  }
}
