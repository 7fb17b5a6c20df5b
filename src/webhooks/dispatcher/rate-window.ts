/** Sliding windows of one second, whose limits hold for every period of one second: for attempts as they start, and for their receipt. */

const WINDOW_MS = 1_000;
/** Expired times are dropped from the list when there are this many. */
const COMPACT_AT = 1_024;

/** The times within the last second, such as those at which attempts started. */
export class RateWindow {
  /** Times, ascending, in milliseconds since 1970. */
  #times: number[] = [];
  /** The index of the first time within the window. */
  #first = 0;

  /** @returns milliseconds until one more attempt may start, or 0 if it may start now */
  waitMs(limit: number, now: number): number {
    this.#drop(now);
    const { length } = this.#times;
    return length - this.#first < limit ? 0 : this.#times[length - limit]! + WINDOW_MS - now;
  }

  /** @param at in milliseconds since 1970. An earlier time than the last one counts as the last one. */
  count(at: number): void {
    this.#times.push(Math.max(at, this.#times.at(-1) ?? at));
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

/** Longest time between the start of an attempt and its receipt that the limit allows for. */
const MAX_RECEIPT_MS = 1_000;

/**
 * The attempts that the receiver may have got within the last second. An attempt is received between its start and its end,
 * so it leaves the window one second after its end. Otherwise the slow receipts of one second would meet the quick ones
 * of the next. An attempt that takes longer than MAX_RECEIPT_MS counts as if it had ended then: most of that time is the
 * receiver's work, and a receiver that works slowly still gets half of its limit.
 */
export class ReceiptWindow {
  readonly #ended = new RateWindow();
  /** Start times, in milliseconds since 1970, of the attempts that may not have been received yet, in the order of their starts. */
  readonly #inFlight = new Map<symbol, number>();

  /** @returns milliseconds for which no more attempt may start, or 0 if one may start now */
  waitMs(limit: number, now: number): number {
    this.#endLate(now);
    const left = limit - this.#inFlight.size;
    return left > 0 ? this.#ended.waitMs(left, now) : WINDOW_MS;
  }

  /** @returns a function to call when the attempt ends */
  started(now: number): (now: number) => void {
    const attempt = Symbol('attempt');
    this.#inFlight.set(attempt, now);
    return (endedAt) => {
      this.#endLate(endedAt);
      if (this.#inFlight.delete(attempt)) this.#ended.count(endedAt);
    };
  }

  #endLate(now: number): void {
    for (const [attempt, startedAt] of this.#inFlight) {
      // If the clock was set back, the recorded time lies in the future.
      if (startedAt <= now && now - startedAt < MAX_RECEIPT_MS) return;
      this.#inFlight.delete(attempt);
      this.#ended.count(Math.min(startedAt + MAX_RECEIPT_MS, now));
    }
  }
}
