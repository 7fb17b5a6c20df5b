/** A role is a value, as a route is: main.ts starts and stops roles without knowing any of them. */
import type { Registry } from 'prom-client';
import type { Config, Secret } from './config/config.ts';
import type { ConfigOf, Variables } from './config/variables.ts';
import type { Deps } from './deps.ts';
import type { EventLog, LogWriter } from './events/event-log.ts';
import { bindRoutes, type RouteValue } from './http/route.ts';

/** What a role may need besides Postgres; opened once for all roles of a process. */
export interface Resources {
  eventLog: EventLog & LogWriter;
}

/** What a role gets when it starts. */
export type RoleContext<V extends Variables, N extends keyof Resources> = Pick<Resources, N> &
  Omit<Deps, 'config'> & {
    config: Config & ConfigOf<V>;
    registry: Registry;
    /** Shows a line to whoever waits for the start. */
    progress(line: string): void;
  };

/** A role that runs; each hook is optional. */
export interface RunningRole<P> {
  /** What its routes need besides `Deps`. */
  provides: P;
  /** Whether it has caught up with what it follows; readiness waits for it. */
  caughtUp?(): boolean;
  /** Work that begins when the process serves. @returns ends it, before anything else stops */
  serving?(): () => Promise<void>;
  /** Ends long-lived connections over `spreadMs`, before the server waits for its requests. */
  drain?(spreadMs: number): Promise<void>;
  stop?(): Promise<void>;
}

export interface RoleDefinition<V extends Variables, N extends keyof Resources, P> {
  name: string;
  /** What it does; a row of docs/roles.md. */
  summary: string;
  /** What it reads of the environment besides the common variables. */
  variables: V;
  /** Required with DATABASE_URL. */
  secrets: readonly Secret[];
  needs: readonly N[];
  /** Whether it opens ClickHouse, after it serves: loading the embedded engine takes seconds. */
  usesClickHouse?: boolean;
  routes: readonly RouteValue<Deps & { config: ConfigOf<NoInfer<V>> } & NoInfer<P>>[];
  start(context: RoleContext<V, N>): Promise<RunningRole<P>>;
}

type Started = RunningRole<unknown> & { routes: readonly RouteValue<unknown>[] };

/** A role whose own types are settled. */
export interface Role extends Omit<RoleDefinition<Variables, keyof Resources, never>, 'start'> {
  /** @returns the role running, with its routes bound to what it provides */
  start(context: RoleContext<Variables, keyof Resources>): Promise<Started>;
}

/** Gives a role its types: its context from `variables` and `needs`, what its routes get from what `start` provides. */
export function defineRole<const V extends Variables, const N extends keyof Resources, P>(
  definition: RoleDefinition<V, N, P>,
): Role {
  return {
    ...definition,
    async start(given) {
      // main.ts has read the variables and opened the needs of each role that it starts.
      const context = given as unknown as RoleContext<V, N>;
      const running = await definition.start(context);
      const { config, clock, logger, pool, changes } = context;
      const deps = { config, clock, logger, pool, changes, ...running.provides };
      return { ...running, routes: bindRoutes(definition.routes, deps) };
    },
  };
}
