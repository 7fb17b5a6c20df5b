/** A role is a value, as a route is. main.ts starts and stops roles without knowing any particular one. */
import type { Registry } from 'prom-client';
import type { Config, Secret } from './config/config.ts';
import type { ConfigOf, Variables } from './config/variable.ts';
import type { OpeningClickHouse } from './db/clickhouse.ts';
import type { LivenessLock } from './db/liveness-lock.ts';
import type { Deps } from './deps.ts';
import type { EventLog, LogWriter } from './events/index.ts';
import type { LateEventLog } from './events/late-event-log.ts';
import type { AnyRoute, Channel, NotifyWindow, RouteValue, StreamUsage } from './http/index.ts';

/** Resources that a role may need besides Postgres, opened once for all roles in a process. */
export interface Resources {
  eventLog: EventLog & LogWriter;
  /** The same log, opened on first use if no other role in the process needs it. */
  lateEventLog: LateEventLog;
  /** Lets other processes see that this process has ended. */
  livenessLock: LivenessLock;
  /** Opened while the process is already serving. */
  clickhouse: OpeningClickHouse;
}

/** Context in which a role starts. */
export type RoleContext<V extends Variables, N extends keyof Resources> = Pick<Resources, N> &
  Omit<Deps, 'config'> & {
    config: Config & ConfigOf<V>;
    registry: Registry;
    /** Counts account usage. */
    usage: StreamUsage;
    /** Shows a line to the user who is waiting for the start. */
    progress(line: string): void;
  };

/** A running role; each hook is optional. */
export interface RunningRole {
  /** The role's routes, bound to what it has opened for them. */
  routes?: readonly RouteValue<unknown>[];
  /** Notifies an account owner that a plan window is nearly used. */
  notifyWindow?: NotifyWindow;
  /** Values that it has opened for its routes, for measurements. */
  provides?: object;
  /** True if the role has caught up with what it follows. Readiness waits for it. */
  caughtUp?(): boolean;
  /** Starts work that begins when the process serves. @returns a function that ends the work, before anything else stops */
  serving?(): () => Promise<void>;
  /** Ends long-lived connections over `spreadMs`, before the server waits for the remaining requests. */
  drain?(spreadMs: number): Promise<void>;
  stop?(): Promise<void>;
}

export interface RoleDefinition<V extends Variables, N extends keyof Resources> {
  name: string;
  /** Description for the role's row in docs/roles.md. */
  summary: string;
  /** Environment variables besides the common ones. */
  variables: V;
  /** Required with DATABASE_URL. */
  secrets: readonly Secret[];
  /** Maximum number of Postgres connections in the pool. Notices and the liveness lock have one each besides. */
  connections: number;
  needs: readonly N[];
  /** Routes for the OpenAPI document. `start` binds them. */
  routes: readonly AnyRoute[];
  /** The role's streams or webhooks, for the documents. */
  channels?: readonly Channel[];
  start(context: RoleContext<V, N>): Promise<RunningRole>;
}

/** A role of any type. main.ts reads its variables and opens the resources in `needs` before the role starts. */
export type Role = RoleDefinition<Variables, keyof Resources>;

/** Infers a role's types, since the context for `start` follows from `variables` and `needs`. */
export const defineRole = <const V extends Variables, const N extends keyof Resources>(
  definition: RoleDefinition<V, N>,
): Role => definition as unknown as Role;

/** The part of a role's context that is handed to every route. */
export const baseDeps = <C extends Deps>({ config, clock, logger, pool, changes, caches }: C): Pick<C, keyof Deps> => ({
  config,
  clock,
  logger,
  pool,
  changes,
  caches,
});
