/** Writes one log line and one observation per request; neither contains a key. */
import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import { Histogram, type Registry } from 'prom-client';
import type { Addresses } from './address.ts';
import { withoutKeys } from './hidden-keys.ts';
import type { RequestRecord } from './request-record.ts';

/** Parameters that hold a key, or the token of a link that works once. */
const SECRET_NAMES = new Set(['key', 'token', 'invitation']);

function isSecretName(name: string): boolean {
  if (SECRET_NAMES.has(name)) return true;
  if (!name.includes('%')) return false;
  try {
    return SECRET_NAMES.has(decodeURIComponent(name));
  } catch {
    return true;
  }
}

/**
 * Returns the URL for the log: without the values of `key`, `token` and `invitation`, in any encoding of their names,
 * and without anything that looks like a key, in any encoding.
 */
export function redactUrl(url: string): string {
  const start = url.indexOf('?');
  const segments = (start === -1 ? url : url.slice(0, start)).split('/');
  const path = segments.map(withoutKeys).join('/');
  if (start === -1) return path;
  const pairs = url.slice(start + 1).split('&');
  const safe = pairs.map((pair) => {
    const name = pair.split('=', 1)[0]!;
    return isSecretName(name) ? `${withoutKeys(name)}=***` : withoutKeys(pair);
  });
  return `${path}?${safe.join('&')}`;
}

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
    logger[level](
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
