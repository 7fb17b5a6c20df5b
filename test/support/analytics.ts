/**
 * Analytics in one process: a database, a ClickHouse server that fails on demand, the relay's change cursors, the
 * loader, and the routes. A test runs the relay and the loader step by step, or in the background.
 */

import assert from 'node:assert/strict';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { Cards } from '../../src/analytics/cards/cards.ts';
import type { AnalyticsDeps } from '../../src/analytics/deps.ts';
import { loaderLease } from '../../src/analytics/loader/current-copy.ts';
import { COUNTING } from '../../src/analytics/loader/history-page.ts';
import { type Loader, startLoader } from '../../src/analytics/loader/loader.ts';
import { LoaderStep } from '../../src/analytics/loader/loader-step.ts';
import { routes as analyticsRoutes } from '../../src/analytics/routes.ts';
import { applyUpdates } from '../../src/apply/apply.ts';
import type { ApplyOptions, ApplyResult } from '../../src/apply/update-outcomes.ts';
import { routes as competitionRoutes } from '../../src/competitions/routes.ts';
import { type ClickHouse, type OpenClickHouse, openClickHouse } from '../../src/db/clickhouse.ts';
import { migrateClickHouse } from '../../src/db/clickhouse-migrations.ts';
import type { ChangeListener, MatchChanges } from '../../src/db/notices.ts';
import { openPostgresLog } from '../../src/events/postgres-log.ts';
import { relayLease } from '../../src/events/relay-lease.ts';
import type { FeedDeps } from '../../src/feed/deps.ts';
import { routes as feedRoutes } from '../../src/feed/routes.ts';
import { createReplyCaches } from '../../src/http/reply-caches.ts';
import { EntityCache } from '../../src/identity/entities.ts';
import { routes as matchRoutes } from '../../src/matches/routes.ts';
import { assignChangeCursors } from '../../src/relay/change-cursors.ts';
import { type Relay, startRelay } from '../../src/relay/relay.ts';
import { modelRoutes } from '../../src/web/models/routes.ts';
import { type FeedUpdateInput, feedUpdate, type MatchUpdateInput } from '../../src/wire/feed-update.ts';
import { type ClickHouseServer, clickhouseAt, startClickHouseServer } from './clickhouse-server.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { startApp, type TestApp, testConfig } from './http.ts';
import { until } from './until.ts';

export type Match = MatchUpdateInput['match'];
export type Participant = Extract<FeedUpdateInput, { kind: 'participant' }>['participant'];
export type Tournament = Extract<FeedUpdateInput, { kind: 'tournament' }>['tournament'];

/** A call to ClickHouse, before or after it is executed. */
export interface Call {
  kind: 'query' | 'command' | 'insert';
  /** The statement, or the name of the table for an insert. */
  text: string;
}

/** Functions that a test may set to make calls fail. If one throws, the call fails with that error. */
export interface Faults {
  before?: ((call: Call) => unknown) | undefined;
  /** Called after the execution. An error has the same effect as if the process had been killed right then. */
  after?: ((call: Call) => unknown) | undefined;
}

/** Returns the same store with these faults. */
export function faulty(clickhouse: ClickHouse, faults: Faults): ClickHouse {
  const watched = async <T>(call: Call, work: () => Promise<T>): Promise<T> => {
    await faults.before?.(call);
    const result = await work();
    await faults.after?.(call);
    return result;
  };
  return {
    query: (text, parameters) => watched({ kind: 'query', text }, () => clickhouse.query(text, parameters)),
    command: (text, parameters) => watched({ kind: 'command', text }, () => clickhouse.command(text, parameters)),
    insert: (table, lines) => watched({ kind: 'insert', text: table }, () => clickhouse.insert(table, lines)),
    close: () => clickhouse.close(),
  };
}

