/** The `Retry-After` header, which says when a refused client may try again. */
import { randomInt } from 'node:crypto';

type RetryAfter = Record<'Retry-After', string>;

/** @param seconds is rounded up, to at least 1 */
export const retryAfter = (seconds: number): RetryAfter => ({
  'Retry-After': String(Math.max(1, Math.ceil(seconds))),
});

/**
 * Shortest and longest time, in seconds, after which a client may retry if a store is unavailable or slow. The time is
 * random, so that the clients do not all come back at once.
 */
const LEAST_RETRY_AFTER_S = 5;
const MOST_RETRY_AFTER_S = 10;

export const randomRetryAfter = (): RetryAfter => retryAfter(randomInt(LEAST_RETRY_AFTER_S, MOST_RETRY_AFTER_S + 1));
