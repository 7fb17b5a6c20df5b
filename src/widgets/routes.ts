/** The widgets: pages that other sites show in a frame. They need no key. */
import { hash } from 'node:crypto';
import { z } from 'zod';
import { findTournamentSubject } from '../analytics/subjects.ts';
import { STANDING_TYPES } from '../competitions/schema.ts';
import { Problem, unavailable } from '../http/errors.ts';
import { bool, idParam, integer, oneValue } from '../http/query.ts';
import type { VersionedReply } from '../http/reply-cache.ts';
import type { RouteValue } from '../http/route.ts';
import { route, type WidgetDeps } from './deps.ts';
import { framed, problemPage, THEMES, WIDGET_SECONDS } from './page.ts';
import { nextMatches } from './queries.ts';
import { standingsWidget } from './standings.ts';
import { MATCHES_SHOWN, type TrendsQuery, trendsWidget } from './trends.ts';

/** Rows at most; no league has as many sides. */
const MAX_ROWS = 1_000;

const common = {
  method: 'GET',
  tag: 'Widgets',
  access: 'public',
  cost: 0,
  cache: { maxAge: WIDGET_SECONDS },
  /** A page with several widgets is loaded at once; behind one address there may be an office. */
  perAddress: { requests: 120, seconds: 60 },
  problemPage,
  response: { contentType: 'text/html; charset=utf-8' },
  errors: ['not_found'],
  example: { tournament: '1' },
} as const;

const parameters = {
  tournament: idParam,
  theme: oneValue(THEMES).default('light'),
  title: bool.default(true).meta({ description: '0 hides the heading' }),
  lang: oneValue(['ru', 'en'])
    .default('ru')
    .meta({ description: 'Of texts and names. Accept-Language does not count' }),
};

const standings = route({
  ...common,
  path: '/widget/standings',
  summary: 'Table of the current season, for a frame',
  query: z.object({
    ...parameters,
    type: oneValue(STANDING_TYPES).default('total'),
    limit: integer(0, MAX_ROWS).default(0).meta({ description: 'Rows of each table; 0: all' }),
  }),
  handler: async ({ query }, deps) => {
    const page = await deps.caches.pages.get({
      key: `widget standings ${JSON.stringify(query)}`,
      match: null,
      make: async () => ({ body: await standingsWidget(deps.pool, query, deps.clock.now()) }),
    });
    return framed(page, deps.config.widgetFrameAncestors);
  },
});

const trends = route({
  ...common,
  path: '/widget/trends',
  summary: 'Trends of a tournament, for a frame',
  description: 'Of its next matches; where these have none, the strongest of the current season.',
  query: z.object(parameters),
  handler: async ({ query }, deps) => {
    const page = await deps.caches.pages.get({
      key: `widget trends ${JSON.stringify(query)}`,
      match: null,
      make: (cached) => trendsReply(query, deps, cached),
    });
    return framed(page, deps.config.widgetFrameAncestors);
  },
});

/** Computed again only when the history, the next matches or the day have changed. */
async function trendsReply(query: TrendsQuery, deps: WidgetDeps, cached?: VersionedReply): Promise<VersionedReply> {
  const now = deps.clock.now();
  const subject = await findTournamentSubject(deps.pool, query.tournament);
  if (subject === null) throw new Problem('not_found', `There is no tournament ${query.tournament}.`);
  if (!subject.is_loaded) throw unavailable('The history of matches is being loaded.');
  const next = await nextMatches(deps.pool, query.tournament, now, MATCHES_SHOWN);
  const day = new Date(now).toISOString().slice(0, 10);
  const version = [subject.version, day, ...next.map((match) => `${match.id}.${match.version}`)].join(' ');
  if (cached?.version === version) return cached;
  const body = await trendsWidget(deps, subject, next, query, now);
  return { body, version, etag: hash('sha1', body, 'base64url') };
}

export const routes: RouteValue<WidgetDeps>[] = [standings, trends];