export interface Analytics {
  db: TestDatabase;
  server: ClickHouseServer;
  /** The store without faults. */
  clickhouse: OpenClickHouse;
  /** Faults for the loader and the routes. */
  faults: Faults;
  deps: AnalyticsDeps & { config: typeof testConfig };
  app: TestApp;
  registry: Registry;
  /** The service's clock, in ms. */
  now: number;
  feed(updates: readonly object[], options?: Partial<ApplyOptions> & { provider?: string }): Promise<ApplyResult[]>;
  /**
   * Feeds matches, all of which have to be accepted.
   * @returns our ids
   */
  matches(...matches: Match[]): Promise<number[]>;
  participants(...participants: Participant[]): Promise<void>;
  tournaments(...tournaments: Tournament[]): Promise<void>;
  idOf(table: 'tournament' | 'participant' | 'season', name: string): Promise<number>;
  /** Marks matches as changed after a test has changed them by SQL, as maintenance does. */
  touch(...ids: number[]): Promise<void>;
  /** Assigns change cursors to all changes made so far. */
  assignCursors(): Promise<void>;
  /** Starts a loader that takes the lease from the current loader. */
  newLoader(clickhouse?: ClickHouse): Promise<LoaderStep>;
  /** Ends the current loader. A new one continues with the next step. */
  killLoader(): void;
  /**
   * Runs the loader until no work is left.
   * @throws the error of a step, after which the next call uses a new loader
   */
  load(): Promise<void>;
  /** Assigns cursors and loads. */
  settle(): Promise<void>;
  /** Starts a relay and a loader in the background. @returns a function that stops them */
  run(clickhouse?: ClickHouse): Promise<{ loader: Loader; stop(): Promise<void> }>;
  /** Waits until the background loader has loaded everything. */
  loaded(patienceMs?: number): Promise<void>;
  /** Returns rows from ClickHouse. */
  rows<R>(sql: string): Promise<R[]>;
  /** Deletes all matches, and all rows in ClickHouse. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

const PATIENCE_MS = 10_000;
const PENDING = `SELECT EXISTS (SELECT FROM match_touch) OR EXISTS (SELECT FROM odds_change) OR next_era IS NOT NULL
  OR loaded_cursor < change_seq AS is_pending FROM analytics_loader, relay`;

/** Creates notices of match changes that reach only this process. */
function openChanges(): MatchChanges {
  const listeners = new Set<ChangeListener>();
  return {
    publish(ids, options = { events: false }) {
      for (const listener of listeners) listener(ids, options);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    appendNotice: { channel: 'none', payload: '' },
    onAppend: () => () => {},
    publishReplaced() {},
    ask: () => null,
    onReplaced: () => () => {},
    publishJoined() {},
    onJoined: () => () => {},
    publishSample() {},
    onSample: () => () => {},
    close: async () => {},
  };
}

/** Returns a function that feeds matches as a provider does. */
function feeder(db: TestDatabase, service: Pick<Analytics, 'now'>, changes: MatchChanges) {
  let observed = Date.parse('2020-01-01T00:00:00Z');
  const clock = { now: () => service.now };
  const entities = new EntityCache();
  const feed: Analytics['feed'] = (updates, { provider = 'tests', ...options } = {}) => {
    observed += 1_000;
    const envelope = { schema: 1, provider, observed_at: new Date(observed).toISOString() };
    const parsed = updates.map((update) => feedUpdate.parse({ ...envelope, ...update }));
    return applyUpdates({ pool: db.pool, clock, changes, entities }, parsed, { events: false, ...options });
  };
  const accept = async (updates: readonly object[]) => {
    const results = await feed(updates);
    const refused = results.filter(({ outcome }) => outcome === 'rejected');
    assert.deepEqual(refused, [], 'the test data is rejected');
    return results;
  };
  return {
    feed,
    matches: async (...matches: Match[]) =>
      (await accept(matches.map((match) => ({ kind: 'match', match })))).map(({ matchId }) => matchId!),
    participants: async (...list: Participant[]) =>
      void (await accept(list.map((participant) => ({ kind: 'participant', participant })))),
    tournaments: async (...list: Tournament[]) =>
      void (await accept(list.map((tournament) => ({ kind: 'tournament', tournament })))),
  };
}

/** Creates the relay and the loader, step by step or in the background. */
function workers(db: TestDatabase, clickhouse: ClickHouse, { clock, logger, changes }: AnalyticsDeps) {
  const { pool } = db;
  let step: LoaderStep | null = null;
  const released = (table: string) => pool.query(`UPDATE ${table} SET expires_at = '-infinity', holder = NULL`);
  const onChange = (listener: ChangeListener) => changes.subscribe(listener);
  const service = {
    async assignCursors() {
      await released('relay');
      const lease = (await relayLease.take(pool, 'test'))!;
      while ((await assignChangeCursors(pool, lease)) > 0);
    },
    async newLoader(store: ClickHouse = clickhouse) {
      await released('analytics_loader');
      const generation = (await loaderLease.take(pool, 'test'))!;
      await migrateClickHouse(store);
      return new LoaderStep(pool, store, generation, logger);
    },
    killLoader() {
      step = null;
    },
    async load() {
      try {
        step ??= await service.newLoader();
        while ((await step.run()) !== 'nothing');
      } catch (error) {
        step = null;
        throw error;
      }
    },
    async settle() {
      await service.assignCursors();
      await service.load();
    },
    async run(store: ClickHouse = clickhouse) {
      service.killLoader();
      await released('relay');
      await released('analytics_loader');
      const log = openPostgresLog(pool);
      const relay: Relay = startRelay({ pool, log, clock, logger, onChange });
      const loader = startLoader({ pool, clickhouse: store, logger, onChange });
      const stop = async () => {
        await relay.stop();
        await loader.stop();
        await log.close();
      };
      return { loader, stop };
    },
    loaded: (patienceMs = PATIENCE_MS) =>
      until(
        'the loader has everything',
        async () => !(await pool.query<{ is_pending: boolean }>(PENDING)).rows[0]!.is_pending,
        patienceMs,
      ),
  };
  return service;
}

/**
 * @param now ISO time
 * @param open opens the store for loader and routes; by default, at the server's address
 */
export async function startAnalytics(
  now = '2024-06-01T12:00:00Z',
  open: (server: ClickHouseServer) => Promise<ClickHouse> = ({ url }) => openClickHouse(clickhouseAt(url)),
): Promise<Analytics> {
  const [db, server] = await Promise.all([createTestDatabase(), startClickHouseServer()]);
  const clickhouse = await openClickHouse(clickhouseAt(server.url));
  const faults: Faults = {};
  const analytics = { now: Date.parse(now) } as Analytics;
  const clock = { now: () => analytics.now };
  const logger = pino({ level: process.env.LOG_LEVEL ?? 'silent' });
  const changes = openChanges();
  const store = faulty(await open(server), faults);
  const deps = {
    config: testConfig,
    clock,
    logger,
    pool: db.pool,
    reads: db.pool,
    changes,
    caches: createReplyCaches(changes),
    clickhouse: store,
    cards: new Cards({ pool: db.pool, clock, logger }),
  } as unknown as AnalyticsDeps & {
    config: typeof testConfig;
  };
  const app = await startApp(
    [...feedRoutes, ...analyticsRoutes, ...matchRoutes, ...competitionRoutes, ...modelRoutes],
    deps as typeof deps & FeedDeps,
  );
  const work = workers(db, store, deps);
  const columns = { tournament: 'name', participant: 'name', season: 'season_label' };
  return Object.assign(analytics, {
    db,
    server,
    clickhouse,
    faults,
    deps,
    app,
    registry: new Registry(),
    ...feeder(db, analytics, changes),
    ...work,
    idOf: async (table: keyof typeof columns, name: string) => {
      const { rows } = await db.pool.query<{ id: number }>(`SELECT id FROM ${table} WHERE ${columns[table]} = $1`, [
        name,
      ]);
      assert.equal(rows.length, 1, `${rows.length} of ${name}`);
      return rows[0]!.id;
    },
    touch: async (...ids: number[]) =>
      void (await db.pool.query('INSERT INTO match_touch (match_id) SELECT unnest($1::bigint[])', [ids])),
    rows: <R>(sql: string) => clickhouse.query<R>(sql),
    async clear() {
      work.killLoader();
      faults.before = undefined;
      faults.after = undefined;
      await db.pool.query(
        'TRUNCATE match, match_change, match_tombstone, match_touch, match_deletion, outbox, event_log, odds_change, analytics_card, analytics_window CASCADE',
      );
      await db.pool.query("DELETE FROM external_ref WHERE entity = 'match'");
      await db.pool.query('DELETE FROM analytics_loader');
      // Stores the current version of the counting rules, so that eras begin at 1.
      await db.pool.query('INSERT INTO analytics_loader (counting) VALUES ($1)', [COUNTING]);
      await emptyTables(clickhouse);
    },
    async close() {
      await app.close();
      await store.close();
      await clickhouse.close();
      await server.stop();
      await db.drop();
    },
  });
}

/** Empties the tables, which is far faster than dropping them. */
export async function emptyTables(clickhouse: ClickHouse): Promise<void> {
  for (const name of await tablesOf(clickhouse, "engine LIKE '%Tree' AND name != 'schema_migration'"))
    await clickhouse.command(`TRUNCATE TABLE ${name}`);
}

async function tablesOf(clickhouse: ClickHouse, which: string): Promise<string[]> {
  const tables = await clickhouse.query<{ name: string }>(
    `SELECT name FROM system.tables WHERE database = currentDatabase() AND ${which} ORDER BY engine = 'MaterializedView' DESC`,
  );
  return tables.map(({ name }) => name);
}

/** Drops the tables, so that the server is as after a start with an empty disk. */
export async function dropTables(clickhouse: ClickHouse): Promise<void> {
  for (const name of await tablesOf(clickhouse, 'true')) await clickhouse.command(`DROP TABLE IF EXISTS ${name} SYNC`);
}
