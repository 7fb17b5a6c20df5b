/** `robots.txt` and the sitemap: what search engines may read, and the addresses of all pages. */
import { z } from 'zod';
import type { Queryable } from '../db/postgres.ts';
import { wireTimeSql } from '../db/postgres.ts';
import { Problem } from '../http/errors.ts';
import { NO_MATCH } from '../http/page-cache.ts';
import { integer, oneValue } from '../http/query.ts';
import type { RouteValue } from '../http/route.ts';
import { route, type WebDeps } from './deps.ts';
import { shared } from './page-route.ts';
import { matchPath, playerPath, teamPath, tournamentPath } from './paths.ts';
import { isPublic } from './site-access.ts';

/** Ids of a part of the sitemap; search engines accept 50,000 addresses in a file. */
const PART = 20_000;
const LAST_PART = 1_000_000;
const MAX_AGE_SECONDS = 3_600;
const XML = '<?xml version="1.0" encoding="UTF-8"?>';
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

interface Row {
  id: number;
  name: string;
  /** Second name of a match. */
  away: string | null;
  /** YYYY-MM-DDTHH:MM:SSZ; null if it is not known. */
  changed: string | null;
}

/** By kind: the largest id, the rows of a range of ids, and the path of a row. */
const KINDS = {
  tournament: {
    last: 'SELECT max(id) AS last FROM tournament',
    rows: 'SELECT id, name, NULL AS away, NULL AS changed FROM tournament WHERE id BETWEEN $1 AND $2 ORDER BY id',
    path: ({ id, name }: Row) => tournamentPath(id, name),
  },
  team: {
    last: "SELECT max(id) AS last FROM participant WHERE type = 'team'",
    rows: "SELECT id, name, NULL AS away, NULL AS changed FROM participant WHERE type = 'team' AND person_id IS NULL AND id BETWEEN $1 AND $2 ORDER BY id",
    path: ({ id, name }: Row) => teamPath(id, name),
  },
  player: {
    last: "SELECT max(id) AS last FROM participant WHERE type = 'player'",
    rows: "SELECT id, name, NULL AS away, NULL AS changed FROM participant WHERE type = 'player' AND person_id IS NULL AND id BETWEEN $1 AND $2 ORDER BY id",
    path: ({ id, name }: Row) => playerPath(id, name),
  },
  match: {
    last: 'SELECT max(id) AS last FROM match',
    rows: `SELECT m.id, h.name, a.name AS away, ${wireTimeSql('m.updated_at')} AS changed FROM match m
      JOIN participant h ON h.id = m.home_id JOIN participant a ON a.id = m.away_id WHERE m.id BETWEEN $1 AND $2 ORDER BY m.id`,
    path: ({ id, name, away }: Row) => matchPath(id, name, away!),
  },
} as const;
const KIND_NAMES = Object.keys(KINDS) as [keyof typeof KINDS, ...(keyof typeof KINDS)[]];

async function partsOf(db: Queryable, kind: keyof typeof KINDS): Promise<number> {
  const { rows } = await db.query<{ last: number | null }>(KINDS[kind].last);
  return Math.ceil((rows[0]!.last ?? 0) / PART);
}

async function index(db: Queryable, baseUrl: string): Promise<string> {
  const parts = await Promise.all(KIND_NAMES.map(async (kind) => ({ kind, count: await partsOf(db, kind) })));
  const items = parts.flatMap(({ kind, count }) =>
    Array.from(
      { length: count },
      (_, part) => `<sitemap><loc>${baseUrl}/sitemap/${kind}-${part + 1}.xml</loc></sitemap>`,
    ),
  );
  return `${XML}\n<sitemapindex xmlns="${NAMESPACE}">\n${items.join('\n')}\n</sitemapindex>\n`;
}

async function part(db: Queryable, kind: keyof typeof KINDS, number: number, baseUrl: string): Promise<string> {
  const { rows } = await db.query<Row>(KINDS[kind].rows, [(number - 1) * PART + 1, number * PART]);
  const items = rows.map((row) => {
    const changed = row.changed === null ? '' : `<lastmod>${row.changed}</lastmod>`;
    return `<url><loc>${baseUrl}/${encodeURI(KINDS[kind].path(row))}</loc>${changed}</url>`;
  });
  return `${XML}\n<urlset xmlns="${NAMESPACE}">\n${items.join('\n')}\n</urlset>\n`;
}

const file = {
  ...shared,
  cache: { maxAge: MAX_AGE_SECONDS },
  response: { contentType: 'application/xml; charset=utf-8' },
} as const;
const none = () => new Problem('not_found', 'The pages of this service are for members, and have no sitemap.');

const robots = route({
  ...file,
  path: '/robots.txt',
  summary: 'What search engines may read',
  response: { contentType: 'text/plain; charset=utf-8' },
  handler: ({ baseUrl }, { config }) => ({
    body: isPublic(config)
      ? `User-agent: *\nDisallow: /account\nDisallow: /search\nDisallow: /v1/\nSitemap: ${baseUrl}/sitemap.xml\n`
      : 'User-agent: *\nDisallow: /\n',
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
      make: async () => ({ body: await index(pool, baseUrl) }),
    });
  },
});

const sitemapPart = route({
  ...file,
  path: '/sitemap/{kind}-{part}.xml',
  summary: 'Addresses of pages of one kind',
  /** A part has 2.4 MB and takes 0.2 s. */
  perAddress: { requests: 30, seconds: 60 },
  inTotal: { requests: 120, seconds: 60 },
  params: z.object({ kind: oneValue(KIND_NAMES), part: integer(1, LAST_PART) }),
  handler: async ({ params, baseUrl }, { config, pool }) => {
    if (!isPublic(config)) throw none();
    return { body: await part(pool, params.kind, params.part, baseUrl) };
  },
});

export const searchEngineRoutes: RouteValue<WebDeps>[] = [robots, sitemap, sitemapPart];
