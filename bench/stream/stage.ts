/** The environment for stream benchmarks: Postgres with accounts and keys, the service in its own process, and a publisher. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { generateKey, hashKey } from '../../src/accounts/keys/key-store.ts';
import { CONNECTIONS } from '../../src/accounts/plans/plan-file.ts';
import { type RoleName, readConfig } from '../../src/config/config.ts';
import { openMatchChanges } from '../../src/db/notices.ts';
import { openStores, type Stores } from '../../src/db/stores.ts';
import { writeOutbox } from '../../src/events/outbox.ts';
import { type Child, SERVER_CORE, startChild } from '../child.ts';
import { envelopeOf } from './event.ts';
import type { ServiceApi } from './service.ts';

/** Returns the environment variables that the image and the chart (`touchline.env`) set for a role's memory. */
export const memoryEnv = (role: RoleName) => ({
  NODE_OPTIONS: `--max-semi-space-size=${role === 'stream' || role === 'ingest' ? 8 : 4}`,
  MALLOC_ARENA_MAX: '2',
});

const silent = pino({ level: 'error' }, pino.destination(2));

export interface StagedEvent {
  match: number;
  tournament: number;
  envelope: string;
}

export interface Stage {
  stores: Stores;
  /** The service's environment. */
  env: Record<string, string>;
  /** Starts the whole service in one process. Only one service may run at a time. */
  startService(): Promise<Child<ServiceApi>>;
  /** Starts a stream process as the chart does. The relay runs in its own process. */
  startStream(): Promise<Child<ServiceApi>>;
  /** Starts an API process as the chart does, on the core for servers. */
  startApi(more?: Record<string, string>): Promise<Child<ServiceApi>>;
  /** Starts one role in its own process, as the chart does. */
  startRole(role: RoleName, more?: Record<string, string>): Promise<Child<ServiceApi>>;
  /** Returns keys for this many connections. Each account has as many connections as its plan allows. */
  keys(connections: number): Promise<string[]>;
  /** Publishes as ingest does: inserts into the outbox in a transaction, then sends the notice that wakes the relay. */
  publish(events: readonly StagedEvent[]): Promise<void>;
  /** Publishes events for one match, numbered from `after` + 1. */
  publishSome(after: number, count: number, bytes: number): Promise<void>;
  close(): Promise<void>;
}

/** Tournament for the events that `publishSome` makes. */
export const TOURNAMENT = 7;

/** @param more additional environment variables for the service */
export async function openStage(more: Record<string, string> = {}): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'touchline-bench-'));
  chmodSync(folder, 0o755);
  const given = readConfig({ DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'error' });
  const stores = await openStores(given, silent);
  const { config, pool } = stores;
  const changes = await openMatchChanges(config.databaseUrl, silent);
  // A stub in place of the embedded analytics engine, which no stream measurement needs and which would use CPU time.
  const analytics = createServer((_request, response) => response.end('{"version":"none"}\n'));
  await new Promise<void>((resolve) => analytics.listen(0, '127.0.0.1', resolve));
  const services: Child<ServiceApi>[] = [];
  const known: string[] = [];
  const env = {
    DATABASE_URL: config.databaseUrl,
    SECRET_KEY: config.secretKeys.join(','),
    FEED_TOKEN: config.feedToken!,
    DATA_DIR: join(folder, 'service'),
    CLICKHOUSE_URL: `http://127.0.0.1:${(analytics.address() as AddressInfo).port}`,
    PORT: '0',
    ADMIN_PORT: '0',
    DEMO: '0',
    ...more,
  };

  async function addAccounts(count: number): Promise<void> {
    const made = Array.from({ length: count }, () => generateKey('sk'));
    await pool.query(
      `WITH made AS (
         INSERT INTO account (email, plan, created_at)
         SELECT 'bench' || (n + $3) || '@touchline.invalid', 'business', now() FROM generate_series(1, $4::int) n RETURNING id
       )
       INSERT INTO api_key (account_id, kind, hash, hint, created_at)
       SELECT made.id, 'sk', k.hash, k.hint, now()
       FROM (SELECT id, row_number() OVER (ORDER BY id) AS place FROM made) made
       JOIN unnest($1::bytea[], $2::text[]) WITH ORDINALITY AS k (hash, hint, place) USING (place)`,
      [made.map(hashKey), made.map((key) => key.slice(-4)), known.length, count],
    );
    known.push(...made);
  }

  let relay: Promise<unknown> | undefined;
  async function start(
    role: RoleName,
    core: number | null,
    more: Record<string, string> = {},
  ): Promise<Child<ServiceApi>> {
    // Removes the leases of a killed process. They would block slots for half a minute.
    await pool.query('DELETE FROM stream_lease');
    if (role !== 'stream') await pool.query("UPDATE relay SET expires_at = '-infinity'");
    const service = startChild<ServiceApi>('stream/service.ts', core, { ...env, ...more, BENCH_ROLE: role });
    services.push(service);
    await service.call('port');
    return service;
  }

  async function publish(events: readonly StagedEvent[]): Promise<void> {
    await writeOutbox(
      pool,
      events.map(({ match, tournament, envelope }) => ({
        match_id: match,
        sport: 'football',
        tournament_id: tournament,
        type: 'match.goal' as const,
        envelope,
      })),
    );
    changes.publish(
      events.map(({ match }) => match),
      { events: true },
    );
  }

  return {
    stores,
    env,
    startService: () => start('all', SERVER_CORE),
    startApi: (more = {}) => start('api', SERVER_CORE, { ...memoryEnv('api'), ...more }),
    startRole: (role, more = {}) => start(role, null, { ...memoryEnv(role), ...more }),
    async startStream() {
      relay ??= start('relay', null);
      await relay;
      return start('stream', SERVER_CORE, memoryEnv('stream'));
    },
    async keys(connections) {
      const accounts = Math.ceil(connections / CONNECTIONS);
      if (known.length < accounts) await addAccounts(accounts - known.length);
      return known.slice(0, accounts);
    },
    publish,
    publishSome: (after, count, bytes) =>
      publish(
        Array.from({ length: count }, (_, index) => ({
          match: 1,
          tournament: TOURNAMENT,
          envelope: envelopeOf(1, after + index + 1, TOURNAMENT, bytes),
        })),
      ),
    async close() {
      for (const service of services) await service.kill();
      analytics.close();
      analytics.closeAllConnections();
      await changes.close();
      await stores.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
