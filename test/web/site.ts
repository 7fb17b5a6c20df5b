/** Serves the pages from a test database, with apply, relay, event log and hub; the database outlives the server. */
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { accountVariables } from '../../src/accounts/config.ts';
import { keyStore } from '../../src/accounts/keys/keys.ts';
import type { PageCard } from '../../src/analytics/page-card.ts';
import { applyUpdates } from '../../src/apply/apply.ts';
import type { ApplyResult } from '../../src/apply/interface.ts';
import { routes as catalogueRoutes } from '../../src/catalogue/routes.ts';
import { readConfig } from '../../src/config/config.ts';
import { openMatchChanges } from '../../src/db/notices.ts';
import { openPostgresLog } from '../../src/events/postgres-log.ts';
import { createApp } from '../../src/http/app.ts';
import type { RouteValue } from '../../src/http/route.ts';
import { listen } from '../../src/http/server.ts';
import { routes as matchRoutes } from '../../src/matches/routes.ts';
import { startRelay } from '../../src/relay/relay.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { Admission } from '../../src/stream/admission.ts';
import type { StreamDeps } from '../../src/stream/deps.ts';
import { startHub } from '../../src/stream/hub.ts';
import { routes as streamRoutes } from '../../src/stream/routes.ts';
import type { WebDeps } from '../../src/web/deps.ts';
import { matchPageHtml } from '../../src/web/match-page.ts';
import { routes as webRoutes } from '../../src/web/routes.ts';
import type { Lang } from '../../src/web/texts.ts';
import { feedUpdate, type MatchUpdateInput } from '../../src/wire/feed-update.ts';
import { clickhouseAway } from '../support/clickhouse-away.ts';
import { createTestDatabase } from '../support/database.ts';

type Match = Partial<MatchUpdateInput['match']>;
type Incident = NonNullable<Match['incidents']>[number];

export interface Site {
  url: string;
  port: number;
  stop(): Promise<void>;
}

export interface Harness {
  start(options?: { env?: Record<string, string>; port?: number }): Promise<Site>;
  /** Applies an update of a match from a live provider. @returns our id of it */
  apply(id: string, match: Match): Promise<number>;
  /** The page of a match with these pre-match analytics, which no route of the harness has. */
  matchPage(id: number, lang: Lang, analytics: PageCard | null): Promise<string>;
  drop(): Promise<void>;
}

const silent = pino({ level: 'silent' });

/** The fields of a live match; a provider sends all of them each time. */
export const playing = (
  home: string,
  away: string,
  score: [number, number],
  minute: number,
  more: Match = {},
): Match => ({
  home: { name: home },
  away: { name: away },
  status: 'live',
  status_detail: 'in_play',
  minute,
  score: { home: score[0], away: score[1] },
  period_scores: [{ period: '1H', home: score[0], away: score[1] }],
  ...more,
});

export const goal = (
  id: string,
  side: 'home' | 'away',
  minute: number,
  name: string,
  score: [number, number],
): Incident => ({
  id,
  minute,
  period: '1H',
  kind: 'goal',
  side,
  player: { name },
  payload: { goal_type: 'regular', score: { home: score[0], away: score[1] } },
});

export async function createHarness(): Promise<Harness> {
  const db = await createTestDatabase();
  // A restarted server must accept the sessions of the one before.
  const secret = randomBytes(16).toString('hex');
  const changes = await openMatchChanges(db.url, silent);
  let observed = Date.now();
  const sites = new Set<Site>();
  return {
    async start({ env = {}, port = 0 } = {}) {
      const config = readConfig({ DATABASE_URL: db.url, SECRET_KEY: secret, DEMO: '1', ...env }, accountVariables);
      const { pool } = db;
      const eventLog = openPostgresLog(pool);
      const relay = startRelay({
        pool,
        log: eventLog,
        clock: systemClock,
        logger: silent,
        onChange: (listener) => changes.subscribe(listener),
      });
      const hub = await startHub({ log: eventLog, clock: systemClock, logger: silent });
      const admission = new Admission({ pool, logger: silent });
      const deps: StreamDeps & WebDeps = {
        config,
        clock: systemClock,
        logger: silent,
        pool,
        eventLog,
        hub,
        admission,
        changes,
        clickhouse: clickhouseAway,
      };
      const routes: RouteValue<StreamDeps & WebDeps>[] = [
        ...webRoutes,
        ...catalogueRoutes,
        ...matchRoutes,
        ...streamRoutes,
      ];
      const app = createApp(routes, deps, { keys: keyStore(pool) });
      const server = await listen(app.callback(), { host: '127.0.0.1', port, upgrade: app.upgrade });
      const site: Site = {
        url: `http://127.0.0.1:${server.port}`,
        port: server.port,
        async stop() {
          sites.delete(site);
          await hub.close();
          await admission.close();
          await server.close(0);
          await relay.stop();
          await eventLog.close();
        },
      };
      sites.add(site);
      return site;
    },
    async apply(id, match) {
      observed = Math.max(observed + 1, Date.now());
      const update = feedUpdate.parse({
        schema: 1,
        kind: 'match',
        provider: 'live',
        observed_at: new Date(observed).toISOString(),
        match: {
          id,
          sport: 'football',
          tournament: { name: 'Test League', name_ru: 'Тестовая лига', country: 'INT' },
          season: { label: '2026' },
          scheduled_start: new Date(Date.now() - 600_000).toISOString(),
          home: { name: 'Home' },
          away: { name: 'Away' },
          ...match,
        },
      });
      const results: ApplyResult[] = await applyUpdates({ pool: db.pool, clock: systemClock, changes }, [update], {
        events: true,
      });
      const [result] = results;
      if (result?.matchId === undefined) throw new Error(JSON.stringify(result));
      return result.matchId;
    },
    async matchPage(id, lang, analytics) {
      const page = await matchPageHtml(db.pool, id, lang, analytics);
      if (page === null) throw new Error(`there is no match ${id}`);
      return page;
    },
    async drop() {
      for (const site of [...sites]) await site.stop();
      await changes.close();
      await db.drop();
    },
  };
}
