/** Routes prepared for serving: what can be worked out before the first request, grouped by path. */
import { cacheControl, deprecationHeaders, type HeaderList, NO_STORE, type SecurityHeaders } from './headers.ts';
import { type QueryReader, queryReader } from './input.ts';
import type { RouteValue } from './route.ts';

export interface Prepared<D> {
  route: RouteValue<D>;
  query: QueryReader<unknown>;
  contentType: string;
  /** Of every answer. */
  headers: HeaderList;
  cacheControl: string;
}

/** All routes of one path. */
export interface Resource<D> {
  path: string;
  byMethod: ReadonlyMap<string, Prepared<D>>;
  /** For the header Allow. */
  allow: string;
}

const JSON_UTF8 = 'application/json; charset=utf-8';

function prepare<D>(route: RouteValue<D>, security: SecurityHeaders): Prepared<D> {
  const contentType = 'contentType' in route.response ? route.response.contentType : JSON_UTF8;
  return {
    route,
    query: queryReader(route.query, route.keyInQuery === true ? ['key'] : []),
    contentType,
    headers: [
      ...(contentType.startsWith('text/html') ? security.page : security.data),
      ...deprecationHeaders(route.deprecation),
    ],
    cacheControl: route.method === 'GET' && route.cache !== 'no-store' ? cacheControl(route.cache.maxAge) : NO_STORE,
  };
}

/** @throws {TypeError} for two routes of one method and path. */
export function resourcesOf<D>(routes: readonly RouteValue<D>[], security: SecurityHeaders): Resource<D>[] {
  const byPath = new Map<string, Map<string, Prepared<D>>>();
  for (const route of routes) {
    const byMethod = byPath.get(route.path) ?? new Map<string, Prepared<D>>();
    if (byMethod.has(route.method)) throw new TypeError(`two routes for ${route.method} ${route.path}`);
    byPath.set(route.path, byMethod.set(route.method, prepare(route, security)));
  }
  const resources = [...byPath].map(([path, byMethod]) => {
    const methods = [...byMethod.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    return { path, byMethod, allow: [...methods, 'OPTIONS'].join(', ') };
  });
  // Of two paths that match, the one with fewer placeholders is meant: /x/search before /x/{id}.
  const placeholders = ({ path }: Resource<D>) => path.split('{').length;
  return resources.sort((a, b) => placeholders(a) - placeholders(b));
}
