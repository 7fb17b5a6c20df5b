import { Counter, type Registry } from 'prom-client';

/** The outcomes of notifications. */
export const OUTCOMES = ['sent', 'gone', 'refused', 'failed', 'expired'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** @returns a function that counts notifications */
export function pushMetrics(registry: Registry, services: readonly string[]) {
  const notifications = new Counter({
    name: 'touchline_push_notifications_total',
    help: 'Notifications for browsers, by push service and outcome',
    labelNames: ['service', 'outcome'],
    registers: [registry],
  });
  for (const service of services) for (const outcome of OUTCOMES) notifications.inc({ service, outcome }, 0);
  return (service: string, outcome: Outcome, by = 1): void => notifications.inc({ service, outcome }, by);
}
