/** The lease on a subscription, from the holder's side: how long it is still valid, and whether it has ended. */
import { type ClockReading, elapsedSince } from './lease-clock.ts';

/** An attempt starts only if the lease is valid for longer than this, because an attempt takes up to 8 s. */
export const MIN_LEASE_MS = 10_000;

export class LeaseTerm {
  readonly #ttlMs: number;
  #leasedAt: ClockReading;
  #isLost = false;

  /** @param leasedAt clock reading from before the lease was requested */
  constructor(leasedAt: ClockReading, ttlMs: number) {
    this.#leasedAt = leasedAt;
    this.#ttlMs = ttlMs;
  }

  /** @param at clock reading from before the renewal was requested */
  renewed(at: ClockReading): void {
    this.#leasedAt = at;
  }

  /** Marks the lease as released or lost. Outcomes from then on are discarded. */
  lose(): void {
    this.#isLost = true;
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  /** Returns whether the lease is valid for as long as an attempt takes. */
  isLongEnough(): boolean {
    return this.#ttlMs - elapsedSince(this.#leasedAt) > MIN_LEASE_MS;
  }
}
