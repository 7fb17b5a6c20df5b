/**
 * Charges requests to the windows of their accounts. Each process counts locally. Processes exchange their counts
 * through Postgres, for all due accounts in one statement. While Postgres is unavailable, the limiter decides by the
 * values that it last read.
 */
import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import type { Logger } from 'pino';
import {
  type AwaitBurst,
  type Charge,
  type ChargeRequest,
  type KeyPrincipal,
  maskAddress,
  type NotifyWindow,
  Problem,
  retryAfter,
} from '../../http/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import { startLoop } from '../../runtime/loop.ts';
import { within } from '../../runtime/time-limit.ts';
import type { Plan, WindowName } from '../plans/plan-file.ts';
import type { OfferedPlans } from '../plans/plans.ts';
import { AccountLimit, EXCHANGE_MS, type KeyKind, type LimitReport, type Violation } from './account-limit.ts';
import { AddressUse, type AddressViolation } from './address-use.ts';
import { exchange, leave, removeOldWindows } from './count-exchange.ts';
import { WindowNotices } from './quota-notices.ts';
import { limitHeaders } from './rate-limit-headers.ts';

/** Maximum time that a request waits for Postgres. */
const ANSWER_WITHIN_MS = 250;
/** After a failed exchange, requests do not wait for Postgres for this long. */
const ALONE_MS = 1_000;
/** Accounts per statement. */
const BATCH_ACCOUNTS = 1_000;
const HOUSEKEEPING_MS = 10 * 60_000;
/** Maximum number of client addresses in memory. The least recently used one is dropped. */
const MAX_ADDRESSES = 50_000;

export interface LimiterOptions {
  pool: pg.Pool;
  clock: Clock;
  logger: Pick<Logger, 'error' | 'info'>;
  plans: OfferedPlans;
  /** Called once for each window and threshold, in one of the processes. */
  notifyWindow?: NotifyWindow | undefined;
}

/** A request to be charged. */
interface ChargedRequest {
  limit: AccountLimit;
  /** Null if the client address has no limit. */
  address: AddressUse | null;
  cost: number;
}

