/** When a delivery is tried again, and what its outcomes make of a subscription. Pure. */

/** Waits before the repeats of a delivery (spec: up to 6). */
export const RETRY_WAITS_MS: readonly number[] = [5_000, 30_000, 120_000, 600_000, 1_800_000, 7_200_000];
/** Each wait is spread by so much either way. */
export const RETRY_SPREAD = 0.2;
/** Failures in a row after which a subscription counts as failing: one attempt at a time then. */
export const FAILING_AFTER = 5;
/** Without a success for so long, counted from the first failure after the last success, it is disabled. */
export const DISABLED_AFTER_MS = 72 * 3_600_000;

/** @returns milliseconds from now that the receiver asks for; null where it says nothing that can be read */
function parseRetryAfter(text: string | null, now: number): number | null {
  if (text === null) return null;
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  // An HTTP date has a weekday first; Date.parse takes much else.
  const at = /^[A-Z][a-z]+, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : at - now;
}

/**
 * @param attempt that has failed, from 1
 * @param random 0 to 1
 * @returns milliseconds to wait; null: it was the last one
 */
export function retryWait(
  attempt: number,
  retryAfter: string | null,
  now: number,
  random = Math.random(),
): number | null {
  const base = RETRY_WAITS_MS[attempt - 1];
  if (base === undefined) return null;
  const wait = base * (1 + RETRY_SPREAD * (2 * random - 1));
  const asked = parseRetryAfter(retryAfter, now);
  return Math.round(asked === null ? wait : Math.min(Math.max(asked, wait), 2 * wait));
}

/** What a subscription's row says of its outcomes; times in milliseconds since 1970. */
export interface Health {
  lastSentAt: number;
  lastSuccessAt: number | null;
  lastFailureAt: number | null;
  lastFailure: string | null;
  /** The first failure after the last success. */
  failingSince: number | null;
  /** In a row. */
  failures: number;
  disabled: 'no_success' | 'gone' | null;
}

export function afterOutcome(
  health: Health,
  outcome: { status: number | null; failure: string | null },
  now: number,
): Health {
  if (outcome.failure === null) return { ...health, lastSuccessAt: now, failingSince: null, failures: 0 };
  const failingSince = health.failingSince ?? now;
  const tooLong = now - failingSince >= DISABLED_AFTER_MS ? ('no_success' as const) : null;
  return {
    ...health,
    lastFailureAt: now,
    lastFailure: outcome.failure,
    failingSince,
    failures: health.failures + 1,
    disabled: outcome.status === 410 || health.disabled === 'gone' ? 'gone' : tooLong,
  };
}
