import assert from 'node:assert/strict';
import { z } from 'zod';
import { openApiDocument } from '../../src/http/openapi.ts';
import type { JsonObject } from '../../src/http/openapi-schemas.ts';
import { format, integer } from '../../src/http/query.ts';
import { createReplyCache } from '../../src/http/reply-cache.ts';
import { type AnyRoute, routeFor } from '../../src/http/route.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startApp, type TestApp } from '../support/http.ts';
import { openApiFaults } from '../support/openapi.ts';
import { type FakeDeps, fakeDeps } from './fake-routes.ts';

const route = routeFor<FakeDeps>();
const common = {
  summary: 'A fake',
  tag: 'Fake',
  cost: 1,
  cache: { maxAge: 60 },
  method: 'GET',
  access: 'key',
} as const;
const club = z
  .strictObject({ id: z.int(), name: z.string(), colours: z.array(z.string()), founded: z.int().optional() })
  .meta({ id: 'Club' });
const CLUBS = [
  { id: 1, name: 'Ash', colours: ['red'], founded: 1899 },
  { id: 2, name: 'Elm', colours: [] },
];
let version = 1;
const cache = createReplyCache({ subscribe: () => {} });

const card = route({ ...common, path: '/v1/club', response: club, handler: () => ({ body: CLUBS[0]!, etag: 'v1' }) });
const list = route({
  ...common,
  path: '/v1/clubs',
  query: z.object({ format, limit: integer(1, 9).optional() }),
  csv: 'clubs',
  response: z.strictObject({ count: z.int(), other: z.array(club), clubs: z.array(club) }),
  handler: () =>
    cache.get('clubs', null, async () => ({
      body: JSON.stringify({ count: 2, other: CLUBS, clubs: CLUBS }),
      version,
      etag: `v${version}`,
    })),
});
const whole = route({
  ...common,
  path: '/v1/whole',
  isWhole: true,
  response: z.strictObject({ count: z.int(), clubs: z.array(club) }),
  handler: () => ({ body: { count: 1, clubs: CLUBS.slice(1) } }),
});
const routes = [card, list, whole];

describe('the parameter fields', () => {
  let db: TestDatabase;
  let app: TestApp;
  before(async () => {
    db = await createTestDatabase();
    app = await startApp(routes, fakeDeps(db.pool));
  });
  after(async () => {
    await app.close();
    await db.drop();
  });

  it('selects members of a reply about one thing, in the order of the reply', async () => {
    const { text } = await app.ask('/v1/club?fields=name,id');
    assert.equal(text, '{"id":1,"name":"Ash"}');
  });

  it('selects members of each item of a list, and leaves out members that an item does not have', async () => {
    const { json } = await app.ask<Record<string, unknown>>('/v1/clubs?fields=name,founded');
    assert.deepEqual(json, { count: 2, other: CLUBS, clubs: [{ name: 'Ash', founded: 1899 }, { name: 'Elm' }] });
  });

  it('gives an entity tag that changes only with the named members', async () => {
    const tag = async (query: string) => (await app.ask(`/v1/clubs${query}`)).headers.get('etag');
    const [all, names, ids] = [await tag(''), await tag('?fields=name'), await tag('?fields=id')];
    assert.equal(new Set([all, names, ids]).size, 3);
    const { status } = await app.ask('/v1/clubs?fields=name', { headers: { 'If-None-Match': names! } });
    assert.equal(status, 304);
    // A change elsewhere gives the whole reply another tag, and leaves this one.
    version += 1;
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    assert.notEqual(await tag(''), all);
    assert.equal(await tag('?fields=name'), names);
  });

  it('answers from memory in the same way, for more selections than it keeps', async () => {
    const members = ['id', 'name', 'colours', 'founded'];
    const subsets = Array.from({ length: 15 }, (_, n) => members.filter((_member, bit) => ((n + 1) >> bit) & 1));
    for (const fields of [...subsets, ...subsets]) {
      const { json } = await app.ask<{ clubs: object[] }>(`/v1/clubs?fields=${fields}`);
      assert.deepEqual(Object.keys(json.clubs[0]!), fields);
    }
  });

  it('selects the columns of CSV', async () => {
    const { text } = await app.ask('/v1/clubs?format=csv&fields=name,id');
    assert.equal(text, 'id,name\r\n1,Ash\r\n2,Elm\r\n');
  });

  const refused: [query: string, code: string][] = [
    ['fields=', 'invalid_value'],
    ['fields=count', 'invalid_value'],
    ['fields=id,nothing', 'invalid_value'],
    ['fields=ID', 'invalid_value'],
    ['fields=__proto__', 'invalid_value'],
    ['fields=id&fields=name', 'repeated'],
    ['fields=id%00', 'invalid_text'],
    [`fields=${Array.from({ length: 101 }, (_, n) => `f${n}`)}`, 'too_big'],
  ];
  for (const [query, code] of refused)
    it(`refuses ${query.slice(0, 30)}`, async () => {
      const { status, json } = await app.ask(`/v1/clubs?${query}`);
      assert.equal(status, 422);
      assert.ok(
        json.errors!.some((error) => error.parameter === 'fields' && error.code === code),
        JSON.stringify(json.errors),
      );
    });

  it('is reported together with other errors, once for each value', async () => {
    const { json } = await app.ask('/v1/clubs?fields=x&limit=0');
    assert.deepEqual(json.errors!.map(({ parameter }) => parameter).sort(), ['fields', 'limit']);
    assert.match(json.detail, /must be one of id, name, colours, founded/);
  });

  it('is ignored by a reply that is always sent whole, and refused there in strict mode', async () => {
    const { headers, json } = await app.ask<{ clubs: object[] }>('/v1/whole?fields=id');
    assert.equal(headers.get('x-ignored-parameters'), 'fields');
    assert.deepEqual(json.clubs, [CLUBS[1]]);
    assert.equal((await app.ask('/v1/whole?fields=id', { headers: { Prefer: 'handling=strict' } })).status, 422);
    assert.equal((await app.ask('/v1/club?fields=id', { headers: { Prefer: 'handling=strict' } })).status, 200);
  });

  it('makes the members optional in the document, and says which of them a whole reply always has', async () => {
    const document = openApiDocument(routes as readonly AnyRoute[], 'https://api.example.com');
    assert.deepEqual(await openApiFaults(document), []);
    const { PartialClub, Club } = document.components.schemas as Record<string, JsonObject>;
    assert.deepEqual([PartialClub!.required, PartialClub!['x-required']], [undefined, ['id', 'name', 'colours']]);
    assert.deepEqual(Club!.required, ['id', 'name', 'colours']);
    const parameters = (path: string) =>
      ((document.paths[path] as JsonObject).get as { parameters: JsonObject[] }).parameters.map(({ name }) => name);
    assert.ok(parameters('/v1/clubs').includes('fields') && parameters('/v1/club').includes('fields'));
    assert.ok(!parameters('/v1/whole').includes('fields'));
  });
});
