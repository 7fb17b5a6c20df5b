/** Metrics for the weather job, such as its lag and its unused budget. */
import { Counter, type Registry } from 'prom-client';
import type { Queryable } from '../db/postgres.ts';
import type { Clock } from '../runtime/clock.ts';
import { storeGauge } from '../runtime/store-gauge.ts';
import { usedBudgets } from '../sources/index.ts';
import type { FetcherDeps } from './fetcher.ts';
import { OPEN_METEO } from './open-meteo.ts';

const OUTCOMES = ['ok', 'unreachable', 'misunderstood', 'refused'] as const;

/** @returns a function that counts a request */
export function measureWeather(
  db: Queryable,
  clock: Clock,
  registry: Registry,
  dailyRequests: number,
): FetcherDeps['count'] {
  const gauge = (name: string, help: string, sql: string, values: unknown[] = []) =>
    storeGauge({
      registry,
      name,
      help,
      async read() {
        const { rows } = await db.query<{ value: number }>(`SELECT ${sql} AS value FROM weather_fetcher`, values);
        return rows[0]!.value;
      },
    });
  gauge('touchline_weather_waiting', 'Matches whose forecast is due.', 'waiting_forecasts::float8');
  gauge(
    'touchline_weather_archive_waiting',
    'Played matches that have no weather yet, although their ground and hour are known.',
    'waiting_archive::float8',
  );
  gauge(
    'touchline_weather_lag_seconds',
    'Seconds since the last moment at which no forecast was due: 0 if none is due now, NaN if there was no such moment yet.',
    `CASE WHEN waiting_forecasts = 0 THEN 0 ELSE coalesce(extract(epoch FROM clock_timestamp() - caught_up_at), 'NaN')::float8 END`,
  );
  storeGauge({
    registry,
    name: 'touchline_weather_budget_left',
    help: 'Requests that all processes together may still send today (UTC).',
    async read() {
      const used = await usedBudgets(db, clock.now());
      return Math.max(0, dailyRequests - (used.get(OPEN_METEO) ?? 0));
    },
  });
  const requests = new Counter({
    name: 'touchline_weather_requests_total',
    help: 'Weather requests by outcome: ok, unreachable, misunderstood (not an API reply), refused (one place or time).',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of OUTCOMES) requests.inc({ outcome }, 0);
  return (outcome) => requests.inc({ outcome });
}
