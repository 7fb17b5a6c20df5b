/** The span for one delivery attempt. It belongs to the event's trace, where all attempts are siblings. */
import { markFailed, readTraceparent, type Span, SpanKind, startSpan } from '../../runtime/tracing.ts';
import type { AttemptResult } from '../destinations/attempt.ts';
import type { LeasedSubscription } from './leased-subscription.ts';

interface TracedAttempt {
  eventId: string;
  eventType: string;
  deliveryId: string;
  /** The attempt number, from 1. */
  attempt: number;
  traceparent: string | null;
}

const METHOD = 'POST';

/** Starts the span. Call it only if tracing is on. @returns null for an event without a trace */
export function startAttempt({ id, settings }: LeasedSubscription, given: TracedAttempt): Span | null {
  const { endpoint, host } = settings;
  const parent = readTraceparent(given.traceparent);
  if (parent === null) return null;
  const isUrl = endpoint instanceof URL;
  return startSpan(isUrl ? METHOD : `send ${endpoint.settings.kind}`, {
    kind: isUrl ? SpanKind.CLIENT : SpanKind.PRODUCER,
    parent,
    attributes: {
      'server.address': host,
      ...(isUrl ? requestAttributes(endpoint, given.attempt) : { 'messaging.system': endpoint.settings.kind }),
      'messaging.message.id': given.eventId,
      'touchline.event_type': given.eventType,
      'touchline.subscription_id': id,
      'touchline.delivery_id': given.deliveryId,
      'touchline.attempt': given.attempt,
    },
  });
}

function requestAttributes(url: URL, attempt: number) {
  const isSecure = url.protocol === 'https:';
  return {
    'http.request.method': METHOD,
    'server.port': url.port === '' ? (isSecure ? 443 : 80) : Number(url.port),
    // Path and query are left out, since they may contain a receiver's secrets.
    'url.full': `${url.origin}/REDACTED`,
    ...(attempt > 1 && { 'http.request.resend_count': attempt - 1 }),
  };
}

export function endAttempt(span: Span, { status, failure, cause }: AttemptResult): void {
  if (status !== null) span.setAttribute('http.response.status_code', status);
  if (failure !== null) markFailed(span, status === null ? cause! : String(status), failure);
  span.end();
}
