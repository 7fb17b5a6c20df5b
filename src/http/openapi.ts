/** The OpenAPI 3.1 document. It is derived from the routes, so it cannot contradict them. */
import { z } from 'zod';
import { VERSION } from '../runtime/version.ts';
import { neededScope } from './auth.ts';
import type { Channel } from './channel.ts';
import { type CsvWriter, csvWriter } from './csv.ts';
import { documentRoute } from './document-route.ts';
import { PROBLEMS } from './errors.ts';
import { documentedResponse, fieldsParam } from './fields.ts';
import { memberSchemas } from './input.ts';
import { hasEntityTag, REQUEST_HEADERS, RESPONSE_HEADERS, requestHeaders, responseHeaders } from './openapi-headers.ts';
import { documentPart } from './openapi-part.ts';
import { problem, problemExamples, problemResponses } from './openapi-problems.ts';
import { Components, type Json, type JsonObject, type OpenApiDocument } from './openapi-schemas.ts';
import { webhooks } from './openapi-webhooks.ts';
import { commaList, text } from './query.ts';
import { type AnyRoute, type RouteValue, routeFor } from './route.ts';

/** A request to a route and its reply, both from a run on the sample catalogue. */
export interface Example {
  /** Request target with the query. */
  request: string;
  /** Request body, if the request has one, by media type (JSON or text). */
  requestBody?: { [mediaType: string]: Json };
  /** JSON, or text for any media type except JSON. */
  response: Json;
}
/** Examples by method and path, such as `GET /v1/event/{id}`. */
export type Examples = Readonly<Record<string, Example>>;

export interface DocumentOptions {
  examples?: Examples;
  /** True if requests are charged to plans. */
  charged?: boolean;
  /** The webhooks among these channels become part of the document. */
  channels?: readonly Channel[];
}

