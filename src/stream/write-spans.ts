/** The spans for one write by the hub. Each event that is in a trace has one span, however many clients get it. */
import type { RingEntry } from '../events/index.ts';
import { readTraceparent, type Span, SpanKind, startSpan } from '../runtime/tracing.ts';
import { eventIdOf } from '../wire/envelope.ts';

export class WriteSpans {
  readonly #spans = new Map<RingEntry, { span: Span; connections: number }>();

  /** Construct it only if tracing is on. @param after events up to this cursor get no spans */
  constructor(entries: readonly RingEntry[], after: number) {
    for (const entry of entries) {
      const parent = entry.cursor > after ? readTraceparent(entry.traceparent) : null;
      if (parent === null) continue;
      const attributes = {
        'messaging.operation.name': 'stream',
        'messaging.operation.type': 'process',
        'messaging.message.id': eventIdOf(entry.envelope),
        'touchline.event_type': entry.type,
        'touchline.cursor': entry.cursor,
      };
      const span = startSpan('stream write', { kind: SpanKind.CONSUMER, parent, attributes });
      this.#spans.set(entry, { span, connections: 0 });
    }
  }

  /** Adds to the number of connections that these events are written to. */
  count(entries: readonly RingEntry[], connections: number): void {
    if (this.#spans.size === 0) return;
    for (const entry of entries) {
      const traced = this.#spans.get(entry);
      if (traced !== undefined) traced.connections += connections;
    }
  }

  end(): void {
    for (const { span, connections } of this.#spans.values())
      span.setAttribute('touchline.connections', connections).end();
  }
}
