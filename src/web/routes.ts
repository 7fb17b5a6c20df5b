/** Routes of our own pages and their pictures. */
import { z } from 'zod';
import { findPageCard } from '../analytics/page-card.ts';
import { monogram } from '../catalogue/monogram.ts';
import { tournamentsVersion } from '../catalogue/queries.ts';
import { storedImage } from '../catalogue/stored-image.ts';
import { PROBLEMS, Problem } from '../http/errors.ts';
import { NO_MATCH } from '../http/page-cache.ts';
import { idParams, integer, lang, oneValue } from '../http/query.ts';
import type { Lang, Reply, RouteValue } from '../http/route.ts';
import { notice } from '../site/layout.ts';
import { TEXTS } from '../site/texts/texts.ts';
import { aboutPage } from './about.ts';
import { route, type WebDeps } from './deps.ts';
import { files } from './files.ts';
import { homePage } from './home.ts';
import { leaguesPage } from './leagues-page.ts';
import { matchPageHtml } from './match-page.ts';
import { momentumPicture } from './momentum.ts';
import { momentumData, playsInMatch } from './queries.ts';
import { findViewer } from './site-access.ts';

const HTML = { contentType: 'text/html; charset=utf-8' };
const PICTURE_MAX_AGE_SECONDS = 3_600;
const SIDE_MAX_AGE_SECONDS = 7 * 24 * 3_600;
const LEAGUES_MAX_AGE_SECONDS = 60;
/** Cached pictures of sides: two front pages of 200 live matches each. */
const SIDES = { requests: 800, seconds: 8 };
/** Maximum characters of a form field; longer values are cut. */
const MAX_FIELD = 80;

const shared = {
  method: 'GET',
  tag: 'Pages',
  undocumented: true,
  access: 'visitor',
  cost: 0,
  /** Burst: after a goal every page with a stream fetches itself. The refill rate costs a tenth of a core. */
  inTotal: { requests: 1_000, seconds: 10 },
} as const;
const page = {
  ...shared,
  cache: 'no-store',
  /** Thirty readers behind one address, whose pages refresh after each event of a busy match. */
  perAddress: { requests: 600, seconds: 60 },
  response: HTML,
  problemPage,
} as const;

const home = route({
  ...page,
  path: '/',
  summary: 'What the service is, and the live matches, as a page',
  query: z.object({ lang }),
  handler: ({ lang: language, ...input }, deps) => {
    const { config, pool, clock, caches } = deps;
    return findViewer(config, input) === undefined
      ? caches.versioned.get(`about ${language}`, '', async () => aboutPage(language, config.signUp))
      : caches.pages.get({
          key: `home ${language} ${config.signUp}`,
          match: null,
          make: async () => ({ body: await homePage(pool, clock, language, config) }),
        });
  },
});

/** Renders a problem for readers. */
function problemPage(problem: Problem, querystring: string, baseUrl: string): Pick<Reply, 'body'> {
  const language = new URLSearchParams(querystring).get('lang') === 'ru' ? 'ru' : 'en';
  const text = TEXTS[language].pages;
  const root = baseUrl === '' ? '/' : `${new URL(baseUrl).pathname.replace(/\/$/, '')}/`;
  if (problem.status === 429) return { body: notice(language, root, text.tooManyTitle, text.tooMany) };
  if (problem.status === 404) return { body: notice(language, root, text.notFoundTitle, text.notFound) };
  return { body: notice(language, root, PROBLEMS[problem.code].title, problem.message) };
}

const notFound = (language: Lang) => {
  const text = TEXTS[language].pages;
  return { status: 404, body: notice(language, '../', text.notFoundTitle, text.notFound) };
};

const match = route({
  ...page,
  path: '/match/{id}',
  summary: 'One match as a page',
  params: idParams,
  query: z.object({ lang }),
  handler: ({ params: { id }, lang: language, ...input }, deps) => {
    if (findViewer(deps.config, input) === undefined) return notFound(language);
    return deps.caches.pages.get({
      key: `match ${id} ${language}`,
      match: id,
      make: async () => {
        const analytics = await findPageCard(deps, id, language);
        const body = await matchPageHtml(deps, id, language, analytics);
        return body === null ? notFound(language) : { body };
      },
    });
  },
});