/** Returns the example's parameter values by name, as text. */
function exampleValues({ path }: AnyRoute, example: Example | undefined): Map<string, string> {
  if (example === undefined) return new Map();
  const [target = '', query = ''] = example.request.split('?');
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const found = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`).exec(target) ?? [];
  return new Map([...names.map((name, i) => [name, found[i + 1] ?? ''] as const), ...new URLSearchParams(query)]);
}

/** Converts a parameter's text to the type that the schema gives. */
function typed(text: string, schema: JsonObject): Json {
  if (schema.type === 'array') return text.split(',').map((item) => typed(item, schema.items as JsonObject));
  if (schema.type === 'integer') return Number(text);
  return schema.type === 'boolean' ? text === 'true' || text === '1' : text;
}

function parameters(route: AnyRoute, components: Components, example: Example | undefined): Json[] {
  const values = exampleValues(route, example);
  const list = (schema: z.ZodType | undefined, location: 'path' | 'query') =>
    Object.entries(schema === undefined ? {} : memberSchemas(schema)).map(([name, member]): JsonObject => {
      const { description, ...body } = components.add(member, 'output');
      const value = values.get(name);
      return {
        name,
        in: location,
        required: location === 'path' || !member.safeParse(undefined).success,
        ...(description !== undefined && { description }),
        schema: body,
        // Lists are sent as `a,b,c`, not as `name=a&name=b`.
        ...(body.type === 'array' && { style: 'form', explode: false }),
        ...(value !== undefined && { example: typed(value, body) }),
      };
    });
  const undeclared = [...route.path.matchAll(/\{(\w+)\}/g)]
    .map(([, name]) => name!)
    .filter((name) => route.params === undefined || !(name in memberSchemas(route.params)))
    .map((name): JsonObject => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
  const fields = fieldsParam(route);
  return [
    ...list(route.params, 'path'),
    ...undeclared,
    ...list(route.query, 'query'),
    ...list(fields && z.object({ fields }), 'query'),
    ...requestHeaders(route),
  ];
}

const sample = (summary: string, value: Json): JsonObject => ({ examples: { sample: { summary, value } } });

function responseContent(route: AnyRoute, components: Components, example: Example | undefined): JsonObject {
  const { csv, csvItem } = route;
  const response = documentedResponse(route);
  const shown = example && sample(example.request, example.response);
  if ('contentType' in response) return { [response.contentType.replace(/;.*/s, '')]: { ...shown } };
  // JSON comes first, because generators that support one media type per reply take the first.
  const content: JsonObject = { 'application/json': { schema: components.add(response, 'output'), ...shown } };
  if (csv === undefined) return content;
  return {
    ...content,
    'text/csv': { schema: { type: 'string' }, ...(example && csvSample(csvWriter(response, csv, csvItem), example)) },
  };
}

function csvSample(write: CsvWriter, { request, response: json }: Example): JsonObject {
  const { body } = write({ body: json as JsonObject }, null);
  return sample(`${request}${request.includes('?') ? '&' : '?'}format=csv`, String(body));
}

function responses(
  route: AnyRoute,
  components: Components,
  example: Example | undefined,
  charged: boolean,
): JsonObject {
  const isSwitched = route.upgrade !== undefined;
  const status = isSwitched ? 101 : (route.status ?? 200);
  return {
    [String(status)]: {
      description: route.responseDescription ?? route.summary,
      ...(!isSwitched && { headers: responseHeaders(route, status, charged) }),
      ...(status !== 204 && { content: responseContent(route, components, example) }),
    },
    ...(hasEntityTag(route) && {
      304: {
        description: 'Not modified, because the entity tag in If-None-Match is current.',
        headers: responseHeaders(route, 304, charged),
      },
    }),
    ...problemResponses(route, charged),
  };
}

function security(route: AnyRoute): Json[] {
  if (route.access === 'feed') return [{ FeedToken: [] }];
  if (route.access === 'member') return [{ Member: [] }];
  const scopes = [neededScope(route)];
  if (route.access === 'account') return [{ ApiKey: scopes }, { Member: [] }];
  if (route.access !== 'key') return [];
  return [{ ApiKey: scopes }, ...(route.keyInQuery === true ? [{ ApiKeyInQuery: scopes }] : [])];
}

function requestBody(route: AnyRoute, components: Components, example: Example | undefined): JsonObject | undefined {
  const schemas = route.rawBody ?? (route.body === undefined ? undefined : { 'application/json': route.body });
  if (schemas === undefined) return undefined;
  const content = Object.entries(schemas).map(([type, schema]): [string, JsonObject] => {
    const value = example?.requestBody?.[type] ?? (route.exampleBody as Json | undefined);
    return [
      type,
      { schema: components.add(schema, 'input'), ...(value !== undefined && { examples: { sample: { value } } }) },
    ];
  });
  return { required: true, content: Object.fromEntries(content) };
}

/** Returns a name for a route: `GET /v1/event/{id}/odds/history` → `getEventOddsHistoryById`. */
function operationId({ method, path }: AnyRoute): string {
  const words = path.split(/[^\w{}]+/).filter((word) => word !== '' && word !== 'v1');
  const camel = (word: string) => word.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const names = words.filter((word) => !word.startsWith('{')).map(camel);
  const keys = words.filter((word) => word.startsWith('{')).map((word) => camel(word.slice(1, -1)));
  return `${method.toLowerCase()}${names.join('')}${keys.length === 0 ? '' : `By${keys.join('And')}`}`;
}

function operation(
  route: AnyRoute,
  components: Components,
  { examples, charged = false }: DocumentOptions,
): JsonObject {
  const example = examples?.[`${route.method} ${route.path}`];
  const body = requestBody(route, components, example);
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
    parameters: parameters(route, components, example),
    ...(body !== undefined && { requestBody: body }),
    responses: responses(route, components, example, charged),
  };
}

const SECURITY_SCHEMES: JsonObject = {
  ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
  ApiKeyInQuery: { type: 'apiKey', in: 'query', name: 'key', description: 'For clients that cannot set headers.' },
  FeedToken: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The token for all providers (FEED_TOKEN), or a token for one provider (`touchline feed token create`). A signing token is not sent: requests have X-Service-Token, X-Service-Timestamp and X-Service-Signature instead.',
  },
  Member: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-touchline_member',
    description:
      'Set by signing in at `/account`. Requests that change data must come from a page of the service (header Origin).',
  },
};

function describe(): string {
  const rows = Object.entries(PROBLEMS).map(([code, { status, title }]) => `| ${status} | \`${code}\` | ${title} |`);
  return [
    'Sports data: schedules, live scores, match detail, tables, search, and a stream of events. All times are UTC.',
    'Each query parameter may be given once. Lists are comma-separated. Text must be UTF-8 without NUL; its length is counted in characters, not bytes, without surrounding white space. Integers are decimal, without a sign or leading zeros, and at most 2^53 − 1. A value that breaks a rule of its schema or description is answered with 422 `invalid_parameter`, with one entry in `errors` for each fault. A parameter that an operation does not have is ignored, unless the request says `Prefer: handling=strict`.',
    'Each GET can also be sent as HEAD, which costs the same and is answered with the same headers and no body. OPTIONS lists the methods of a path in `Allow`; other methods are answered with 405. The header `Accept` is ignored: `format` selects CSV in operations that have this parameter. Longer replies are compressed with br or gzip if `Accept-Encoding` allows it.',
    // On the reference page, the text from this heading on comes after the operations.
    '## Errors',
    'Errors are `application/problem+json` (RFC 9457) with a stable `code`:',
    ['| Status | Code | Meaning |', '|---|---|---|', ...rows].join('\n'),
  ].join('\n\n');
}

