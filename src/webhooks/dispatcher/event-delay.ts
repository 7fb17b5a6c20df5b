/**
 * Holds a subscription's events until its delay has passed since they were appended to the log. An event that is not due
 * holds the events after it, so that the order is kept.
 */
import type { LogRecord, Ring } from '../../events/index.ts';

export class EventDelay {
  #delayMs = 0;
  /** Current time in ms since 1970. */
  #now = 0;
  #waitsUntil = Number.POSITIVE_INFINITY;

  set seconds(seconds: number) {
    this.#delayMs = seconds * 1_000;
  }

  get ms(): number {
    return this.#delayMs;
  }

  /** When the first event that was found not to be due is due, in ms since 1970. Infinity if there was none. */
  get waitsUntil(): number {
    return this.#waitsUntil;
  }

  /** Sets the time for `isDue`, and forgets which event was not due. */
  setTime(now: number): void {
    this.#now = now;
    this.#waitsUntil = Number.POSITIVE_INFINITY;
  }

  /** Returns whether an event may be sent. */
  readonly isDue = ({ appendedAt }: LogRecord): boolean => {
    if (this.#delayMs === 0 || appendedAt + this.#delayMs <= this.#now) return true;
    this.#waitsUntil = Math.min(this.#waitsUntil, appendedAt + this.#delayMs);
    return false;
  };

  /** Returns the cursor of the newest event in the ring that is due; 0 if none of them is. Null without a delay. */
  lastDue(ring: Ring): number | null {
    if (this.#delayMs === 0) return null;
    let [low, high] = [ring.start(), ring.end()];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (ring.at(middle).appendedAt + this.#delayMs <= this.#now) low = middle + 1;
      else high = middle;
    }
    return low === ring.start() ? 0 : ring.cursorBefore(low);
  }
}
