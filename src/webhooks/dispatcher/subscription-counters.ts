/**
 * Counts attempts by subscription, for Prometheus. The subscriptions with the most attempts each have their own
 * series. The rest share one.
 */
import { Counter, type Registry } from 'prom-client';

/** Limit on subscriptions with their own series, in one dispatcher. */
export const NAMED_SUBSCRIPTIONS = 200;
/** Label of the series that all other subscriptions share. */
const OTHER = 'other';
/** How often subscriptions are ranked by attempts. */
export const RANK_EVERY_MS = 10 * 60_000;
/**
 * An unnamed subscription replaces a named one only if it has more than this many times the named one's attempts.
 * Otherwise series would come and go too often to be useful.
 */
const LEAD = 2;

export type AttemptOutcome = 'delivered' | 'failed';
const OUTCOMES: readonly AttemptOutcome[] = ['delivered', 'failed'];

interface CountersOptions {
  registry: Registry;
  /** Returns whether this dispatcher has leased the subscription. If not, the subscription's series is removed. */
  isLeased(id: number): boolean;
  /** Monotonic clock in milliseconds; for tests. */
  now?: () => number;
}

export class SubscriptionCounters {
  readonly #counter: Counter<'subscription' | 'outcome'>;
  readonly #isLeased: (id: number) => boolean;
  readonly #now: () => number;
  readonly #named = new Set<number>();
  /** Number of attempts since the last ranking, by subscription. */
  #recent = new Map<number, number>();
  #rankedAt: number;

  constructor({ registry, isLeased, now = () => performance.now() }: CountersOptions) {
    this.#isLeased = isLeased;
    this.#now = now;
    this.#rankedAt = now();
    this.#counter = new Counter({
      name: 'touchline_webhook_subscription_attempts_total',
      help: `Attempts by subscription and outcome, for the dispatcher's ${NAMED_SUBSCRIPTIONS} subscriptions with the most attempts, and for the rest together (${OTHER})`,
      labelNames: ['subscription', 'outcome'] as const,
      registers: [registry],
      collect: () => this.#forgetLeft(),
    });
  }

  count(id: number, outcome: AttemptOutcome): void {
    if (this.#now() - this.#rankedAt >= RANK_EVERY_MS) this.#rank();
    this.#recent.set(id, (this.#recent.get(id) ?? 0) + 1);
    if (!this.#named.has(id) && this.#named.size < NAMED_SUBSCRIPTIONS) this.#named.add(id);
    this.#counter.inc({ subscription: this.#named.has(id) ? String(id) : OTHER, outcome });
  }

  /** Replaces named subscriptions with few attempts by unnamed ones with many. */
  #rank(): void {
    const recent = this.#recent;
    this.#recent = new Map();
    this.#rankedAt = this.#now();
    this.#forgetLeft();
    const attempts = (id: number) => recent.get(id) ?? 0;
    const others = [...recent.keys()].filter((id) => !this.#named.has(id) && this.#isLeased(id));
    others.sort((a, b) => attempts(b) - attempts(a));
    const weakest = [...this.#named].sort((a, b) => attempts(a) - attempts(b));
    for (const id of others) {
      if (this.#named.size >= NAMED_SUBSCRIPTIONS) {
        const former = weakest.shift();
        if (former === undefined || attempts(id) <= LEAD * attempts(former)) return;
        this.#forget(former);
      }
      this.#named.add(id);
    }
  }

  #forgetLeft(): void {
    for (const id of this.#named) if (!this.#isLeased(id)) this.#forget(id);
  }

  #forget(id: number): void {
    this.#named.delete(id);
    for (const outcome of OUTCOMES) this.#counter.remove({ subscription: String(id), outcome });
  }
}
