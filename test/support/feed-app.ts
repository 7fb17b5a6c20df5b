/** A service process with the feed and the matches, as a provider and a client see it over HTTP. */

import { pino } from 'pino';
import { type MatchChanges, openMatchChanges } from '../../src/db/notices.ts';
import type { FeedDeps } from '../../src/feed/deps.ts';
import { routes as feedRoutes } from '../../src/feed/routes.ts';
import { createReplyCaches } from '../../src/http/reply-caches.ts';
import { routes as matchRoutes } from '../../src/matches/routes.ts';
import type { FeedBench } from './feed.ts';
import { type Answer, FEED_TOKEN, type ProblemReply, startApp, type TestApp, testConfig } from './http.ts';

export interface FeedReply {
  accepted: number;
  unchanged: number;
  rejected: { index: number; errors: { path: string; code: string; detail: string }[] }[];
  more_rejected?: number;
}

export interface FeedApp {
  app: TestApp;
  changes: MatchChanges;
  post<T = FeedReply>(body: unknown, headers?: Record<string, string>): Promise<Answer<T>>;
  get<T = ProblemReply>(path: string): Promise<Answer<T>>;
  close(): Promise<void>;
}

export const BEARER = { Authorization: `Bearer ${FEED_TOKEN}` };
/** Keys that encrypt the signing tokens. */
export const SECRET_KEYS = ['the secret key of the feed tests'];
export const NDJSON = { 'Content-Type': 'application/x-ndjson' };

export async function startFeedApp(bench: FeedBench): Promise<FeedApp> {
  const logger = pino({ level: 'silent' });
  const changes = await openMatchChanges(bench.db.url, logger);
  // The routes in these tests use no other members.
  const caches = createReplyCaches(changes);
  const { clock, entities } = bench.deps;
  const deps = {
    config: { ...testConfig, secretKeys: SECRET_KEYS },
    clock,
    entities,
    logger,
    pool: bench.db.pool,
    reads: bench.db.pool,
    changes,
    caches,
  };
  const app = await startApp(
    [...feedRoutes, ...matchRoutes],
    deps as unknown as FeedDeps & { config: typeof testConfig },
  );
  return {
    app,
    changes,
    post: (body, headers = {}) =>
      app.ask('/feed/v1/updates', { method: 'POST', key: null, body, headers: { ...BEARER, ...headers } }),
    get: (path) => app.ask(path, path.startsWith('/feed') ? { key: null, headers: BEARER } : {}),
    close: async () => {
      await app.close();
      await changes.close();
    },
  };
}
