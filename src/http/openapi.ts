/** The OpenAPI 3.1 document, derived from the routes, so that it cannot differ from what is served. */
import { z } from 'zod';
import { VERSION } from '../runtime/version.ts';
import { PROBLEMS, type ProblemCode } from './errors.ts';
import { memberSchemas } from './input.ts';
import { MAX_INTEGER } from './query.ts';
import type { RouteValue } from './route.ts';

export type Json = null | boolean | number | string | Json[] | { [member: string]: Json };
export type JsonObject = { [member: string]: Json };

export interface OpenApiDocument extends JsonObject {
  openapi: string;
  paths: JsonObject;
  components: JsonObject;
}

export type AnyRoute = Omit<RouteValue<never>, 'handler'>;

const problem = z
  .strictObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string(),
    code: z.enum(Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]]),
    request_id: z.string(),
    errors: z.array(z.strictObject({ parameter: z.string(), code: z.string(), detail: z.string() })).optional(),
    /** Of cursor_expired. */
    oldest_cursor: z.int().optional(),
    sync: z.string().optional(),
  })
  .meta({ id: 'Problem' });

const AUTOMATIC = '#/$defs/__schema';

/**
 * Inlines the parts of recursive schemas that zod has numbered (`__schema0`): the numbers differ from one use of a
 * schema to the next.
 */
function inline(value: Json, defs: JsonObject, within: readonly string[] = []): Json {
  if (Array.isArray(value)) return value.map((item) => inline(item, defs, within));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref } = value;
  if (typeof $ref === 'string' && $ref.startsWith(AUTOMATIC)) {
    if (within.includes($ref)) throw new TypeError('a schema that refers to itself needs an id: .meta({ id })');
    return inline(defs[$ref.slice('#/$defs/'.length)]!, defs, [...within, $ref]);
  }
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inline(member, defs, within)]));
}

/** Named schemas, collected from the `$defs` that zod writes for those with an id. */
class Components {
  readonly schemas: JsonObject = {};

  /** The schema with references to components in place of `$defs`. */
  add(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
    const written = JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io, target: 'draft-2020-12' }))) as JsonObject;
    const { $schema: _, $defs = {}, ...root } = written;
    const defs = $defs as JsonObject;
    for (const [name, definition] of Object.entries(defs)) {
      if (!name.startsWith('__')) this.#register(name, this.#move(definition, defs));
    }
    return this.#move(root, defs);
  }

  #move(schema: Json, defs: JsonObject): JsonObject {
    const text = JSON.stringify(inline(schema, defs))
      .replaceAll('"#/$defs/', '"#/components/schemas/')
      // Every integer in JSON is within these bounds; repeated everywhere they would hide the meaningful ones.
      .replaceAll(`,"minimum":-${MAX_INTEGER},"maximum":${MAX_INTEGER}`, '');
    return JSON.parse(text) as JsonObject;
  }

  #register(name: string, { id: _, ...body }: JsonObject): void {
    const known = this.schemas[name];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(body)) {
      throw new TypeError(`two different schemas have the id ${name}`);
    }
    this.schemas[name] = body;
  }
}

