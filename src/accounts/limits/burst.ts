/**
 * One process's share of an account's burst. Pure. The token bucket is in the database. It holds a number of tokens and
 * is refilled at the quota per second. Each process spends from the level that it last read, times the process's share,
 * and reports what it has spent. While all processes together get requests within the quota per second, each may spend
 * all of it. Beyond that, shares are proportional to demand. Tokens spent by several processes at the same time make
 * the level in the database negative and are paid back, so that errors do not add up.
 */
export interface BurstReport {
  spent: number;
  /** Requests per second, including refused ones. */
  demand: number;
}

/** The bucket's state in the database after a report. */
export interface BurstState {
  tokens: number;
  /** Requests per second that other processes receive. */
  othersDemand: number;
}

/** Time over which demand is averaged. */
const DEMAND_MS = 1_000;
/**
 * Demand counts as within the quota up to this factor because a client at the limit has a varying demand, as measured
 * over a second.
 */
const WITHIN = 1.25;
/** Minimum share for a process with less demand, so that the first request is admitted. */
const MIN_DEMAND = 0.1;

export class Burst {
  quota: number;
  #level: number;
  #filledAt: number;
  #share = 1;
  #spent = 0;
  #asked = 0;
  #demand = 0;
  #reportedAt: number;

  constructor(quota: number, now: number) {
    this.quota = quota;
    this.#level = quota;
    this.#filledAt = now;
    this.#reportedAt = now;
  }

  /** Tokens that this process may spend at once. */
  level(now: number): number {
    const elapsed = now - this.#filledAt;
    // A clock that was set back removes no tokens.
    if (elapsed !== 0) this.#filledAt = now;
    if (elapsed > 0) {
      const size = Math.max(1, this.quota * this.#share);
      // A level above the size was granted for a larger share, and stays.
      if (this.#level < size) this.#level = Math.min(size, this.#level + (elapsed / 1_000) * this.quota * this.#share);
    }
    return this.#level;
  }

  /** Call it for each request, including refused ones. */
  asked(): void {
    this.#asked += 1;
  }

  spend(cost: number): void {
    this.#level -= cost;
    this.#spent += cost;
  }

  /** Milliseconds until `cost` can be spent. */
  msUntil(cost: number, now: number): number {
    return Math.max(0, Math.ceil(((cost - this.level(now)) * 1_000) / (this.quota * this.#share)));
  }

  /** Whole seconds, at least 1, until `cost` can be spent. */
  secondsUntil(cost: number, now: number): number {
    return Math.max(1, Math.ceil(this.msUntil(cost, now) / 1_000));
  }

  /** Seconds until the bucket is full. */
  secondsUntilFull(now: number): number {
    return Math.max(0, Math.ceil((this.quota - this.level(now)) / this.quota));
  }

  /**
   * Whether other processes must be informed soon, because a quarter of the bucket is spent or it is less than half
   * full.
   */
  isPressing(now: number): boolean {
    return this.#asked > 0 && (this.#spent >= this.quota / 4 || this.level(now) < this.quota / 2);
  }

  report(now: number): BurstReport {
    const passed = Math.max(1, now - this.#reportedAt) / DEMAND_MS;
    const kept = Math.exp(-passed);
    // Exact if the requests were evenly spaced.
    this.#demand = this.#demand * kept + (this.#asked * (1 - kept)) / passed;
    const report = { spent: this.#spent, demand: this.#demand };
    this.#reportedAt = now;
    this.#spent = 0;
    this.#asked = 0;
    return report;
  }

  /** @param random from 0 to 1; a fraction of a token becomes a whole one with that probability */
  settle({ tokens, othersDemand }: BurstState, now: number, random: () => number): void {
    const demand = Math.max(this.#demand, MIN_DEMAND);
    const total = demand + othersDemand;
    this.#share = total <= WITHIN * this.quota ? 1 : demand / total;
    const part = tokens * this.#share;
    const whole = Math.floor(part) + (random() < part - Math.floor(part) ? 1 : 0);
    // Tokens spent while the database answered are not included in the level yet.
    this.#level = (this.#share < 1 && part > 0 ? whole : part) - this.#spent;
    this.#filledAt = now;
  }

  /** The report has not arrived. */
  restore({ spent }: BurstReport): void {
    this.#spent += spent;
  }
}
