/** `robots.txt`, which says what search engines may read, and the sitemap, which lists all page addresses. */
import { z } from 'zod';
import {
  largestId,
  matchesBetween,
  PAGE_KINDS,
  type PageKind,
  participantsBetween,
  tournamentsBetween,
  venuesBetween,
} from '../catalogue/index.ts';
import type { Queryable } from '../db/postgres.ts';
import { integer, NO_MATCH, oneValue, Problem, type RouteValue } from '../http/index.ts';
import { cacheTags } from './cache-tags.ts';
import { route, type WebDeps } from './deps.ts';
import { shared } from './page-route.ts';
import { coachPath, matchPath, playerPath, refereePath, teamPath, tournamentPath, venuePath } from './paths.ts';
import { isPublic } from './site-access.ts';

/** Number of ids in each part of the sitemap. Search engines accept 50,000 addresses in a file. */
const PART = 20_000;
const LAST_PART = 1_000_000;
const MAX_AGE_SECONDS = 3_600;
const XML = '<?xml version="1.0" encoding="UTF-8"?>';
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

interface Address {
  path: string;
  /** Time of the last change, YYYY-MM-DDTHH:MM:SSZ. Absent if unknown. */
  changed?: string;
}

/** For each kind of page, a function that returns the addresses for a range of ids, including both ends. */
const KINDS: Record<PageKind, (db: Queryable, first: number, last: number) => Promise<Address[]>> = {
  tournament: async (db, first, last) =>
    (await tournamentsBetween(db, first, last)).map(({ id, name }) => ({ path: tournamentPath(id, name) })),
  team: async (db, first, last) =>
    (await participantsBetween(db, 'team', first, last)).map(({ id, name }) => ({ path: teamPath(id, name) })),
  player: async (db, first, last) =>
    (await participantsBetween(db, 'player', first, last)).map(({ id, name }) => ({ path: playerPath(id, name) })),
  referee: async (db, first, last) =>
    (await participantsBetween(db, 'referee', first, last)).map(({ id, name }) => ({ path: refereePath(id, name) })),
  coach: async (db, first, last) =>
    (await participantsBetween(db, 'coach', first, last)).map(({ id, name }) => ({ path: coachPath(id, name) })),
  venue: async (db, first, last) =>
    (await venuesBetween(db, first, last)).map(({ id, name }) => ({ path: venuePath(id, name) })),
  match: async (db, first, last) =>
    (await matchesBetween(db, first, last)).map(({ id, name, away, changed }) => ({
      path: matchPath(id, name, away),
      changed,
    })),
};

async function index(db: Queryable, baseUrl: string): Promise<string> {
  const parts = await Promise.all(
    PAGE_KINDS.map(async (kind) => ({ kind, count: Math.ceil((await largestId(db, kind)) / PART) })),
  );
  const items = parts.flatMap(({ kind, count }) =>
    Array.from(
      { length: count },
      (_, part) => `<sitemap><loc>${baseUrl}/sitemap/${kind}-${part + 1}.xml</loc></sitemap>`,
    ),
  );
  return `${XML}\n<sitemapindex xmlns="${NAMESPACE}">\n${items.join('\n')}\n</sitemapindex>\n`;
}

async function part(db: Queryable, kind: PageKind, number: number, baseUrl: string): Promise<string> {
  const items = (await KINDS[kind](db, (number - 1) * PART + 1, number * PART)).map(({ path, changed }) => {
    const lastmod = changed === undefined ? '' : `<lastmod>${changed}</lastmod>`;
    return `<url><loc>${baseUrl}/${encodeURI(path)}</loc>${lastmod}</url>`;
  });
  return `${XML}\n<urlset xmlns="${NAMESPACE}">\n${items.join('\n')}\n</urlset>\n`;
}

const file = {
  ...shared,
  cache: { maxAge: MAX_AGE_SECONDS },
  response: { contentType: 'application/xml; charset=utf-8' },
} as const;
const none = () => new Problem('not_found', 'The pages of this service are only for members, so there is no sitemap.');

const robots = route({
  ...file,
  path: '/robots.txt',
  summary: 'What search engines may read',
  response: { contentType: 'text/plain; charset=utf-8' },
  handler: ({ baseUrl }, { config }) => ({
    body: isPublic(config)
      ? `User-agent: *\nDisallow: /account\nDisallow: /search\nDisallow: /v1/\nSitemap: ${baseUrl}/sitemap.xml\n`
      : 'User-agent: *\nDisallow: /\n',
    ...cacheTags(config),
  }),
});

const sitemap = route({
  ...file,
  path: '/sitemap.xml',
  summary: 'The parts of the sitemap',
  handler: ({ baseUrl }, { config, pool, caches }) => {
    if (!isPublic(config)) throw none();
    return caches.pages.get({
      key: `sitemap ${baseUrl}`,
      match: NO_MATCH,
      make: async () => ({ body: await index(pool, baseUrl), ...cacheTags(config) }),
    });
  },
});

const sitemapPart = route({
  ...file,
  path: '/sitemap/{kind}-{part}.xml',
  summary: 'Addresses of pages of one kind',
  /** A part of the sitemap has 2.4 MB and takes 0.2 s to make. */
  perAddress: { requests: 30, seconds: 60 },
  inTotal: { requests: 120, seconds: 60 },
  params: z.object({ kind: oneValue(PAGE_KINDS), part: integer(1, LAST_PART) }),
  handler: async ({ params, baseUrl }, { config, pool }) => {
    if (!isPublic(config)) throw none();
    return { body: await part(pool, params.kind, params.part, baseUrl), ...cacheTags(config) };
  },
});

export const searchEngineRoutes: RouteValue<WebDeps>[] = [robots, sitemap, sitemapPart];
