/** Spans for events that are moved into the event log. Each span is in the trace in which its event was written. */
import {
  type Attributes,
  endFailed,
  readTraceparent,
  type Span,
  SpanKind,
  startSpan,
  toTraceparent,
} from '../runtime/tracing.ts';
import { eventIdOf } from '../wire/envelope.ts';

export interface SentEvent {
  match_id: number;
  type: string;
  envelope: string;
  /** The span that wrote the event. Null if the event is not in a sampled trace. */
  traceparent: string | null;
}

export interface Destination {
  /** The attribute messaging.system. */
  system: 'kafka' | 'postgresql';
  /** The topic's or the table's name. */
  name: string;
}

/**
 * Starts a span. Call it only if tracing is on.
 * @param more other span options
 * @returns null for an event without a trace
 */
export function startSend(
  event: SentEvent,
  { system, name }: Destination,
  more: { startTime?: number; spanId?: string } = {},
): Span | null {
  const parent = readTraceparent(event.traceparent);
  if (parent === null) return null;
  const attributes: Attributes = {
    'messaging.system': system,
    'messaging.operation.name': 'send',
    'messaging.operation.type': 'send',
    'messaging.destination.name': name,
    'messaging.message.id': eventIdOf(event.envelope),
    ...(system === 'kafka' && { 'messaging.kafka.message.key': String(event.match_id) }),
    'touchline.event_type': event.type,
  };
  return startSpan(`send ${name}`, { kind: SpanKind.PRODUCER, parent, attributes, ...more });
}

/** The spans for one batch that is appended to Kafka. */
export class SendSpans {
  readonly #spans: readonly (Span | null)[];

  constructor(events: readonly SentEvent[], topic: string) {
    this.#spans = events.map((event) => startSend(event, { system: 'kafka', name: topic }));
  }

  /** @returns the `traceparent` with the span for the event at `index` in the batch */
  traceparent(index: number): string | null {
    return toTraceparent(this.#spans[index] ?? undefined);
  }

  /** Ends all spans. @param first offset of the batch's first event */
  end(first: number): void {
    for (const [index, span] of this.#spans.entries())
      span?.setAttributes({ 'messaging.destination.partition.id': '0', 'messaging.kafka.offset': first + index }).end();
  }

  endFailed(error: unknown): void {
    for (const span of this.#spans) if (span !== null) endFailed(span, error);
  }
}
