import assert from 'node:assert/strict';
import { z } from 'zod';
import { openApiDocument } from '../../src/http/openapi.ts';
import type { JsonObject, OpenApiDocument } from '../../src/http/openapi-schemas.ts';
import { format } from '../../src/http/query.ts';
import type { RouteValue } from '../../src/http/route.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startApp, type TestApp } from '../support/http.ts';
import { openApiFaults } from '../support/openapi.ts';
import { fakeDeps, fakeRoutes } from './fake-routes.ts';

const document = openApiDocument(fakeRoutes, 'https://api.example.com', { charged: true });
type Operation = JsonObject & {
  parameters: JsonObject[];
  responses: Record<string, JsonObject & { content: Record<string, { schema: JsonObject }> }>;
};
const operation = (path: string, method: string) => (document.paths[path] as JsonObject)[method] as Operation;

describe('the OpenAPI document', () => {
  it('is valid, allows no undeclared members, and has no dangling references', async () => {
    assert.deepEqual(await openApiFaults(document), []);
  });

  it('has every route except the undocumented ones', () => {
    const expected = fakeRoutes.filter((route) => !route.undocumented).map((route) => `${route.method} ${route.path}`);
    const found = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item as JsonObject).map((method) => `${method.toUpperCase()} ${path}`),
    );
    assert.deepEqual(found.sort(), expected.sort());
  });

  it('has a type, bounds and defaults for every parameter', () => {
    const { parameters } = operation('/v1/clubs', 'get');
    const byName = Object.fromEntries(parameters.map((one) => [one.name, one]));
    assert.deepEqual(byName.limit, {
      name: 'limit',
      in: 'query',
      required: false,
      schema: { type: 'integer', format: 'int64', minimum: 1, maximum: 1000, default: 100 },
    });
    assert.equal((byName.top!.schema as JsonObject).type, 'boolean');
    assert.equal((byName.date!.schema as JsonObject).format, 'date');
    assert.deepEqual(
      [(byName.from!.schema as JsonObject).type, (byName.from!.schema as JsonObject).format],
      ['string', 'day-or-time'],
    );
    assert.deepEqual((byName.status!.schema as JsonObject).enum, ['scheduled', 'live', 'finished']);
    assert.equal(byName.blocks?.explode, false);
    const [q] = operation('/v1/club/search', 'get').parameters;
    assert.equal(q?.required, true);
    const { type, minLength, maxLength } = q!.schema as JsonObject;
    assert.deepEqual([type, minLength, maxLength], ['string', 2, 80]);
    const [id] = operation('/v1/club/{id}', 'get').parameters;
    assert.deepEqual([id?.in, id?.required], ['path', true]);
  });

  it('refers to named schemas', () => {
    const { responses } = operation('/v1/club/{id}', 'get');
    assert.deepEqual(responses['200']?.content['application/json']?.schema, {
      $ref: '#/components/schemas/PartialClub',
    });
    assert.deepEqual(responses['404']?.content['application/problem+json']?.schema, {
      $ref: '#/components/schemas/Problem',
    });
    const schemas = document.components.schemas as Record<string, JsonObject>;
    assert.equal(schemas.PartialClub?.additionalProperties, false);
  });

  it('has cost, keys, problems and deprecation for every operation', () => {
    const get = operation('/v1/club/{id}/image', 'get');
    assert.equal(get['x-cost'], 1);
    assert.deepEqual(get.security, [{ ApiKey: ['read'] }, { ApiKeyInQuery: ['read'] }]);
    assert.deepEqual(operation('/feed/v1/updates', 'post').security, [{ FeedToken: [] }]);
    assert.deepEqual(operation('/v1/card', 'get').security, []);
    assert.equal(operation('/v1/old', 'get').deprecated, true);
    assert.deepEqual(Object.keys(operation('/v1/clubs', 'post').responses).sort(), [
      '201',
      '400',
      '401',
      '403',
      '413',
      '415',
      '422',
      '429',
      '500',
      '503',
    ]);
    assert.ok('304' in get.responses && get.responses['200']?.content['image/png']);
    assert.ok(!('content' in operation('/v1/club/{id}', 'delete').responses['204']!));
  });

  it('documents the quota for routes that charge requests', () => {
    const free = openApiDocument(fakeRoutes, 'https://api.example.com');
    const responsesOf = (one: typeof document) =>
      ((one.paths['/v1/clubs'] as JsonObject).get as JsonObject).responses as Record<string, { headers: JsonObject }>;
    assert.ok('429' in responsesOf(document) && !('429' in responsesOf(free)));
    assert.ok(
      'RateLimit' in responsesOf(document)['200']!.headers && !('RateLimit' in responsesOf(free)['200']!.headers),
    );
  });

  it('is refused if two schemas have the same name', () => {
    const base = fakeRoutes[0] as RouteValue<never>;
    const other = z.strictObject({ other: z.string() }).meta({ id: 'Club' });
    // zod allows an id once per registry. In the document, two schemas with the same id have to be an error.
    assert.throws(() => openApiDocument([base, { ...base, path: '/v1/other', response: other }], ''), /Club/);
  });

  it('has valid recursive schemas wherever they are used', async () => {
    const tree = z
      .strictObject({
        get children() {
          return z.record(z.string(), tree).optional();
        },
        get first() {
          return tree.optional();
        },
      })
      .meta({ id: 'Tree' });
    const base = fakeRoutes[0] as RouteValue<never>;
    const described = z.strictObject({ tree: tree.meta({ description: 'A described one' }) });
    const routes = [tree, described, z.strictObject({ a: z.array(tree), b: tree })].map((response, i) => ({
      ...base,
      path: `/v1/tree/${i}/{id}`,
      response,
    }));
    assert.deepEqual(await openApiFaults(openApiDocument(routes, 'https://x.example')), []);
  });

  it('fails this file’s check if a schema allows undeclared members, or if a reference dangles', async () => {
    const base = fakeRoutes[0] as RouteValue<never>;
    const faultsOf = (response: z.ZodType) =>
      openApiFaults(openApiDocument([{ ...base, response }], 'https://x.example'));
    const open = z.looseObject({ a: z.string() });
    const untyped = z.strictObject({ a: z.unknown() });
    const nested = z.strictObject({
      list: z.array(z.strictObject({ deep: z.record(z.string(), z.unknown()).nullable() })),
    });
    for (const response of [open, untyped, nested]) assert.equal((await faultsOf(response)).length, 1);
    const allowed = z.strictObject({
      extra: open,
      payload: z.record(z.string(), z.unknown()),
      map: z.record(z.string(), z.int()),
    });
    assert.deepEqual(await faultsOf(allowed), []);
    const dangling = structuredClone(document);
    delete (dangling.components.schemas as JsonObject).PartialClub;
    assert.ok((await openApiFaults(dangling)).some((fault) => fault.includes('PartialClub dangles')));
    const invalid = { ...structuredClone(document), openapi: '9' };
    assert.ok((await openApiFaults(invalid)).length > 0);
  });

  it('presents a schema in another form with the same meaning if client generators cannot read it', () => {
    const base = fakeRoutes[0] as RouteValue<never>;
    const response = z.strictObject({
      type: z.union([z.string(), z.number(), z.null()]),
      id: z.int().nullable(),
      state: z.enum(['on', 'off']).nullable(),
      version: z.literal(1),
      done: z.literal(true).optional(),
      free: z.string().nullable().meta({ description: 'A text' }),
    });
    const { paths } = openApiDocument([{ ...base, response }], 'https://x.example');
    const schema = ((paths[base.path] as JsonObject).get as Operation).responses['200']!.content['application/json']!
      .schema;
    const { properties } = schema;
    assert.deepEqual(properties, {
      type: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] },
      id: { type: ['integer', 'null'], format: 'int64' },
      state: { type: ['string', 'null'], enum: ['on', 'off', null] },
      version: { type: 'integer', format: 'int64', const: 1 },
      done: { type: 'boolean' },
      free: { description: 'A text', type: ['string', 'null'] },
    });
  });

  it('puts a member named d last, where openapi-python-client can read it, and keeps the order of the rest', async () => {
    const base = fakeRoutes[0] as RouteValue<never>;
    const response = z.strictObject({
      w: z.int(),
      d: z.int(),
      l: z.int(),
      nested: z.strictObject({ d: z.int(), a: z.int() }),
    });
    const made = openApiDocument([{ ...base, response }], 'https://x.example');
    const { schema } = ((made.paths[base.path] as JsonObject).get as Operation).responses['200']!.content[
      'application/json'
    ]!;
    const properties = schema.properties as Record<string, JsonObject>;
    assert.deepEqual(Object.keys(properties), ['w', 'l', 'nested', 'd']);
    assert.deepEqual(Object.keys(properties.nested!.properties as JsonObject), ['a', 'd']);
    assert.deepEqual(schema['x-required'], ['w', 'd', 'l', 'nested']);
    assert.deepEqual(await openApiFaults(made), []);
  });

  it('has Prefer, the 422 for handling=strict, and the header with ignored parameters in every operation', () => {
    for (const item of Object.values(document.paths))
      for (const one of Object.values(item as Record<string, Operation>)) {
        const name = String(one.operationId);
        assert.ok(
          one.parameters.some(({ $ref }) => $ref === '#/components/parameters/Prefer'),
          name,
        );
        assert.ok('422' in one.responses, name);
        const [success] = Object.values(one.responses);
        assert.ok('X-Ignored-Parameters' in (success!.headers as JsonObject), name);
      }
  });

  it('has the position in requests and replies of the operations that a read replica may answer', () => {
    for (const { path, method, access, scope, isStream, undocumented } of fakeRoutes) {
      if (undocumented || access === 'feed') continue;
      const { parameters, responses } = operation(path, method.toLowerCase());
      const mayBeNamed = parameters.some(({ $ref }) => $ref === '#/components/parameters/Position');
      assert.equal(mayBeNamed, access === 'key' && scope === undefined && !isStream, `${method} ${path}`);
      for (const [status, { headers = {} }] of Object.entries(responses))
        if (status.startsWith('2')) assert.equal('Touchline-Position' in (headers as JsonObject), mayBeNamed, path);
    }
  });

  it('has both media types for a route with CSV, JSON first, with an example for each', () => {
    const base = fakeRoutes[0] as RouteValue<never>;
    const response = z.strictObject({ rows: z.array(z.strictObject({ name: z.string(), points: z.int() })) });
    const route = { ...base, path: '/v1/table', query: z.object({ format }), csv: 'rows', response };
    const example = { request: '/v1/table', response: { rows: [{ name: 'a, b', points: 3 }] } };
    const made = openApiDocument([route], 'https://x.example', { examples: { 'GET /v1/table': example } });
    const { content, headers } = ((made.paths['/v1/table'] as JsonObject).get as Operation).responses['200']!;
    assert.deepEqual(Object.keys(content), ['application/json', 'text/csv']);
    assert.deepEqual(content['text/csv'], {
      schema: { type: 'string' },
      examples: { sample: { summary: '/v1/table?format=csv', value: 'name,points\r\n"a, b",3\r\n' } },
    });
    assert.ok('Content-Disposition' in (headers as JsonObject));
    const plain = operation('/v1/club/{id}', 'get').responses['200']!;
    assert.ok(!('text/csv' in plain.content) && !('Content-Disposition' in (plain.headers as JsonObject)));
  });

  it('fails this file’s check if it has schemas that generators cannot read', async () => {
    const faultsWith = async (schema: JsonObject) => {
      const broken = structuredClone(document);
      (broken.components.schemas as JsonObject).Broken = {
        type: 'object',
        additionalProperties: false,
        properties: { a: schema },
      };
      return (await openApiFaults(broken)).map((fault) => fault.replace(/^\S+ /, ''));
    };
    const named = { type: 'object', properties: {}, additionalProperties: false };
    assert.deepEqual(await faultsWith({ type: ['string', 'number'] }), ['has several types']);
    assert.deepEqual(await faultsWith({ type: ['integer', 'null'] }), ['is an integer without a format']);
    assert.deepEqual(await faultsWith({ type: 'boolean', const: true }), ['is a boolean with one value']);
    assert.deepEqual(await faultsWith({ oneOf: [named, named] }), ['is a choice between objects without a name']);
    assert.deepEqual(await faultsWith({ anyOf: [{ type: 'string', format: 'date' }, { type: 'string' }] }), [
      'is a choice between texts',
    ]);
    assert.deepEqual(await faultsWith({ type: ['string', 'null'] }), []);
    const text: JsonObject = { type: 'string' };
    const closed = { type: 'object', additionalProperties: false };
    const overwriting = ['has a member d before others'];
    assert.deepEqual(await faultsWith({ ...closed, properties: { w: text, d: text, l: text } }), overwriting);
    assert.deepEqual(
      await faultsWith({ type: 'object', properties: { d: text }, additionalProperties: text }),
      overwriting,
    );
    assert.deepEqual(await faultsWith({ ...closed, properties: { w: text, d: text } }), []);
    const body = structuredClone(document);
    const post = (body.paths['/v1/clubs'] as JsonObject).post as { requestBody: { content: JsonObject } };
    const [media] = Object.values(post.requestBody.content) as [JsonObject];
    media.schema = { anyOf: [named, { type: 'array', items: { type: 'string' } }] };
    assert.match((await openApiFaults(body)).join(), /is a body that may be an array/);
    const twice = structuredClone(document);
    Object.assign(twice.components.schemas as JsonObject, { PARTIALCLUB: named });
    assert.deepEqual(await openApiFaults(twice), ['two schemas are partialclub']);
    const misnamed = structuredClone(document);
    ((misnamed.paths['/v1/clubs'] as JsonObject).get as JsonObject).operationId = 'getId}';
    assert.deepEqual(await openApiFaults(misnamed), ['operation id getId} is no name']);
  });

  it('has operation ids made from the words and parameters in the path', () => {
    const base = fakeRoutes[0] as RouteValue<never>;
    const path = '/v1/club/{id}/away_games/{game_id}/retry';
    const { paths } = openApiDocument([{ ...base, path }], 'https://x.example');
    assert.equal(((paths[path] as JsonObject).get as JsonObject).operationId, 'getClubAwayGamesRetryByIdAndGameId');
  });

  describe('the served document', () => {
    let db: TestDatabase;
    let app: TestApp;
    before(async () => {
      db = await createTestDatabase();
      app = await startApp(fakeRoutes, fakeDeps(db.pool));
    });
    after(async () => {
      await app.close();
      await db.drop();
    });

    it('needs no key, and has an entity tag and the public address', async () => {
      const { status, headers, json } = await app.ask<JsonObject>('/v1/openapi.json', { key: null });
      assert.equal(status, 200);
      assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
      assert.deepEqual(json.servers, [{ url: app.url }]);
      assert.ok('/v1/openapi.json' in (json.paths as JsonObject) && '/docs' in (json.paths as JsonObject));
      const again = await app.ask('/v1/openapi.json', {
        key: null,
        headers: { 'If-None-Match': headers.get('etag')! },
      });
      assert.equal(again.status, 304);
    });

    it('has only the operations with the chosen tags, with all that they use', async () => {
      const part = (tags: string) => app.ask<OpenApiDocument>(`/v1/openapi.json?tags=${tags}`, { key: null });
      const { json: whole } = await app.ask<OpenApiDocument>('/v1/openapi.json', { key: null });
      const listTags = (document: OpenApiDocument) =>
        Object.values(document.paths).flatMap((item) =>
          Object.values(item as JsonObject).map((one) => (one as Operation).tags),
        );
      const tags = [...new Set(listTags(whole).flat() as string[])];
      assert.ok(tags.length > 1);
      for (const tag of tags) {
        const { status, json, headers } = await part(encodeURIComponent(tag.toUpperCase()));
        assert.deepEqual([status, headers.get('content-type')], [200, 'application/json; charset=utf-8']);
        assert.deepEqual(new Set(listTags(json).flat()), new Set([tag]));
        assert.deepEqual(await openApiFaults(json), []);
        assert.deepEqual([json.info, json.servers], [whole.info, whole.servers]);
        for (const [path, item] of Object.entries(json.paths)) {
          for (const [method, operation] of Object.entries(item as JsonObject))
            assert.deepEqual(operation, (whole.paths[path] as JsonObject)[method]);
        }
      }
      const { json: all } = await part(tags.map(encodeURIComponent).join(','));
      assert.deepEqual(all.paths, whole.paths);
      const schemes = async (tag: string) =>
        Object.keys((await part(tag)).json.components.securitySchemes as JsonObject);
      assert.deepEqual(await schemes('feed'), ['FeedToken']);
      assert.deepEqual(await schemes('service'), []);
    });

    it('refuses tags that it does not have, and names the tags that it has', async () => {
      const ask = (tags: string) =>
        app.ask<{ errors: { parameter: string; detail: string }[] }>(`/v1/openapi.json?tags=${tags}`, { key: null });
      for (const tags of ['Clubs%20and%20pubs', '', 'service,', 'x'.repeat(41), '%2Fcomponents', '__proto__']) {
        const { status, json } = await ask(tags);
        assert.deepEqual([status, json.errors[0]?.parameter.slice(0, 4)], [422, 'tags'], tags);
      }
      assert.match((await ask('fake,unknown')).json.errors[0]!.detail, /\bService\b/);
    });

    it('is listed next to the AsyncAPI document', async () => {
      const { json } = await app.ask<JsonObject>('/v1/openapi.json', { key: null });
      assert.ok('/v1/asyncapi.json' in (json.paths as JsonObject));
      const { status, headers, json: document } = await app.ask<JsonObject>('/v1/asyncapi.json', { key: null });
      assert.deepEqual([status, headers.get('content-type')], [200, 'application/json; charset=utf-8']);
      assert.equal(document.asyncapi, '3.0.0');
      assert.equal(((document.servers as JsonObject).http as JsonObject).host, new URL(app.url).host);
      const odd = 'GET /v1/asyncapi.json HTTP/1.1\r\nHost: 127.0.0.1:99999\r\nConnection: close\r\n\r\n';
      assert.match(await app.raw(odd), /^HTTP\/1\.1 200 /);
    });
  });
});
