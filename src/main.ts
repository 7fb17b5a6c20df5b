/** A role: what runs for it, started in order and stopped in reverse. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { keyStore } from './accounts/keys.ts';
import { applyUpdates } from './apply/apply.ts';
import { startMaintenance } from './apply/housekeeping.ts';
import { routes as catalogueRoutes } from './catalogue/routes.ts';
import { routes as competitionRoutes } from './competitions/routes.ts';
import type { Config, Role } from './config/config.ts';
import { openClickHouse } from './db/clickhouse.ts';
import { openMatchChanges } from './db/notices.ts';
import { openStores } from './db/stores.ts';
import { loadSample, playDemo } from './demo/demo.ts';
import type { Deps, Route } from './deps.ts';
import type { EventLog } from './events/event-log.ts';
import { openEventLog } from './events/open-event-log.ts';
import { startRelay } from './events/relay.ts';
import { measuredWriter } from './events/relay-metrics.ts';
import { routes as feedRoutes } from './feed/routes.ts';
import { createApp } from './http/app.ts';
import { createHealth } from './http/health.ts';
import { type ListeningServer, listen } from './http/server.ts';
import { routes as matchRoutes } from './matches/routes.ts';
import { systemClock } from './runtime/clock.ts';
import { openAdmission } from './stream/admission.ts';
import { openHub } from './stream/hub.ts';
import { createStreamMetrics } from './stream/metrics.ts';
import { routes as streamRoutes } from './stream/routes.ts';
import { routes as webRoutes } from './web/routes.ts';
import { openSender } from './webhooks/attempt.ts';
import { startDispatcher } from './webhooks/dispatcher.ts';
import { createGuard } from './webhooks/guard.ts';

const ROUTES: Record<'api' | 'stream' | 'ingest', readonly Route[]> = {
  api: [...webRoutes, ...catalogueRoutes, ...matchRoutes, ...competitionRoutes],
  stream: streamRoutes,
  ingest: feedRoutes,
};

/** Every route of the service: what the document and the contract tests are made from. */
export const allRoutes: readonly Route[] = Object.values(ROUTES).flat();

export interface Running {
  deps: Deps;
  /** http://host:port; null where the role serves nothing. */
  address: string | null;
  adminAddress: string;
  /** Resolves when the embedded ClickHouse answers, or with the reason why it does not. */
  analytics: Promise<{ version: string } | { fault: string }>;
  stop(): Promise<void>;
}

export interface ServeOptions {
  role: Role;
  progress?: (line: string) => void;
}

/** The service in one process is somebody's terminal; pods of these roles get their clients through a proxy, which has to notice. */
const BEHIND_A_PROXY: ReadonlySet<Role> = new Set(['api', 'stream', 'ingest']);
const NO_DRAIN = { drainDelayMs: 0, drainSpreadMs: 0 };

/** Requests under way may take this long when the service stops. */
export const STOP_GRACE_MS = 5_000;

