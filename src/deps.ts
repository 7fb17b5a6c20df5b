/** What handlers and roles get: the stores, the clock, the log, the live event log and the notice of changes. */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { EventLog } from './events/event-log.ts';
import type { RouteValue } from './http/route.ts';
import { routeFor } from './http/route.ts';
import type { MatchChanges } from './matches/changes.ts';
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
