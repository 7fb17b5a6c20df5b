/** The operator's metrics, which count requests and reconciliations. Gauges are read at each scrape. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Observed } from './kube-api.ts';

export interface Metrics {
  request(call: Observed): void;
  reconciled(outcome: 'ok' | 'error', seconds: number): void;
  gauge(name: string, help: string, read: () => number): void;
}

export function createMetrics(registry: Registry): Metrics {
  const registers = [registry];
  const requests = new Histogram({
    name: 'touchline_operator_api_request_seconds',
    help: 'Duration of requests to the Kubernetes API; status 0 means no reply',
    labelNames: ['verb', 'resource', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers,
  });
  const reconciles = new Histogram({
    name: 'touchline_operator_reconcile_seconds',
    help: 'Duration of reconciling one resource with its spec',
    labelNames: ['outcome'],
    buckets: [0.01, 0.05, 0.2, 1, 5, 20],
    registers,
  });
  const failures = new Counter({
    name: 'touchline_operator_reconcile_failures_total',
    help: 'Reconciliations that failed and are retried',
    registers,
  });
  return {
    request: ({ verb, resource, status, seconds }) => requests.observe({ verb, resource, status }, seconds),
    reconciled(outcome, seconds) {
      reconciles.observe({ outcome }, seconds);
      if (outcome === 'error') failures.inc();
    },
    gauge(name, help, read) {
      const gauge: Gauge = new Gauge({ name, help, registers, collect: () => gauge.set(read()) });
    },
  };
}
