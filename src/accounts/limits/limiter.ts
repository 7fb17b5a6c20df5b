/**
 * Charges requests to the windows of accounts. Each process counts for itself; what it has counted is exchanged through Postgres, for all
 * accounts that are due in one statement. While Postgres is unavailable it goes on with what it knows.
 */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Charge, ChargeRequest } from '../../http/charge.ts';
import { Problem } from '../../http/errors.ts';
import { startLoop } from '../../runtime/loop.ts';
import type { Plan } from '../plans/plan-file.ts';
import { planOf } from '../plans/plans.ts';
import { AccountLimit, EXCHANGE_MS, type LimitReport, type Violation } from './account-limit.ts';
import { exchange, leave, removeOldWindows } from './exchange.ts';
import { limitHeaders } from './headers.ts';
import { type NotifyWindow, WindowNotices } from './notices.ts';

/** A request waits for Postgres so long at most. */
const ANSWER_WITHIN_MS = 250;
/** After an exchange has failed, requests do not wait for one for this long. */
const ALONE_MS = 1_000;
/** Accounts in one statement. */
const BATCH_ACCOUNTS = 1_000;
const HOUSEKEEPING_MS = 10 * 60_000;

export interface LimiterOptions {
  pool: pg.Pool;
  clock: { now(): number };
  logger: Pick<Logger, 'error' | 'info'>;
  /** Told once of each threshold of a window, over all processes. */
  notifyWindow?: NotifyWindow | undefined;
}

/** Runs until it is closed. */
export class Limiter {
  readonly #options: LimiterOptions;
  readonly #pod = randomUUID();
  readonly #accounts = new Map<number, AccountLimit>();
  /** Have counted something since their last report. */
  readonly #dirty = new Set<AccountLimit>();
  /** Requests wait for what the database says of them. */
  readonly #asking = new Map<AccountLimit, { answered: Promise<void>; answer: () => void }>();
  readonly #notices: WindowNotices;
  readonly #loop;
  #aloneUntil = Number.NEGATIVE_INFINITY;
  #housekeepingAt: number;

