/** Decides which failed requests the REST client sends again, and when. */
import { ApiError } from './problem.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Pause before the second attempt. It doubles with each attempt after that, and half of it is random. */
const FIRST_WAIT_MS = 500;
/** Statuses for an exceeded limit, and for a service or a proxy that restarts. */
const TRANSIENT = new Set([429, 502, 503, 504]);
/** Statuses with which a proxy may answer although the request has reached the service. */
const UNCERTAIN = new Set([502, 504]);

/** True if a failed request is sent again. If the request may have reached the service, this is only true for a GET. */
export function shouldRetry(error: unknown, method: Method): boolean {
  if (!(error instanceof ApiError)) return method === 'GET' && !(error instanceof SyntaxError);
  return TRANSIENT.has(error.status) && (method === 'GET' || !UNCERTAIN.has(error.status));
}

/**
 * Returns the pause before an attempt. It is partly random, so that clients with the same `Retry-After` do not return
 * at the same time.
 * @returns milliseconds
 */
export function waitBefore(attempt: number, error: unknown): number {
  const longest = FIRST_WAIT_MS * 2 ** (attempt - 2);
  const requested = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
  return Math.max(requested, longest / 2) + (Math.random() * longest) / 2;
}
