/** The widgets: pages that other sites show in a frame. They need no key. */
import { z } from 'zod';
import { findTournamentSubject } from '../analytics/subjects.ts';
import { STANDING_TYPES } from '../competitions/schema.ts';
import { Problem, unavailable } from '../http/errors.ts';
import { bool, idParam, integer, oneOf } from '../http/query.ts';
import { replyCacheOf } from '../http/reply-cache.ts';
import type { RouteValue } from '../http/route.ts';
import { route, type WidgetDeps } from './deps.ts';
import { problemPage, THEMES, WIDGET_SECONDS, widgetReply } from './page.ts';
import { nextMatches } from './queries.ts';
import { standingsWidget } from './standings.ts';
import { MATCHES_SHOWN, trendsWidget } from './trends.ts';

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
} as const;

const parameters = {
  tournament: idParam,
  theme: oneOf(THEMES).default('light'),
  title: bool.default(true).meta({ description: '0 hides the heading' }),
  lang: oneOf(['ru', 'en']).default('ru').meta({ description: 'Of texts and names. Accept-Language does not count' }),
};

const standings = route({
  ...common,
  path: '/widget/standings',
  summary: 'Table of the current season, for a frame',
  query: z.object({
    ...parameters,
    type: oneOf(STANDING_TYPES).default('total'),
    limit: integer(0, MAX_ROWS).default(0).meta({ description: 'Rows of each table; 0: all' }),
  }),
  handler: ({ query }, { pool, changes, clock, config }) =>
    replyCacheOf({ changes }).get(`widget standings ${JSON.stringify(query)}`, null, async () =>
      widgetReply(await standingsWidget(pool, query, clock.now()), config.widgetFrameAncestors),
    ),
});

const trends = route({
  ...common,
  path: '/widget/trends',
  summary: 'Trends of a tournament, for a frame',
  description: 'Of its next matches; where these have none, the strongest of the current season.',
  query: z.object(parameters),
  handler: ({ query }, deps) =>
    replyCacheOf(deps).get(`widget trends ${JSON.stringify(query)}`, null, async (cached) => {
      const now = deps.clock.now();
      const subject = await findTournamentSubject(deps.pool, query.tournament);
      if (subject === null) throw new Problem('not_found', `There is no tournament ${query.tournament}.`);
      if (!subject.is_loaded) throw unavailable('The history of matches is being loaded.');
      const next = await nextMatches(deps.pool, query.tournament, now, MATCHES_SHOWN);
      const day = new Date(now).toISOString().slice(0, 10);
      const version = [subject.version, day, ...next.map((match) => `${match.id}.${match.version}`)].join(' ');
      if (cached?.version === version) return cached;
      const page = await trendsWidget(deps, subject, next, query, now);
      return { ...widgetReply(page, deps.config.widgetFrameAncestors), version };
    }),
});

export const routes: RouteValue<WidgetDeps>[] = [standings, trends];
