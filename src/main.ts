/**
 * The service as a table of roles, which are started in order and stopped in reverse order. A process loads only the
 * code for the given roles.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { type PlanConfig, planVariables } from './accounts/config.ts';
import { findMember } from './accounts/credentials/index.ts';
import { keyStore } from './accounts/keys/index.ts';
import { Limiter } from './accounts/limits/limiter.ts';
import { OfferedPlans } from './accounts/plans/index.ts';
import { UsageRecorder } from './accounts/usage/index.ts';
import { readLoaderProgress } from './analytics/loader/index.ts';
import { type Config, type RoleName, readConfig, type Secret } from './config/config.ts';
import type { ConfigOf, Variables } from './config/variable.ts';
import { openLivenessLock } from './db/liveness-lock.ts';
import { openMatchChanges } from './db/notices.ts';
import { PostgresAddress, postgresAddress } from './db/postgres-address.ts';
import type { ReadRouter } from './db/read-router.ts';
import { openStores } from './db/stores.ts';
import type { Deps } from './deps.ts';
import { lateEventLog } from './events/late-event-log.ts';
import { openEventLog } from './events/open-event-log.ts';
import { createApp } from './http/app.ts';
import { createHealth } from './http/health.ts';
import type { NotifyWindow, RouteValue } from './http/index.ts';
import type { Examples } from './http/openapi.ts';
import { createReplyCaches } from './http/reply-caches.ts';
import { listen } from './http/server.ts';
import type { Resources, Role } from './role.ts';
import { LOAD_ROLE } from './roles.ts';
import { type Clock, systemClock } from './runtime/clock.ts';
import { adaptPage } from './site/reader-choices.ts';
import { referenceRoutes } from './site/reference.ts';
import { polledSources } from './sources/index.ts';
import { startTracing } from './start-tracing.ts';
import { StartWait } from './start-wait.ts';

/** The roles that `all` stands for, in the order in which they start. */
const ALL = ['ingest', 'relay', 'dispatcher', 'stream', 'api', 'loader', 'jobs'] as const;
const loadRoles = (name: RoleName): Promise<Role[]> =>
  Promise.all((name === 'all' ? ALL : [name]).map((one) => LOAD_ROLE[one]()));

/**
 * Reads the configuration for a role.
 * @throws {ConfigError} with one entry for each fault
 */
export async function readRoleConfig(
  env: Readonly<Record<string, string | undefined>>,
  name: RoleName,
): Promise<RoleConfig> {
  const roles = await loadRoles(name);
  const own: Variables = Object.assign({}, ...roles.map((role) => role.variables));
  const variables = { ...own, ...planVariables };
  // The role `all` does not need a feed, so it does not need the feed's secrets either.
  const secrets: readonly Secret[] = name === 'all' ? ['secretKeys'] : roles[0]!.secrets;
  return readConfig(env, variables, secrets);
}

/** The common variables, and the variables for the roles whose configuration was read. */
export type RoleConfig = Config & ConfigOf<Variables> & PlanConfig;

export interface Running {
  deps: Deps;
  plans: OfferedPlans;
  /** Resources that each running role has opened for its routes. */
  provides: Partial<Record<RoleName, unknown>>;
  /** The address, as http://host:port. Null if the role has no routes. */
  address: string | null;
  adminAddress: string;
  /** Resolves after the first attempt to open ClickHouse, with the version or the reason why that attempt failed. */
  analytics: Promise<{ version: string } | { fault: string }>;
  stop(): Promise<void>;
}

export interface ServeOptions {
  role: RoleName;
  /** Shows a line to the user who is waiting for the start. */
  progress?: (line: string) => void;
  /** The system's clock by default. Examples and tests set a time. */
  clock?: Clock;
  /** Ends the wait for stores that cannot be reached. */
  signal?: AbortSignal;
  /** Maximum time to wait for the stores. */
  startLimitMs?: number;
  /** Called when everything is loaded, before the process becomes ready. */
  onLoaded?: () => void;
}

/** Reads the example replies for all routes, which were made from the sample catalogue (`make generated`). */
const readExamples = () => JSON.parse(readFileSync(new URL('./examples.json', import.meta.url), 'utf8')) as Examples;

/** Time limit for requests in progress when the service stops. */
export const STOP_GRACE_MS = 5_000;

/** Everything that has been started. It is stopped in reverse order. If one step fails, the rest are still done. */
class Started {
  private readonly steps: { name: string; stop: () => Promise<unknown> | unknown }[] = [];
  private readonly logger: Logger;

  constructor(logger: Logger) {
    this.logger = logger;
  }

