/** The failed deliveries of one leased subscription that wait for a retry, or whose retry is in flight. */

interface Retry {
  /** Of the delivery. */
  id: string;
  /** Attempts made so far. */
  attempts: number;
}

export class RetryQueue {
  readonly #waiting = new Map<string, { attempts: number; dueAt: number }>();
  readonly #inFlight = new Set<string>();
  /** No retry is due before this time. */
  #earliest = Number.POSITIVE_INFINITY;

  /** Deliveries that wait. */
  get size(): number {
    return this.#waiting.size;
  }

  /** @param dueAt when the delivery is tried again, in milliseconds since 1970 */
  add(id: string, attempts: number, dueAt: number): void {
    this.#waiting.set(id, { attempts, dueAt });
    this.#earliest = Math.min(this.#earliest, dueAt);
  }

  /** Takes a delivery as it is stored, unless its retry is in flight: that one's outcome is newer. */
  load(id: string, attempts: number, dueAt: number): void {
    if (!this.#inFlight.has(id)) this.add(id, attempts, dueAt);
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
    for (const [id, { attempts, dueAt }] of this.#waiting) {
      this.#earliest = Math.min(this.#earliest, dueAt);
      if (dueAt <= now) return { id, attempts };
    }
    return null;
  }

  start(id: string): void {
    this.#waiting.delete(id);
    this.#inFlight.add(id);
  }

  finish(id: string): void {
    this.#inFlight.delete(id);
  }
}
