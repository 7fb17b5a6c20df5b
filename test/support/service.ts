/**
 * A stream's whole path in one process: relay, log, hub and server on a test database, with a clock that tests advance.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger, pino } from 'pino';
import { Registry } from 'prom-client';
import type { OfferedPlans } from '../../src/accounts/plans/plans.ts';
import { Cards } from '../../src/analytics/cards/cards.ts';
import type { AnalyticsDeps } from '../../src/analytics/deps.ts';
import { readConfig } from '../../src/config/config.ts';
import { openMatchChanges } from '../../src/db/notices.ts';
import { openPool } from '../../src/db/postgres.ts';
import { openPostgresLog } from '../../src/events/postgres-log.ts';
import type { FeedDeps } from '../../src/feed/deps.ts';
import type { ChargeRequest } from '../../src/http/charge.ts';
import { createReplyCaches } from '../../src/http/reply-caches.ts';
import type { RouteValue } from '../../src/http/route.ts';
import { precedenceVariables } from '../../src/identity/config.ts';
import { EntityCache } from '../../src/identity/entities.ts';
import { startRelay } from '../../src/relay/relay.ts';
import { measuredWriter } from '../../src/relay/relay-metrics.ts';
import { Admission, type AdmissionOptions } from '../../src/stream/admission.ts';
import type { StreamDeps } from '../../src/stream/deps.ts';
import { type HubDeps, startHub } from '../../src/stream/hub.ts';
import { createStreamMetrics } from '../../src/stream/metrics.ts';
import { routes as streamRoutes } from '../../src/stream/routes.ts';
import { BUILT_IN_PLANS } from './accounts.ts';
import { clickhouseAway } from './clickhouse-away.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { eventWriter, type Sketch } from './events.ts';
import { startApp, type TestApp } from './http.ts';

/** Dependencies of the feed and stream routes. All other routes need no more than these. */
export type ServiceDeps = FeedDeps & StreamDeps & AnalyticsDeps;

export interface Service {
  db: TestDatabase;
  deps: ServiceDeps;
  app: TestApp;
  clock: { now(): number; advance(ms: number): void };
  /** Registry with the service's metrics. */
  registry: Registry;
  /**
   * Writes events as ingest does, and waits until this process has read them from the log.
   * @returns the envelopes
   */
  publish(...sketches: Sketch[]): Promise<string[]>;
  /** Stops the parts in the order in which a process stops them: streams, then the server, then the relay. */
  stop(): Promise<void>;
  /** Stops everything and drops the database. */
  close(): Promise<void>;
}

export interface ServiceOptions {
  /** The database of a different service, if two services share one as two processes would. */
  db?: TestDatabase;
  routes?: readonly RouteValue<ServiceDeps>[];
  env?: Record<string, string>;
  /** Returns the URL that the service uses for the database, which may lead through a proxy. */
  databaseUrl?: (url: string) => Promise<string>;
  hub?: Partial<HubDeps>;
  admission?: Partial<AdmissionOptions>;
  /** The plans; by default the built-in ones. */
  plans?: OfferedPlans;
  /** Charges requests. By default none is charged. */
  chargeRequest?: ChargeRequest;
  /** Logger. By default there are no logs. */
  logger?: Logger;
}

/** Maximum time for events to get from the outbox to the hub. */
const PATIENCE_MS = 10_000;

const silent = pino({ level: 'silent' });

export async function startService({
  db: shared,
  routes = streamRoutes,
  env = {},
  databaseUrl = async (url) => url,
  hub: hubOptions = {},
  admission: admissionOptions = {},
  plans = BUILT_IN_PLANS,
  chargeRequest = () => undefined,
  logger = silent,
}: ServiceOptions = {}): Promise<Service> {
  const db = shared ?? (await createTestDatabase());
  const url = await databaseUrl(db.url);
  const config = readConfig(
    { DATABASE_URL: url, SECRET_KEY: 'a-secret-key-of-the-tests', ...env },
    precedenceVariables,
  );
  const pool = openPool(url, logger);
  let now = Date.parse('2026-03-01T12:00:00Z');
  const clock = {
    now: () => now,
    advance(ms: number) {
      now += ms;
    },
  };
  const changes = await openMatchChanges(url, logger);
  const eventLog = openPostgresLog(pool, changes);
  const registry = new Registry();
  const relay = startRelay({
    pool,
    log: measuredWriter(eventLog, pool, registry),
    clock,
    logger,
    onChange: (listener) => changes.subscribe(listener),
  });
  const metrics = createStreamMetrics(registry);
  const hub = await startHub({ log: eventLog, clock, logger, metrics, ...hubOptions });
  const admission = new Admission({ pool, logger, plans, metrics, notices: changes, ...admissionOptions });
  const deps: ServiceDeps = {
    config,
    clock,
    logger,
    pool,
    reads: pool,
    plans,
    entities: new EntityCache(),
    eventLog,
    hub,
    admission,
    changes,
    caches: createReplyCaches(changes),
    clickhouse: clickhouseAway,
    cards: new Cards({ pool, clock, logger }),
  };
  const app = await startApp(routes, deps, { chargeRequest });
  const events = eventWriter();
  let stopped = false;

  async function stop(): Promise<void> {
    if (stopped) return;
    stopped = true;
    await hub.close();
    await admission.close();
    await app.close();
    await relay.stop();
    await eventLog.close();
    await changes.close();
    await pool.end();
  }
  return {
    db,
    deps,
    app,
    clock,
    registry,
    async publish(...sketches) {
      const before = hub.head();
      const written = await events.write(pool, sketches);
      changes.publish([1]);
      const deadline = Date.now() + PATIENCE_MS;
      while (hub.head() < before + sketches.length) {
        if (Date.now() > deadline) throw new Error(`published, but the hub is at ${hub.head()}`);
        await sleep(1);
      }
      return written;
    },
    stop,
    async close() {
      await stop();
      if (shared === undefined) await db.drop();
    },
  };
}
