/**
 * How one client address uses an account's publishable keys, as one process sees it. Pure. Processes do not exchange
 * addresses. Each process allows its share of the limit, as if requests were spread evenly over all processes that
 * serve the account.
 */
import type { PlanWindow, WindowName } from '../plans/plan-file.ts';
import { type Period, type PeriodName, periodAt } from './periods.ts';

/** A window's name in RateLimit headers and problems. */
export type AddressWindow = `address-${WindowName}`;

export interface AddressViolation {
  window: AddressWindow;
  retryAfterSeconds: number;
}

/** How much is left of a window in this process. */
export interface AddressWindowState {
  name: AddressWindow;
  quota: number;
  /** How long the window is. */
  seconds: number;
  left: number;
  /** Seconds until the window is full again. */
  resetSeconds: number;
}

const secondsUntil = (at: number, now: number) => Math.max(1, Math.ceil((at - now) / 1_000));

export class AddressUse {
  readonly #windows: readonly PlanWindow[];
  /** Burst tokens, and the time when they were last refilled. */
  #tokens: number;
  #filledAt: number;
  readonly #used = new Map<PeriodName, { starts: string; used: number }>();

  constructor(windows: readonly PlanWindow[], now: number) {
    this.#windows = windows;
    this.#tokens = windows.find(({ name }) => name === 'burst')?.quota ?? 0;
    this.#filledAt = now;
  }

  /** The limits with which this object was created. A change of plan needs a new object. */
  get windows(): readonly PlanWindow[] {
    return this.#windows;
  }

  /**
   * @param pods number of processes that serve the account's publishable keys
   * @returns the windows that a request with this cost would exceed
   */
  violations(cost: number, now: number, pods: number): AddressViolation[] {
    return this.#windows.flatMap(({ name, quota }): AddressViolation[] => {
      if (name === 'burst') {
        const ms = this.msUntil(cost, now, pods);
        if (ms <= 0) return [];
        return [{ window: 'address-burst', retryAfterSeconds: Math.max(1, Math.ceil(ms / 1_000)) }];
      }
      const period = periodAt(name, now);
      if (this.#usedIn(name, period) + cost <= shareFor(quota, pods)) return [];
      return [{ window: `address-${name}`, retryAfterSeconds: secondsUntil(period.endsAt, now) }];
    });
  }

  /** Milliseconds until the burst has room for `cost`. A full burst has room for any cost, as an account's has. */
  msUntil(cost: number, now: number, pods: number): number {
    const quota = this.#windows.find(({ name }) => name === 'burst')?.quota;
    if (quota === undefined) return 0;
    return Math.max(0, Math.ceil(((Math.min(cost, quota) - this.#level(quota, now, pods)) * pods * 1_000) / quota));
  }

  spend(cost: number, now: number): void {
    this.#tokens -= cost;
    for (const { name } of this.#windows) {
      if (name === 'burst') continue;
      const period = periodAt(name, now);
      this.#used.set(name, { starts: period.starts, used: this.#usedIn(name, period) + cost });
    }
  }

  /** Refunds what was charged at the time `spentAt`. */
  refund(cost: number, spentAt: number): void {
    this.#tokens += cost;
    for (const [name, stored] of this.#used) if (stored.starts === periodAt(name, spentAt).starts) stored.used -= cost;
  }

  state(now: number, pods: number): AddressWindowState[] {
    return this.#windows.map(({ name, quota }): AddressWindowState => {
      if (name === 'burst') {
        const level = this.#level(quota, now, pods);
        const resetSeconds = Math.max(0, Math.ceil(((quota - level) * pods) / quota));
        return { name: 'address-burst', quota, seconds: 1, left: Math.max(0, Math.floor(level)), resetSeconds };
      }
      const period = periodAt(name, now);
      const left = Math.max(0, shareFor(quota, pods) - this.#usedIn(name, period));
      const resetSeconds = secondsUntil(period.endsAt, now);
      return { name: `address-${name}`, quota, seconds: period.seconds, left, resetSeconds };
    });
  }

  /**
   * Returns the tokens in the bucket. Each process has a bucket of the full size, so that a page may send several
   * requests at once. The process refills this bucket only at its share of the quota.
   */
  #level(quota: number, now: number, pods: number): number {
    // If the clock was set back, no tokens are removed.
    const elapsed = Math.max(0, now - this.#filledAt);
    this.#filledAt = now;
    this.#tokens = Math.min(quota, this.#tokens + (elapsed / 1_000) * (quota / pods));
    return this.#tokens;
  }

  #usedIn(name: PeriodName, { starts }: Period): number {
    const stored = this.#used.get(name);
    return stored?.starts === starts ? stored.used : 0;
  }
}

const shareFor = (quota: number, pods: number) => Math.max(1, Math.floor(quota / pods));