function parameters(route: AnyRoute, components: Components): Json[] {
  const list = (schema: z.ZodType | undefined, location: 'path' | 'query') =>
    Object.entries(schema === undefined ? {} : memberSchemas(schema)).map(([name, member]): JsonObject => {
      const { description, ...body } = components.add(member, 'output');
      return {
        name,
        in: location,
        required: location === 'path' || !member.safeParse(undefined).success,
        ...(description !== undefined && { description }),
        schema: body,
        // `a,b,c`, not `name=a&name=b`.
        ...(body.type === 'array' && { style: 'form', explode: false }),
      };
    });
  const undeclared = [...route.path.matchAll(/\{(\w+)\}/g)]
    .map(([, name]) => name!)
    .filter((name) => route.params === undefined || !(name in memberSchemas(route.params)))
    .map((name): JsonObject => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
  return [...list(route.params, 'path'), ...undeclared, ...list(route.query, 'query')];
}

/** Problems that the kit itself answers for such a route. */
function problemCodes(route: AnyRoute): ProblemCode[] {
  const codes: ProblemCode[] = ['bad_request', 'internal', 'unavailable'];
  if (route.access === 'key')
    codes.push('key_missing', 'key_invalid', 'key_expired', 'key_revoked', 'rate_limited', 'quota_exceeded');
  if (route.access === 'key') codes.push(route.publishable === true ? 'origin_not_allowed' : 'key_not_permitted');
  if (route.access === 'feed') codes.push('key_missing', 'key_invalid');
  if (route.params !== undefined || route.query !== undefined || route.body !== undefined)
    codes.push('invalid_parameter');
  if (route.path.includes('{')) codes.push('not_found');
  if (route.body !== undefined || route.rawBody !== undefined)
    codes.push('payload_too_large', 'unsupported_media_type');
  return [...new Set([...codes, ...(route.errors ?? [])])];
}

const ref = (section: string, name: string): JsonObject => ({ $ref: `#/components/${section}/${name}` });
const headersOf = (...names: string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, ref('headers', name)]));

function problemResponses(route: AnyRoute): JsonObject {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of problemCodes(route)) {
    const { status } = PROBLEMS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join(' '),
        headers: headersOf('X-Request-Id', ...(status === 429 || status === 503 ? ['Retry-After'] : [])),
        content: { 'application/problem+json': { schema: ref('schemas', 'Problem') } },
      },
    ]),
  );
}

function responses(route: AnyRoute, components: Components): JsonObject {
  const status = String(route.status ?? 200);
  const reads = route.method === 'GET';
  const { response } = route;
  const content: JsonObject =
    'contentType' in response
      ? { [response.contentType.split(';')[0]!]: {} }
      : { 'application/json': { schema: components.add(response, 'output') } };
  const counted = route.access === 'key' ? ['RateLimit', 'RateLimit-Policy'] : [];
  return {
    [status]: {
      description: route.responseDescription ?? route.summary,
      headers: headersOf('X-Request-Id', ...(reads ? ['ETag', 'Cache-Control'] : []), ...counted),
      ...(status !== '204' && { content }),
    },
    ...(reads && {
      304: { description: 'Not modified: the entity tag in If-None-Match is current.', headers: headersOf('ETag') },
    }),
    ...problemResponses(route),
  };
}

function security(route: AnyRoute): Json[] {
  if (route.access === 'feed') return [{ FeedToken: [] }];
  if (route.access !== 'key') return [];
  return [
    { ApiKey: [] },
    ...(route.keyInQuery === true ? [{ ApiKeyInQuery: [] }] : []),
    ...(route.session === true ? [{ Session: [] }] : []),
  ];
}

function requestBody(route: AnyRoute, components: Components): JsonObject | undefined {
  if (route.rawBody !== undefined) {
    const schema: JsonObject = route.body === undefined ? {} : { schema: components.add(route.body, 'input') };
    return { required: true, content: Object.fromEntries(route.rawBody.map((type) => [type, schema])) };
  }
  if (route.body === undefined) return undefined;
  return { required: true, content: { 'application/json': { schema: components.add(route.body, 'input') } } };
}

/** `GET /v1/event/{id}/odds/history` → `getEventOddsHistoryById`. */
function operationId({ method, path }: AnyRoute): string {
  const words = path.split(/[^A-Za-z0-9{}]+/).filter((word) => word !== '' && word !== 'v1');
  const camel = (word: string) => word[0]!.toUpperCase() + word.slice(1);
  const names = words.filter((word) => !word.startsWith('{')).map(camel);
  const keys = words.filter((word) => word.startsWith('{')).map((word) => camel(word.slice(1, -1)));
  return `${method.toLowerCase()}${names.join('')}${keys.length === 0 ? '' : `By${keys.join('And')}`}`;
}

