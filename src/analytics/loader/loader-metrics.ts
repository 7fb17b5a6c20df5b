/** Metrics that show how far ClickHouse lags behind Postgres. */
import type { Registry } from 'prom-client';
import { firstRow, type Queryable } from '../../db/postgres.ts';
import { storeGauge } from '../../runtime/store-gauge.ts';

export function measureLoader(db: Queryable, registry: Registry): void {
  const gauge = (name: string, help: string, sql: string) =>
    storeGauge({
      registry,
      name,
      help,
      async read() {
        const { rows } = await db.query<{ value: number }>(`SELECT ${sql} AS value FROM analytics_loader, relay`);
        return firstRow(rows).value;
      },
    });
  gauge(
    'touchline_loader_has_leader',
    '1 if a loader process holds the lease in Postgres, otherwise 0.',
    '(analytics_loader.expires_at > clock_timestamp())::int',
  );
  gauge(
    'touchline_loader_lag_changes',
    'Changes of matches that are not in ClickHouse yet.',
    'greatest(relay.change_seq - loaded_cursor, 0)::float8',
  );
  gauge(
    'touchline_loader_lag_seconds',
    'Time since ClickHouse last had all changes of matches; 0 if it has them, NaN if it never had.',
    `CASE WHEN loaded_cursor >= relay.change_seq THEN 0
       ELSE coalesce(extract(epoch FROM clock_timestamp() - caught_up_at), 'NaN')::float8 END`,
  );
  gauge(
    'touchline_loader_odds_waiting',
    'Prices that are not in ClickHouse yet.',
    '(SELECT count(*) FROM odds_change)::float8',
  );
}
