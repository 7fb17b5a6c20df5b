/**
 * A sliding window that counts exactly how many attempts started within the last second, so that the limit holds for
 * every period of one second.
 */

const WINDOW_MS = 1_000;
/** Expired times are dropped from the list when there are this many. */
const COMPACT_AT = 1_024;

export class RateWindow {
  /** Start times, ascending, in milliseconds since 1970. */
  #times: number[] = [];
  /** The index of the first time within the window. */
  #first = 0;

  /** @returns milliseconds until one more attempt may start, or 0 if it may start now */
  waitMs(limit: number, now: number): number {
    this.#drop(now);
    const { length } = this.#times;
    return length - this.#first < limit ? 0 : this.#times[length - limit]! + WINDOW_MS - now;
  }

  started(now: number): void {
    this.#times.push(now);
  }

  isEmpty(now: number): boolean {
    this.#drop(now);
    return this.#first === this.#times.length;
  }

  #drop(now: number): void {
    // If the clock was set back, the recorded times lie in the future and must not delay new starts.
    if ((this.#times.at(-1) ?? now) > now) this.#times = [];
    while (this.#first < this.#times.length && this.#times[this.#first]! <= now - WINDOW_MS) this.#first += 1;
    if (this.#first < this.#times.length && this.#first < COMPACT_AT) return;
    this.#times = this.#times.slice(this.#first);
    this.#first = 0;
  }
}
