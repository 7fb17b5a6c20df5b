/**
 * One process's share of an account's burst. Pure. The token bucket is in the database: a number of tokens, refilled at
 * the quota per second. Each process may spend its share of the level that it last read, and reports what it has spent.
 * While the total demand is within the quota per second, each process may spend the whole level. Above that, shares are
 * proportional to demand. If several processes spend the same tokens, the level in the database becomes negative, and
 * the refill pays the debt. Errors therefore do not add up.
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

/** Averaging time for demand. */
const DEMAND_MS = 1_000;
/**
 * Demand up to this factor times the quota counts as within the quota, because a client that keeps exactly to the limit
 * still sends a little more in some seconds.
 */
const WITHIN = 1.25;
/** Minimum demand that is assumed for a process, so that its first request is admitted. */
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
    // If the clock was set back, no tokens are removed.
    if (elapsed !== 0) this.#filledAt = now;
    if (elapsed > 0) {
      const size = Math.max(1, this.quota * this.#share);
      // A level above the size was granted while the share was larger. It is not reduced.
      if (this.#level < size) this.#level = Math.min(size, this.#level + (elapsed / 1_000) * this.quota * this.#share);
    }
    return this.#level;
  }

  /**
   * Whether `cost` can be spent now. A full bucket admits any cost; what it lacks becomes a debt that the refill pays.
   */
  admits(cost: number, now: number): boolean {
    return this.level(now) >= this.#needed(cost);
  }

  #needed(cost: number): number {
    return Math.min(cost, Math.max(1, this.quota * this.#share));
  }

  /** Counts a request as demand. Call it for refused requests too. */
  asked(): void {
    this.#asked += 1;
  }

  spend(cost: number): void {
    this.#level -= cost;
    this.#spent += cost;
  }

  /** Milliseconds until `cost` can be spent. */
  msUntil(cost: number, now: number): number {
    return Math.max(0, Math.ceil(((this.#needed(cost) - this.level(now)) * 1_000) / (this.quota * this.#share)));
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
   * Whether other processes must be told soon, because a quarter of the bucket has been spent, or because it is less
   * than half full.
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

  /**
   * Takes the database's reply to a report.
   * @param random returns a number from 0 to 1; a fraction of a token becomes a whole token with that probability
   */
  settle({ tokens, othersDemand }: BurstState, now: number, random: () => number): void {
    const demand = Math.max(this.#demand, MIN_DEMAND);
    const total = demand + othersDemand;
    this.#share = total <= WITHIN * this.quota ? 1 : demand / total;
    const part = tokens * this.#share;
    const whole = Math.floor(part) + (random() < part - Math.floor(part) ? 1 : 0);
    // The reply's level does not include the tokens that were spent while the database answered.
    this.#level = (this.#share < 1 && part > 0 ? whole : part) - this.#spent;
    this.#filledAt = now;
  }

  /** Takes a report back because it did not reach the database. */
  restore({ spent }: BurstReport): void {
    this.#spent += spent;
  }
}
