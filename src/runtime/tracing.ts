/**
 * Traces of OpenTelemetry. Tracing is off until tracing-sdk.ts gives a tracer: callers on hot paths check `isTracing`
 * first, so that nothing is allocated then. A trace goes from one process to the next as the text of `traceparent`
 * (W3C Trace Context), which is there only if the trace is sampled.
 */
import {
  type Attributes,
  type Context,
  context,
  isSpanContextValid,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { errorMessage, readErrorCode } from './unknown-values.ts';

export { type Attributes, type Span, SpanKind };

let tracer: Tracer | null = null;
let nextSpanId: string | null = null;

export const isTracing = (): boolean => tracer !== null;

/** @param given null: tracing is off */
export function setTracer(given: Tracer | null): void {
  tracer = given;
}

/** For the generator of ids: the id that the span that starts now was given; null: none. */
export function takeSpanId(): string | null {
  const id = nextSpanId;
  nextSpanId = null;
  return id;
}

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** @returns the span that a `traceparent` of version 00 names; null if it is missing or malformed */
export function readTraceparent(text: string | null | undefined): SpanContext | null {
  const found = text ? TRACEPARENT.exec(text) : null;
  if (found === null) return null;
  const [, traceId = '', spanId = '', flags = ''] = found;
  const read = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true };
  return isSpanContextValid(read) ? read : null;
}

/** @returns the text that names the span; null: it is not sampled */
export function toTraceparent(span: Span | undefined): string | null {
  if (span === undefined) return null;
  const { traceId, spanId, traceFlags } = span.spanContext();
  return (traceFlags & TraceFlags.SAMPLED) === 0 ? null : `00-${traceId}-${spanId}-01`;
}

/** @returns the text that names the span in which the caller runs; null: there is none, or it is not sampled */
export const currentTraceparent = (): string | null =>
  tracer === null ? null : toTraceparent(trace.getSpan(context.active()));

export interface SpanStart {
  /** Default: INTERNAL. */
  kind?: SpanKind;
  attributes?: Attributes;
  /** Default: the span in which the caller runs. null: the span begins a trace. */
  parent?: SpanContext | null;
  /** Another span that has caused this one, without being its parent. */
  link?: SpanContext | null;
  /** Milliseconds since 1970; default: now. */
  startTime?: number;
  /** The id of the span, if it was chosen before: 16 hexadecimal digits. */
  spanId?: string;
}

/** Starts a span; call it only if `isTracing`. The caller ends it. */
export function startSpan(name: string, { kind, attributes, parent, link, startTime, spanId }: SpanStart): Span {
  const within: Context =
    parent === undefined
      ? context.active()
      : parent === null
        ? ROOT_CONTEXT
        : trace.setSpanContext(ROOT_CONTEXT, parent);
  const links: Link[] = link ? [{ context: link }] : [];
  nextSpanId = spanId ?? null;
  try {
    return tracer!.startSpan(
      name,
      {
        kind: kind ?? SpanKind.INTERNAL,
        ...(attributes && { attributes }),
        links,
        ...(startTime !== undefined && { startTime }),
      },
      within,
    );
  } finally {
    nextSpanId = null;
  }
}

/** Runs the work within the span, and does not end it. */
export const runWithin = <T>(span: Span, work: () => T): T => context.with(trace.setSpan(context.active(), span), work);

/** Marks the span as failed. @param type the kind of the error: a status, a code or a class */
export function markFailed(span: Span, type: string, message?: string): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR, ...(message !== undefined && { message }) });
}

/** Ends the span of work that has thrown. */
export function endFailed(span: Span, error: unknown): void {
  const name = error instanceof Error ? error.name : 'Error';
  markFailed(span, readErrorCode(error) ?? name, errorMessage(error));
  span.end();
}

/** Runs the work within a span of its own, which ends with it; call it only if `isTracing`. */
export async function inSpan<T>(name: string, start: SpanStart, work: (span: Span) => Promise<T>): Promise<T> {
  const span = startSpan(name, start);
  try {
    const result = await runWithin(span, () => work(span));
    span.end();
    return result;
  } catch (error) {
    endFailed(span, error);
    throw error;
  }
}

/** @returns the span in which the caller runs; null: none */
export const activeSpan = (): SpanContext | null => trace.getSpanContext(context.active()) ?? null;

/** Fields of a log line that is written within a span, while the span is recorded. */
export function traceFields(): { trace_id?: string; span_id?: string } {
  const span = tracer === null ? undefined : trace.getSpan(context.active());
  if (!span?.isRecording()) return {};
  const { traceId, spanId } = span.spanContext();
  return { trace_id: traceId, span_id: spanId };
}