/** Returns the components of a section to which the text refers. */
const usedIn = (text: string, section: string, components: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(components).filter(([name]) => text.includes(`"#/components/${section}/${name}"`)));

/** Tags whose operations are pages and documents for readers. The operations of the API stand before them. */
const LAST_TAGS: readonly string[] = ['Service', 'Widgets'];

/** Returns the routes in the order of the document. */
const inOrder = (routes: readonly AnyRoute[]): AnyRoute[] => [
  ...routes.filter(({ tag }) => !LAST_TAGS.includes(tag)),
  ...LAST_TAGS.flatMap((last) => routes.filter(({ tag }) => tag === last)),
];

/** An operation of the document, as a page lists it. */
export interface ListedOperation extends Pick<AnyRoute, 'tag' | 'method' | 'path' | 'summary'> {
  id: string;
}

/** Lists the operations of the document in order, tag by tag. */
export function listOperations(routes: readonly AnyRoute[]): ListedOperation[] {
  const documented = routes.filter(({ undocumented }) => undocumented !== true);
  const tags = new Set(inOrder(documented).map(({ tag }) => tag));
  return [...tags].flatMap((tag) =>
    documented
      .filter((route) => route.tag === tag)
      .map((route) => ({
        tag,
        id: operationId(route),
        method: route.method,
        path: route.path,
        summary: route.summary,
      })),
  );
}

/** @param baseUrl the public address, without a trailing slash. */
export function openApiDocument(
  routes: readonly AnyRoute[],
  baseUrl: string,
  options: DocumentOptions = {},
): OpenApiDocument {
  const components = new Components();
  components.add(problem, 'output');
  const paths: JsonObject = {};
  for (const route of inOrder(routes)) {
    if (route.undocumented === true) continue;
    const item = (paths[route.path] ?? {}) as JsonObject;
    item[route.method.toLowerCase()] = operation(route, components, options);
    paths[route.path] = item;
  }
  const text = JSON.stringify(paths);
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
    ...(options.channels && { webhooks: webhooks(options.channels, components) }),
    components: {
      schemas: components.schemas,
      headers: usedIn(text, 'headers', RESPONSE_HEADERS),
      parameters: usedIn(text, 'parameters', REQUEST_HEADERS),
      examples: usedIn(text, 'examples', problemExamples()),
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

const query = z.object({
  tags: commaList(text(1, 40), 20).optional().meta({
    description: 'Only operations with these tags, and what they use; for generators that need a small document',
  }),
});

/** @param read reads the other routes, in document order, when a client first requests the document */
export function openApiRoute(
  read: () => Promise<{ routes: readonly AnyRoute[]; options: DocumentOptions }>,
): RouteValue<unknown> {
  const write = async (baseUrl: string) => {
    const { routes, options } = await read();
    return openApiDocument([...routes, self], baseUrl, options);
  };
  const whole = documentRoute('/v1/openapi.json', 'This document', write);
  const self: RouteValue<unknown> = routeFor<unknown>()({
    ...whole,
    query,
    perAddress: { requests: 600, seconds: 60 },
    handler: async (input, deps) => {
      const reply = await whole.handler(input, deps);
      const { tags } = input.query;
      if (tags === undefined) return reply;
      return { body: documentPart(JSON.parse(String(reply.body)), tags) };
    },
  });
  return self;
}
