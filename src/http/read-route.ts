/**
 * Reads a route's reply within this process. Pages use it, so that they show the same figures as the API and share the
 * cache.
 */
import { Problem } from './errors.ts';
import type { Lang, RouteInput, TypedRoute } from './route.ts';

/** Parameters for a read. Parameters that the route requires are required here as well. */
type Asked<P, G> = { lang?: Lang } & (Record<never, never> extends P ? { params?: P } : { params: P }) &
  // Query values as text, as in a URL. Members that have defaults may be left out.
  (Record<never, never> extends G ? { query?: G } : { query: G });

const notInner = () => Promise.reject(new Error('A route that is read within the process cannot ask others.'));

/** A client that may read everything. The caller has to check what the actual client may see. */
const CLIENT: Omit<RouteInput<unknown, unknown, unknown>, 'params' | 'query' | 'lang'> = {
  body: undefined,
  rawBody: null,
  form: null,
  principal: null,
  access: null,
  address: '',
  headers: {},
  requestId: '',
  baseUrl: '',
  ask: notInner,
  charge: notInner,
  trace: null,
};

/**
 * @param route a route with JSON replies that takes no body
 * @throws {Problem} as the route does
 */
export async function readRoute<D, P, G, R>(
  route: TypedRoute<D, P, G, R>,
  { params, query, lang = 'en' }: Asked<NoInfer<P>, NoInfer<G>>,
  deps: D,
): Promise<R> {
  const parsed = route.query === undefined ? {} : route.query.parse(query ?? {});
  const { body } = await route.handler({ ...CLIENT, params: params ?? {}, query: parsed, lang }, deps);
  // A cached route returns the text that it keeps for clients, so the text is parsed here. Tests compare each reply
  // with the schema.
  return (typeof body === 'string' || Buffer.isBuffer(body) ? JSON.parse(String(body)) : body) as R;
}

/**
 * Like `readRoute`, for a route that returns one thing.
 * @returns null if that thing does not exist
 */
export async function findByRoute<D, P, G, R>(
  route: TypedRoute<D, P, G, R>,
  asked: Asked<NoInfer<P>, NoInfer<G>>,
  deps: D,
): Promise<R | null> {
  try {
    return await readRoute(route, asked, deps);
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return null;
    throw error;
  }
}
