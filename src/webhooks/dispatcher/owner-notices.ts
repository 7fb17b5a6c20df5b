/**
 * The notices to the owner of a leased subscription. They are decided here, by the one dispatcher that has the lease, and saved
 * in the same transaction as the subscription's health.
 */
import type { NoticeRow } from '../delivery/notice-queries.ts';
import { afterNotice, dueNotice, type Health } from '../subscriptions/subscription-health.ts';
import type { Told } from '../subscriptions/subscription-row.ts';

export class OwnerNotices {
  #told: Told;
  /** Number of notices under this lease. */
  #count = 0;
  /** Since when it has been failing, if a notice under this lease says so. */
  #since: number | null = null;
  /** True if the subscription was disabled under this lease, which ends soon. */
  #isDisabled = false;
  #unsaved: NoticeRow[] = [];

  constructor({ notified, notified_at }: Told) {
    this.#told = { notified, notified_at };
  }

  afterAttempt(
    lease: { id: number; generation: number },
    health: Health,
    outcome: { failure: string | null },
    now: number,
  ): void {
    if (this.#isDisabled) return;
    const type = dueNotice(health, outcome, this.#told, now);
    if (type === null) return;
    this.#told = afterNotice(type, now);
    this.#count += 1;
    this.#since = type === 'webhook.recovered' ? this.#since : health.failing_since;
    this.#isDisabled = health.disabled_reason !== null;
    this.#unsaved.push({
      subscription_id: lease.id,
      generation: lease.generation,
      number: this.#count,
      type,
      at: now,
      since: this.#since,
      failure: outcome.failure,
      reason: health.disabled_reason,
      notified: this.#told.notified,
    });
  }

  /** @returns the notices to save. Report a failure by `restore`. */
  take(): NoticeRow[] {
    return this.#unsaved.splice(0);
  }

  restore(notices: readonly NoticeRow[]): void {
    this.#unsaved.unshift(...notices);
  }
}
