/** The retry schedule for failed deliveries. Pure. */

/** Waits before a delivery's retries (spec: up to 6). */
const RETRY_WAITS_MS: readonly number[] = [5_000, 30_000, 120_000, 600_000, 1_800_000, 7_200_000];
export const MAX_RETRIES = RETRY_WAITS_MS.length;
/**
 * Jitter. Each wait is made longer or shorter at random, by up to this share, so that failed deliveries are not all
 * retried at once.
 */
const RETRY_JITTER = 0.2;

/**
 * Reads a Retry-After header.
 * @returns milliseconds to wait from now; null if the header is missing or cannot be parsed
 */
export function parseRetryAfter(text: string | null, now: number): number | null {
  if (text === null) return null;
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  // HTTP dates begin with a weekday. Date.parse alone would accept many more formats.
  const at = /^[A-Z][a-z]+, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : at - now;
}

/**
 * @param attempt number of the failed attempt, from 1
 * @param retryAfter the reply's Retry-After header, which can at most double the wait and cannot shorten it
 * @param random 0 to 1
 * @returns milliseconds to wait, or null after the last attempt
 */
export function retryWait(
  attempt: number,
  retryAfter: string | null,
  now: number,
  random = Math.random(),
): number | null {
  const base = RETRY_WAITS_MS[attempt - 1];
  if (base === undefined) return null;
  const wait = base * (1 + RETRY_JITTER * (2 * random - 1));
  const requested = parseRetryAfter(retryAfter, now);
  return Math.round(requested === null ? wait : Math.min(Math.max(requested, wait), 2 * wait));
}