/** Runs until closed. */
export class Limiter {
  readonly #options: LimiterOptions;
  readonly #pod = randomUUID();
  readonly #accounts: Readonly<Record<KeyKind, Map<number, AccountLimit>>> = { sk: new Map(), pk: new Map() };
  /** Usage by client address, keyed by the account and the client's network. */
  #addresses: LRUCache<string, AddressUse> | undefined;
  /** Accounts that have counted something since the last report. */
  readonly #dirty = new Set<AccountLimit>();
  /** Requests that wait for the database's reply. */
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
      failed: 'postgres unavailable, counting requests in this process only',
      recovered: 'postgres available again, counting requests over all processes',
      logger: options.logger,
      onError: () => {
        this.#aloneUntil = performance.now() + ALONE_MS;
        this.#answerAll();
        return false;
      },
    });
  }

  /** Charges a request. Returns a promise only if the database has to be asked. */
  readonly charge: ChargeRequest = (principal, cost, readAddress, awaitBurst) => {
    // Members' requests from the service's pages are not charged.
    if (principal.kind === 'member') return undefined;
    const plan = this.#options.plans.of(principal);
    const limit = this.#limitFor(principal, plan);
    const address = principal.kind === 'pk' ? this.#addressUse(principal, plan, readAddress()) : null;
    if (limit.windows.length === 0 && address === null) return undefined;
    const request = { limit, address, cost };
    if (awaitBurst !== undefined) return this.#waitAndTake(request, awaitBurst);
    return this.#take(request) ?? this.#askAndTake(request);
  };

  /** Reports all counts. */
  async close(): Promise<void> {
    await this.#loop.stop();
    this.#answerAll();
    try {
      await this.#exchange([...this.#dirty]);
      await leave(this.#options.pool, this.#pod);
    } catch {
      // Without Postgres, the demand stays in the database until the last report expires.
    }
  }

  #limitFor({ kind, accountId }: KeyPrincipal, plan: Plan): AccountLimit {
    const now = this.#options.clock.now();
    const accounts = this.#accounts[kind];
    let limit = accounts.get(accountId);
    if (limit === undefined) {
      limit = new AccountLimit(accountId, kind, plan, now);
      accounts.set(accountId, limit);
    } else limit.setPlan(plan, now);
    return limit;
  }

  /** Returns null if the plan does not limit addresses. */
  #addressUse({ accountId }: KeyPrincipal, { publishablePerAddress }: Plan, address: string): AddressUse | null {
    if (publishablePerAddress.length === 0) return null;
    const name = `${accountId} ${maskAddress(address)}`;
    // Created by the first limited request, since it takes more than a megabyte at once.
    this.#addresses ??= new LRUCache({ max: MAX_ADDRESSES });
    let use = this.#addresses.get(name);
    if (use?.windows !== publishablePerAddress) {
      use = new AddressUse(publishablePerAddress, this.#options.clock.now());
      this.#addresses.set(name, use);
    }
    return use;
  }

  /** @returns null if the database has to be asked. @throws {Problem} */
  #take(request: ChargedRequest, isAlone = performance.now() < this.#aloneUntil): Charge | null {
    const { limit, address, cost } = request;
    const now = this.#options.clock.now();
    const headersNow = () => limitHeaders(limit, this.#options.clock.now(), address);
    if (cost === 0) return limit.isKnown || isAlone ? { headers: headersNow(), refund: () => [] } : null;
    const exceeded = address?.violations(cost, now, limit.pods) ?? [];
    if (exceeded.length > 0) throw refusal(request, exceeded, headersNow());
    const verdict = limit.take(cost, now, isAlone);
    if (verdict === 'ask') return null;
    this.#dirty.add(limit);
    if (verdict !== 'admitted') throw refusal(request, verdict, headersNow());
    address?.spend(cost, now);
    const starts = limit.periods.map((period) => period.at(now).starts);
    let charged = cost;
    return {
      headers: headersNow(),
      refund: (part = charged) => {
        charged -= part;
        limit.refund(part, starts);
        address?.refund(part, now);
        this.#dirty.add(limit);
        return headersNow();
      },
    };
  }

  async #waitAndTake(request: ChargedRequest, awaitBurst: AwaitBurst): Promise<Charge> {
    for (;;) {
      try {
        return await (this.#take(request) ?? this.#askAndTake(request));
      } catch (error) {
        // Only a burst is worth waiting for. A used-up day or month does not refill in that time.
        const isBurst = error instanceof Problem && error.code === 'rate_limited';
        if (!isBurst || !(await awaitBurst(this.#msUntilRoom(request)))) throw error;
      }
    }
  }

  /** Time until the bursts have room for a request. */
  #msUntilRoom({ limit, address, cost }: ChargedRequest): number {
    const now = this.#options.clock.now();
    return Math.max(limit.burst?.msUntil(cost, now) ?? 0, address?.msUntil(cost, now, limit.pods) ?? 0);
  }

  async #askAndTake(request: ChargedRequest): Promise<Charge> {
    const deadline = performance.now() + ANSWER_WITHIN_MS;
    while (performance.now() < deadline) {
      await this.#ask(request.limit);
      const charge = this.#take(request);
      if (charge !== null) return charge;
    }
    // Postgres did not reply in time.
    this.#aloneUntil = performance.now() + ALONE_MS;
    return this.#take(request, true)!;
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
    await within(ANSWER_WITHIN_MS, asking.answered, undefined);
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
    for (const keys of ['sk', 'pk'] as const)
      await this.#exchangeKind(
        keys,
        limits.filter((limit) => limit.keys === keys),
      );
  }

  async #exchangeKind(keys: KeyKind, limits: readonly AccountLimit[]): Promise<void> {
    if (limits.length === 0) return;
    const { pool, clock } = this.#options;
    const reports = new Map<AccountLimit, LimitReport>();
    for (const limit of limits) {
      reports.set(limit, limit.report(clock.now()));
      this.#dirty.delete(limit);
    }
    try {
      const states = await exchange(pool, keys, this.#pod, [...reports.values()]);
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
    await this.#notices.check(keys, limits, clock.now());
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
    for (const accounts of Object.values(this.#accounts))
      for (const [accountId, limit] of accounts) if (limit.isForgettable(now)) accounts.delete(accountId);
    await removeOldWindows(this.#options.pool, now);
  }
}

const DETAILS: Readonly<Record<WindowName, (quota: number) => string>> = {
  burst: (quota) => `The plan allows ${quota} requests per second (policy "burst").`,
  day: (quota) => `The ${quota} requests of the day (UTC) are used up (policy "day").`,
  month: (quota) => `The ${quota} requests of the month (UTC) are used up (policy "month").`,
};
const ADDRESS_DETAILS: typeof DETAILS = {
  burst: (quota) => `Requests of one address are limited to ${quota} per second (policy "address-burst").`,
  day: (quota) => `Requests of one address are limited to ${quota} a day (UTC; policy "address-day").`,
  month: (quota) => `Requests of one address are limited to ${quota} a month (UTC; policy "address-month").`,
};

function refusal(
  { limit, address }: ChargedRequest,
  violations: readonly (Violation | AddressViolation)[],
  headers: Charge['headers'],
): Problem {
  const details = violations.map(({ window }) => {
    const isForAddress = window.startsWith('address-');
    const name = window.replace('address-', '') as WindowName;
    const { quota } = ((isForAddress && address?.windows) || limit.windows).find((one) => one.name === name)!;
    return (isForAddress ? ADDRESS_DETAILS : DETAILS)[name](quota);
  });
  const code = violations.some(({ window }) => !window.endsWith('burst')) ? 'quota_exceeded' : 'rate_limited';
  const seconds = Math.max(...violations.map(({ retryAfterSeconds }) => retryAfterSeconds));
  return new Problem(code, details.join(' '), {
    headers: { ...Object.fromEntries(headers), ...retryAfter(seconds) },
    members: { 'violated-policies': violations.map(({ window }) => window) },
  });
}
