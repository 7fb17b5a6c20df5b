/**
 * Computes the back-off after failed requests. It doubles with each failure, and has jitter. If the source asks for a
 * longer pause, the longer pause applies.
 */
import { HOUR_MS } from '../wire/time.ts';

const FIRST_BACKOFF_MS = 60_000;
const LONGEST_BACKOFF_MS = HOUR_MS;
/** Longest `Retry-After` that is respected. */
const LONGEST_RETRY_AFTER_MS = 24 * HOUR_MS;
const JITTER = 0.2;

/**
 * @param failures number of consecutive failures
 * @param longestMs upper bound for the pause; only the source may ask for a longer one
 * @param random from 0 to 1
 * @returns milliseconds until the next request
 */
export function backoff(
  failures: number,
  retryAfterMs: number | null,
  longestMs = LONGEST_BACKOFF_MS,
  random = Math.random(),
): number {
  const wait = Math.min(FIRST_BACKOFF_MS * 2 ** Math.min(failures - 1, 10), longestMs);
  const jittered = wait * (1 - JITTER + 2 * JITTER * random);
  return Math.max(jittered, Math.min(retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS));
}
