/**
 * How much of a dispatcher's capacity is used. Measured by attempts in flight and by processor time; the higher share
 * counts.
 */

/** Time over which the load is averaged. A burst of a few seconds would be over before a new dispatcher is ready. */
const SMOOTHING_MS = 30_000;

interface Reading {
  /** Monotonic time in ms. */
  at: number;
  /** In-flight attempts divided by the limit, 0 to 1. */
  inFlight: number;
  /** Share of the processor time that the event loop has used since the last reading, 0 to 1. */
  busy: number;
}

export class DispatcherLoad {
  #value = 0;
  #at: number | null = null;

  /** The load as an exponentially weighted average over about half a minute, 0 to 1. */
  get value(): number {
    return this.#value;
  }

  note({ at, inFlight, busy }: Reading): void {
    const weight = this.#at === null ? 0 : 1 - Math.exp((this.#at - at) / SMOOTHING_MS);
    this.#at = at;
    this.#value += weight * (Math.max(inFlight, busy) - this.#value);
  }
}
