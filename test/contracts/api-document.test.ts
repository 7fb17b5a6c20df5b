import assert from 'node:assert/strict';
import { type IncomingHttpHeaders, request as open } from 'node:http';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { allRoutes } from '../../src/all-roles.ts';
import { readUpdate } from '../../src/feed/validation.ts';
import { securityHeaders } from '../../src/http/headers.ts';
import { hasEntityTag } from '../../src/http/openapi-headers.ts';
import type { Json, JsonObject } from '../../src/http/openapi-schemas.ts';
import type { AnyRoute } from '../../src/http/route.ts';
import { BLOCK_SPORTS } from '../../src/wire/match.ts';
import { type ClickHouseServer, startClickHouseServer } from '../support/clickhouse-server.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { isShown } from '../support/examples.ts';
import { fromSchema } from '../support/from-schema.ts';
import { LONG_FORMS } from '../support/long-forms.ts';
import { type SampleService, startSampleService } from '../support/sample-service.ts';

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}
type Parameter = JsonObject & { name: string; in: string; required?: boolean; schema: JsonObject };

/** Headers that the document leaves out, because they belong to HTTP or are in every response. */
const GENERAL = new Set([
  ...['date', 'connection', 'keep-alive', 'transfer-encoding', 'content-type', 'content-length', 'content-encoding'],
  ...[...securityHeaders(false).page, ...securityHeaders(false).data].map(([name]) => name.toLowerCase()),
]);

const documentedRoutes = allRoutes.filter(({ undocumented }) => undocumented !== true);
const nameOf = ({ method, path }: AnyRoute) => `${method} ${path}`;