export async function serve(
  given: Config,
  logger: Logger,
  { role, progress = () => {} }: ServeOptions,
): Promise<Running> {
  const has = (one: Role) => role === 'all' || role === one;
  /** Undone in reverse order, each step even when another fails. */
  const undo: { name: string; stop: () => Promise<unknown> | unknown }[] = [];
  const stop = async () => {
    for (const { name, stop: stopOne } of undo.reverse()) {
      try {
        await stopOne();
      } catch (error) {
        logger.error({ err: error, step: name }, 'a step of stopping failed');
      }
    }
    undo.length = 0;
  };
  try {
    return await start();
  } catch (error) {
    await stop();
    throw error;
  }

  async function start(): Promise<Running> {
    const registry = new Registry();
    collectDefaultMetrics({ register: registry });
    let started = false;
    let watching = () => true;
    // Once for all: a store that is away later must not take all processes out at once.
    const health = createHealth({ registry, checks: { started: () => started && watching() } });
    const admin = await listen(health.handler, { host: given.host, port: given.adminPort });
    undo.push({ name: 'admin server', stop: () => admin.close() });
    const stores = await openStores(given, logger, { progress, migrate: role === 'all' });
    undo.push({ name: 'stores', stop: stores.close });
    const { config, pool } = stores;
    const clock = systemClock;
    const changes = await openMatchChanges(config.databaseUrl, logger);
    undo.push({ name: 'changes', stop: () => changes.close() });
    const apply = (
      ...[updates, options]: Parameters<typeof applyUpdates> extends [unknown, ...infer Rest] ? Rest : never
    ) => applyUpdates({ config, pool, clock, changes }, updates, options);
    const demo = { pool, clock, logger, apply };
    if (config.demo && has('ingest')) {
      const count = await loadSample(demo);
      if (count > 0) progress(`Loaded the sample catalogue: ${count} updates`);
    }
    const common = { config, clock, logger, pool, changes };
    const eventLog =
      has('stream') || has('relay') || has('dispatcher') ? await openEventLog(config, pool, logger, changes) : null;
    if (eventLog !== null) undo.push({ name: 'event log', stop: () => eventLog.close() });
    if (has('relay')) {
      const relay = startRelay({
        pool,
        log: measuredWriter(eventLog!, pool, registry),
        clock,
        logger,
        onChange: (listener) => changes.subscribe(listener),
      });
      undo.push({ name: 'relay', stop: () => relay.stop() });
    }
    if (has('ingest')) {
      const maintenance = startMaintenance({ pool, clock, changes, logger });
      undo.push({ name: 'maintenance', stop: () => maintenance.stop() });
    }
    if (role === 'operator') {
      // Its library is large, and no other role needs it.
      const { startOperator } = await import('../operators/webhook-subscription/operator.ts');
      const operator = startOperator({ config, pool, clock, logger, registry });
      watching = operator.synced;
      undo.push({ name: 'operator', stop: () => operator.stop() });
    }
    if (has('dispatcher')) {
      const dispatcher = await startDispatcher({
        pool,
        log: eventLog!,
        clock,
        logger,
        sender: openSender({ guard: createGuard({ allow: config.webhookAllow }) }),
        secretKeys: config.secretKeys,
        group: config.dispatcherGroup,
        registry,
      });
      undo.push({ name: 'dispatcher', stop: () => dispatcher.stop() });
    }
    const served = (['api', 'stream', 'ingest'] as const).filter(has);
    const streams = has('stream') ? await openStreams(eventLog!) : null;
    // The routes of the stream alone ask for its parts.
    const deps = { ...common, ...streams } as Deps;
    const server = served.length > 0 ? await openServer(served, deps) : null;
    const drain = BEHIND_A_PROXY.has(role) ? config : NO_DRAIN;
    if (streams !== null) {
      undo.push({
        name: 'streams',
        // They end before the server waits for its connections.
        stop: () => {
          streams.admission.drain();
          return streams.hub.close(drain.drainSpreadMs);
        },
      });
    }
    started = true;
    undo.push({ name: 'serving on', stop: () => sleep(drain.drainDelayMs) });
    undo.push({ name: 'readiness', stop: () => health.drain() });
    if (config.demo && has('ingest')) {
      const abort = new AbortController();
      const playing = playDemo(demo, abort.signal);
      undo.push({
        name: 'demo',
        stop: () => {
          abort.abort();
          return playing;
        },
      });
    }
    const place = (port: number) => `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
    return {
      deps,
      address: server === null ? null : place(server.port),
      adminAddress: place(admin.port),
      analytics: openAnalytics(config, has, undo),
      stop,
    };

    async function openStreams(log: EventLog): Promise<Pick<Deps, 'eventLog' | 'hub' | 'admission'>> {
      const metrics = createStreamMetrics(registry);
      const hub = await openHub({ log, clock, logger, metrics });
      const admission = openAdmission({ pool, logger, metrics });
      undo.push({ name: 'admission', stop: () => admission.close() });
      return { eventLog: log, hub, admission };
    }

    async function openServer(parts: readonly (keyof typeof ROUTES)[], handed: Deps): Promise<ListeningServer> {
      const routes = parts.flatMap((one) => ROUTES[one]);
      const app = createApp(routes, handed, { keys: keyStore(pool), registry, documented: allRoutes });
      const listening = await listen(app.callback(), { host: config.host, port: config.port, upgrade: app.upgrade });
      undo.push({ name: 'server', stop: () => listening.close(STOP_GRACE_MS) });
      return listening;
    }
  }
}

/** After REST: the engine is half a gigabyte to load, and only analytics needs it. */
async function openAnalytics(
  config: Config,
  has: (role: Role) => boolean,
  undo: { name: string; stop: () => Promise<unknown> }[] | { name: string; stop: () => unknown }[],
): Promise<{ version: string } | { fault: string }> {
  if (!has('api') && !has('loader')) return { fault: 'not needed by this role' };
  try {
    await new Promise(setImmediate);
    const clickhouse = await openClickHouse(config.clickhouseUrl, config.dataDir);
    undo.push({ name: 'ClickHouse', stop: () => clickhouse.close() });
    return { version: clickhouse.version };
  } catch (error) {
    return { fault: (error as Error).message };
  }
}