  constructor(options: LimiterOptions) {
    this.#options = options;
    this.#notices = new WindowNotices(options);
    this.#housekeepingAt = performance.now() + Math.random() * HOUSEKEEPING_MS;
    this.#loop = startLoop({
      run: () => this.#run(),
      retryMs: EXCHANGE_MS,
      failed: 'postgres unavailable, counting requests in this process alone',
      recovered: 'postgres available again, counting requests over all processes',
      logger: options.logger,
      onError: () => {
        this.#aloneUntil = performance.now() + ALONE_MS;
        this.#answerAll();
        return false;
      },
    });
  }

  /** A promise only where the database has to be asked. */
  readonly charge: ChargeRequest = (principal, cost) => {
    // Our own pages have no windows.
    if (principal.kind === 'member') return undefined;
    const plan = planOf(principal);
    if (plan.windows.length === 0) return undefined;
    const limit = this.#limitOf(principal.accountId, plan);
    return this.#take(limit, cost) ?? this.#askAndTake(limit, cost);
  };

  /** Reports everything. */
  async close(): Promise<void> {
    await this.#loop.stop();
    this.#answerAll();
    try {
      await this.#exchange([...this.#dirty]);
      await leave(this.#options.pool, this.#pod);
    } catch {
      // Without Postgres there is nobody to tell.
    }
  }

  #limitOf(accountId: number, plan: Plan): AccountLimit {
    const now = this.#options.clock.now();
    let limit = this.#accounts.get(accountId);
    if (limit === undefined) {
      limit = new AccountLimit(accountId, plan, now);
      this.#accounts.set(accountId, limit);
    } else limit.setPlan(plan, now);
    return limit;
  }

  /** @returns null: the database has to be asked. @throws {Problem} */
  #take(limit: AccountLimit, cost: number, isAlone = performance.now() < this.#aloneUntil): Charge | null {
    const now = this.#options.clock.now();
    if (cost === 0) return limit.isKnown || isAlone ? { headers: limitHeaders(limit, now), refund: () => [] } : null;
    const verdict = limit.take(cost, now, isAlone);
    if (verdict === 'ask') return null;
    this.#dirty.add(limit);
    const headers = limitHeaders(limit, now);
    if (verdict !== 'admitted') throw refusal(limit, verdict, headers);
    const starts = limit.periods.map((period) => period.at(now).starts);
    return {
      headers,
      refund: () => {
        limit.refund(cost, starts);
        this.#dirty.add(limit);
        return limitHeaders(limit, this.#options.clock.now());
      },
    };
  }

  async #askAndTake(limit: AccountLimit, cost: number): Promise<Charge> {
    const deadline = performance.now() + ANSWER_WITHIN_MS;
    while (performance.now() < deadline) {
      await this.#ask(limit);
      const charge = this.#take(limit, cost);
      if (charge !== null) return charge;
    }
    // Postgres hangs.
    this.#aloneUntil = performance.now() + ALONE_MS;
    return this.#take(limit, cost, true)!;
  }

  async #ask(limit: AccountLimit): Promise<void> {
    let asking = this.#asking.get(limit);
    if (asking === undefined) {
      let answer = () => {};
      const answered = new Promise<void>((resolve) => {
        answer = resolve;
      });
      asking = { answered, answer };
      this.#asking.set(limit, asking);
      this.#loop.wake();
    }
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ANSWER_WITHIN_MS);
    });
    await Promise.race([asking.answered, late]);
    clearTimeout(timer);
  }

  async #run(): Promise<number> {
    const now = this.#options.clock.now();
    const due = new Set(this.#asking.keys());
    for (const limit of this.#dirty) if (limit.isDue(now)) due.add(limit);
    const list = [...due];
    for (let from = 0; from < list.length; from += BATCH_ACCOUNTS)
      await this.#exchange(list.slice(from, from + BATCH_ACCOUNTS));
    if (performance.now() >= this.#housekeepingAt) await this.#housekeeping(now);
    return EXCHANGE_MS;
  }

  async #exchange(limits: readonly AccountLimit[]): Promise<void> {
    if (limits.length === 0) return;
    const { pool, clock } = this.#options;
    const reports = new Map<AccountLimit, LimitReport>();
    for (const limit of limits) {
      reports.set(limit, limit.report(clock.now()));
      this.#dirty.delete(limit);
    }
    try {
      const states = await exchange(pool, this.#pod, [...reports.values()]);
      this.#aloneUntil = Number.NEGATIVE_INFINITY;
      for (const [limit, report] of reports) limit.settle(report, states.get(limit.accountId)!, clock.now());
    } catch (error) {
      for (const [limit, report] of reports) {
        limit.restore(report);
        this.#dirty.add(limit);
      }
      throw error;
    }
    for (const limit of limits) this.#answer(limit);
    await this.#notices.check(limits, clock.now());
  }

  #answer(limit: AccountLimit): void {
    this.#asking.get(limit)?.answer();
    this.#asking.delete(limit);
  }

  #answerAll(): void {
    for (const limit of [...this.#asking.keys()]) this.#answer(limit);
  }

  async #housekeeping(now: number): Promise<void> {
    this.#housekeepingAt = performance.now() + HOUSEKEEPING_MS;
    for (const [accountId, limit] of this.#accounts) if (limit.isForgettable(now)) this.#accounts.delete(accountId);
    await removeOldWindows(this.#options.pool, now);
  }
}

const DETAILS = {
  burst: (quota: number) => `The plan allows ${quota} requests per second (policy "burst").`,
  day: (quota: number) => `The ${quota} requests of the day (UTC) are used up (policy "day").`,
  month: (quota: number) => `The ${quota} requests of the month (UTC) are used up (policy "month").`,
};

function refusal(limit: AccountLimit, violations: readonly Violation[], headers: Charge['headers']): Problem {
  const quotaOf = (name: string) => limit.plan.windows.find((window) => window.name === name)!.quota;
  const code = violations.some(({ window }) => window !== 'burst') ? 'quota_exceeded' : 'rate_limited';
  const retryAfter = Math.max(...violations.map(({ retryAfterSeconds }) => retryAfterSeconds));
  return new Problem(code, violations.map(({ window }) => DETAILS[window](quotaOf(window))).join(' '), {
    headers: { ...Object.fromEntries(headers), 'Retry-After': String(retryAfter) },
    members: { 'violated-policies': violations.map(({ window }) => window) },
  });
}
