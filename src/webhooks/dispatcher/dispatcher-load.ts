/**
 * The share of its capacity that a dispatcher uses, by attempts in flight or by processor time, whichever is higher.
 */

/** A burst of a few seconds is over before a further dispatcher is ready. */
const SMOOTHING_MS = 30_000;

interface Reading {
  /** Monotonic, in ms. */
  at: number;
  /** In-flight attempts divided by the limit, 0 to 1. */
  inFlight: number;
  /** Share of the processor time that the event loop has used since the last reading, 0 to 1. */
  busy: number;
}

export class DispatcherLoad {
  #value = 0;
  #at: number | null = null;

  /** Exponentially weighted over about half a minute, 0 to 1. */
  get value(): number {
    return this.#value;
  }

  note({ at, inFlight, busy }: Reading): void {
    const weight = this.#at === null ? 0 : 1 - Math.exp((this.#at - at) / SMOOTHING_MS);
    this.#at = at;
    this.#value += weight * (Math.max(inFlight, busy) - this.#value);
  }
}
