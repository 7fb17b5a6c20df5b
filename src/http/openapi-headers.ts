/** Headers in the OpenAPI document. Request headers are parameters, and each response lists response headers. */
import { z } from 'zod';
import { forGenerators, type JsonObject } from './openapi-schemas.ts';
import type { AnyRoute } from './route.ts';

const sent = (description: string, type: 'string' | 'integer' = 'string'): JsonObject => ({
  description,
  required: true,
  schema: forGenerators({ type }),
});
const maybe = (description: string): JsonObject => ({ description, schema: { type: 'string' } });

/** A header with `required` is on every response for which the document lists it. */
export const RESPONSE_HEADERS: JsonObject = {
  'X-Request-Id': sent(
    'Identifies this request in the logs. If the client sends a well-formed id that does not look like a key, the service uses it.',
  ),
  Vary: sent('Request headers on which responses depend.'),
  'Cache-Control': sent('Whether and for how many seconds the response may be cached.'),
  ETag: sent('Weak entity tag of the body, for If-None-Match.'),
  'Content-Language': sent('The language of the texts.'),
  'Retry-After': sent('Seconds to wait before the next attempt.', 'integer'),
  'Preference-Applied': maybe('`handling=strict`, if the request asked for it.'),
  'X-Ignored-Parameters': maybe(
    'Names of query parameters that the operation does not have, percent-encoded: probably mistyped.',
  ),
  'Touchline-Position': maybe(
    'With read replicas: how far the database had come when the reply was read. Send it with later requests, so that no reply is older.',
  ),
  'Content-Disposition': maybe('A file name for a reply as CSV.'),
  'WWW-Authenticate': maybe('Where the key or token is expected.'),
  Accept: maybe('The media types that a body may have.'),
  Upgrade: maybe('The protocol to ask for.'),
  Deprecation: sent('Since when the resource is deprecated (RFC 9745).'),
  Sunset: sent('When the resource will be removed (RFC 8594).'),
  Link: maybe('Where the deprecation is explained.'),
  RateLimit: maybe(
    'For each window of the plan: what is left of the quota (`r`), and the seconds until the full quota is available again (`t`). Not sent for plans without windows, or to visitors of the pages of this service.',
  ),
  'RateLimit-Policy': maybe('For each window of the plan: the quota (`q`) and the length in seconds (`w`).'),
};

export const REQUEST_HEADERS: JsonObject = {
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description:
      '`handling=strict` turns a query parameter that the operation does not have into an error (422, `unknown_parameter`). Without this preference such a parameter is ignored.',
    schema: { type: 'string' },
    example: 'handling=strict',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'Entity tags of bodies that the client has; 304 if one is current.',
    schema: { type: 'string' },
  },
  AcceptLanguage: {
    name: 'Accept-Language',
    in: 'header',
    description: 'The language of texts, en or ru, if `lang` is absent.',
    schema: { type: 'string' },
  },
  Position: {
    name: 'Touchline-Position',
    in: 'header',
    description:
      'With read replicas: the newest position that the client has received in this header of a response. The reply is then not older.',
    schema: { type: 'string' },
  },
};

const ref = (section: string, name: string): JsonObject => ({ $ref: `#/components/${section}/${name}` });
const hasParameter = (route: AnyRoute, name: string) =>
  route.query instanceof z.ZodObject && name in (route.query as z.ZodObject).shape;

export function requestHeaders(route: AnyRoute): JsonObject[] {
  const own = Object.entries(route.requestHeaders ?? {}).map(
    ([name, { description, schema }]): JsonObject => ({
      name,
      in: 'header',
      description,
      schema: forGenerators(schema as JsonObject),
    }),
  );
  return [
    ...own,
    ref('parameters', 'Prefer'),
    ...(hasEntityTag(route) ? [ref('parameters', 'IfNoneMatch')] : []),
    ...(hasParameter(route, 'lang') ? [ref('parameters', 'AcceptLanguage')] : []),
    ...(mayUseReplica(route) ? [ref('parameters', 'Position')] : []),
  ];
}

/** True if replies have an entity tag. A stream is not known as a whole, so it has no tag. */
export const hasEntityTag = (route: AnyRoute): boolean => route.method === 'GET' && route.isStream !== true;

/** True if a read replica may answer the route. */
const mayUseReplica = ({ access, scope, isStream }: AnyRoute): boolean =>
  access === 'key' && scope === undefined && isStream !== true;

/** True if the reply names how far the database had come when it was read or written. */
const namesPosition = (route: AnyRoute): boolean =>
  route.access === 'feed' ? route.method === 'POST' : mayUseReplica(route);

/**
 * Returns the headers for a response with this status.
 * @param charged whether requests are charged to plans
 */
export function responseHeaders(route: AnyRoute, status: number, charged: boolean): JsonObject {
  const isProblem = status >= 400;
  const names = ['X-Request-Id', 'Vary', 'Cache-Control', 'Preference-Applied'];
  if (!isProblem) names.push('X-Ignored-Parameters');
  if (!isProblem && namesPosition(route)) names.push('Touchline-Position');
  if (!isProblem && route.csv !== undefined) names.push('Content-Disposition');
  if (!isProblem && hasEntityTag(route)) names.push('ETag');
  if (!isProblem && hasParameter(route, 'lang')) names.push('Content-Language');
  if (status === 401) names.push('WWW-Authenticate');
  if (status === 415) names.push('Accept');
  if (status === 429 || status === 503) names.push('Retry-After');
  if (status === 400 && route.upgrade !== undefined) names.push('Upgrade');
  if (route.deprecation !== undefined) names.push('Deprecation', 'Sunset', 'Link');
  // Only authenticated clients have limits.
  const isCharged = charged && (route.access === 'key' || route.access === 'account');
  if (isCharged && status !== 401) names.push('RateLimit', 'RateLimit-Policy');
  const own = isProblem ? {} : (route.responseHeaders ?? {});
  return Object.fromEntries([
    ...names.map((name) => [name, ref('headers', name)] as const),
    ...Object.entries(own).map(
      ([name, { description, required }]) => [name, (required ? sent : maybe)(description)] as const,
    ),
  ]);
}
