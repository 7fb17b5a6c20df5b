/** Decides which failed requests the REST client sends again, and when. */
import { ApiError } from './problem.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Wait before the second attempt. It is doubled for each further one, and half of it is random. */
const FIRST_WAIT_MS = 500;
/** Statuses for limits, and for a service or a proxy whose process restarts. */
const TRANSIENT = new Set([429, 502, 503, 504]);
/** Statuses from a proxy if the request may have arrived. */
const UNCERTAIN = new Set([502, 504]);

/** Whether a failed request is sent again. If the first one may have arrived, only a GET is. */
export function shouldRetry(error: unknown, method: Method): boolean {
  if (!(error instanceof ApiError)) return method === 'GET' && !(error instanceof SyntaxError);
  return TRANSIENT.has(error.status) && (method === 'GET' || !UNCERTAIN.has(error.status));
}

/**
 * Spreads retries, so that clients with the same wait do not return at the same time. @returns ms before this attempt
 */
export function waitBefore(attempt: number, error: unknown): number {
  const longest = FIRST_WAIT_MS * 2 ** (attempt - 2);
  const requested = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
  return Math.max(requested, longest / 2) + (Math.random() * longest) / 2;
}
