/** The share of its capacity that a dispatcher uses: of attempts in flight, or of its processor time, whichever is more. */

/** A burst of a few seconds is over before a further dispatcher is ready. */
const SMOOTHING_MS = 30_000;

interface Reading {
  /** Monotonic, in ms. */
  at: number;
  /** Share of the attempts that may be in flight, 0 to 1. */
  inFlight: number;
  /** Share of the processor time since the last reading that the event loop has used, 0 to 1. */
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
