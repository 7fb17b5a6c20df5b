/**
 * Writes one log line and one metrics observation for each request. The log line and the metrics never contain a key.
 */
import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import { Counter, Histogram, type Registry } from 'prom-client';
import { SECOND_MS } from '../wire/time.ts';
import type { Addresses } from './address.ts';
import type { Principal } from './auth.ts';
import { withoutStack } from './errors.ts';
import { StoreBusy } from './load-shedding.ts';
import { redactUrl } from './redacted-url.ts';
import type { RequestRecord } from './request-record.ts';

export const DURATION_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const UNAVAILABLE = 503;
/** Maximum number of log lines a second for requests that get a 503. If a store is down, all requests get one. */
const UNAVAILABLE_LINES = 10;
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS', 'PUT']);

/** Returns the name of the client's plan. */
export type PlanOf = (principal: Principal) => string;

/** @param error the error that caused a 500 or 503, for the log only */
export type LogRequest = (request: IncomingMessage, status: number, facts: RequestRecord, error: unknown) => void;

export function createRequestLog(
  logger: Logger,
  registry: Registry,
  addresses: Pick<Addresses, 'clientIp'>,
  planOf: PlanOf = ({ plan }) => plan,
): LogRequest {
  const histogram = new Histogram({
    name: 'touchline_http_request_duration_seconds',
    help: 'Time from a request to the response, or to the start of an event stream.',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATION_BUCKETS_SECONDS,
    registers: [registry],
  });
  const refused = new Counter({
    name: 'touchline_http_refused_requests_total',
    help: 'Requests that got a 503, by plan (visitor: no account) and reason: slow (a store is slow, and too many requests wait or this one waited too long) or unavailable (a store cannot be reached, or lacks its data yet).',
    labelNames: ['plan', 'reason'],
    registers: [registry],
  });
  const sampled = createSample(logger);
  // Caches the observers by label values, because a look-up by labels costs more than the observation.
  const children = new Map<string, ReturnType<typeof histogram.labels>>();
  // A logger that does not search for secrets. The search takes a third of a line's time, and only errors can contain a
  // secret. The URL is redacted below.
  const withoutSecrets = logger.child({}, { redact: [] });
  const refusals = logger.child({}, { serializers: { err: withoutStack } });

  return (request, status, facts, error) => {
    const durationMs = performance.now() - facts.startedAt;
    const method = METHODS.has(request.method!) ? request.method! : 'other';
    const route = facts.route ?? 'unmatched';
    const name = `${method} ${route} ${status}`;
    let child = children.get(name);
    if (child === undefined) {
      child = histogram.labels(method, route, String(status));
      children.set(name, child);
    }
    child.observe(durationMs / 1000);

    const { principal } = facts;
    const isRefused = status === UNAVAILABLE;
    if (isRefused) {
      const reason = error instanceof StoreBusy ? 'slow' : 'unavailable';
      refused.inc({ plan: principal === null ? 'visitor' : planOf(principal), reason });
    }
    const level = isRefused ? 'warn' : status >= 500 ? 'error' : 'info';
    if (!logger.isLevelEnabled(level)) return;
    const log = error === undefined ? withoutSecrets : isRefused ? refusals : logger;
    const write = () =>
      log[level](
        {
          request_id: facts.id,
          method: request.method,
          url: redactUrl(request.url!),
          route: facts.route,
          status,
          ms: Math.round(durationMs * 100) / 100,
          ip: addresses.clientIp(request),
          account_id: principal?.accountId,
          key_id: principal !== null && 'keyId' in principal ? principal.keyId : undefined,
          err: error,
        },
        'request',
      );
    if (isRefused) sampled(write);
    else write();
  };
}

/**
 * @returns a function that writes a line, unless too many lines were written in this second. A later line says how many
 *   were left out
 */
function createSample(logger: Pick<Logger, 'warn'>): (write: () => void) => void {
  let until = 0;
  let written = 0;
  let missing = 0;
  const report = () => {
    logger.warn({ requests: missing }, 'more requests got a 503 and were not logged one by one');
    missing = 0;
  };
  return (write) => {
    const now = performance.now();
    if (now >= until) {
      until = now + SECOND_MS;
      written = 0;
    }
    if (written < UNAVAILABLE_LINES) {
      written += 1;
      write();
      return;
    }
    missing += 1;
    if (missing === 1) setTimeout(report, until - now).unref();
  };
}
