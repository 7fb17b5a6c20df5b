/** Our own pages and their files. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { findPageCard } from '../analytics/page-card.ts';
import { monogram } from '../catalogue/monogram.ts';
import { tournamentsVersion } from '../catalogue/queries.ts';
import { storedImage } from '../catalogue/stored-image.ts';
import { Problem } from '../http/errors.ts';
import { idParams, integer, lang, oneOf } from '../http/query.ts';
import type { Reply, RouteValue } from '../http/route.ts';
import { versionedReply } from '../http/versioned-replies.ts';
import type { Blocks } from '../wire/match.ts';
import { aboutPage } from './about.ts';
import type { ScriptName } from './bundle.ts';
import { route, type WebDeps } from './deps.ts';
import { homePage } from './home.ts';
import { notice } from './layout.ts';
import { leaguesPage } from './leagues-page.ts';
import { matchPageHtml } from './match-page.ts';
import { cachedPicture, drawMomentum } from './momentum.ts';
import { momentumData, playsInMatch } from './queries.ts';
import { createScripts } from './scripts.ts';
import { viewerOf } from './site-access.ts';
import { type Lang, TEXTS } from './texts.ts';

const HTML = { contentType: 'text/html; charset=utf-8' };
const PICTURE_MAX_AGE_SECONDS = 3_600;
const SIDE_MAX_AGE_SECONDS = 7 * 24 * 3_600;
const ASSET_MAX_AGE_SECONDS = 300;
/** Other sites import it on each of their pages; after an upgrade they have the new one within an hour. */
const CLIENT_MAX_AGE_SECONDS = 3_600;
const LEAGUES_MAX_AGE_SECONDS = 60;
/** Characters of a field of a form; more are cut off. */
const MAX_FIELD = 80;

const page = {
  method: 'GET',
  tag: 'Pages',
  undocumented: true,
  access: 'visitor',
  cost: 0,
  cache: 'no-store',
  response: HTML,
} as const;

const home = route({
  ...page,
  path: '/',
  summary: 'What the service is, and the live matches, as a page',
  query: z.object({ lang }),
  handler: async ({ lang: language, ...input }, { config, pool, clock }) => ({
    body:
      viewerOf(config, input) === undefined
        ? aboutPage(language, config.signUp)
        : await homePage(pool, clock.now(), language, config),
  }),
});

const notFound = (language: Lang): Reply => {
  const text = TEXTS[language];
  return { status: 404, body: notice(language, '../', text.notFoundTitle, text.notFound) };
};

const match = route({
  ...page,
  path: '/match/{id}',
  summary: 'One match as a page',
  params: idParams,
  query: z.object({ lang }),
  handler: async ({ params, lang: language, ...input }, deps) => {
    if (viewerOf(deps.config, input) === undefined) return notFound(language);
    const analytics = await findPageCard(deps, params.id, language);
    const body = await matchPageHtml(deps.pool, params.id, language, analytics);
    return body === null ? notFound(language) : { body };
  },
});

/** What a form sends of a field: any text, empty where nothing was chosen. */
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
  query: z.object({
    q: field('Words of the name of league or country, in English or Russian'),
    sport: field('A sport, by its slug'),
    country: field('A country, by its code'),
    depth: field('full, partial, results or none'),
    page: integer(1, LAST_PAGE).default(1),
    lang,
  }),
  response: HTML,
  handler: async ({ query, lang: language, ...input }, { config, pool }) => {
    const options = { lang: language, hasMatchPages: viewerOf(config, input) !== undefined };
    return versionedReply(pool, `leagues ${JSON.stringify([query, options])}`, await tournamentsVersion(pool), () =>
      leaguesPage(pool, query, options),
    );
  },
});

/** What a page shows beside its text: there is none for whoever may not see the page. */
const picture = { ...page, cache: { maxAge: PICTURE_MAX_AGE_SECONDS } } as const;