describe('the API document and the service', function () {
  this.timeout(120_000);
  let db: TestDatabase;
  let clickhouse: ClickHouseServer;
  let service: SampleService;
  let document: JsonObject;
  let ajv: Ajv2020;
  before(async () => {
    db = await createTestDatabase();
    clickhouse = await startClickHouseServer();
    service = await startSampleService({ DATABASE_URL: db.url, CLICKHOUSE_URL: clickhouse.url });
    document = (await (await fetch(`${service.url}/v1/openapi.json`)).json()) as JsonObject;
    ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(document, 'document');
  });
  after(async () => {
    await service?.stop();
    await clickhouse?.stop();
    await db?.drop();
  });

  const operationOf = ({ method, path }: AnyRoute) =>
    (document.paths as Record<string, JsonObject>)[path]![method.toLowerCase()] as JsonObject & {
      parameters: Parameter[];
      requestBody?: { content: JsonObject };
      responses: Record<string, JsonObject & { headers: JsonObject; content?: JsonObject }>;
    };
  const resolve = (value: Json): JsonObject =>
    typeof (value as JsonObject).$ref === 'string'
      ? (String((value as JsonObject).$ref)
          .slice(2)
          .split('/')
          .reduce<Json>((at, step) => (at as JsonObject)[step]!, document as Json) as JsonObject)
      : (value as JsonObject);
  /** Compiles one of the document's schemas. References are relative to the document. */
  const validator = (schema: JsonObject): ValidateFunction =>
    ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components')));

  /** Sends a request. If the reply is a stream, reads only its head. */
  function ask(route: AnyRoute, target: string, headers: Record<string, string> = {}, body?: string): Promise<Answer> {
    const credentials = service.credentialsOf(route);
    return new Promise((resolve, reject) => {
      const request = open(
        service.url + target,
        { method: route.method, headers: { ...credentials, ...headers }, agent: false },
        (response) => {
          let text = '';
          const answer = () => resolve({ status: response.statusCode!, headers: response.headers, text });
          if (route.isStream && response.statusCode === 200) {
            answer();
            request.destroy();
            return;
          }
          response.setEncoding('utf8').on('data', (chunk: string) => {
            text += chunk;
          });
          response.on('end', answer);
        },
      );
      request.on('error', reject);
      request.end(body);
    });
  }

  describe('examples', () => {
    it('every route that returns JSON or events has an example reply and an example body', () => {
      for (const route of documentedRoutes.filter(isShown)) {
        const { responses, requestBody } = operationOf(route);
        const [success] = Object.values(responses);
        for (const [type, media] of Object.entries(success?.content ?? {}))
          assert.ok((media as JsonObject).examples, `${nameOf(route)} ${type}: run \`make generated\``);
        const shown = Object.values(requestBody?.content ?? {}).filter((media) => (media as JsonObject).examples);
        assert.equal(shown.length > 0, requestBody !== undefined, nameOf(route));
      }
    });

    it('every example conforms to the schema for which it is given', () => {
      let count = 0;
      const check = (where: string, media: JsonObject) => {
        if (media.schema === undefined) return;
        const validate = validator(media.schema as JsonObject);
        for (const [name, example] of Object.entries((media.examples ?? {}) as JsonObject)) {
          assert.ok(validate(resolve(example).value), `${where} ${name}: ${ajv.errorsText(validate.errors)}`);
          count += 1;
        }
      };
      for (const route of documentedRoutes) {
        const { responses, requestBody, parameters } = operationOf(route);
        for (const [status, { content = {} }] of Object.entries(responses))
          for (const media of Object.values(content)) check(`${nameOf(route)} ${status}`, media as JsonObject);
        for (const media of Object.values(requestBody?.content ?? {})) check(nameOf(route), media as JsonObject);
        for (const { example, schema, name } of parameters.map((one) => resolve(one) as Parameter))
          if (example !== undefined) assert.ok(validator(schema)(example), `${nameOf(route)} ${name}`);
      }
      assert.ok(count > 200, `${count} examples`);
    });

    it('the service’s reply to each example conforms to the schema', async () => {
      for (const route of documentedRoutes.filter((one) => isShown(one) && one.method === 'GET' && !one.isStream)) {
        // Skips the feed, since its example needs a match that a different example sends.
        if (route.access === 'feed') continue;
        const { status, text } = await ask(route, service.targetOf(route));
        assert.equal(status, 200, nameOf(route));
        const { schema } = operationOf(route).responses[200]!.content!['application/json'] as JsonObject;
        const validate = validator(schema as JsonObject);
        assert.ok(validate(JSON.parse(text)), `${nameOf(route)}: ${ajv.errorsText(validate.errors)}`);
      }
    });
  });

  const withPair = (target: string, pair: string) => `${target}${target.includes('?') ? '&' : '?'}${pair}`;

  describe('headers', () => {
    /** Checks that all required headers are sent, and that all sent headers are documented. */
    function check(route: AnyRoute, { status, headers }: Answer): void {
      const where = `${nameOf(route)} ${status}`;
      const response = operationOf(route).responses[status];
      assert.ok(response, `${where} is not documented`);
      const documented = Object.entries(response.headers).map(
        ([name, header]) => [name.toLowerCase(), resolve(header)] as const,
      );
      for (const [name, { required }] of documented)
        if (required === true) assert.ok(headers[name] !== undefined, `${where} is sent without ${name}`);
      // The document does not require these headers, because an account without limits and a visitor to our pages do not get them.
      for (const name of ['ratelimit', 'ratelimit-policy'])
        if ((route.access === 'key' || route.access === 'account') && status !== 401)
          assert.match(
            String(headers[name] ?? ''),
            /^"burst";[qr]=\d+;[wt]=\d+, "day";[qr]=\d+;[wt]=\d+$/,
            `${where}: ${name} ${headers[name]}`,
          );
      const names = new Set(documented.map(([name]) => name));
      const extra = Object.keys(headers).filter((name) => !GENERAL.has(name) && !names.has(name));
      assert.deepEqual(extra, [], `${where} is sent with what the document does not have`);
    }

    it('each route’s reply has exactly the documented headers, with 200, 304, 401, 404 and 422', async () => {
      const seen = new Set<number>();
      const tell = (route: AnyRoute, answer: Answer, expected: number) => {
        assert.equal(answer.status, expected, `${nameOf(route)}: ${answer.text}`);
        check(route, answer);
        seen.add(expected);
      };
      for (const route of documentedRoutes.filter(({ method, access }) => method === 'GET' && access !== 'feed')) {
        const target = service.targetOf(route);
        if (route.upgrade !== undefined) {
          tell(route, await ask(route, target), 400);
          continue;
        }
        const first = await ask(route, target);
        tell(route, first, 200);
        if (hasEntityTag(route)) tell(route, await ask(route, target, { 'if-none-match': first.headers.etag! }), 304);
        if (route.access !== 'key') continue;
        tell(route, await ask(route, target, { 'x-api-key': 'no-key' }), 401);
        tell(route, await ask(route, withPair(target, 'no=1')), 200);
        tell(route, await ask(route, withPair(target, 'no=1'), { prefer: 'handling=strict' }), 422);
        if (route.path.includes('{id}')) tell(route, await ask(route, target.replace(/\/\d+/, '/9999999')), 404);
      }
      assert.deepEqual([...seen].sort(), [200, 304, 400, 401, 404, 422]);
    });

    it('a route with CSV has exactly the documented headers and media type, with 200, 304 and 422', async () => {
      const routes = documentedRoutes.filter(({ csv }) => csv !== undefined);
      assert.ok(routes.length >= 6);
      for (const route of routes) {
        const target = withPair(service.targetOf(route), 'format=csv');
        const answer = await ask(route, target);
        assert.equal(answer.status, 200, answer.text);
        check(route, answer);
        const [type = ''] = String(answer.headers['content-type']).split(';');
        assert.ok(type in operationOf(route).responses[200]!.content!, `${nameOf(route)}: ${type}`);
        const unchanged = await ask(route, target, { 'if-none-match': answer.headers.etag! });
        assert.equal(unchanged.status, 304);
        check(route, unchanged);
        const refused = await ask(route, withPair(target, 'no=1'), { prefer: 'handling=strict' });
        assert.equal(refused.status, 422);
        check(route, refused);
      }
    });

    it('the feed’s replies have the documented headers', async () => {
      const route = documentedRoutes.find(({ path }) => path === '/feed/v1/updates')!;
      const json = { 'content-type': 'application/json' };
      for (const [status, headers, body] of [
        [200, json, '[]'],
        [400, json, '['],
        [401, { ...json, authorization: 'Bearer wrong' }, '[]'],
        [413, json, JSON.stringify({ text: 'x'.repeat(1_100_000) })],
        [415, { 'content-type': 'text/plain' }, '[]'],
        [422, json, '{}'],
      ] as const) {
        const answer = await ask(route, route.path, headers, body);
        assert.equal(answer.status, status, answer.text);
        check(route, answer);
      }
    });
  });

  describe('parameters', () => {
    const asked = documentedRoutes.filter(
      ({ method, params, query, upgrade }) =>
        method === 'GET' && upgrade === undefined && (params ?? query) !== undefined,
    );
    /** Parameters with a cursor, which cannot be generated from its schema. */
    const OPAQUE: Record<string, string> = {
      '/v1/sync': 'cursor',
      '/v1/event/{id}/odds/history': 'cursor',
      '/v1/events': 'after',
      '/v1/account/webhooks/{id}/deliveries': 'cursor',
    };
    const isOpaque = ({ path }: AnyRoute, name: string) => OPAQUE[path] === name;
    const parametersOf = (route: AnyRoute) =>
      operationOf(route).parameters.filter((one) => one.in === 'query' || one.in === 'path');

    function targetWith(route: AnyRoute, values: Readonly<Record<string, Json>>): string {
      const [placed, query] = [true, false].map((isPlaced) =>
        Object.entries(values).filter(([name]) => route.path.includes(`{${name}}`) === isPlaced),
      ) as [[string, Json][], [string, Json][]];
      const filled = placed.reduce(
        (text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(String(value))),
        route.path,
      );
      const path = service.targetOf({ path: filled }, {});
      const pairs = query.map(
        ([name, value]) => `${name}=${encodeURIComponent(Array.isArray(value) ? value.join(',') : String(value))}`,
      );
      return `${path}?${pairs.join('&')}`;
    }

    it('values that the document allows are never refused', async () => {
      for (const route of asked) {
        const parameters = parametersOf(route).filter(({ name }) => !isOpaque(route, name));
        const values = fc.record(
          Object.fromEntries(parameters.map(({ name, schema }) => [name, fromSchema(schema, document)])),
          { requiredKeys: parameters.filter(({ required }) => required === true).map(({ name }) => name) },
        );
        await fc.assert(
          fc.asyncProperty(values, async (given) => {
            // The document says in words that `from` is before `to`, that fixtures are for either a tournament or a team, that a
            // table is that of a day or of a round, that a list with blocks has at most 100 matches and is no CSV, and that tags
            // are those in the document.
            const { from, to, blocks, limit, format } = given as { from?: string; to?: string } & Record<
              string,
              unknown
            >;
            fc.pre(blocks === undefined || route.isWhole || (!(Number(limit) > 100) && format !== 'csv'));
            fc.pre(from === undefined || to === undefined || Date.parse(from) < Date.parse(to));
            fc.pre(route.path !== '/widget/fixtures' || 'tournament' in given !== 'team' in given);
            fc.pre(!('round' in given && 'date' in given && route.path.endsWith('/standings')));
            fc.pre(route.path !== '/v1/openapi.json' || !('tags' in given));
            const target = targetWith(route, given as Record<string, Json>);
            const { status, text } = await ask(route, target);
            assert.ok([200, 404, 410, 429].includes(status), `${status} ${target} ${text}`);
          }),
          { numRuns: LONG_FORMS ? 25 : 10 },
        );
      }
    });

    /** Returns values that a schema just excludes, as text. */
    function outside(schema: JsonObject): string[] {
      const { type, minimum, maximum, minLength, maxLength, minItems, maxItems } = schema as Record<string, Json>;
      const items = schema.items as JsonObject;
      if (schema.format === 'day-or-time')
        return ['', '2024-05', '2024-02-30', '2024-05-19T15:00:00', '0000-01-01', 'now'];
      if (schema.format === 'condition') return ['nonsense', 'data.match.minutes>=1', 'data.match.minute>=late'];
      if (schema.format === 'time-zone') return ['', '+03:00', 'UTC+3', 'Z', 'Mars/Olympus', 'Europe/Kyiv ', 'Europe'];
      if (schema.enum !== undefined) return ['', 'nonsense', `${(schema.enum as string[])[0]} x`];
      switch (type) {
        case 'integer':
          return [
            '',
            'x',
            '1.5',
            '1e3',
            '+1',
            '01',
            String(Number(minimum) - 1),
            String(BigInt(Number(maximum)) + 1n),
            '\0',
          ];
        case 'boolean':
          return ['', 'yes', '2', 'TRUE'];
        case 'array':
          return [
            ...(minItems === undefined ? [] : ['', ',']),
            ...outside(items).map((one) => `${one},${one}`),
            ...(isCountedOnce(schema) ? [] : [tooMany(items, Number(maxItems))]),
          ];
        default:
          if (schema.format === 'date') return ['', '2024-5-1', '2024-02-30', '0000-01-01', '2024-05-19T00:00:00Z'];
          if (maxLength === undefined) return [];
          return ['', ' ', 'x'.repeat(Number(minLength) - 1), 'x'.repeat(Number(maxLength) + 1), `abcdefgh\0`];
      }
    }
    /** Returns more values than a list may have. */
    const tooMany = (items: JsonObject, max: number) =>
      Array.from({ length: max + 1 }, (_, index) => (items.enum as string[] | undefined)?.[0] ?? index + 1).join();
    /** `blocks` counts repeated values only once, so a request cannot have too many. */
    const isCountedOnce = ({ maxItems }: JsonObject) => Number(maxItems) === 100;

    it('values just outside the documented range are refused by parameter name', async () => {
      let count = 0;
      for (const route of asked) {
        const required = Object.fromEntries(
          parametersOf(route)
            .filter((one) => one.required === true && one.in === 'query')
            .map(({ name, example }) => [name, example!]),
        );
        for (const { name, schema } of parametersOf(route)) {
          for (const value of isOpaque(route, name) ? ['x', 'eyJ.x'] : outside(schema)) {
            if (name === 'id' && value === '') continue;
            const target = targetWith(route, { ...required, [name]: value });
            const { status, text } = await ask(route, target);
            // A path with a NUL character is not a valid path.
            const expected = name === 'id' && value === '\0' ? 400 : 422;
            assert.equal(status, expected, `${target} ${text}`);
            if (status === 422 && !isOpaque(route, name) && route.problemPage === undefined)
              assert.deepEqual(
                [...new Set(JSON.parse(text).errors.map((error: { parameter: string }) => error.parameter))],
                [name],
                target,
              );
            count += 1;
          }
          if (route.path.includes(`{${name}}`)) continue;
          const twice = `${targetWith(route, required)}&${name}=1&${name}=1`;
          assert.equal((await ask(route, twice)).status, 422, twice);
        }
      }
      assert.ok(count > 200, `${count} values`);
    });

    it('rules that stand only in the descriptions are enforced', async () => {
      const events = asked.find(({ path }) => path === '/v1/events')!;
      const refused = async (target: string) =>
        JSON.parse((await ask(events, target)).text).errors as { code: string }[];
      assert.equal((await refused('/v1/events?from=2024-05-02&to=2024-05-01'))[0]?.code, 'invalid_range');
      assert.equal((await refused('/v1/events?from=2024-05-01&to=2024-05-01'))[0]?.code, 'invalid_range');
      assert.equal((await ask(events, '/v1/events?from=2024-05-01T00:00:00Z&to=2024-05-02')).status, 200);
      assert.equal((await ask(events, '/v1/events?no=1')).status, 200);
      const card = asked.find(({ path }) => path === '/v1/event/{id}')!;
      const { errors } = JSON.parse((await ask(card, service.targetOf(card, { blocks: 'coaches,nope' }))).text);
      assert.deepEqual([errors[0].parameter, errors[0].code], ['blocks', 'invalid_value']);
      assert.match(errors[0].detail, /must be one of incidents, /);
      assert.match(
        String(operationOf(events).description),
        /`from` and `updated_since` are inclusive, `to` is exclusive/,
      );
    });
  });

  describe('the feed’s body', () => {
    let schema: JsonObject;
    let validate: ValidateFunction;
    before(() => {
      schema = (document.components as { schemas: JsonObject }).schemas.FeedUpdate as JsonObject;
      validate = validator({ $ref: '#/components/schemas/FeedUpdate' });
    });

    /**
     * Applies rules that the document states only in words: some blocks, and the state of an innings, exist only in some sports, only players have
     * squads, and the periods of former names do not overlap.
     */
    const asDescribed = (value: Json): Json => {
      const { match, participant } = value as { match?: JsonObject; participant?: JsonObject };
      delete participant?.former_names;
      delete participant?.squads;
      for (const [block, sports] of Object.entries(BLOCK_SPORTS))
        if (match !== undefined && !sports.includes(String(match.sport))) delete match[block];
      if (match !== undefined && match.sport !== 'cricket')
        for (const period of (match.period_scores ?? []) as JsonObject[]) delete period.innings;
      return value;
    };
    const update = () => fromSchema(schema, document).map(asDescribed);

    it('an update that the document allows is never refused', () => {
      fc.assert(
        fc.property(update(), (value) => {
          assert.ok(validate(value), ajv.errorsText(validate.errors));
          assert.deepEqual(readUpdate(structuredClone(value)).faults, null);
        }),
        { numRuns: LONG_FORMS ? 300 : 100 },
      );
    });

    const OTHER: Json[] = [
      null,
      true,
      '',
      ' ',
      'x',
      'x'.repeat(60),
      'é'.repeat(300),
      -1,
      0,
      1.5,
      40_000,
      2_000_000,
      [],
      {},
      [1],
      { no: 1 },
    ];
    OTHER.push('javascript:alert(1)', 'http://user:secret@example.com/', '2024-02-30', '2024-05-19T25:00:00Z');
    const slots = (value: Json): [JsonObject | Json[], string][] =>
      typeof value !== 'object' || value === null
        ? []
        : Object.entries(value).flatMap(([name, member]) => [[value, name] as [JsonObject, string], ...slots(member)]);

    it('document and service agree on an update in which one value was changed, removed or added', () => {
      const verdicts = { allowed: 0, refused: 0 };
      fc.assert(
        fc.property(update(), fc.nat(), fc.nat(OTHER.length + 1), (original, place, what) => {
          const value = structuredClone(original);
          const all = slots(value);
          const [owner, name] = all[place % all.length]!;
          const list = owner as Record<string, Json>;
          if (what < OTHER.length) list[name] = structuredClone(OTHER[what]!);
          else if (Array.isArray(owner)) owner.pop();
          else if (what === OTHER.length) delete list[name];
          else list.unheard_of = 1;
          // Keeps the sport, since the document states rules for other sports only in words.
          fc.pre(name !== 'sport');
          const isAllowed = validate(value);
          assert.equal(
            readUpdate(structuredClone(value)).faults === null,
            isAllowed,
            `${name}: ${JSON.stringify(value)} ${ajv.errorsText(validate.errors)}`,
          );
          verdicts[isAllowed ? 'allowed' : 'refused'] += 1;
        }),
        { numRuns: LONG_FORMS ? 2_000 : 800 },
      );
      assert.ok(verdicts.allowed > 100 && verdicts.refused > 100, JSON.stringify(verdicts));
    });
  });
});
