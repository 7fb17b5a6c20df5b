/** Lets a read replica answer a request only if it has replayed the position that the client has named. */
import { type Position, positionText, type ReadPositions, readPosition } from '../wire/position.ts';
import { Problem } from './errors.ts';
import { headerText } from './origin.ts';
import type { ReplyCache } from './reply-cache.ts';
import type { Reply, RouteValue } from './route.ts';

/** Dependencies of routes that may be answered by a read replica. */
interface ReplicaDeps {
  positions?: ReadPositions;
  /** Replacements for the dependencies if only the primary has reached the client's position. */
  onPrimary?: object;
  caches?: { replies: ReplyCache };
}

type Bound = { deps?: unknown };
const replicaDeps = ({ deps }: Bound) => deps as ReplicaDeps | undefined;

/**
 * Returns the route with dependencies whose reads have reached the position that the client has named.
 * @param sent value of Touchline-Position
 * @returns a promise only if a replica's position has to be read
 * @throws {Problem} bad_request if the header is not a position
 */
export function routeAtPosition<R extends Bound>(route: R, sent: string | string[] | undefined): R | Promise<R> {
  const deps = replicaDeps(route);
  const text = headerText(sent);
  if (text === undefined || deps?.positions === undefined) return route;
  const position = readPosition(text);
  if (position === null)
    throw new Problem('bad_request', 'The header Touchline-Position is not a position that this service has sent.');
  if (deps.positions.covers(position)) return { ...route, deps: needing(deps, position) };
  return deps.positions.reach(position).then((where) => {
    if (where === 'unknown') return route;
    const placed = where === 'reached' ? deps : { ...deps, ...deps.onPrimary };
    return { ...route, deps: needing(placed, position) };
  });
}

/** Returns dependencies whose cached replies have reached the position. */
function needing({ caches, ...deps }: ReplicaDeps, needed: Position): ReplicaDeps {
  if (caches === undefined) return deps;
  const replies: ReplyCache = {
    statistics: caches.replies.statistics,
    get: (key, match, read) => caches.replies.get(key, match, read, needed),
  };
  return { ...deps, caches: { ...caches, replies } };
}

/**
 * Adds a position at or past everything that the reply shows, if a replica may have been read.
 * @param made the handler's reply, which a cache may have given a position
 */
export function withPosition(route: Pick<RouteValue<never>, 'deps'>, made: Reply, reply: Reply): Reply {
  const positions = replicaDeps(route)?.positions;
  return positions === undefined ? reply : { ...reply, position: made.position ?? positionText(positions.shown) };
}
