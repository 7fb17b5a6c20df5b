/** Metrics for all sources. */
import { Counter, type Registry } from 'prom-client';
import type { Queryable } from '../db/postgres.ts';
import type { Clock } from '../runtime/clock.ts';
import { storeGauges } from '../runtime/store-gauge.ts';
import { type PolledSource, polledSources, usedBudgets } from './queries.ts';
import { REQUEST_RESULTS, type RequestResult } from './source.ts';

export interface SourceMetrics {
  /**
   * Adds a source that this process may request.
   * @returns a function that counts one request
   */
  add(source: string): (outcome: RequestResult) => void;
  /** Adds a polled source. */
  addPolled(source: string): PolledMetrics;
}

export interface PolledMetrics {
  request(outcome: RequestResult): void;
  changed(count: number): void;
  notUnderstood(): void;
}

export function createSourceMetrics(registry: Registry, db: Queryable, clock: Clock): SourceMetrics {
  const requests = new Counter({
    name: 'touchline_source_requests_total',
    help: 'Requests to a source by outcome: ok, unchanged, unreachable, misunderstood (not an API reply), refused (only this request).',
    labelNames: ['source', 'outcome'],
    registers: [registry],
  });
  storeGauges({
    registry,
    name: 'touchline_source_budget_used',
    help: 'Requests to a source today (UTC) by all processes together.',
    label: 'source',
    read: () => usedBudgets(db, clock.now()),
  });
  const changes = new Counter({
    name: 'touchline_source_changes_total',
    help: 'Updates from a polled source that changed something.',
    labelNames: ['source'],
    registers: [registry],
  });
  const notUnderstood = new Counter({
    name: 'touchline_source_values_not_understood_total',
    help: "Values that were left out of a polled source's replies, because the service does not know them.",
    labelNames: ['source'],
    registers: [registry],
  });
  const byPolledSource = async (read: (source: PolledSource, now: number) => number | null) => {
    const now = clock.now();
    const values = (await polledSources(db, now)).map((source) => [source.name, read(source, now)] as const);
    return new Map(values.filter((entry): entry is [string, number] => entry[1] !== null));
  };
  storeGauges({
    registry,
    name: 'touchline_source_last_reply_age_seconds',
    help: "Age of a polled source's last good reply to any process.",
    label: 'source',
    read: () =>
      byPolledSource(({ answered_at }, now) =>
        answered_at === null ? null : Math.max(0, now - Date.parse(answered_at)) / 1_000,
      ),
  });
  storeGauges({
    registry,
    name: 'touchline_source_failing_seconds',
    help: 'Time for which a polled source has failed; 0 if it answers.',
    label: 'source',
    read: () =>
      byPolledSource(({ fault_since }, now) =>
        fault_since === null ? 0 : Math.max(0, now - Date.parse(fault_since)) / 1_000,
      ),
  });
  storeGauges({
    registry,
    name: 'touchline_source_requests_left',
    help: 'Requests that all processes together may still send to a polled source today (UTC).',
    label: 'source',
    read: () => byPolledSource(({ requests_left }) => requests_left),
  });
  function add(source: string): (outcome: RequestResult) => void {
    for (const outcome of REQUEST_RESULTS) requests.inc({ source, outcome }, 0);
    return (outcome) => requests.inc({ source, outcome });
  }
  return {
    add,
    addPolled(source) {
      changes.inc({ source }, 0);
      notUnderstood.inc({ source }, 0);
      return {
        request: add(source),
        changed: (count) => changes.inc({ source }, count),
        notUnderstood: () => notUnderstood.inc({ source }),
      };
    },
  };
}