function operation(route: AnyRoute, components: Components): JsonObject {
  const body = requestBody(route, components);
  return {
    operationId: operationId(route),
    summary: route.summary,
    ...(route.description !== undefined && { description: route.description }),
    tags: [route.tag],
    security: security(route),
    'x-cost': route.cost,
    ...(route.deprecation !== undefined && {
      deprecated: true,
      'x-sunset': route.deprecation.sunset.toISOString(),
    }),
    parameters: parameters(route, components),
    ...(body !== undefined && { requestBody: body }),
    responses: responses(route, components),
  };
}

const header = (description: string, type: 'string' | 'integer' = 'string'): JsonObject => ({
  description,
  schema: { type },
});
const HEADERS: JsonObject = {
  'X-Request-Id': header('Identifies this request in the logs; a well-formed one sent by the client is used.'),
  ETag: header('Weak entity tag of the body, for If-None-Match.'),
  'Cache-Control': header('private, with the seconds for which the body may be cached.'),
  'Retry-After': header('Seconds to wait before the next attempt.', 'integer'),
  RateLimit: header('The remaining quota of each window of the plan.'),
  'RateLimit-Policy': header('The windows of the plan with their quotas.'),
};
const SECURITY_SCHEMES: JsonObject = {
  ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
  ApiKeyInQuery: { type: 'apiKey', in: 'query', name: 'key', description: 'For clients that cannot set headers.' },
  FeedToken: { type: 'http', scheme: 'bearer', description: 'The token of providers of updates.' },
  Session: { type: 'apiKey', in: 'cookie', name: 'touchline_session', description: 'Set by the service’s own pages.' },
};

function describe(): string {
  const rows = Object.entries(PROBLEMS).map(([code, { status, title }]) => `| ${status} | \`${code}\` | ${title} |`);
  return [
    'Sports data: schedules, live scores, match detail, tables, search, and a stream of events. All times are UTC.',
    'Errors are `application/problem+json` (RFC 9457) with a stable `code`:',
    ['| Status | Code | Meaning |', '|---|---|---|', ...rows].join('\n'),
  ].join('\n\n');
}

/** @param baseUrl the public address, without a trailing slash. */
export function openApiDocument(routes: readonly AnyRoute[], baseUrl: string): OpenApiDocument {
  const components = new Components();
  components.add(problem, 'output');
  const paths: JsonObject = {};
  for (const route of routes) {
    if (route.undocumented === true) continue;
    const item = (paths[route.path] ?? {}) as JsonObject;
    item[route.method.toLowerCase()] = operation(route, components);
    paths[route.path] = item;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Touchline',
      version: VERSION,
      description: describe(),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    paths,
    components: { schemas: components.schemas, headers: HEADERS, securitySchemes: SECURITY_SCHEMES },
  };
}

const MAX_AGE_SECONDS = 3_600;
/** Documents differ only by their address. */
const MAX_CACHED_DOCUMENTS = 10;

/** @param routes all other routes, in the order in which they are documented. */
export function openApiRoute(routes: readonly AnyRoute[]): RouteValue<unknown> {
  const documents = new Map<string, string>();
  const self: RouteValue<unknown> = {
    method: 'GET',
    path: '/v1/openapi.json',
    summary: 'This document',
    tag: 'Service',
    access: 'public',
    cost: 0,
    cache: { maxAge: MAX_AGE_SECONDS },
    response: { contentType: 'application/json; charset=utf-8' },
    handler: ({ baseUrl }) => {
      let document = documents.get(baseUrl);
      if (document === undefined) {
        document = JSON.stringify(openApiDocument([...routes, self], baseUrl));
        if (documents.size >= MAX_CACHED_DOCUMENTS) documents.clear();
        documents.set(baseUrl, document);
      }
      return { body: document };
    },
  };
  return self;
}
