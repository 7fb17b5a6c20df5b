/** A role is a value, as a route is. main.ts starts and stops roles without knowing any particular one. */
import type { Registry } from 'prom-client';
import type { OfferedPlans } from './accounts/plans/index.ts';
import type { Config, Secret } from './config/config.ts';
import type { ConfigOf, Variables } from './config/variable.ts';
import type { OpeningClickHouse } from './db/clickhouse.ts';
import type { LivenessLock } from './db/liveness-lock.ts';
import type { Deps } from './deps.ts';
import type { EventLog, LogWriter } from './events/index.ts';
import type { LateEventLog } from './events/late-event-log.ts';
import type { AnyRoute, Channel, NotifyWindow, RouteValue, StreamUsage } from './http/index.ts';

/** Resources besides Postgres that a role may need. They are opened once for all roles in a process. */
export interface Resources {
  eventLog: EventLog & LogWriter;
  /** The event log, opened on first use unless a role in the process has opened it already. */
  lateEventLog: LateEventLog;
  /** Lets other processes notice that this process has ended. */
  livenessLock: LivenessLock;
  /** ClickHouse, which is still being opened when the process begins to serve. */
  clickhouse: OpeningClickHouse;
}

/** A role's input when it starts. */
export type RoleContext<V extends Variables, N extends keyof Resources> = Pick<Resources, N> &
  Omit<Deps, 'config'> & {
    config: Config & ConfigOf<V>;
    registry: Registry;
    /** Counts the accounts' usage. */
    usage: StreamUsage;
    /** Reads the declared plans every few seconds. */
    plans: OfferedPlans;
    /** Shows a line to the user who is waiting for the start. */
    progress(line: string): void;
  };

/** A running role. Every hook is optional. */
export interface RunningRole {
  /** The role's routes, bound to the resources that the role has opened for them. */
  routes?: readonly RouteValue<unknown>[];
  /** Notifies an account owner that a plan window is nearly used up. */
  notifyWindow?: NotifyWindow;
  /** Resources that the role has opened for its routes, for use in measurements. */
  provides?: object;
  /** Returns whether the role has caught up with what it follows. Until then, the process is not ready. */
  caughtUp?(): boolean;
  /**
   * Starts the work that begins once the process serves requests.
   * @returns a function that ends this work; it is called before anything else is stopped
   */
  serving?(): () => Promise<void>;
  /** Ends long-lived connections over `spreadMs`, before the server waits for the rest of the requests. */
  drain?(spreadMs: number): Promise<void>;
  stop?(): Promise<void>;
}

export interface RoleDefinition<V extends Variables, N extends keyof Resources> {
  name: string;
  /** Description for the role's row in docs/roles.md. */
  summary: string;
  /** Environment variables besides the common ones. */
  variables: V;
  /** Secrets that are required if DATABASE_URL is set. */
  secrets: readonly Secret[];
  /**
   * Maximum number of Postgres connections in the pool. Notices and the liveness lock each have a connection of their
   * own, and so do the reads of pages (planned-reads.ts).
   */
  connections: number;
  needs: readonly N[];
  /** True if the role reads from replicas, or names positions that they have to reach. */
  usesReplicas?: true;
  /** Routes for the OpenAPI document. `start` binds them. */
  routes: readonly AnyRoute[];
  /** The role's streams or webhooks, as the documents describe them. */
  channels?: readonly Channel[];
  start(context: RoleContext<V, N>): Promise<RunningRole>;
}

/** A role of any type. main.ts reads its variables and opens the resources in `needs` before the role starts. */
export type Role = RoleDefinition<Variables, keyof Resources>;

/** Defines a role. The types are inferred, since the context for `start` depends on `variables` and `needs`. */
export const defineRole = <const V extends Variables, const N extends keyof Resources>(
  definition: RoleDefinition<V, N>,
): Role => definition as unknown as Role;

/** Returns the part of a role's context that every route gets. */
export const baseDeps = <C extends Deps>({
  config,
  clock,
  logger,
  pool,
  reads,
  changes,
  caches,
  router,
}: C): Pick<C, keyof Deps> => ({
  config,
  clock,
  logger,
  pool,
  reads,
  changes,
  caches,
  router,
});
