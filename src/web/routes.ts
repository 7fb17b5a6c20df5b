/** Routes for pages and pictures. */

import { hash } from 'node:crypto';
import { z } from 'zod';
import { DRAWINGS_VERSION, participantDrawing, tournamentsVersion } from '../catalogue/index.ts';
import {
  bool,
  date,
  idParam,
  idParams,
  integer,
  lang,
  NO_MATCH,
  oneValue,
  Problem,
  type RouteValue,
  sportSlug,
} from '../http/index.ts';
import { findMatchVersion, findMomentum } from '../matches/index.ts';
import { MATCHES_TAG, matchTag, participantTag } from '../wire/cache-tags.ts';
import { DAY_SECONDS } from '../wire/time.ts';
import { appRoutes } from './app-routes.ts';
import { files } from './assets/asset-routes.ts';
import { flagRoute } from './assets/flag-route.ts';
import { sideColoursRoute } from './assets/side-colours-route.ts';
import { cacheTags } from './cache-tags.ts';
import { cataloguePages } from './catalogue-routes.ts';
import { coveragePage } from './coverage-page.ts';
import { route, type WebDeps } from './deps.ts';
import { aboutPage } from './home/about.ts';
import { homePage } from './home/home-page.ts';
import { frontPageParts } from './home/part-routes.ts';
import { findPageCard } from './match-analytics/load-card.ts';
import { ANALYTICS_TABS, MATCH_TABS, matchPageHtml } from './match-page/match-page.ts';
import { momentumPicture } from './match-page/momentum-picture.ts';
import { modelRoutes } from './models/routes.ts';
import { type Asked, after, field, notFound, page, picture, shared, slugParams } from './page-route.ts';
import { peoplePages } from './people-pages/routes.ts';
import { readZone, zoneField } from './reader-zone.ts';
import { settingsRoutes } from './settings-routes.ts';
import { sharePictureRoutes } from './share-pictures/routes.ts';
import { findViewer, turnedAway } from './site-access.ts';
import { searchEngineRoutes } from './sitemap.ts';

const SIDE_MAX_AGE_SECONDS = 7 * DAY_SECONDS;
const COVERAGE_MAX_AGE_SECONDS = 60;

const home = route({
  ...page,
  path: '/',
  summary: 'The matches of a day as a page; for strangers what the service is',
  query: z.object({
    date: z.preprocess((value) => (value === '' ? undefined : value), date.optional()),
    sport: sportSlug.optional(),
    live: bool.default(false),
    match: idParam.optional(),
    tz: zoneField,
    after,
    lang,
  }),
  handler: async ({ query: { lang: _lang, after: _after, tz, ...query }, lang: language, ...input }, deps) => {
    const { config, clock, caches } = deps;
    if (findViewer(config, input) === undefined)
      return caches.versioned.get(`about ${language}`, '', async () => aboutPage(language, config.signUp));
    const options = { lang: language, root: '', baseUrl: input.baseUrl };
    const { zone, isPersonal } = readZone(input.headers.cookie, tz);
    const reply = await caches.pages.get({
      key: `home ${JSON.stringify([query, zone, options, config.signUp])}`,
      match: null,
      make: async () => {
        const body = await homePage(deps, query, zone, { ...options, now: clock.now() }, config);
        return body === null ? notFound(language, '') : { body, ...cacheTags(config, MATCHES_TAG) };
      },
    });
    return isPersonal ? { ...reply, cacheTags: undefined } : reply;
  },
});

const matchQuery = z.object({ tab: oneValue(MATCH_TABS).default('overview'), after, lang });
const matchAnswer = (
  {
    params: { id, slug },
    query: { tab },
    lang: language,
    ...input
  }: Asked<{ id: number; slug?: string }, z.infer<typeof matchQuery>>,
  deps: WebDeps,
) => {
  const root = slug === undefined ? '../' : '../../';
  const away = turnedAway(deps.config, input, `/match/${id}`, () => notFound(language, root));
  if (away !== null) return away;
  const options = { lang: language, root, baseUrl: input.baseUrl };
  const now = deps.clock.now();
  return deps.caches.pages.get({
    key: `match ${id} ${tab} ${JSON.stringify(options)}`,
    match: id,
    isCurrent: async ({ version }) =>
      version === matchPageVersion(await findMatchVersion(deps.pool, id), now, String(version).startsWith(COMPLETE)),
    make: async () => {
      const analytics = ANALYTICS_TABS.includes(tab) ? findPageCard(deps, id, language) : null;
      const made = await matchPageHtml(deps, id, tab, { ...options, now }, analytics);
      if (made === null) return notFound(language, root);
      const version = matchPageVersion(made.version, now, typeof (await analytics) !== 'string');
      const etag = hash('sha1', made.body, 'base64url');
      return { body: made.body, version, etag, ...cacheTags(deps.config, ...made.tags) };
    },
  });
};

/** Other changes, such as a table or a rating, appear on the page of a match after this time. */
const REMADE_EVERY_MS = 60_000;
/** A page without analytics is rendered again after this time, because the analytics store may have been away. */
const INCOMPLETE_EVERY_MS = 5_000;
const COMPLETE = 'complete';

