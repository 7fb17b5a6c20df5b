/** Routes for tournament, team, player, ranking and search pages. */
import { hash } from 'node:crypto';
import { z } from 'zod';
import { findSubject, tournamentsVersion } from '../catalogue/index.ts';
import { GROUPINGS } from '../competitions/index.ts';
import { STANDING_TYPES } from '../competitions/schema.ts';
import {
  bool,
  date,
  idParam,
  idParams,
  integer,
  type Lang,
  lang,
  NO_MATCH,
  oneValue,
  type Reply,
  type RouteValue,
  sportSlug,
} from '../http/index.ts';
import { KIND_NAMES } from '../rankings/index.ts';
import { participantVersion, STATS, tournamentVersion } from '../statistics/index.ts';
import { participantTag, tournamentTag } from '../wire/cache-tags.ts';
import { withoutSecrets } from '../wire/secret-formats.ts';
import { utcDay } from '../wire/time.ts';
import { cacheTags } from './cache-tags.ts';
import { route, type WebDeps } from './deps.ts';
import { leaguesPage } from './leagues-page.ts';
import { meetingsPage } from './meetings-page.ts';
import type { ZonedOptions } from './page-options.ts';
import { type Asked, field, notFound, page, slugParams } from './page-route.ts';
import { PLAYER_TABS, playerPage } from './player-page/player-page.ts';
import { rankingsPage } from './rankings-page.ts';
import { readZone, zoneField } from './reader-zone.ts';
import { searchPage, suggestions } from './search-page.ts';
import { turnedAway } from './site-access.ts';
import { TEAM_TABS } from './team-page/read-team-page.ts';
import { teamPage } from './team-page/team-page.ts';
import { TOURNAMENT_TABS } from './tournament-page/read-tournament-page.ts';
import { tournamentPage } from './tournament-page/tournament-page.ts';

const LAST_PAGE = 1_000;
/** Changes without a match, such as a new ranking or a transfer, appear after this time. */
const REMADE_EVERY_MS = 60_000;
const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;
/**
 * Returns a permanent redirect.
 * @param path relative to the service's root
 */
const moved = (baseUrl: string, path: string): Reply => ({
  status: 301,
  body: '',
  headers: { Location: `${baseUrl}/${path}` },
});

interface AnyQuery {
  lang?: Lang | undefined;
  tz?: string | undefined;
}

interface SubjectPage<Q extends AnyQuery> {
  kind: 'tournament' | 'team' | 'player';
  summary: string;
  query: z.ZodType<Q>;
  /** Returns a version that changes whenever the matches on the page change. */
  version: (deps: WebDeps, id: number, query: Omit<Q, 'lang' | 'tz'>) => Promise<string>;
  /**
   * @returns the page, the version as it was when the page was read, and whether the page depends on the time zone; null if the
   * subject is unknown, or lacks what the query asks for
   */
  make: (
    deps: WebDeps,
    id: number,
    query: Omit<Q, 'lang' | 'tz'>,
    options: ZonedOptions,
  ) => Promise<{ body: string; version: string; isZoned?: boolean } | null>;
}