/** Text field of a form: any text, empty without a choice. */
const field = (description: string) =>
  z
    .string()
    .transform((value) => value.trim().slice(0, MAX_FIELD))
    .pipe(z.string())
    .default('')
    .meta({ description });
const LAST_PAGE = 1_000;

const leagues = route({
  method: 'GET',
  path: '/docs/leagues.html',
  summary: 'All leagues with their coverage as a page',
  tag: 'Service',
  access: 'visitor',
  cost: 0,
  cache: { maxAge: LEAGUES_MAX_AGE_SECONDS },
  perAddress: { requests: 300, seconds: 60 },
  inTotal: shared.inTotal,
  query: z.object({
    q: field('Words of the name of league or country, in English or Russian'),
    sport: field('A sport, by its slug'),
    country: field('A country, by its code'),
    depth: field('full, partial, results or none'),
    page: integer(1, LAST_PAGE).default(1),
    lang,
  }),
  response: HTML,
  handler: ({ query, lang: language, ...input }, deps) => {
    const { config, pool, clock } = deps;
    const options = { lang: language, hasMatchPages: findViewer(config, input) !== undefined };
    return deps.caches.pages.get({
      key: `leagues ${JSON.stringify([query, options])}`,
      match: NO_MATCH,
      make: async (cached) => {
        const version = await tournamentsVersion(pool);
        if (version !== null && cached?.version === version && !clock.isSet) return cached;
        const body = await leaguesPage(pool, query, options, clock);
        return version === null ? { body } : { body, version };
      },
    });
  },
});

/** Route of a page's picture: visitors without access to the page get 404. */
const picture = {
  ...shared,
  cache: { maxAge: PICTURE_MAX_AGE_SECONDS },
  /** A front page with 200 live matches has 400 of them. */
  perAddress: { requests: 15_000, seconds: 60 },
  inTotal: { requests: 15_000, seconds: 60 },
} as const;

const momentum = route({
  ...picture,
  path: '/match/{id}/momentum.svg',
  summary: 'The momentum on the page of a match, as a picture',
  params: idParams,
  query: z.object({
    theme: oneValue(['light', 'dark']).default('light'),
    v: integer(1, Number.MAX_SAFE_INTEGER).optional(),
  }),
  response: { contentType: 'image/svg+xml; charset=utf-8' },
  handler: async ({ params: { id }, query: { theme, v }, ...input }, deps) => {
    const unknown = () => new Problem('not_found', `There is no momentum for match ${id}.`);
    if (findViewer(deps.config, input) === undefined) throw unknown();
    const reply = await deps.caches.pages.get({
      key: `momentum ${id} ${theme}`,
      match: id,
      make: async (cached) => {
        const data = await momentumData(deps.pool, id);
        if (data === null) throw unknown();
        const { version } = data;
        if (cached?.version === version) return cached;
        return { body: momentumPicture(data, theme), version, etag: `${version}-${theme}` };
      },
    });
    // Only a URL with the current version may be cached.
    return reply.etag === `${v}-${theme}` ? reply : { ...reply, maxAge: 0 };
  },
});

const sideImage = route({
  ...picture,
  path: '/sides/{id}/image',
  summary: 'The logo or photo of a side of a match, as pages show it',
  cache: { maxAge: SIDE_MAX_AGE_SECONDS },
  params: idParams,
  response: { contentType: 'image/png' },
  handler: ({ params: { id }, ...input }, deps) => {
    const unknown = () => new Problem('not_found', `There is no side ${id}.`);
    if (findViewer(deps.config, input) === undefined) throw unknown();
    return deps.caches.pages.get({
      key: `side ${id}`,
      match: NO_MATCH,
      limit: SIDES,
      make: async (cached) => {
        const found = (await playsInMatch(deps.pool, id)) ? await storedImage(deps.pool, id) : null;
        if (found === null) throw unknown();
        const { png, etag } = found.image ?? (await monogram(found.name, found.type));
        return cached?.version === etag ? cached : { body: png, version: etag, etag };
      },
    });
  },
});

export const routes: RouteValue<WebDeps>[] = [home, match, momentum, sideImage, leagues, ...files];
