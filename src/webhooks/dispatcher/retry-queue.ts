/** A leased subscription's failed deliveries, while they wait for a retry or the retry is in flight. */
import { partsOfDelivery } from '../delivery/signature.ts';

export interface Retry {
  /** Delivery id. */
  id: string;
  /** Number of attempts so far. */
  attempts: number;
  /** When the first attempt was made or, for a manual retry, when the retry was requested, in ms since 1970. */
  since: number;
}

export class RetryQueue {
  readonly #waiting = new Map<string, { retry: Retry; dueAt: number }>();
  /** When each delivery in flight began to wait, by delivery id. */
  readonly #inFlight = new Map<string, number>();
  /** The deliveries that wait or are in flight, by match. */
  readonly #byMatch = new Map<number, Set<string>>();
  /** No retry is due before this time. */
  #earliest = Number.POSITIVE_INFINITY;

  /** Number of deliveries that wait for a retry. */
  get size(): number {
    return this.#waiting.size;
  }

  /** @param dueAt time of the next attempt, in milliseconds since 1970 */
  add({ id, attempts, since }: Retry, dueAt: number): void {
    this.#waiting.set(id, { retry: { id, attempts, since }, dueAt });
    const { matchId } = partsOfDelivery(id);
    const others = this.#byMatch.get(matchId);
    if (others === undefined) this.#byMatch.set(matchId, new Set([id]));
    else others.add(id);
    this.#earliest = Math.min(this.#earliest, dueAt);
  }

  /** Loads a stored delivery. If the retry is in flight, the stored state is outdated and is ignored. */
  load(retry: Retry, dueAt: number): void {
    if (!this.#inFlight.has(retry.id)) this.add(retry, dueAt);
  }

  has(id: string): boolean {
    return this.#waiting.has(id) || this.#inFlight.has(id);
  }

  isEmpty(): boolean {
    return this.#waiting.size + this.#inFlight.size === 0;
  }

  /** Returns whether a delivery of the match waits or is in flight. */
  hasMatch(matchId: number): boolean {
    return this.#byMatch.has(matchId);
  }

  /** Returns whether no earlier event of the same match waits or is in flight. */
  isFirstOfMatch(id: string): boolean {
    const { matchId, sequence } = partsOfDelivery(id);
    return [...(this.#byMatch.get(matchId) ?? [])].every((other) => partsOfDelivery(other).sequence >= sequence);
  }

  /** @param may returns whether a delivery may be retried now */
  due(now: number, may: (id: string) => boolean = () => true): Retry | null {
    if (now < this.#earliest) return null;
    this.#earliest = Number.POSITIVE_INFINITY;
    for (const { retry, dueAt } of this.#waiting.values()) {
      this.#earliest = Math.min(this.#earliest, dueAt);
      if (dueAt <= now && may(retry.id)) return retry;
    }
    return null;
  }

  /** @returns when the delivery that has waited longest began to wait, or null if none is waiting */
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
    const { matchId } = partsOfDelivery(id);
    const others = this.#byMatch.get(matchId);
    others?.delete(id);
    if (others?.size === 0) this.#byMatch.delete(matchId);
  }
}
