/**
 * Serves the pages from a test database, with apply, relay, event log and hub. The database stays when the server is
 * restarted.
 */

import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { pino } from 'pino';
import { accountVariables } from '../../src/accounts/config.ts';
import { sessionCookie } from '../../src/accounts/credentials/session-cookie.ts';
import { createSession, endSessions, findMember } from '../../src/accounts/credentials/sessions.ts';
import { keyStore } from '../../src/accounts/keys/key-store.ts';
import { PasswordHasher } from '../../src/accounts/members/password-hasher.ts';
import { createSignInLimits } from '../../src/accounts/members/sign-in-limits.ts';
import { signUp } from '../../src/accounts/members/sign-up.ts';
import { Cards } from '../../src/analytics/cards/cards.ts';
import { applyUpdates } from '../../src/apply/apply.ts';
import type { ApplyResult } from '../../src/apply/update-outcomes.ts';
import { routes as catalogueRoutes } from '../../src/catalogue/routes.ts';
import { readConfig } from '../../src/config/config.ts';
import { openMatchChanges } from '../../src/db/notices.ts';
import { openPostgresLog } from '../../src/events/postgres-log.ts';
import { createApp } from '../../src/http/app.ts';
import { createReplyCaches } from '../../src/http/reply-caches.ts';
import type { AnyRoute, Lang, RouteValue } from '../../src/http/route.ts';
import { listen } from '../../src/http/server.ts';
import { EntityCache } from '../../src/identity/entities.ts';
import { routes as matchRoutes } from '../../src/matches/routes.ts';
import { startRelay } from '../../src/relay/relay.ts';
import { type Clock, systemClock } from '../../src/runtime/clock.ts';
import { adaptPage } from '../../src/site/reader-choices.ts';
import { referenceRoutes } from '../../src/site/reference.ts';
import { Admission } from '../../src/stream/admission.ts';
import type { StreamDeps } from '../../src/stream/deps.ts';
import { startHub } from '../../src/stream/hub.ts';
import { routes as streamRoutes } from '../../src/stream/routes.ts';
import type { WebDeps } from '../../src/web/deps.ts';
import { LivePages } from '../../src/web/live/page-streams.ts';
import { type LiveDeps, liveRoutes } from '../../src/web/live/stream-route.ts';
import type { PageCard } from '../../src/web/match-analytics/load-card.ts';
import { matchPageHtml } from '../../src/web/match-page/match-page.ts';
import { routes as webRoutes } from '../../src/web/routes.ts';
import { feedUpdate, type MatchUpdateInput } from '../../src/wire/feed-update.ts';
import { BUILT_IN_PLANS } from '../support/accounts.ts';
import { clickhouseAway } from '../support/clickhouse-away.ts';
import { createTestDatabase } from '../support/database.ts';

type Match = Partial<MatchUpdateInput['match']>;
type Incident = NonNullable<Match['incidents']>[number];

export interface Site {
  url: string;
  port: number;
  livePages: LivePages;
  stop(): Promise<void>;
}

export interface SiteOptions {
  env?: Record<string, string>;
  port?: number;
  /**
   * Additional routes, besides those for pages, catalogue, matches and streams. Their handlers do not get their
   * dependencies.
   */
  more?: readonly AnyRoute[];
  clock?: Clock;
}

export interface Harness {
  start(options?: SiteOptions): Promise<Site>;
  /**
   * Applies a live provider's update about a match today.
   * @returns our id for the match
   */
  apply(id: string, match: Match): Promise<number>;
  /** Renders a match page with these pre-match analytics, for which the harness has no route. */
  matchPage(id: number, lang: Lang, analytics: PageCard | null, tab?: 'overview' | 'meetings'): Promise<string>;
  /** Signs in a member. `end` ends the session. */
  signIn(): Promise<{ cookie: string; accountId: number; end(): Promise<void> }>;
  pool: pg.Pool;
  /** Value of SECRET_KEY. */
  secret: string;
  drop(): Promise<void>;
}

const routeName = ({ method, path }: AnyRoute) => `${method} ${path}`;

const silent = pino({ level: 'silent' });

