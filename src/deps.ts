/** The dependencies of every handler and role. A role adds what only its own routes need (role.ts). */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import type { MatchChanges } from './db/notices.ts';
import type { Queryable } from './db/postgres.ts';
import type { ReadRouter } from './db/read-router.ts';
import { type RouteValue, routeFor } from './http/index.ts';
import type { ReplyCaches } from './http/reply-caches.ts';
import type { Clock } from './runtime/clock.ts';

export interface Deps {
  config: Config;
  clock: Clock;
  logger: Logger;
  pool: pg.Pool;
  /** Connections for statements that pages read with. They plan a statement once, and cannot write. */
  reads: Queryable;
  /** Notices about changed matches, from every process. */
  changes: MatchChanges;
  caches: ReplyCaches;
  /** Sends reads to a replica. Undefined if there is none. */
  router?: ReadRouter | undefined;
}

export type Route = RouteValue<Deps>;
export const route = routeFor<Deps>();
