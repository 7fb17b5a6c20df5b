/** Metrics of all sources. */
import { Counter, type Registry } from 'prom-client';
import type { Queryable } from '../db/postgres.ts';
import type { Clock } from '../runtime/clock.ts';
import { storeGauges } from '../runtime/store-gauge.ts';
import { usedBudgets } from './queries.ts';
import { REQUEST_RESULTS, type RequestResult } from './source.ts';

export interface SourceMetrics {
  /** Adds a source that this process may ask. @returns a function that counts a request */
  add(source: string): (outcome: RequestResult) => void;
}

export function createSourceMetrics(registry: Registry, db: Queryable, clock: Clock): SourceMetrics {
  const requests = new Counter({
    name: 'touchline_source_requests_total',
    help: 'Requests to a source by outcome: ok, unchanged, unreachable, misunderstood (not an answer of the API), refused (this request alone).',
    labelNames: ['source', 'outcome'],
    registers: [registry],
  });
  storeGauges({
    registry,
    name: 'touchline_source_budget_used',
    help: 'Requests to a source today (UTC), of all processes together.',
    label: 'source',
    read: () => usedBudgets(db, clock.now()),
  });
  return {
    add(source) {
      for (const outcome of REQUEST_RESULTS) requests.inc({ source, outcome }, 0);
      return (outcome) => requests.inc({ source, outcome });
    },
  };
}
