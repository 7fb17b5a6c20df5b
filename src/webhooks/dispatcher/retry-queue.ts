/** The failed deliveries of one leased subscription that wait for a retry, or whose retry is in flight. */

export interface Retry {
  /** Id of the delivery. */
  id: string;
  /** Number of attempts so far. */
  attempts: number;
  /** Time of the first attempt, or of the request of a manual retry, in ms since 1970. */
  since: number;
}

export class RetryQueue {
  readonly #waiting = new Map<string, { retry: Retry; dueAt: number }>();
  /** Start of the wait by id. */
  readonly #inFlight = new Map<string, number>();
  /** No retry is due before this time. */
  #earliest = Number.POSITIVE_INFINITY;

  /** Number of waiting deliveries. */
  get size(): number {
    return this.#waiting.size;
  }

  /** @param dueAt time of the next attempt, in milliseconds since 1970 */
  add({ id, attempts, since }: Retry, dueAt: number): void {
    this.#waiting.set(id, { retry: { id, attempts, since }, dueAt });
    this.#earliest = Math.min(this.#earliest, dueAt);
  }

  /** Takes a stored delivery, unless its retry is in flight: that outcome is newer. */
  load(retry: Retry, dueAt: number): void {
    if (!this.#inFlight.has(retry.id)) this.add(retry, dueAt);
  }

  has(id: string): boolean {
    return this.#waiting.has(id) || this.#inFlight.has(id);
  }

  isEmpty(): boolean {
    return this.#waiting.size + this.#inFlight.size === 0;
  }

  due(now: number): Retry | null {
    if (now < this.#earliest) return null;
    this.#earliest = Number.POSITIVE_INFINITY;
    for (const { retry, dueAt } of this.#waiting.values()) {
      this.#earliest = Math.min(this.#earliest, dueAt);
      if (dueAt <= now) return retry;
    }
    return null;
  }

  /** @returns start of the oldest one's wait; null: there is none */
  oldest(): number | null {
    let oldest = Number.POSITIVE_INFINITY;
    for (const { retry } of this.#waiting.values()) oldest = Math.min(oldest, retry.since);
    for (const since of this.#inFlight.values()) oldest = Math.min(oldest, since);
    return oldest === Number.POSITIVE_INFINITY ? null : oldest;
  }

  start({ id, since }: Retry): void {
    this.#waiting.delete(id);
    this.#inFlight.set(id, since);
  }

  finish(id: string): void {
    this.#inFlight.delete(id);
  }
}
