/** What handlers and roles get: the stores, the clock, the log, the live event log and the notice of changes. */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import type { MatchChanges } from './db/notices.ts';
import type { EventLog } from './events/event-log.ts';
import { type RouteValue, routeFor } from './http/route.ts';
import type { Clock } from './runtime/clock.ts';
import type { Admission } from './stream/admission.ts';
import type { Hub } from './stream/hub.ts';

export interface Deps {
  config: Config;
  clock: Clock;
  logger: Logger;
  pool: pg.Pool;
  eventLog: EventLog;
  hub: Hub;
  /** Who may hold a stream open. */
  admission: Admission;
  /** Which matches have just changed, in this process and in others. */
  changes: MatchChanges;
}

export type Route = RouteValue<Deps>;
export const route = routeFor<Deps>();
