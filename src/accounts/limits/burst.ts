/**
 * One process's part of an account's burst, pure. The bucket itself is in the database: so many tokens, filled again at its quota per second.
 * Every process spends from what it saw of it last, times its share, and reports what it has spent. While the requests per second of all
 * processes together are within the quota, each may spend all of it; beyond that their shares are those of their demand. What several have
 * spent at the same time turns the bucket's tokens negative and is made up for, so that errors do not add up.
 */
export interface BurstReport {
  spent: number;
  /** Requests per second, refused ones included. */
  demand: number;
}

/** What the database says of the bucket after a report. */
export interface BurstState {
  tokens: number;
  /** Requests per second that other processes get. */
  othersDemand: number;
}

/** Demand is averaged over about this long. */
const DEMAND_MS = 1_000;
/** Demand is within the quota up to this times it: measured over a second, that of a client at its limit varies. */
const WITHIN = 1.25;
/** A process that has less of the demand keeps this share, so that its first request is seen. */
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

  /** What this process may spend at once. */
  level(now: number): number {
    const elapsed = now - this.#filledAt;
    // A clock that was set back takes nothing away.
    if (elapsed !== 0) this.#filledAt = now;
    if (elapsed > 0) {
      const size = Math.max(1, this.quota * this.#share);
      // A level above the size comes from a larger share, and stays.
      if (this.#level < size) this.#level = Math.min(size, this.#level + (elapsed / 1_000) * this.quota * this.#share);
    }
    return this.#level;
  }

  /** To be called for each request, also for those that are refused. */
  asked(): void {
    this.#asked += 1;
  }

  spend(cost: number): void {
    this.#level -= cost;
    this.#spent += cost;
  }

  /** Seconds until so much can be spent. */
  secondsUntil(cost: number, now: number): number {
    return Math.max(1, Math.ceil((cost - this.level(now)) / (this.quota * this.#share)));
  }

  /** Seconds until the bucket is full. */
  secondsUntilFull(now: number): number {
    return Math.max(0, Math.ceil((this.quota - this.level(now)) / this.quota));
  }

  /** Whether others must know soon: a quarter of the bucket is spent, or it is not full by half. */
  isPressing(now: number): boolean {
    return this.#asked > 0 && (this.#spent >= this.quota / 4 || this.level(now) < this.quota / 2);
  }

  report(now: number): BurstReport {
    const passed = Math.max(1, now - this.#reportedAt) / DEMAND_MS;
    const kept = Math.exp(-passed);
    // Exact for requests that came evenly.
    this.#demand = this.#demand * kept + (this.#asked * (1 - kept)) / passed;
    const report = { spent: this.#spent, demand: this.#demand };
    this.#reportedAt = now;
    this.#spent = 0;
    this.#asked = 0;
    return report;
  }

  /** @param random from 0 to 1: a part of a token becomes a whole one with that probability */
  settle({ tokens, othersDemand }: BurstState, now: number, random: () => number): void {
    const demand = Math.max(this.#demand, MIN_DEMAND);
    const total = demand + othersDemand;
    this.#share = total <= WITHIN * this.quota ? 1 : demand / total;
    const part = tokens * this.#share;
    const whole = Math.floor(part) + (random() < part - Math.floor(part) ? 1 : 0);
    // What was spent while the database answered is not in its tokens yet.
    this.#level = (this.#share < 1 && part > 0 ? whole : part) - this.#spent;
    this.#filledAt = now;
  }

  /** The report has not arrived. */
  restore({ spent }: BurstReport): void {
    this.#spent += spent;
  }
}
