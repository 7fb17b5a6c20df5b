/** The dispatcher metrics on the admin port. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Ring } from '../../events/index.ts';
import { type Clock, sharedTime } from '../../runtime/clock.ts';
import { storeGauge } from '../../runtime/store-gauge.ts';
import { FAILURE_CAUSES } from '../destinations/failure-cause.ts';
import type { DispatcherLoad } from './dispatcher-load.ts';
import type { HostRates } from './host-rates.ts';
import { type LeasedSubscription, MAX_PENDING } from './leased-subscription.ts';
import { SubscriptionCounters } from './subscription-counters.ts';

type Leased = ReadonlyMap<number, LeasedSubscription>;

interface Observed {
  leased: Leased;
  rates: HostRates;
  ring: Ring;
  clock: Clock;
  load: DispatcherLoad;
  /** The newest cursor that this process has seen. */
  head: () => number;
  /** Counts the subscriptions, across all dispatchers, whose secret is encrypted with an older key. */
  countOlderKeys: () => Promise<number>;
  /** Counts the subscriptions, in all groups, that are due but that no dispatcher has leased. */
  countUnleased: () => Promise<number>;
  /** Counts the unreadable subscriptions, across all dispatchers. */
  countFaults: () => Promise<number>;
}

/**
 * Why an undelivered event waits. `sending` is the first attempt without an obstacle. `throttled` is the first attempt
 * while the host or the subscription has used up the rate for this second. `unconfirmed` is the first attempt while
 * the URL is not confirmed. `failing` is the first attempt while the subscription is failing and gets one event a
 * minute. `retrying` is any later attempt.
 */
const WAITS = ['sending', 'throttled', 'unconfirmed', 'failing', 'retrying'] as const;
type Wait = (typeof WAITS)[number];

/**
 * Returns, for each reason to wait, the age in ms of the oldest undelivered event that waits for it, or 0 if there is
 * none.
 */
function oldestUndelivered({
  leased,
  rates,
  ring,
  clock,
}: Pick<Observed, 'leased' | 'rates' | 'ring' | 'clock'>): Record<Wait, number> {
  const oldest = { sending: 0, throttled: 0, unconfirmed: 0, failing: 0, retrying: 0 };
  const now = clock.now();
  const note = (wait: Wait, since: number | null) => {
    if (since !== null) oldest[wait] = Math.max(oldest[wait], now - since);
  };
  const firstWait = (one: LeasedSubscription): Wait => {
    if (one.isUnconfirmed()) return 'unconfirmed';
    if (one.isFailing()) return 'failing';
    // No new event is sent, because too many deliveries wait for a retry.
    if (one.pending >= MAX_PENDING) return 'retrying';
    return rates.isThrottled(one, now) ? 'throttled' : 'sending';
  };
  for (const one of leased.values()) {
    note('retrying', one.retryingSince);
    note(firstWait(one), one.events.waitingSince(ring, sharedTime(clock)));
  }
  return oldest;
}