/** @param version of the match; null for an unknown match. @param now ms */
function matchPageVersion(version: number | null, now: number, isComplete: boolean): string {
  const [kind, every] = isComplete ? [COMPLETE, REMADE_EVERY_MS] : ['incomplete', INCOMPLETE_EVERY_MS];
  return `${kind} ${version} ${Math.floor(now / every)}`;
}
const match = route({
  ...page,
  path: '/match/{id}',
  summary: 'One match as a page',
  params: idParams,
  query: matchQuery,
  handler: matchAnswer,
});
const namedMatch = route({
  ...page,
  path: '/match/{id}/{slug}',
  summary: 'One match as a page',
  params: slugParams,
  query: matchQuery,
  handler: matchAnswer,
});

const LAST_PAGE = 1_000;

const coverage = route({
  method: 'GET',
  path: '/docs/leagues.html',
  summary: 'All leagues with their coverage as a page',
  tag: 'Service',
  access: 'visitor',
  cost: 0,
  cache: { maxAge: COVERAGE_MAX_AGE_SECONDS },
  perAddress: { requests: 300, seconds: 60 },
  inTotal: shared.inTotal,
  query: z.object({
    q: field('Words of the name of league or country, in English or Russian'),
    sport: field('A sport, by slug'),
    country: field('A country, by its code'),
    depth: field('full, partial, results or none'),
    page: integer(1, LAST_PAGE).default(1),
    lang,
  }),
  response: page.response,
  handler: ({ query, lang: language, ...input }, deps) => {
    const { config, pool, clock } = deps;
    const options = { lang: language, hasMatchPages: findViewer(config, input) !== undefined };
    return deps.caches.pages.get({
      key: `coverage ${JSON.stringify([query, options])}`,
      match: NO_MATCH,
      make: async (cached) => {
        const version = await tournamentsVersion(pool);
        if (version !== null && cached?.version === version && !clock.isSet) return cached;
        const made = { body: await coveragePage(pool, query, options, clock), ...cacheTags(config) };
        return version === null ? made : { ...made, version };
      },
    });
  },
});

/** The version of the drawings in a picture's URL. */
const drawings = z.string().max(20).optional();

const momentum = route({
  ...picture,
  path: '/match/{id}/momentum.svg',
  summary: 'The momentum on the page of a match, as a picture',
  params: idParams,
  query: z.object({
    theme: oneValue(['light', 'dark']).default('light'),
    v: integer(1, Number.MAX_SAFE_INTEGER).optional(),
    c: drawings,
  }),
  response: { contentType: 'image/svg+xml; charset=utf-8' },
  handler: async ({ params: { id }, query: { theme, v, c }, ...input }, deps) => {
    const unknown = () => new Problem('not_found', `There is no momentum for match ${id}.`);
    if (findViewer(deps.config, input) === undefined) throw unknown();
    const reply = await deps.caches.pages.get({
      key: `momentum ${id} ${theme}`,
      match: id,
      make: async (cached) => {
        const data = await findMomentum(deps.pool, id);
        if (data === null) throw unknown();
        const { version } = data;
        if (cached?.version === version) return cached;
        const etag = `${version}-${theme}-${DRAWINGS_VERSION}`;
        return { body: momentumPicture(data, theme), version, etag, ...cacheTags(deps.config, matchTag(id)) };
      },
    });
    // The reply may be cached only if the URL has the current versions.
    return reply.etag === `${v}-${theme}-${c}` ? reply : { ...reply, maxAge: 0 };
  },
});

const sideImage = route({
  ...picture,
  path: '/sides/{id}/image',
  summary: 'The logo or photo of a side of a match, as pages show it',
  cache: { maxAge: SIDE_MAX_AGE_SECONDS },
  params: idParams,
  query: z.object({ v: drawings }),
  response: { contentType: 'image/png' },
  handler: async ({ params: { id }, query: { v }, ...input }, deps) => {
    const unknown = () => new Problem('not_found', `There is no side ${id}.`);
    if (findViewer(deps.config, input) === undefined) throw unknown();
    // Pictures are cheap, so they do not wait in the queue for pages.
    const reply = await deps.caches.pages.parts.get(`side ${id}`, NO_MATCH, async (cached) => {
      // A drawing has 0.5 KB as a compressed SVG, and 6 KB as a PNG.
      const found = await participantDrawing(deps.pool, id);
      if (found === null) throw unknown();
      const { content: body, type: contentType } = found;
      const etag = hash('sha1', body, 'base64url');
      if (cached?.version === etag) return cached;
      return { body, contentType, version: etag, etag, ...cacheTags(deps.config, participantTag(id)) };
    });
    // During an upgrade, a page of the new version may have its pictures from the former one.
    return v === undefined || v === DRAWINGS_VERSION ? reply : { ...reply, maxAge: 0 };
  },
});

export const routes: RouteValue<WebDeps>[] = [
  home,
  match,
  namedMatch,
  momentum,
  sideImage,
  sideColoursRoute,
  flagRoute,
  coverage,
  ...sharePictureRoutes,
  ...cataloguePages,
  ...peoplePages,
  ...frontPageParts,
  ...modelRoutes,
  ...settingsRoutes,
  ...appRoutes,
  ...searchEngineRoutes,
  ...files,
];
