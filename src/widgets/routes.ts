/** Routes for widgets. A widget is a page that other sites show in a frame. It needs no key. */
import { hash } from 'node:crypto';
import { z } from 'zod';
import { findTournamentSubject } from '../analytics/cards/index.ts';
import { historyLoading } from '../analytics/history-loading.ts';
import { STANDING_TYPES } from '../competitions/schema.ts';
import { bool, idParam, integer, oneValue, type RouteValue, sportSlug, type VersionedReply } from '../http/index.ts';
import { nextMatches } from '../matches/index.ts';
import { findViewer } from '../web/index.ts';
import { utcDay } from '../wire/time.ts';
import { route, type WidgetDeps } from './deps.ts';
import { fixturesWidget } from './fixtures.ts';
import { liveWidget } from './live.ts';
import { matchWidget } from './match.ts';
import { framed, LIVE_CACHE_SECONDS, THEMES } from './page.ts';
import { type Limits, missing, problemPageFor } from './problem-page.ts';
import { WIDGET_SECONDS } from './refresh-interval.ts';
import { standingsWidget } from './standings.ts';
import { type TrendsQuery, trendsWidget } from './trends.ts';

const common = {
  method: 'GET',
  tag: 'Widgets',
  access: 'public',
  cost: 0,
  cache: { maxAge: WIDGET_SECONDS },
  /** One page may load several widgets at once, and several people may share an address. */
  perAddress: { requests: 120, seconds: 60 },
  response: { contentType: 'text/html; charset=utf-8' },
  errors: ['not_found'],
  example: { tournament: '1' },
} as const;

/**
 * A widget with scores fetches its page four times a minute. Because of this higher limit, an address can be shared by as many of its
 * readers as with other widgets.
 */
const live = {
  ...common,
  cache: { maxAge: LIVE_CACHE_SECONDS },
  perAddress: { requests: 480, seconds: 60 },
} as const;

const parameters = {
  theme: oneValue(THEMES).default('light'),
  title: bool.default(true).meta({ description: '0 hides the heading' }),
  lang: oneValue(['ru', 'en'])
    .default('ru')
    .meta({ description: 'Language of texts and names; the header Accept-Language is ignored' }),
};
const season = idParam.optional();
const currentSeason = season.meta({ description: 'Season id; default: the current season of the tournament' });

/** No league has more sides than this. */
const ROWS: Limits = { min: 0, max: 1_000 };
/** Each match needs an analytics card. */
const TREND_MATCHES: Limits = { min: 1, max: 10 };
const MATCHES: Limits = { min: 1, max: 200 };
const INCIDENTS: Limits = { min: 1, max: 100 };
const limit = ({ min, max }: Limits, standard: number, description: string) =>
  integer(min, max).default(standard).meta({ description });

const STRANGER = { principal: null, headers: {}, baseUrl: '' };
/** True if the pages are public. Widgets then link to them. */
const hasPages = ({ config }: WidgetDeps): boolean => findViewer(config, STRANGER) === null;

const standings = route({
  ...common,
  path: '/widget/standings',
  summary: "A season's table, for a frame",
  query: z.object({
    tournament: idParam,
    season: currentSeason,
    ...parameters,
    type: oneValue(STANDING_TYPES).default('total'),
    limit: limit(ROWS, 0, 'Rows of each table; 0: all'),
  }),
  problemPage: problemPageFor(ROWS),
  handler: async ({ query }, deps) => {
    const page = await deps.caches.pages.get({
      key: `widget standings ${JSON.stringify(query)}`,
      match: null,
      make: async () => ({
        body: await standingsWidget(deps.pool, { ...query, hasPages: hasPages(deps) }, deps.clock.now()),
      }),
    });
    return framed(page, deps.config.widgetFrameAncestors);
  },
});

const trends = route({
  ...common,
  path: '/widget/trends',
  summary: "A tournament's trends, for a frame",
  description: 'Trends of the next matches in the tournament; if there are none, the strongest trends of the season.',
  query: z.object({
    tournament: idParam,
    season: currentSeason,
    ...parameters,
    limit: limit(TREND_MATCHES, 5, 'Number of matches; if trends of the season are shown, half their number'),
  }),
  problemPage: problemPageFor(TREND_MATCHES),
  handler: async ({ query }, deps) => {
    const page = await deps.caches.pages.get({
      key: `widget trends ${JSON.stringify(query)}`,
      match: null,
      make: (cached) => trendsReply({ ...query, hasPages: hasPages(deps) }, deps, cached),
    });
    return framed(page, deps.config.widgetFrameAncestors);
  },
});