/** Returns the routes for a page, with and without a name in the address. */
function subjectRoutes<Q extends AnyQuery>({
  kind,
  summary,
  query,
  version: versionOf,
  make,
}: SubjectPage<Q>): RouteValue<WebDeps>[] {
  const answer = async (
    { params, query: asked, lang: language, ...input }: Asked<{ id: number; slug?: string }, Q>,
    deps: WebDeps,
  ) => {
    const { id, slug } = params;
    const root = slug === undefined ? '../' : '../../';
    const missing = () => notFound(language, root);
    const away = turnedAway(deps.config, input, `/${kind}/${id}`, missing);
    if (away !== null) return away;
    if (kind !== 'tournament') {
      const subject = await findSubject(deps.reads, id);
      if (subject === null) return missing();
      if (subject.id !== id || subject.type !== kind) return moved(input.baseUrl, `${subject.type}/${subject.id}`);
    }
    const { lang: _, tz, ...rest } = asked;
    const options = { lang: language, root, baseUrl: input.baseUrl };
    const now = deps.clock.now();
    const read = (zone: string) =>
      deps.caches.pages.get({
        key: `${kind} ${id} ${JSON.stringify([rest, options, zone])}`,
        match: null,
        make: async (cached) => {
          const withTime = (version: string) => `${version} ${Math.floor(now / REMADE_EVERY_MS)}`;
          if (cached !== undefined && cached.version === withTime(await versionOf(deps, id, rest))) return cached;
          const made = await make(deps, id, rest, { ...options, now, zone });
          if (made === null) return missing();
          const { body, version, isZoned = false } = made;
          const tag = kind === 'tournament' ? tournamentTag(id) : participantTag(id);
          const etag = hash('sha1', body, 'base64url');
          return { body, version: withTime(version), etag, isZoned, ...cacheTags(deps.config, tag) };
        },
      });
    // Few pages depend on the zone. All others are kept once for all zones.
    const reply = await read('UTC');
    if (!reply.isZoned) return reply;
    const { zone, isPersonal } = readZone(input.headers.cookie, tz);
    const own = await read(zone);
    return isPersonal ? { ...own, cacheTags: undefined } : own;
  };
  const plain = route({ ...page, path: `/${kind}/{id}`, summary, params: idParams, query, handler: answer });
  const named = route({
    ...page,
    path: `/${kind}/{id}/{slug}`,
    summary,
    params: slugParams,
    query,
    handler: answer,
  });
  return [plain, named];
}

const tournament = subjectRoutes({
  kind: 'tournament',
  summary: 'A tournament as a page',
  query: z.object({
    tab: oneValue(TOURNAMENT_TABS).default('overview'),
    season: idParam.optional(),
    table: oneValue(STANDING_TYPES).default('total'),
    grouping: oneValue(GROUPINGS).optional(),
    stat: oneValue(STATS).optional(),
    round: z.string().min(1).max(80).transform(withoutSecrets).optional(),
    month: z.string().regex(MONTH, 'must be a month, YYYY-MM').optional(),
    date: date.optional(),
    tz: zoneField,
    lang,
  }),
  version: ({ reads, clock }, id, { season }) => tournamentVersion(reads, id, season, utcDay(clock.now())),
  make: (deps, id, query, options) => tournamentPage(deps, id, query, options),
});

const team = subjectRoutes({
  kind: 'team',
  summary: 'A team as a page',
  query: z.object({
    tab: oneValue(TEAM_TABS).default('overview'),
    season: z.string().min(1).max(20).optional(),
    competition: idParam.optional(),
    all: bool.default(false),
    lang,
  }),
  version: ({ reads }, id) => participantVersion(reads, id),
  make: (deps, id, query, options) => teamPage(deps, id, query, options),
});

const player = subjectRoutes({
  kind: 'player',
  summary: 'A player as a page',
  query: z.object({ tab: oneValue(PLAYER_TABS).default('overview'), lang }),
  version: ({ reads }, id) => participantVersion(reads, id),
  make: (deps, id, { tab }, options) => playerPage(deps, id, tab, options),
});

const rankings = route({
  ...page,
  path: '/rankings',
  summary: 'A ranking as a page',
  query: z.object({
    kind: oneValue(KIND_NAMES).optional(),
    // An empty form field means today.
    date: z.preprocess((value) => (value === '' ? undefined : value), date.optional()),
    page: integer(1, LAST_PAGE).default(1),
    lang,
  }),
  handler: ({ query: { lang: _, ...query }, lang: language, ...input }, deps) => {
    const away = turnedAway(deps.config, input, '/rankings', () => notFound(language, ''));
    if (away !== null) return away;
    const options = { lang: language, root: '', baseUrl: input.baseUrl };
    return deps.caches.pages.get({
      key: `rankings ${JSON.stringify([query, options])}`,
      match: null,
      make: async () => ({
        body: await rankingsPage(deps, query, { ...options, now: deps.clock.now() }),
        ...cacheTags(deps.config),
      }),
    });
  },
});