export function observeLeases(registry: Registry, observed: Observed): void {
  const { leased, rates, ring, clock, load, head, countOlderKeys, countUnleased, countFaults } = observed;
  const all = () => [...leased.values()];
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(value());
      },
    });
  gauge('touchline_webhook_subscriptions', 'Subscriptions that this dispatcher has leased', () => leased.size);
  gauge(
    'touchline_webhook_failing_subscriptions',
    'Leased subscriptions that are failing: several failures in a row',
    () => all().filter((one) => one.isFailing()).length,
  );
  gauge(
    'touchline_webhook_throttled_subscriptions',
    'Leased subscriptions whose events wait because the subscription or its host has reached the limit of requests within a second',
    () =>
      all().filter(
        (one) => rates.isThrottled(one, clock.now()) && one.events.waitingSince(ring, sharedTime(clock)) !== null,
      ).length,
  );
  gauge(
    'touchline_webhook_unconfirmed_subscriptions',
    'Leased subscriptions whose URL is not confirmed',
    () => all().filter((one) => one.isUnconfirmed()).length,
  );
  gauge(
    'touchline_webhook_load',
    'Share of its capacity that this dispatcher has used over the last half minute, 0 to 1: of attempts in flight, or of processor time, whichever is more',
    () => load.value,
  );
  gauge('touchline_webhook_in_flight', 'Attempts in flight', () => all().reduce((sum, one) => sum + one.inFlight, 0));
  gauge('touchline_webhook_pending_deliveries', 'Deliveries that wait for a retry', () =>
    all().reduce((sum, one) => sum + one.pending, 0),
  );
  gauge(
    'touchline_webhook_lag_events',
    'Cursors between the head of the log and the leased subscription that is furthest behind, without events that wait for its delay',
    () => all().reduce((most, one) => Math.max(most, one.events.lag(head())), 0),
  );
  new Gauge({
    name: 'touchline_webhook_oldest_undelivered_seconds',
    help: 'Age of the oldest undelivered event of leased subscriptions, by reason for the wait: sending, throttled (by host and subscription bounds), unconfirmed (the URL is not confirmed), failing (the subscription is failing) or retrying; 0 if there is none',
    labelNames: ['wait'] as const,
    registers: [registry],
    collect() {
      const oldest = oldestUndelivered(observed);
      for (const wait of WAITS) this.set({ wait }, oldest[wait] / 1_000);
    },
  });
  storeGauge({
    registry,
    name: 'touchline_webhook_unleased_subscriptions',
    help: 'Subscriptions, over all groups, that have deliveries to send and are leased by no dispatcher',
    read: countUnleased,
  });
  storeGauge({
    registry,
    name: 'touchline_webhook_unreadable_subscriptions',
    help: 'Subscriptions, over all dispatchers, whose stored settings cannot be read, so that they get no events until they are changed',
    read: countFaults,
  });
  storeGauge({
    registry,
    name: 'touchline_webhook_older_key_subscriptions',
    help: 'Secrets of subscriptions and second factors that are not encrypted with the first key in SECRET_KEY; at 0 the remaining keys can be dropped',
    read: countOlderKeys,
  });
}

/** Includes all bounds that docs/monitoring.md allows for the objective. */
export const FIRST_ATTEMPT_BUCKETS_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 300];

/** @param isLeased whether this dispatcher has leased the subscription with this id */
export function dispatcherMetrics(registry: Registry, isLeased: (id: number) => boolean) {
  const registers = [registry];
  const failures = new Counter({
    name: 'touchline_webhook_failures_total',
    help: 'Failed attempts by cause',
    labelNames: ['cause'] as const,
    registers,
  });
  for (const cause of FAILURE_CAUSES) failures.inc({ cause }, 0);
  return {
    registry,
    attempts: new Counter({
      name: 'touchline_webhook_attempts_total',
      help: 'Attempts by outcome: delivered or failed',
      labelNames: ['outcome'] as const,
      registers,
    }),
    bySubscription: new SubscriptionCounters({ registry, isLeased }),
    failures,
    duration: new Histogram({
      name: 'touchline_webhook_attempt_seconds',
      help: 'Duration of an attempt, from name resolution to the end of the reply',
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8],
      registers,
    }),
    firstAttempts: new Histogram({
      name: 'touchline_webhook_first_attempt_age_seconds',
      help: "Time from the start of an event's transaction in Postgres to the first attempt, by what it had to wait for: none (only us), receiver (failing, unconfirmed, at a limit, or slow), old (over 15 minutes, from a replay, a pause, or an outage)",
      labelNames: ['wait'] as const,
      buckets: FIRST_ATTEMPT_BUCKETS_SECONDS,
      registers,
    }),
    lost: new Counter({
      name: 'touchline_webhook_leases_lost_total',
      help: 'Leases that a different dispatcher has taken over',
      registers,
    }),
    discarded: new Counter({
      name: 'touchline_webhook_results_discarded_total',
      help: 'Attempt outcomes that were discarded because the lease was lost',
      registers,
    }),
    expired: new Counter({
      name: 'touchline_webhook_expired_positions_total',
      help: 'Reads of the event log that came too late, because the log had dropped the events',
      registers,
    }),
  };
}
