/**
 * A request's span. An authenticated feed provider may continue its own trace. For everybody else a new trace begins,
 * with only a link to the caller's trace. Otherwise anyone who sends a `traceparent` would decide what is recorded.
 */
import type { IncomingMessage } from 'node:http';
import {
  activeSpan,
  isTracing,
  markFailed,
  readTraceparent,
  runWithin,
  type Span,
  SpanKind,
  startSpan,
} from '../runtime/tracing.ts';
import { headerText } from './origin.ts';
import { redactUrl } from './redacted-url.ts';
import type { CallerTrace } from './route.ts';

/** Facts about a request that become attributes of the span. */
interface Facts {
  id: string;
  route: string | null;
  baseUrl: string;
  /** Time by `performance.now()`, in ms. */
  startedAt: number;
}

export class RequestTrace implements CallerTrace {
  readonly #request: IncomingMessage;
  readonly #facts: Facts;
  #span: Span | null = null;

  constructor(request: IncomingMessage, facts: Facts) {
    this.#request = request;
    this.#facts = facts;
  }

  /** Runs the handler's work within a new trace. */
  within<T>(work: () => T): T {
    return runWithin(this.#begin(false), work);
  }

  continued<T>(work: () => T): T {
    return runWithin(this.#begin(true), work);
  }

  /**
   * Ends the span.
   * @param log writes the request's log line, which names the span
   */
  end(status: number, log: () => void): void {
    const span = this.#begin(false);
    const { route } = this.#facts;
    if (route !== null) span.updateName(`${this.#request.method} ${route}`).setAttribute('http.route', route);
    span.setAttribute('http.response.status_code', status);
    if (status >= 500) markFailed(span, String(status));
    runWithin(span, log);
    span.end();
  }

  #begin(isTrusted: boolean): Span {
    if (this.#span !== null) return this.#span;
    const { method, url, headers } = this.#request;
    const { id, baseUrl, startedAt } = this.#facts;
    const given = readTraceparent(headerText(headers.traceparent));
    // A request inside a request belongs to the outer request's span.
    const outer = activeSpan();
    this.#span = startSpan(method!, {
      kind: SpanKind.SERVER,
      startTime: Date.now() - (performance.now() - startedAt),
      attributes: {
        'http.request.method': method!,
        'url.path': redactUrl(url!).split('?', 1)[0]!,
        'url.scheme': baseUrl.startsWith('https:') ? 'https' : 'http',
        'touchline.request_id': id,
      },
      ...(outer === null && { parent: isTrusted ? given : null, link: isTrusted ? null : given }),
    });
    return this.#span;
  }
}

/** @returns null if tracing is off */
export const traceRequest = (request: IncomingMessage, facts: Facts): RequestTrace | null =>
  isTracing() ? new RequestTrace(request, facts) : null;
