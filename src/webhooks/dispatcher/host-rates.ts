/**
 * Rate limits on attempts, for each subscription and for each host. A host's limit covers all subscriptions. Subscriptions
 * that wait for the same host take turns. The operator's limits count the attempts that this process starts. A limit that an
 * owner has set holds where the requests are received.
 */
import { hostFactor, type WebhookPolicy } from '../subscriptions/operator-limits.ts';
import type { LeasedSubscription } from './leased-subscription.ts';
import { RateWindow } from './rate-window.ts';

/**
 * The attempts to one host that are in flight or started within the last second, and the subscriptions that wait for
 * the host.
 */
interface Host {
  window: RateWindow;
  inFlight: number;
  /** Subscriptions in the order of their turns. */
  waiting: Set<LeasedSubscription>;
}

export class HostRates {
  readonly #policy: WebhookPolicy;
  readonly #hosts = new Map<string, Host>();
  /** Number of processes that send to a host, for hosts with more than one. */
  #senders: ReadonlyMap<string, number> = new Map();
  /** Earliest time at which one of the subscriptions that have used up their own rate may start an attempt again. */
  #ownRoomAt = Number.POSITIVE_INFINITY;

  constructor(policy: WebhookPolicy) {
    this.#policy = policy;
  }

  /**
   * Sets how many processes send to a host and share its rate limit equally.
   * @param senders number of processes by host, including this one; a host that is missing has one
   */
  share(senders: ReadonlyMap<string, number>): void {
    this.#senders = senders;
  }

  sendersTo(name: string): number {
    return this.#senders.get(name) ?? 1;
  }

  /**
   * Returns whether the subscription may start an attempt. If not, the subscription waits for a turn from `takeTurn`.
   * @param now milliseconds since 1970
   */
  mayStart(subscription: LeasedSubscription, now: number): boolean {
    const ownWait = this.#ownWaitMs(subscription, now);
    if (ownWait > 0) {
      this.#ownRoomAt = Math.min(this.#ownRoomAt, now + ownWait);
      return false;
    }
    const host = this.#host(subscription.settings.host);
    if (host.waiting.size === 0 && this.#hasRoom(subscription.settings.host, host, now)) return true;
    host.waiting.add(subscription);
    return false;
  }

  /** @returns hosts that have a waiting subscription and room for one more attempt */
  hostsWithTurns(now: number): string[] {
    return [...this.#hosts].flatMap(([name, host]) =>
      host.waiting.size > 0 && this.#hasRoom(name, host, now) ? [name] : [],
    );
  }

  /** Takes the next waiting subscription out of the queue. @returns null if none waits or the host has no room */
  takeTurn(name: string, now: number): LeasedSubscription | null {
    const host = this.#hosts.get(name);
    if (host === undefined || !this.#hasRoom(name, host, now)) return null;
    for (const next of host.waiting) {
      host.waiting.delete(next);
      // The URL may have changed while the subscription waited.
      if (next.settings.host === name && this.#ownWaitMs(next, now) === 0) return next;
    }
    return null;
  }

  /** Puts the subscription at the end of the queue because it has more to send. */
  wait(subscription: LeasedSubscription): void {
    this.#host(subscription.settings.host).waiting.add(subscription);
  }

  /** Counts the start of an attempt. @returns a function to call when the attempt ends */
  started(subscription: LeasedSubscription, now: number): (now: number) => void {
    const host = this.#host(subscription.settings.host);
    host.window.count(now);
    host.inFlight += 1;
    subscription.starts.count(now);
    const received = subscription.receipts.started(now);
    return (endedAt) => {
      host.inFlight -= 1;
      received(endedAt);
    };
  }

  isThrottled(subscription: LeasedSubscription, now: number): boolean {
    const waits = this.#hosts.get(subscription.settings.host)?.waiting.has(subscription) ?? false;
    return waits || this.#ownWaitMs(subscription, now) > 0;
  }

  /** @returns milliseconds until waiting work may start, or Infinity if no work waits for a rate limit */
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

  /** @returns how many attempts this process may start to the host per second */
  #limit(name: string): number {
    const bound = this.#policy.hostRate * hostFactor(this.#policy, name);
    return Math.max(1, Math.floor(bound / this.sendersTo(name)));
  }

  /**
   * Returns whether one more attempt may start. Attempts in flight count too, so that a host that answers slowly does
   * not take the slots that other hosts need.
   */
  #hasRoom(name: string, { window, inFlight }: Host, now: number): boolean {
    const limit = this.#limit(name);
    return inFlight < limit && window.waitMs(limit, now) === 0;
  }

  #ownWaitMs(subscription: LeasedSubscription, now: number): number {
    const { starts, receipts, settings } = subscription;
    return Math.max(starts.waitMs(this.#policy.subscriptionRate, now), receipts.waitMs(settings.maxPerSecond, now));
  }
}