/** Returns a live match's fields. A provider sends all of them each time. */
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
  const secret = randomBytes(16).toString('hex');
  const changes = await openMatchChanges(db.url, silent);
  let observed = Date.now();
  const entities = new EntityCache();
  let members = 0;
  const sites = new Set<Site>();
  return {
    async start({ env = {}, port = 0, more = [], clock = systemClock } = {}) {
      const config = readConfig(
        { DATABASE_URL: db.url, SECRET_KEY: secret, DEMO: '1', SIGNUP: 'open', ...env },
        accountVariables,
      );
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
      const admission = new Admission({ pool, logger: silent, plans: BUILT_IN_PLANS });
      const livePages = new LivePages({ pool, clock, logger: silent, checkEveryMs: 50 });
      const deps: StreamDeps & LiveDeps & WebDeps = {
        config,
        clock,
        logger: silent,
        pool,
        reads: pool,
        plans: BUILT_IN_PLANS,
        eventLog,
        hub,
        admission,
        livePages,
        changes,
        cards: new Cards({ pool, clock, logger: silent }),
        caches: createReplyCaches(changes),
        clickhouse: clickhouseAway,
      };
      const routes: RouteValue<StreamDeps & LiveDeps & WebDeps>[] = [
        ...webRoutes,
        ...catalogueRoutes,
        ...matchRoutes,
        ...streamRoutes,
        ...liveRoutes,
      ];
      const known = new Set(routes.map(routeName));
      routes.push(...(more.filter((one) => !known.has(routeName(one))) as typeof routes));
      const app = createApp(routes, deps, {
        keys: keyStore(pool),
        reference: referenceRoutes,
        adaptPage: (cookie) => adaptPage(cookie, clock.now()),
        findMember: (cookies, secure) => findMember(pool, systemClock, cookies, secure),
      });
      const server = await listen(app.listener, { host: '127.0.0.1', port, upgrade: app.upgrade });
      const site: Site = {
        url: `http://127.0.0.1:${server.port}`,
        port: server.port,
        livePages,
        async stop() {
          sites.delete(site);
          await hub.close();
          await admission.close();
          await livePages.close();
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
      const today = new Date().setUTCHours(0, 0, 0, 0);
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
          scheduled_start: new Date(Math.max(today, Date.now() - 600_000)).toISOString(),
          home: { name: 'Home' },
          away: { name: 'Away' },
          ...match,
        },
      });
      const results: ApplyResult[] = await applyUpdates(
        { pool: db.pool, clock: systemClock, changes, entities },
        [update],
        {
          events: true,
        },
      );
      const [result] = results;
      if (result?.matchId === undefined) throw new Error(JSON.stringify(result));
      return result.matchId;
    },
    async matchPage(id, lang, analytics, tab = 'overview') {
      const made = await matchPageHtml(
        { reads: db.pool, clock: systemClock, caches: createReplyCaches({ subscribe: () => {} }) },
        id,
        tab,
        { lang, root: '../', baseUrl: 'http://127.0.0.1', now: systemClock.now() },
        Promise.resolve(analytics ?? null),
      );
      if (made === null) throw new Error(`there is no match ${id}`);
      return made.body;
    },
    pool: db.pool,
    secret,
    async signIn() {
      members += 1;
      const config = { signUp: 'open' as const, secretKeys: [secret] };
      const mail = {
        isConfigured: false,
        link: (path: string) => path,
        send: () => false,
        deliver: async () => false,
        close: async () => {},
      };
      const signInLimits = createSignInLimits(() => systemClock.now());
      const passwords = await PasswordHasher.open();
      const { member } = await signUp(
        { pool: db.pool, clock: systemClock, config, plans: BUILT_IN_PLANS, mail, passwords, signInLimits },
        { email: `reader-${members}@example.com`, password: 'a password of the pages' },
        '192.0.2.7',
      );
      const token = await createSession(db.pool, systemClock, member.id, { address: '192.0.2.7', agent: 'tests' });
      return {
        cookie: sessionCookie(token, false).split(';')[0]!,
        accountId: member.accountId,
        end: async () => void (await endSessions(db.pool, member.id)),
      };
    },
    async drop() {
      for (const site of [...sites]) await site.stop();
      await changes.close();
      await db.drop();
    },
  };
}
