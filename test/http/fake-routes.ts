/** Routes that belong to no feature. There is one for each ability of the HTTP layer. */
import { Readable } from 'node:stream';
import type pg from 'pg';
import { type Logger, pino } from 'pino';
import { z } from 'zod';
import type { HttpConfig } from '../../src/http/app.ts';
import { Problem, type ProblemCode } from '../../src/http/errors.ts';
import {
  bool,
  commaList,
  cursor,
  date,
  idParams,
  lang,
  limit,
  offset,
  oneValue,
  text,
  timeParam,
} from '../../src/http/query.ts';
import { routeFor } from '../../src/http/route.ts';
import { testConfig } from '../support/http.ts';

export interface FakeDeps {
  config: HttpConfig;
  clock: { now(): number };
  logger: Logger;
  pool: pg.Pool;
  /** The handlers that were called. */
  calls: string[];
}

export const fakeDeps = (pool: pg.Pool, change: Partial<FakeDeps> = {}): FakeDeps => ({
  config: testConfig,
  clock: { now: () => Date.now() },
  logger: pino({ level: 'silent' }),
  pool,
  calls: [],
  ...change,
});

const route = routeFor<FakeDeps>();
const standard = { summary: 'A fake', tag: 'Fake', cost: 1, cache: { maxAge: 60 } } as const;

export const LONG_BYTES = Buffer.from(JSON.stringify({ text: 'save '.repeat(1_000) }));
export const LONG_TEXT = JSON.stringify({ text: 'goal '.repeat(1_000) });
const club = z
  .strictObject({ id: z.int(), name: z.string(), extra: z.record(z.string(), z.unknown()) })
  .meta({ id: 'Club' });

export const club1 = route({
  ...standard,
  method: 'GET',
  path: '/v1/club/{id}',
  access: 'key',
  params: idParams,
  response: club,
  handler: ({ params }, { calls }) => {
    calls.push(`club ${params.id}`);
    if (params.id === 404) throw new Problem('not_found', 'There is no club 404.');
    return { body: { id: params.id, name: 'Клуб', extra: { stadium: 'x' } } };
  },
});

const search = route({
  ...standard,
  method: 'GET',
  path: '/v1/club/search',
  access: 'key',
  query: z.object({ q: text(2, 80) }),
  response: z.strictObject({ q: z.string() }),
  handler: ({ query }) => ({ body: { q: query.q } }),
});

const listQuery = z.object({
  limit: limit(100, 1000),
  offset,
  top: bool.optional(),
  date: date.optional(),
  from: timeParam.optional(),
  status: oneValue(['scheduled', 'live', 'finished']).optional(),
  blocks: commaList(oneValue(['incidents', 'statistics'])).optional(),
  since: cursor.optional(),
  lang,
});
const list = route({
  ...standard,
  method: 'GET',
  path: '/v1/clubs',
  access: 'key',
  query: listQuery,
  response: z.strictObject({
    limit: z.int(),
    offset: z.int(),
    top: z.boolean().optional(),
    date: z.string().optional(),
    from: z.string().optional(),
    status: z.string().optional(),
    blocks: z.array(z.string()).optional(),
    since: z.int().optional(),
    lang: z.enum(['en', 'ru']),
    baseUrl: z.string(),
    requestId: z.string(),
  }),
  handler: ({ query, lang, baseUrl, requestId }) => ({ body: { ...query, lang, baseUrl, requestId } }),
});

/** A route with the default limit for bodies. */
const note = route({
  ...standard,
  method: 'POST',
  path: '/v1/notes',
  access: 'key',
  cache: 'no-store',
  body: z.strictObject({ text: z.string() }),
  response: z.strictObject({ length: z.int() }),
  handler: ({ body }) => ({ body: { length: body.text.length } }),
});

const create = route({
  ...standard,
  method: 'POST',
  path: '/v1/clubs',
  access: 'key',
  status: 201,
  maxBodyBytes: 10_000,
  body: z.strictObject({ name: z.string().min(1), tags: z.array(z.string()).optional() }),
  response: z.strictObject({ name: z.string() }),
  handler: ({ body }) => ({ body: { name: body.name } }),
});

const remove = route({
  ...standard,
  method: 'DELETE',
  path: '/v1/club/{id}',
  access: 'key',
  status: 204,
  params: idParams,
  response: z.null(),
  handler: () => ({ body: null }),
});

