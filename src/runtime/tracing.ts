/**
 * OpenTelemetry traces. Tracing is off until tracing-sdk.ts sets a tracer. Code that is called often checks
 * `isTracing` first, so that it allocates nothing while tracing is off. Between processes, a trace is passed on as the
 * text `traceparent` (W3C Trace Context). Only a sampled trace has one.
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

/** @param given the tracer; null turns tracing off */
export function setTracer(given: Tracer | null): void {
  tracer = given;
}

/** Called by the id generator. Returns the id chosen for the span that starts now, or null if none was chosen. */
export function takeSpanId(): string | null {
  const id = nextSpanId;
  nextSpanId = null;
  return id;
}

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** @returns the span that a `traceparent` in version 00 names; null if the text is missing or malformed */
export function readTraceparent(text: string | null | undefined): SpanContext | null {
  const found = text ? TRACEPARENT.exec(text) : null;
  if (found === null) return null;
  const [, traceId = '', spanId = '', flags = ''] = found;
  const read = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true };
  return isSpanContextValid(read) ? read : null;
}

/** @returns the span as a `traceparent`; null if the span is not sampled */
export function toTraceparent(span: Span | undefined): string | null {
  if (span === undefined) return null;
  const { traceId, spanId, traceFlags } = span.spanContext();
  return (traceFlags & TraceFlags.SAMPLED) === 0 ? null : `00-${traceId}-${spanId}-01`;
}

/** @returns the `traceparent` for the current span; null if there is no current span or it is not sampled */
export const currentTraceparent = (): string | null =>
  tracer === null ? null : toTraceparent(trace.getSpan(context.active()));

export interface SpanStart {
  /** INTERNAL by default. */
  kind?: SpanKind;
  attributes?: Attributes;
  /** The parent span, by default the current one. Null if the span begins a trace. */
  parent?: SpanContext | null;
  /** A span that has caused this one but is not the parent. */
  link?: SpanContext | null;
  /** Milliseconds since 1970, by default now. */
  startTime?: number;
  /** The span's id as 16 hexadecimal digits, if it has been chosen already. */
  spanId?: string;
}

/** Starts a span. Call it only if `isTracing`. The caller ends the span. */
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

/** Runs the work with the span as the current one. Does not end the span. */
export const runWithin = <T>(span: Span, work: () => T): T => context.with(trace.setSpan(context.active(), span), work);

/** Marks the span as failed. @param type the error's type, which is a status, a code or a class */
export function markFailed(span: Span, type: string, message?: string): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR, ...(message !== undefined && { message }) });
}

/** Marks the span as failed because the work in it has thrown, and ends the span. */
export function endFailed(span: Span, error: unknown): void {
  const name = error instanceof Error ? error.name : 'Error';
  markFailed(span, readErrorCode(error) ?? name, errorMessage(error));
  span.end();
}

/** Runs the work within a new span, which ends when the work does. Call it only if `isTracing`. */
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

/** @returns the current span; null if there is none */
export const activeSpan = (): SpanContext | null => trace.getSpanContext(context.active()) ?? null;

/** Fields for a log line that is written within a span. Empty if the span is not recorded. */
export function traceFields(): { trace_id?: string; span_id?: string } {
  const span = tracer === null ? undefined : trace.getSpan(context.active());
  if (!span?.isRecording()) return {};
  const { traceId, spanId } = span.spanContext();
  return { trace_id: traceId, span_id: spanId };
}
