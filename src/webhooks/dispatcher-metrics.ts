/** What a dispatcher tells on the admin port. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { storeGauge } from '../runtime/store-gauge.ts';
import type { Holding } from './holding.ts';

interface Observed {
  holdings: ReadonlyMap<number, Holding>;
  /** The newest cursor that this process has seen. */
  head: () => number;
  /** Subscriptions, of all dispatchers, with a secret that an older key has sealed. */
  olderKeys: () => Promise<number>;
}

export function dispatcherMetrics(registry: Registry = new Registry(), { holdings, head, olderKeys }: Observed) {
  const registers = [registry];
  const all = () => [...holdings.values()];
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value());
      },
    });
  gauge('touchline_webhook_subscriptions', 'Subscriptions that this dispatcher holds', () => holdings.size);
  gauge(
    'touchline_webhook_failing_subscriptions',
    'Of them with 5 failures in a row or more',
    () => all().filter((one) => one.failing()).length,
  );
  gauge('touchline_webhook_in_flight', 'Attempts under way', () => all().reduce((sum, one) => sum + one.inFlight, 0));
  gauge('touchline_webhook_pending_deliveries', 'Deliveries that wait for another attempt', () =>
    all().reduce((sum, one) => sum + one.pending.size, 0),
  );
  gauge(
    'touchline_webhook_lag_events',
    'Cursors between the head of the log and the subscription that is furthest behind',
    () => all().reduce((most, one) => Math.max(most, head() - one.position()), 0),
  );
  storeGauge({
    registry,
    name: 'touchline_webhook_older_key_subscriptions',
    help: 'Subscriptions with a secret that the first key of SECRET_KEY has not sealed; 0: the other keys may be dropped',
    read: olderKeys,
  });
  return {
    attempts: new Counter({
      name: 'touchline_webhook_attempts_total',
      help: 'Attempts by outcome: delivered or failed',
      labelNames: ['outcome'] as const,
      registers,
    }),
    duration: new Histogram({
      name: 'touchline_webhook_attempt_seconds',
      help: 'Time of an attempt, from its name’s resolution to the end of the reply',
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8],
      registers,
    }),
    lost: new Counter({
      name: 'touchline_webhook_leases_lost_total',
      help: 'Subscriptions that were taken from this dispatcher',
      registers,
    }),
    discarded: new Counter({
      name: 'touchline_webhook_results_discarded_total',
      help: 'Results that came after the lease was lost',
      registers,
    }),
    expired: new Counter({
      name: 'touchline_webhook_expired_positions_total',
      help: 'Times that events were dropped from the log before they could be sent',
      registers,
    }),
  };
}