const leagues = route({
  ...page,
  path: '/leagues',
  summary: 'The leagues that have matches, as a page',
  query: z.object({
    q: field('Words of the name of a league or country, in English or Russian'),
    // An empty form field means all sports.
    sport: z.preprocess((value) => (value === '' ? undefined : value), sportSlug.optional()),
    country: field('A country, by its code'),
    page: integer(1, LAST_PAGE).default(1),
    lang,
  }),
  handler: ({ query: { lang: _, ...query }, lang: language, ...input }, deps) => {
    const away = turnedAway(deps.config, input, '/leagues', () => notFound(language, ''));
    if (away !== null) return away;
    const options = { lang: language, root: '', baseUrl: input.baseUrl };
    const now = deps.clock.now();
    return deps.caches.pages.get({
      key: `leagues ${JSON.stringify([query, options])}`,
      match: NO_MATCH,
      make: async (cached) => {
        // A league appears with its first match, which does not change the version of the tournaments.
        const version = `${await tournamentsVersion(deps.pool)} ${Math.floor(now / REMADE_EVERY_MS)}`;
        if (cached?.version === version) return cached;
        const body = await leaguesPage(deps, query, { ...options, now });
        const etag = hash('sha1', body, 'base64url');
        return { body, version, etag, ...(query.q === '' && cacheTags(deps.config)) };
      },
    });
  },
});

const meetings = route({
  ...page,
  path: '/meetings',
  summary: 'All meetings of two teams, as a page',
  query: z.object({
    first: idParam.optional(),
    second: idParam.optional(),
    first_name: field('The beginning of the name of the first team'),
    second_name: field('The beginning of the name of the second team'),
    page: integer(1, LAST_PAGE).default(1),
    lang,
  }),
  handler: ({ query: { lang: _, ...query }, lang: language, ...input }, deps) => {
    const away = turnedAway(deps.config, input, '/meetings', () => notFound(language, ''));
    if (away !== null) return away;
    const options = { lang: language, root: '', baseUrl: input.baseUrl };
    return deps.caches.pages.get({
      key: `meetings ${JSON.stringify([query, options])}`,
      match: null,
      make: async () => {
        const made = await meetingsPage(deps, query, { ...options, now: deps.clock.now() });
        if (made === null) return notFound(language, '');
        // A search is never public.
        const isPublic = query.first_name === '' && query.second_name === '';
        return { body: made.body, ...(isPublic && cacheTags(deps.config, ...made.teams.map(participantTag))) };
      },
    });
  },
});

const search = route({
  ...page,
  path: '/search',
  summary: 'Teams, players and tournaments by name, as a page',
  query: z.object({ q: field('A name'), lang }),
  handler: async ({ query: { q }, lang: language, ...input }, deps) => {
    const away = turnedAway(deps.config, input, '/search', () => notFound(language, ''));
    if (away !== null) return away;
    const options = { lang: language, root: '', baseUrl: input.baseUrl };
    return deps.caches.pages.get({
      key: `search ${JSON.stringify([q, options])}`,
      match: null,
      make: async () => ({ body: await searchPage(deps, q, { ...options, now: deps.clock.now() }) }),
    });
  },
});

const suggest = route({
  ...page,
  path: '/search/suggestions',
  summary: 'What the search box offers while a reader types',
  query: z.object({ q: field('The beginning of a name'), lang }),
  response: { contentType: 'application/json; charset=utf-8' },
  handler: async ({ query: { q }, lang: language, ...input }, deps) => {
    const away = turnedAway(deps.config, input, '/search', () => notFound(language, ''));
    if (away !== null) return { status: 401, body: { suggestions: [] } };
    return deps.caches.pages.get({
      key: `suggestions ${JSON.stringify([q, language])}`,
      match: null,
      make: async () => ({ body: JSON.stringify({ suggestions: await suggestions(deps, q, language) }) }),
    });
  },
});

export const cataloguePages: RouteValue<WebDeps>[] = [
  ...tournament,
  ...team,
  ...player,
  rankings,
  leagues,
  meetings,
  search,
  suggest,
];
