/**
 * Rate limits on the attempts that this process starts, for one subscription and to one host over all subscriptions.
 * Subscriptions that wait for the same host take turns.
 */
import { hostFactor, type WebhookPolicy } from '../subscriptions/operator-limits.ts';
import type { LeasedSubscription } from './leased-subscription.ts';
import { RateWindow } from './rate-window.ts';

/** Attempts to one host, with those started within a second, in flight, and waiting. */
interface Host {
  window: RateWindow;
  inFlight: number;
  /** Subscriptions, ordered by turn. */
  waiting: Set<LeasedSubscription>;
}

export class HostRates {
  readonly #policy: WebhookPolicy;
  readonly #hosts = new Map<string, Host>();
  /** Number of sending processes by host, for hosts with several. */
  #senders: ReadonlyMap<string, number> = new Map();
  /** Earliest time at which a subscription that has used up the per-subscription rate may go on. */
  #ownRoomAt = Number.POSITIVE_INFINITY;

  constructor(policy: WebhookPolicy) {
    this.#policy = policy;
  }

  /**
   * @param senders number of processes that send to a host, including this one, each with an equal share of the host's
   * bound; the default is one
   */
  share(senders: ReadonlyMap<string, number>): void {
    this.#senders = senders;
  }

  sendersTo(name: string): number {
    return this.#senders.get(name) ?? 1;
  }

  /**
   * Whether the subscription may start an attempt. Otherwise it waits for the turn that `takeTurn` assigns.
   * @param now milliseconds since 1970
   */
  mayStart(subscription: LeasedSubscription, now: number): boolean {
    const ownWait = this.#ownWaitMs(subscription, now);
    if (ownWait > 0) {
      this.#ownRoomAt = Math.min(this.#ownRoomAt, now + ownWait);
      return false;
    }
    const host = this.#host(subscription.url.hostname);
    if (host.waiting.size === 0 && this.#hasRoom(subscription.url.hostname, host, now)) return true;
    host.waiting.add(subscription);
    return false;
  }

  /** @returns hosts with room for one more attempt and a waiting subscription */
  hostsWithTurns(now: number): string[] {
    return [...this.#hosts].flatMap(([name, host]) =>
      host.waiting.size > 0 && this.#hasRoom(name, host, now) ? [name] : [],
    );
  }

  /** @returns the subscription whose turn it is, which no longer waits, or null if none waits or there is no room */
  takeTurn(name: string, now: number): LeasedSubscription | null {
    const host = this.#hosts.get(name);
    if (host === undefined || !this.#hasRoom(name, host, now)) return null;
    for (const next of host.waiting) {
      host.waiting.delete(next);
      // The URL may have changed meanwhile.
      if (next.url.hostname === name && this.#ownWaitMs(next, now) === 0) return next;
    }
    return null;
  }

  /** Queues the subscription last because it has more to send. */
  wait(subscription: LeasedSubscription): void {
    this.#host(subscription.url.hostname).waiting.add(subscription);
  }

  /** Counts the start of an attempt. @returns a function to call at its end */
  started(subscription: LeasedSubscription, now: number): () => void {
    const host = this.#host(subscription.url.hostname);
    host.window.started(now);
    host.inFlight += 1;
    subscription.attempts.started(now);
    return () => {
      host.inFlight -= 1;
    };
  }

  isThrottled(subscription: LeasedSubscription, now: number): boolean {
    const waits = this.#hosts.get(subscription.url.hostname)?.waiting.has(subscription) ?? false;
    return waits || this.#ownWaitMs(subscription, now) > 0;
  }

  /** @returns milliseconds until waiting work may start, or Infinity if no work waits for a time */
  waitMs(now: number): number {
    let shortest = this.#ownRoomAt - now;
    this.#ownRoomAt = Number.POSITIVE_INFINITY;
    for (const [name, { window, inFlight, waiting }] of this.#hosts) {
      const limit = this.#limit(name);
      if (waiting.size > 0 && inFlight < limit) shortest = Math.min(shortest, window.waitMs(limit, now));
    }
    return Math.max(0, shortest);
  }

  /** Forgets hosts without an attempt within the last second. */
  prune(now: number): void {
    for (const [name, host] of this.#hosts) {
      if (host.inFlight === 0 && host.waiting.size === 0 && host.window.isEmpty(now)) this.#hosts.delete(name);
    }
  }

  #host(name: string): Host {
    let host = this.#hosts.get(name);
    if (host === undefined) {
      host = { window: new RateWindow(), inFlight: 0, waiting: new Set() };
      this.#hosts.set(name, host);
    }
    return host;
  }

  /** @returns this process's share */
  #limit(name: string): number {
    const bound = this.#policy.hostRate * hostFactor(this.#policy, name);
    return Math.max(1, Math.floor(bound / this.sendersTo(name)));
  }

  /**
   * A host that takes a second or more to answer gets no more concurrent attempts, so that slots are left for the rest.
   */
  #hasRoom(name: string, { window, inFlight }: Host, now: number): boolean {
    const limit = this.#limit(name);
    return inFlight < limit && window.waitMs(limit, now) === 0;
  }

  #ownWaitMs(subscription: LeasedSubscription, now: number): number {
    return subscription.attempts.waitMs(this.#policy.subscriptionRate, now);
  }
}