  add(name: string, stop: (() => Promise<unknown> | unknown) | undefined): void {
    if (stop !== undefined) this.steps.push({ name, stop });
  }

  async stop(): Promise<void> {
    for (let step = this.steps.pop(); step !== undefined; step = this.steps.pop()) {
      try {
        await step.stop();
      } catch (error) {
        this.logger.error({ err: error, step: step.name }, 'shutdown step failed');
      }
    }
  }
}

/**
 * Starts the roles in one process.
 * @param given from `readRoleConfig`, for the same role
 * @throws if a role cannot start; everything started before is stopped again
 */
export async function serve(given: RoleConfig, logger: Logger, options: ServeOptions): Promise<Running> {
  const started = new Started(logger);
  try {
    return await start(given, logger, options, started);
  } catch (error) {
    await started.stop();
    throw error;
  }
}

async function start(
  given: RoleConfig,
  logger: Logger,
  { role: name, progress = () => {}, clock = systemClock, signal, startLimitMs, onLoaded }: ServeOptions,
  started: Started,
): Promise<Running> {
  // Tracing ends last, because everything else still creates spans while it ends.
  started.add('tracing', await startTracing(given, logger, name));
  const roles = await loadRoles(name);
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const caughtUp: (() => boolean)[] = [];
  let ready = false;
  // Once ready, a process stays ready. A store that becomes unavailable must not take all processes out of service at
  // once.
  const wait = new StartWait({ logger, signal, limitMs: startLimitMs });
  let stores: Awaited<ReturnType<typeof openStores>> | undefined;
  const health = createHealth({
    registry,
    waitingFor: () => wait.waitingFor(),
    checks: { started: () => ready && caughtUp.every((holds) => holds()) },
    details: async () =>
      stores === undefined
        ? {}
        : { sources: polledSources(stores.pool, clock.now()), analytics: readLoaderProgress(stores.pool) },
  });
  const admin = await listen(health.handler, { host: given.host, port: given.adminPort });
  started.add('admin server', () => admin.close());
  const connections = Math.max(...roles.map((role) => role.connections));
  stores = await wait.open('Postgres', () =>
    openStores(given, logger, { progress, migrate: name === 'all', signal, connections }),
  );
  const { config, pool, reads, close } = stores;
  started.add('stores', close);
  const changes = await wait.open('Postgres', () => openMatchChanges(postgresAddress(config), logger));
  started.add('notices', () => changes.close());
  const usesReplicas = roles.some((role) => role.usesReplicas === true);
  const router = usesReplicas
    ? await openRouter({ config, pool, reads, changes, logger, registry, connections })
    : undefined;
  started.add('read replicas', router && (() => router.close()));
  const caches = createReplyCaches(changes, registry, router);
  const deps: Deps = { config, clock, logger, pool, reads, changes, caches, router };
  const usage = new UsageRecorder(deps);
  started.add('usage', () => usage.close());
  const resources = await openResources(roles, deps, { started, wait, registry });
  const plans = await openPlans(given, deps, started, wait);
  const context = { ...deps, config, registry, usage, plans, progress, ...resources };

  const running = [];
  for (const role of roles) {
    const one = await role.start(context);
    started.add(role.name, one.stop);
    if (one.caughtUp !== undefined) caughtUp.push(one.caughtUp);
    running.push({ name: role.name, ...one });
  }
  const routes = running.flatMap((one) => one.routes ?? []);
  const notifyWindow = running.find((one) => one.notifyWindow !== undefined)?.notifyWindow;
  const counted = { registry, usage, notifyWindow, plans };
  const server = routes.length > 0 ? await openServer(routes, deps, counted, started) : null;
  // A process with the role `all` usually runs in a terminal. With any other role, clients come through a proxy, which
  // needs time to notice that the process is stopping.
  const isBehindProxy = name !== 'all' && server !== null;
  for (const { name: role, drain } of running)
    if (drain !== undefined)
      started.add(`connections of ${role}`, () => drain(isBehindProxy ? config.drainSpreadMs : 0));
  onLoaded?.();
  ready = true;
  started.add('drain delay', () => sleep(isBehindProxy ? config.drainDelayMs : 0));
  started.add('readiness', () => health.drain());
  for (const { name: role, serving } of running) started.add(`work of ${role}`, serving?.());

  // Opened last. The embedded engine takes half a gigabyte, which a failed start should not have to load.
  resources.clickhouse?.open();
  const url = (port: number) => `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
  return {
    deps,
    plans,
    provides: Object.fromEntries(running.map((one) => [one.name, one.provides])),
    address: server === null ? null : url(server.port),
    adminAddress: url(admin.port),
    analytics: resources.clickhouse?.opened ?? Promise.resolve({ fault: 'not needed by this role' }),
    stop: () => started.stop(),
  };
}

/** Reads the declared plans once, and then again until the process stops. */
async function openPlans(
  { plans: configured }: PlanConfig,
  { pool, logger }: Deps,
  started: Started,
  wait: StartWait,
): Promise<OfferedPlans> {
  const plans = new OfferedPlans(configured, logger);
  await wait.open('Postgres', () => plans.refresh(pool));
  const following = plans.follow(pool, logger);
  started.add('plans', () => following.stop());
  return plans;
}

/** Opens the connections to read replicas, if there are any. It follows notices before the caches do. */
async function openRouter({
  config,
  connections,
  ...options
}: Pick<Deps, 'pool' | 'reads' | 'changes' | 'logger'> & {
  config: Config & { databaseUrl: string };
  registry: Registry;
  connections: number;
}): Promise<ReadRouter | undefined> {
  const { databaseReadUrl, databaseReadUrlFile, databaseConnections } = config;
  if (databaseReadUrl === undefined) return undefined;
  const { ReadRouter } = await import('./db/read-router.ts');
  return ReadRouter.open({
    ...options,
    readUrl: new PostgresAddress(databaseReadUrl, databaseReadUrlFile),
    databaseUrl: postgresAddress(config),
    connections: databaseConnections ?? connections,
  });
}

/** Opens the resources that the roles need, each one once. */
async function openResources(
  roles: readonly Role[],
  { config, pool, logger, changes }: Deps,
  { started, wait, registry }: { started: Started; wait: StartWait; registry: Registry },
): Promise<Resources> {
  const needed = new Set(roles.flatMap(({ needs }) => needs));
  const resources: Partial<Resources> = {};
  if (needed.has('eventLog')) {
    const foreign = new Gauge({
      name: 'touchline_event_log_foreign',
      help: "1 if the Kafka topic holds a different installation's events, so that nothing more is appended or delivered",
      registers: [registry],
    });
    const eventLog = await wait.open(config.kafkaBrokers.length > 0 ? 'Kafka' : 'Postgres', () =>
      openEventLog(config, pool, logger, changes, () => foreign.set(1)),
    );
    started.add('event log', () => eventLog.close());
    resources.eventLog = eventLog;
  }
  if (needed.has('lateEventLog')) {
    const late = lateEventLog(() => openEventLog(config, pool, logger, changes));
    started.add('late event log', () => late.close());
    resources.lateEventLog = resources.eventLog ?? late;
  }
  if (needed.has('livenessLock')) {
    const livenessLock = await wait.open('Postgres', () =>
      openLivenessLock(postgresAddress({ ...config, databaseUrl: config.databaseUrl! }), logger),
    );
    started.add('liveness lock', () => livenessLock.close());
    resources.livenessLock = livenessLock;
  }
  if (needed.has('clickhouse')) {
    const { lateClickHouse } = await import('./db/clickhouse.ts');
    const clickhouse = lateClickHouse(config, logger);
    started.add('ClickHouse', () => clickhouse.close());
    resources.clickhouse = clickhouse;
  }
  // Some resources may be missing here, but the types let a role use only the resources that it lists in `needs`.
  return resources as Resources;
}

async function openServer(
  routes: readonly RouteValue<unknown>[],
  deps: Deps,
  {
    registry,
    usage,
    notifyWindow,
    plans,
  }: { registry: Registry; usage: UsageRecorder; notifyWindow: NotifyWindow | undefined; plans: OfferedPlans },
  started: Started,
): Promise<{ port: number }> {
  const { config, pool, clock } = deps;
  const isCharged = routes.some(({ access, cost }) => access === 'key' && cost > 0);
  const limiter = isCharged ? new Limiter({ ...deps, plans, notifyWindow }) : null;
  started.add('limits', limiter === null ? undefined : () => limiter.close());
  const app = createApp(routes, deps, {
    keys: keyStore(pool),
    findMember: (cookies, secure) => findMember(pool, clock, cookies, secure),
    ...(limiter !== null && { chargeRequest: limiter.charge }),
    recordRequest: usage.record,
    accessOf: (principal) => plans.of(principal).access,
    shareOf: (principal) => plans.shareOf(principal),
    planOf: (principal) => plans.named(principal.plan).name,
    registry,
    documented: () => import('./all-roles.ts'),
    reference: referenceRoutes,
    adaptPage: (cookie) => adaptPage(cookie, clock.now()),
    examples: readExamples,
  });
  const server = await listen(app.listener, { host: config.host, port: config.port, upgrade: app.upgrade });
  started.add('server', () => server.close(STOP_GRACE_MS));
  return server;
}
