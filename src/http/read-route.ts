/** Reads what a route answers within this process, so that pages show the same figures as the API and share the cache. */
import { Problem } from './errors.ts';
import type { Lang, RouteInput, TypedRoute } from './route.ts';

/** Parameters for a read. The ones that the route needs are required. */
type Asked<P, G> = { lang?: Lang } & (Record<never, never> extends P ? { params?: P } : { params: P }) &
  // Text as in a URL, without members that have defaults.
  (Record<never, never> extends G ? { query?: G } : { query: G });

const notInner = () => Promise.reject(new Error('A route that is read within the process cannot ask others.'));

/** The client may read everything, because whoever reads a route checks what the client may see. */
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
 * @param route with JSON replies, and without a body
 * @throws {Problem} as the route does
 */
export async function readRoute<D, P, G, R>(
  route: TypedRoute<D, P, G, R>,
  { params, query, lang = 'en' }: Asked<NoInfer<P>, NoInfer<G>>,
  deps: D,
): Promise<R> {
  const parsed = route.query === undefined ? {} : route.query.parse(query ?? {});
  const { body } = await route.handler({ ...CLIENT, params: params ?? {}, query: parsed, lang }, deps);
  // A cached route answers the text that it keeps for clients, which is parsed once here. Tests compare each reply with
  // the schema.
  return (typeof body === 'string' || Buffer.isBuffer(body) ? JSON.parse(String(body)) : body) as R;
}

/** The same for a route that returns one thing. @returns null if there is no such thing */
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
