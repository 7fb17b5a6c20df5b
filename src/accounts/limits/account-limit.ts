/**
 * The limit windows for one account's secret keys, or for its publishable keys, as one process sees them. They decide
 * which requests the process may admit, what it reports to the database, and when. Pure.
 */
import type { Plan, PlanWindow, WindowName } from '../plans/plan-file.ts';
import { Burst, type BurstReport, type BurstState } from './burst.ts';
import { PeriodUse, type UseReport } from './period-use.ts';

/** How often accounts near a limit are reported. */
export const EXCHANGE_MS = 200;
/** How often the rest are reported. */
const IDLE_EXCHANGE_MS = 5_000;
/** How long a value that was read for the burst is valid. An older value says little about other processes. */
const FRESH_MS = 2 * EXCHANGE_MS;
/**
 * How long a value that was read for a day or a month is valid. As long as little usage is unreported, days and months
 * are reported less often.
 */
const SEEN_MS = 2 * IDLE_EXCHANGE_MS;
/** An account is dropped from memory after this time without requests. */
const FORGOTTEN_MS = 60_000;

export interface Violation {
  window: WindowName;
  retryAfterSeconds: number;
}

/** `ask` means that the process's data is stale, so the database has to decide. */
export type Verdict = 'admitted' | 'ask' | readonly Violation[];

/** An account's secret keys are counted together, and so are its publishable keys. */
export type KeyKind = 'sk' | 'pk';

/** A process's report about one account. */
export interface LimitReport {
  accountId: number;
  /** 0 if the plan has no burst. */
  burstQuota: number;
  burst: BurstReport;
  periods: readonly UseReport[];
}

/** The database's reply to a report. */
export interface LimitState {
  burst: BurstState | null;
  /** Usage in each reported window, in the report's order. */
  used: readonly number[];
  /** Processes that have reported the account recently, including this one. */
  pods: number;
}

const NO_BURST: BurstReport = { spent: 0, demand: 0 };

export class AccountLimit {
  readonly accountId: number;
  readonly keys: KeyKind;
  #plan: Plan;
  #burst: Burst | null = null;
  #periods: PeriodUse[] = [];
  #readAt: number | null = null;
  #pods = 1;
  #askedAt: number;
  /** Whether there was a request since the last report. */
  #touched = false;
  #refused = false;

  constructor(accountId: number, keys: KeyKind, plan: Plan, now: number) {
    this.accountId = accountId;
    this.keys = keys;
    this.#plan = plan;
    this.#askedAt = now;
    this.#configure(now);
  }

  /** Ordered as in WINDOW_NAMES. */
  get windows(): readonly PlanWindow[] {
    return this.keys === 'sk' ? this.#plan.windows : this.#plan.publishableWindows;
  }

  get burst(): Burst | null {
    return this.#burst;
  }

  get periods(): readonly PeriodUse[] {
    return this.#periods;
  }

  /** Processes that serve these keys, including this one. */
  get pods(): number {
    return this.#pods;
  }

  /** Whether the windows have been read from the database at least once. */
  get isKnown(): boolean {
    return this.#readAt !== null;
  }

  /** Keeps the counted usage when the plan changes. Windows that the new plan lacks are dropped. */
  setPlan(plan: Plan, now: number): void {
    if (plan === this.#plan) return;
    this.#plan = plan;
    this.#configure(now);
    // The usage in a new window has not been read from the database.
    this.#readAt = null;
  }

  /**
   * Charges the cost if all windows allow it, and nothing otherwise.
   * @param isAlone true if the database is unavailable, so that the process has to decide by the data that it has
   */
  take(cost: number, now: number, isAlone: boolean): Verdict {
    this.#askedAt = now;
    const violations: Violation[] = [];
    const age = this.#readAt === null ? Number.POSITIVE_INFINITY : now - this.#readAt;
    if (age === Number.POSITIVE_INFINITY && !isAlone) return 'ask';
    for (const period of this.#periods) {
      const { endsAt } = period.at(now);
      if ((isAlone ? period.leftAlone : period.left) < cost)
        violations.push({ window: period.name, retryAfterSeconds: Math.max(1, Math.ceil((endsAt - now) / 1_000)) });
      else if (!isAlone && !period.mayStayUnreported(cost, age < SEEN_MS)) return 'ask';
    }
    this.#touched = true;
    const burst = this.#burst;
    burst?.asked();
    if (burst !== null && !burst.admits(cost, now)) {
      // The burst may have been refilled by now, so ask. A day or month that is used up stays used up.
      if (violations.length === 0 && !isAlone && age > FRESH_MS) return 'ask';
      violations.push({ window: 'burst', retryAfterSeconds: burst.secondsUntil(cost, now) });
      this.#refused = true;
    }
    if (violations.length > 0) return violations;
    burst?.spend(cost);
    for (const period of this.#periods) period.spend(cost);
    return 'admitted';
  }

  /**
   * Refunds a cost that was charged.
   * @param starts the windows in which it was charged
   */
  refund(cost: number, starts: readonly string[]): void {
    this.#touched = true;
    this.#burst?.spend(-cost);
    for (const [index, period] of this.#periods.entries()) period.refund(cost, starts[index] ?? '');
  }

  isDue(now: number): boolean {
    if (!this.#touched) return false;
    const age = this.#readAt === null ? Number.POSITIVE_INFINITY : now - this.#readAt;
    if (age >= IDLE_EXCHANGE_MS) return true;
    if (this.#refused || this.#burst?.isPressing(now)) return age >= EXCHANGE_MS;
    return this.#periods.some((period) => period.isPressing());
  }

  isForgettable(now: number): boolean {
    return !this.#touched && now - this.#askedAt > FORGOTTEN_MS;
  }

  /** Returns what to report. The reported usage counts as stored unless `restore` is called. */
  report(now: number): LimitReport {
    this.#touched = false;
    this.#refused = false;
    return {
      accountId: this.accountId,
      burstQuota: this.#burst?.quota ?? 0,
      burst: this.#burst?.report(now) ?? NO_BURST,
      periods: this.#periods.flatMap((period) => period.report(now, true)),
    };
  }

  settle(report: LimitReport, state: LimitState, now: number, random: () => number = Math.random): void {
    if (state.burst !== null && report.burstQuota === this.#burst?.quota) this.#burst.settle(state.burst, now, random);
    for (const [index, one] of report.periods.entries())
      this.#periodOf(one)?.settle(one, state.used[index] ?? 0, state.pods);
    this.#readAt = now;
    this.#pods = state.pods;
  }

  /** Takes a report back because it did not reach the database. */
  restore(report: LimitReport): void {
    this.#touched = true;
    this.#burst?.restore(report.burst);
    for (const one of report.periods) this.#periodOf(one)?.restore(one);
  }

  #periodOf({ kind }: UseReport): PeriodUse | undefined {
    return this.#periods.find(({ name }) => name === kind);
  }

  #configure(now: number): void {
    let burst: Burst | null = null;
    const periods: PeriodUse[] = [];
    for (const { name, quota } of this.windows) {
      if (name === 'burst') {
        burst = this.#burst ?? new Burst(quota, now);
        burst.quota = quota;
      } else {
        const period = this.#periods.find((one) => one.name === name) ?? new PeriodUse(name, quota, now);
        period.quota = quota;
        periods.push(period);
      }
    }
    this.#burst = burst;
    this.#periods = periods;
  }
}
