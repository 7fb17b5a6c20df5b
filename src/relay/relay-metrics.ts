/** Metrics for how far the log lags behind ingest's writes, and for how many events were appended. */
import { Counter, type Registry } from 'prom-client';
import { firstRow, type Queryable } from '../db/postgres.ts';
import type { LogWriter } from '../events/index.ts';
import { storeGauge } from '../runtime/store-gauge.ts';

/** @returns the log for the relay, with appends counted */
export function measuredWriter(log: LogWriter, db: Queryable, registry: Registry): LogWriter {
  storeGauge({
    registry,
    name: 'touchline_relay_outbox_age_seconds',
    help: 'Age of the oldest event that is not yet in the event log; 0 if there is none.',
    async read() {
      const { rows } = await db.query<{ age: number }>(
        'SELECT extract(epoch FROM clock_timestamp() - created_at)::float8 AS age FROM outbox ORDER BY id LIMIT 1',
      );
      return rows[0]?.age ?? 0;
    },
  });
  storeGauge({
    registry,
    name: 'touchline_relay_has_leader',
    help: '1 if a relay process leads, according to the lease in Postgres, otherwise 0.',
    async read() {
      const { rows } = await db.query<{ led: number }>(
        'SELECT (expires_at > clock_timestamp())::int AS led FROM relay',
      );
      return firstRow(rows).led;
    },
  });
  const appended = new Counter({
    name: 'touchline_relay_appended_total',
    help: 'Events that this process has moved into the event log.',
    registers: [registry],
  });
  return {
    async move(generation, after) {
      const moved = await log.move(generation, after);
      appended.inc(moved);
      return moved;
    },
    prune: (generation, olderThan) => log.prune(generation, olderThan),
    passLost: (generation) => log.passLost(generation),
  };
}