/** Returns the cached page, unless the history, the next matches or the date has changed. */
async function trendsReply(query: TrendsQuery, deps: WidgetDeps, cached?: VersionedReply): Promise<VersionedReply> {
  const now = deps.clock.now();
  const { tournament, season, limit } = query;
  const day = utcDay(now);
  const subject = await findTournamentSubject(deps.pool, tournament, { day, kind: 'trends', season });
  if (subject === null) throw missing('tournament', `There is no tournament ${tournament}.`);
  if (!subject.has_season) throw missing('season', `Tournament ${tournament} has no season ${season}.`);
  if (!subject.is_loaded) throw historyLoading();
  const next = await nextMatches(deps.pool, { tournament, season, limit }, now);
  const version = [subject.version, day, ...next.map((match) => `${match.id}.${match.version}`)].join(' ');
  if (cached?.version === version) return cached;
  const { body, isStale } = await trendsWidget(deps, subject, next, query, now);
  return { body, version: isStale ? 'stale' : version, isStale, etag: hash('sha1', body, 'base64url') };
}

const liveMatches = route({
  ...live,
  path: '/widget/live',
  summary: 'Matches in progress, for a frame',
  query: z.object({
    sport: sportSlug.optional(),
    tournament: idParam.optional(),
    ...parameters,
    limit: limit(MATCHES, 50, 'Matches, most important tournaments first'),
  }),
  problemPage: problemPageFor(MATCHES),
  example: {},
  handler: async ({ query }, deps) => {
    const page = await deps.caches.pages.get({
      key: `widget-live ${JSON.stringify(query)}`,
      match: null,
      make: async () => ({
        body: await liveWidget(deps.pool, { ...query, hasPages: hasPages(deps) }, deps.clock.now()),
      }),
    });
    return framed(page, deps.config.widgetFrameAncestors, LIVE_CACHE_SECONDS);
  },
});

const match = route({
  ...live,
  path: '/widget/match',
  summary: 'One match with its goals and red cards, for a frame',
  query: z.object({
    event: idParam,
    ...parameters,
    limit: limit(INCIDENTS, 10, 'Goals and red cards, the newest ones'),
  }),
  problemPage: problemPageFor(INCIDENTS),
  example: { event: '1' },
  handler: async ({ query }, deps) => {
    const page = await deps.caches.pages.get({
      key: `widget-match ${JSON.stringify(query)}`,
      match: query.event,
      make: async () => ({
        body: await matchWidget(deps.pool, { ...query, hasPages: hasPages(deps) }, deps.clock.now()),
      }),
    });
    return framed(page, deps.config.widgetFrameAncestors, LIVE_CACHE_SECONDS);
  },
});

const fixtures = route({
  ...live,
  path: '/widget/fixtures',
  summary: "A tournament's or a team's next matches, for a frame",
  description: 'Matches in progress and to come; if there are none, the latest results. Either `tournament` or `team`.',
  query: z.object({
    tournament: idParam.optional(),
    team: idParam.optional(),
    season: season.meta({
      description: 'Only matches of this season. If `tournament` is given, the season has to belong to it',
    }),
    ...parameters,
    limit: limit(MATCHES, 10, 'Matches'),
  }),
  problemPage: problemPageFor(MATCHES),
  handler: async ({ query }, deps) => {
    const page = await deps.caches.pages.get({
      key: `widget-fixtures ${JSON.stringify(query)}`,
      match: null,
      make: async () => ({
        body: await fixturesWidget(deps.pool, { ...query, hasPages: hasPages(deps) }, deps.clock.now()),
      }),
    });
    return framed(page, deps.config.widgetFrameAncestors, LIVE_CACHE_SECONDS);
  },
});

export const routes: RouteValue<WidgetDeps>[] = [standings, trends, liveMatches, match, fixtures];
