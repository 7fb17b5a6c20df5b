/** Postgres connections for the reads of pages. Each connection plans a statement once, and stays open. */
import type pg from 'pg';
import type { Logger } from 'pino';
import { openPool, type Queryable, TRANSACTION_TIMEOUT_S } from './postgres.ts';
import type { PostgresAddress } from './postgres-address.ts';

/** Number of connections. The page cache renders as many pages at a time. */
export const READ_CONNECTIONS = 3;
/**
 * Time after which an unused connection is closed. A new one reads the tables' descriptions again, and plans each
 * statement again, which takes 35 ms for a team page. The time is shorter than the 4 minutes after which some networks
 * forget a connection.
 */
const IDLE_MS = 180_000;

/** Each statement runs by itself, so that there is no transaction that would limit its time. */
export const PLANNED_READ_SETTINGS = `SET plan_cache_mode = force_generic_plan; SET default_transaction_read_only = on;
  SET statement_timeout = '${TRANSACTION_TIMEOUT_S}s'`;

export interface PlannedReads extends Queryable {
  end(): Promise<void>;
}

/**
 * Opens connections as they are needed. They are used in turn, because the pool `pg` prefers the connection that was
 * used last: others would close, or plan their statements only when many pages are requested at the same time.
 */
export function openPlannedReads(address: string | PostgresAddress, logger: Pick<Logger, 'warn'>): PlannedReads {
  const connections = Array.from({ length: READ_CONNECTIONS }, () =>
    openPool(address, logger, 1, { idleTimeoutMillis: IDLE_MS, settings: PLANNED_READ_SETTINGS }),
  );
  return {
    query: ((...parameters: Parameters<pg.Pool['query']>) => {
      const next = connections.find(isFree) ?? connections[0]!;
      connections.splice(connections.indexOf(next), 1);
      connections.push(next);
      return next.query(...parameters);
    }) as pg.Pool['query'],
    async end() {
      await Promise.all(connections.map((one) => one.end()));
    },
  };
}

const isFree = ({ idleCount, totalCount, waitingCount }: pg.Pool) => idleCount === totalCount && waitingCount === 0;