const momentum = route({
  ...picture,
  path: '/match/{id}/momentum.svg',
  summary: 'The momentum on the page of a match, as a picture',
  params: idParams,
  query: z.object({
    theme: oneOf(['light', 'dark']).default('light'),
    v: integer(1, Number.MAX_SAFE_INTEGER).optional(),
  }),
  response: { contentType: 'image/svg+xml; charset=utf-8' },
  handler: async ({ params, query: { theme, v }, ...input }, { config, pool }) => {
    const data = viewerOf(config, input) === undefined ? null : await momentumData(pool, params.id);
    if (data === null) throw new Problem('not_found', `There is no momentum for match ${params.id}.`);
    const body = cachedPicture(`${params.id} ${data.version} ${theme}`, () => {
      const { graphPoints } = JSON.parse(data.momentum) as NonNullable<Blocks['momentum']>;
      const incidents = JSON.parse(data.incidents ?? '[]') as NonNullable<Blocks['incidents']>;
      return drawMomentum({ graphPoints, goals: incidents.filter(({ kind }) => kind === 'goal') }, theme);
    });
    // Only a URL with the current version may be cached.
    return { body, etag: `${data.version}-${theme}`, ...(v === data.version ? {} : { maxAge: 0 }) };
  },
});

const sideImage = route({
  ...picture,
  path: '/sides/{id}/image',
  summary: 'The logo or photo of a side of a match, as pages show it',
  cache: { maxAge: SIDE_MAX_AGE_SECONDS },
  params: idParams,
  response: { contentType: 'image/png' },
  handler: async ({ params: { id }, ...input }, { config, pool }) => {
    const isShown = viewerOf(config, input) !== undefined && (await playsInMatch(pool, id));
    const found = isShown ? await storedImage(pool, id) : null;
    if (found === null) throw new Problem('not_found', `There is no side ${id}.`);
    const { png, etag } = found.image ?? (await monogram(found.name, found.type));
    return { body: png, etag };
  },
});

const scripts = createScripts();
const script = (name: ScriptName) => ({
  contentType: 'text/javascript; charset=utf-8',
  read: () => scripts.read(name),
});
const file = (name: string, contentType: string) => ({
  contentType: `${contentType}; charset=utf-8`,
  read: () => readFile(new URL(`assets/${name}`, import.meta.url)),
});
const ASSETS: Record<string, { contentType: string; read(): Promise<Buffer> }> = {
  'site.css': file('site.css', 'text/css'),
  'home.css': file('home.css', 'text/css'),
  'guides.css': file('guides.css', 'text/css'),
  'match.css': file('match.css', 'text/css'),
  'analytics.css': file('analytics.css', 'text/css'),
  'widget.css': file('widget.css', 'text/css'),
  'leagues.css': file('leagues.css', 'text/css'),
  'account.css': file('account.css', 'text/css'),
  'home.js': script('home.js'),
  'match.js': script('match.js'),
  'icon.svg': file('icon.svg', 'image/svg+xml'),
};

const assets = route({
  method: 'GET',
  path: '/assets/{file}',
  summary: 'Files of the pages',
  tag: 'Pages',
  undocumented: true,
  access: 'public',
  cost: 0,
  cache: { maxAge: ASSET_MAX_AGE_SECONDS },
  params: z.object({ file: z.string() }),
  response: { contentType: 'application/octet-stream' },
  handler: async ({ params }) => {
    const asset = Object.hasOwn(ASSETS, params.file) ? ASSETS[params.file] : undefined;
    if (asset === undefined) throw new Problem('not_found', `There is no file ${params.file}.`);
    return { body: await asset.read(), contentType: asset.contentType };
  },
});

const client = route({
  method: 'GET',
  path: '/client/touchline.js',
  summary: 'The client for pages of other sites, as a module',
  tag: 'Pages',
  undocumented: true,
  access: 'public',
  cost: 0,
  cache: { maxAge: CLIENT_MAX_AGE_SECONDS },
  response: { contentType: 'text/javascript' },
  handler: async () => {
    const { read, contentType } = script('touchline.js');
    const headers = { 'Cache-Control': `public, max-age=${CLIENT_MAX_AGE_SECONDS}` };
    return { body: await read(), contentType, headers };
  },
});

export const routes: RouteValue<WebDeps>[] = [home, match, momentum, sideImage, leagues, assets, client];