/** A text with a version, like a card. */
const card = route({
  ...standard,
  method: 'GET',
  path: '/v1/card',
  access: 'public',
  response: z.strictObject({ text: z.string() }),
  handler: () => ({ body: LONG_TEXT, etag: 'v7', maxAge: 5 }),
});

const short = route({
  ...standard,
  method: 'GET',
  path: '/v1/short',
  access: 'public',
  response: z.strictObject({ ok: z.boolean() }),
  handler: () => ({ body: '{"ok":true}' }),
});

const old = route({
  ...standard,
  method: 'GET',
  path: '/v1/old',
  access: 'public',
  deprecation: {
    deprecated: new Date('2026-01-01T00:00:00Z'),
    sunset: new Date('2027-01-01T00:00:00Z'),
    link: 'https://example.com/changes',
  },
  response: z.strictObject({ ok: z.boolean() }),
  handler: () => ({ body: { ok: true } }),
});

const image = route({
  ...standard,
  method: 'GET',
  path: '/v1/club/{id}/image',
  access: 'key',
  keyInQuery: true,
  params: idParams,
  response: { contentType: 'image/png' },
  handler: () => ({ body: Buffer.from('png') }),
});

const stream = route({
  ...standard,
  method: 'GET',
  path: '/v1/stream',
  access: 'key',
  keyInQuery: true,
  cache: 'no-store',
  response: { contentType: 'text/event-stream' },
  handler: ({ principal }) => ({
    body: null,
    headers: { 'Cache-Control': 'no-cache, no-transform' },
    attach: (response) => {
      response.write(`: connected ${principal?.kind}\n\n`);
      setTimeout(() => response.end(`data: ${'x'.repeat(2_000)}\n\n`), 20);
    },
  }),
});

const bytes = route({
  ...standard,
  method: 'GET',
  path: '/v1/bytes',
  access: 'public',
  response: { contentType: 'text/csv' },
  handler: () => ({ body: LONG_BYTES }),
});

const piped = route({
  ...standard,
  method: 'GET',
  path: '/v1/piped',
  access: 'public',
  response: { contentType: 'text/csv' },
  handler: () => ({ body: Readable.from(['a,b\n', '1,2\n']) }),
});

const page = route({
  ...standard,
  method: 'GET',
  path: '/',
  access: 'visitor',
  undocumented: true,
  response: { contentType: 'text/html; charset=utf-8' },
  handler: ({ principal, lang }) => ({ body: `<p>${principal?.kind ?? 'nobody'} ${lang}</p>` }),
});

const framed = route({
  ...standard,
  method: 'GET',
  path: '/widget',
  access: 'public',
  undocumented: true,
  response: { contentType: 'text/html; charset=utf-8' },
  handler: () => ({ body: '<p></p>', headers: { 'Content-Security-Policy': 'frame-ancestors *' } }),
});

const change = route({
  ...standard,
  method: 'POST',
  path: '/v1/settings',
  access: 'key',
  body: z.strictObject({}),
  response: z.strictObject({ ok: z.boolean() }),
  handler: () => ({ body: { ok: true } }),
});

const feed = route({
  ...standard,
  method: 'POST',
  path: '/feed/v1/updates',
  tag: 'Feed',
  access: 'feed',
  rawBody: { 'application/json': z.array(z.string()), 'application/x-ndjson': z.string() },
  response: z.strictObject({ bytes: z.int() }),
  handler: async ({ rawBody }) => {
    let bytes = 0;
    for await (const chunk of rawBody!) bytes += (chunk as Buffer).length;
    return { body: { bytes } };
  },
});

const failing = route({
  ...standard,
  method: 'GET',
  path: '/v1/fail',
  access: 'public',
  query: z.object({ code: z.string() }),
  response: z.strictObject({}),
  handler: ({ query }) => {
    if (query.code === 'bug') throw new Error('secret detail of the inside');
    if (query.code === 'database') throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    if (query.code === 'thrown text') throw 'text';
    const members = query.code === 'cursor_expired' ? { oldest_cursor: 5 } : {};
    throw new Problem(query.code as ProblemCode, undefined, { members });
  },
});

export const fakeRoutes = [
  club1,
  search,
  list,
  create,
  note,
  remove,
  card,
  short,
  old,
  image,
  stream,
  bytes,
  piped,
  page,
  framed,
  change,
  feed,
  failing,
];
