/** Reads what an API route answers: pages show the same figures, and share its cache. */
import { Problem } from '../http/errors.ts';
import type { Lang, Reply, RouteInput, RouteValue } from '../http/route.ts';

interface Asked {
  id?: number;
  query?: Readonly<Record<string, unknown>>;
  lang?: Lang;
}

/**
 * @param route with JSON replies, and without a body
 * @param asked `query` without members that have defaults
 * @returns the parsed reply; null if the route answers that there is no such thing
 * @throws {Problem} any other problem of the route
 */
export async function readApi<T, D>(
  route: RouteValue<D>,
  { id, query = {}, lang = 'en' }: Asked,
  deps: D,
): Promise<T | null> {
  // The route is asked as for an account whose plan includes everything.
  const input = {
    params: id === undefined ? {} : { id },
    query: route.query === undefined ? {} : route.query.parse(query),
    access: null,
    lang,
  } as unknown as RouteInput<unknown, unknown, unknown>;
  try {
    const { body } = (await route.handler(input, deps)) as Reply;
    return (typeof body === 'string' || Buffer.isBuffer(body) ? JSON.parse(String(body)) : body) as T;
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return null;
    throw error;
  }
}
