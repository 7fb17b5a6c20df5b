/** Effect of attempts' outcomes on a subscription: failing, disabled. Pure. */
import type { Progress } from './subscription-row.ts';

/**
 * From this number of consecutive failures on a subscription is failing: one attempt at a time, and new events at a
 * slow pace.
 */
export const FAILING_AFTER = 5;
/**
 * A subscription is disabled after this long without a success, counted from the first failure after the last success
 * (spec: 72 h).
 */
export const DISABLED_AFTER_MS = 72 * 3_600_000;

/** Outcomes in the row of a subscription; times in milliseconds since 1970. */
export interface Health {
  lastSentAt: number;
  lastSuccessAt: number | null;
  lastFailureAt: number | null;
  lastFailure: string | null;
  /** The first failure after the last success. */
  failingSince: number | null;
  /** Consecutive failures. */
  failures: number;
  disabled: 'no_success' | 'gone' | null;
}

type HealthColumns = Omit<Progress, 'position' | 'ahead' | 'gap'>;

export const storedHealth = (row: HealthColumns): Health => ({
  lastSentAt: row.last_sent_at,
  lastSuccessAt: row.last_success_at,
  lastFailureAt: row.last_failure_at,
  lastFailure: row.last_failure,
  failingSince: row.failing_since,
  failures: row.failures,
  disabled: null,
});

export const healthColumns = (health: Health): HealthColumns & { disabled_reason: Health['disabled'] } => ({
  last_sent_at: health.lastSentAt,
  last_success_at: health.lastSuccessAt,
  last_failure_at: health.lastFailureAt,
  last_failure: health.lastFailure,
  failing_since: health.failingSince,
  failures: health.failures,
  disabled_reason: health.disabled,
});

export function afterAttempt(
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
