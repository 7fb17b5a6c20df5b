/** The metrics of a dispatcher, on the admin port. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { storeGauge } from '../runtime/store-gauge.ts';
import { FAILURE_CAUSES } from './failure.ts';
import type { LeasedSubscription } from './leased-subscription.ts';

interface Observed {
  leased: ReadonlyMap<number, LeasedSubscription>;
  /** The newest cursor that this process has seen. */
  head: () => number;
  /** Subscriptions, of all dispatchers, with a secret that is encrypted with an older key. */
  countOlderKeys: () => Promise<number>;
  /** Subscriptions, of all dispatchers, that cannot be read. */
  countFaults: () => Promise<number>;
}

export function observeLeases(registry: Registry, { leased, head, countOlderKeys, countFaults }: Observed): void {
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
  gauge('touchline_webhook_in_flight', 'Attempts in flight', () => all().reduce((sum, one) => sum + one.inFlight, 0));
  gauge('touchline_webhook_pending_deliveries', 'Deliveries that wait for a retry', () =>
    all().reduce((sum, one) => sum + one.pending, 0),
  );
  gauge(
    'touchline_webhook_lag_events',
    'Cursors between the head of the log and the leased subscription that is furthest behind',
    () => all().reduce((most, one) => Math.max(most, head() - one.position()), 0),
  );
  storeGauge({
    registry,
    name: 'touchline_webhook_unreadable_subscriptions',
    help: 'Subscriptions, of all dispatchers, that cannot be read as they are stored, and get nothing until they are changed',
    read: countFaults,
  });
  storeGauge({
    registry,
    name: 'touchline_webhook_older_key_subscriptions',
    help: 'Secrets of subscriptions and second factors that are not encrypted with the first key of SECRET_KEY; at 0 the other keys can be dropped',
    read: countOlderKeys,
  });
}

export function dispatcherMetrics(registry: Registry = new Registry()) {
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
    failures,
    duration: new Histogram({
      name: 'touchline_webhook_attempt_seconds',
      help: 'Duration of an attempt, from name resolution to the end of the reply',
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8],
      registers,
    }),
    lost: new Counter({
      name: 'touchline_webhook_leases_lost_total',
      help: 'Leases that another dispatcher has taken over',
      registers,
    }),
    discarded: new Counter({
      name: 'touchline_webhook_results_discarded_total',
      help: 'Outcomes of attempts that were discarded because the lease had been lost',
      registers,
    }),
    expired: new Counter({
      name: 'touchline_webhook_expired_positions_total',
      help: 'Reads of the event log that came too late: the events had been dropped',
      registers,
    }),
  };
}
