/** Writes one log line and one observation per request; neither contains a key. */
import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import { Histogram, type Registry } from 'prom-client';
import type { Addresses } from './address.ts';
import { redactUrl } from './redacted-url.ts';
import type { RequestRecord } from './request-record.ts';

export const DURATION_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS', 'PUT']);

/** @param error of a 500 or 503: only for the log */
export type LogRequest = (request: IncomingMessage, status: number, facts: RequestRecord, error: unknown) => void;

export function createRequestLog(
  logger: Logger,
  registry: Registry,
  addresses: Pick<Addresses, 'clientIp'>,
): LogRequest {
  const histogram = new Histogram({
    name: 'touchline_http_request_duration_seconds',
    help: 'Time from a request to its response; for event streams to their start.',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATION_BUCKETS_SECONDS,
    registers: [registry],
  });
  // Looking up a child by its labels costs more than the observation.
  const children = new Map<string, ReturnType<typeof histogram.labels>>();
  // Looking for secrets takes a third of the time of a line, and only errors can hold one: the URL is redacted below.
  const withoutSecrets = logger.child({}, { redact: [] });

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

    const level = status >= 500 ? 'error' : 'info';
    if (!logger.isLevelEnabled(level)) return;
    const { principal } = facts;
    const log = error === undefined ? withoutSecrets : logger;
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
  };
}
