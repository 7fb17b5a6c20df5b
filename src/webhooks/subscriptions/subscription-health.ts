/** How attempt outcomes make a subscription failing or disabled, and when its owner gets a notice. Pure. */
import type { NoticeType } from '../../wire/event-types.ts';
import type { Progress, Told } from './subscription-row.ts';

/**
 * Number of consecutive failures after which a subscription is failing. It then has one attempt at a time, and new
 * events are sent slowly.
 */
export const FAILING_AFTER = 5;
/**
 * A subscription is disabled after this time without a success. It is counted from the first failure after the last
 * success (spec: 72 h).
 */
export const DISABLED_AFTER_MS = 72 * 3_600_000;

type Outcomes = Omit<Progress, 'position' | 'ahead' | 'gap' | 'rests_until'>;

/** The columns of a subscription row that depend on the outcomes of attempts. */
export interface Health extends Outcomes {
  disabled_reason: 'no_success' | 'gone' | null;
}

export function storedHealth(row: Outcomes): Health {
  const { last_sent_at, last_success_at, last_failure_at, last_failure, failing_since, failures } = row;
  const outcomes = { last_sent_at, last_success_at, last_failure_at, last_failure, failing_since, failures };
  return { ...outcomes, disabled_reason: null };
}

/** @param outcome.isRefused whether the receiver only asked to wait. The subscription then does not become failing. */
export function afterAttempt(
  health: Health,
  outcome: { status: number | null; failure: string | null; isRefused?: boolean },
  now: number,
): Health {
  if (outcome.failure === null) return { ...health, last_success_at: now, failing_since: null, failures: 0 };
  const failing_since = health.failing_since ?? now;
  const tooLong = now - failing_since >= DISABLED_AFTER_MS ? ('no_success' as const) : null;
  return {
    ...health,
    last_failure_at: now,
    last_failure: outcome.failure,
    failing_since,
    failures: health.failures + (outcome.isRefused ? 0 : 1),
    disabled_reason: outcome.status === 410 || health.disabled_reason === 'gone' ? 'gone' : tooLong,
  };
}

/**
 * The owner gets a notice about a failing subscription after this time without a success, so that a restart of the receiver causes
 * none.
 */
const NOTICE_AFTER_MS = 5 * 60_000;
/** Minimum time between a notice and the next one that a subscription is failing. */
const NOTICE_EVERY_MS = 3_600_000;

/** @param health after an attempt @returns the notice that the attempt causes */
export function dueNotice(
  health: Health,
  { failure }: { failure: string | null },
  { notified, notified_at }: Told,
  now: number,
): NoticeType | null {
  if (health.disabled_reason !== null) return 'webhook.disabled';
  if (failure === null) return notified === null ? null : 'webhook.recovered';
  if (notified === 'failing' || health.failures < FAILING_AFTER || health.failing_since === null) return null;
  const sinceNotice = notified_at === null ? Number.POSITIVE_INFINITY : now - notified_at;
  const isRecent = sinceNotice >= 0 && sinceNotice < NOTICE_EVERY_MS;
  return isRecent || now - health.failing_since < NOTICE_AFTER_MS ? null : 'webhook.failing';
}

export const afterNotice = (type: NoticeType, now: number): Told => ({
  notified: type === 'webhook.recovered' ? null : type === 'webhook.failing' ? 'failing' : 'disabled',
  notified_at: now,
});
