/**
 * Bounds the requests that wait for a store while it is slow, so that they are answered or refused soon. Requests of
 * smaller plans are refused first. A store that answers quickly is never bounded.
 */
import type pg from 'pg';
import type { Principal } from './auth.ts';
import { unavailable } from './errors.ts';
import type { RouteValue } from './route.ts';

/** A store is slow if an operation has been waiting for longer. */
const SLOW_MS = 1_000;
/** Operations of one store that may wait while it is slow; at 2 s each, a pool of 10 connections answers the last after 8 s. */
const MOST_WAITING = 40;
/** A request does not wait longer for one operation. */
const LONGEST_WAIT_MS = 15_000;

/** The operations of one store in progress, of all requests. */
class StoreGate {
  /** When each began, oldest first. */
  readonly #waiting = new Set<{ begun: number }>();

  /**
   * @param share part of the bound that the request's plan may use, up to 1
   * @throws {Problem} unavailable, if the store is slow and too many wait, or the work takes too long
   */
  async pass<T>(share: number, work: () => Promise<T>): Promise<T> {
    if (this.#isFull(share)) throw unavailable('The service is slow at the moment, and the request was refused.');
    const one = { begun: performance.now() };
    this.#waiting.add(one);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(unavailable('The service is too slow at the moment.')), LONGEST_WAIT_MS);
    });
    try {
      return await Promise.race([work(), late]);
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(one);
    }
  }

  #isFull(share: number): boolean {
    if (this.#waiting.size < MOST_WAITING * share) return false;
    const [oldest] = this.#waiting;
    return oldest !== undefined && performance.now() - oldest.begun >= SLOW_MS;
  }
}

type Query = (...parameters: unknown[]) => Promise<unknown>;
interface Stores {
  pool?: pg.Pool;
  clickhouse?: { query: Query };
}

/**
 * Returns the part of the requests that may wait for a slow store, up to 1, that an account's plan may use; null: a
 * visitor.
 */
export type ShareOf = (principal: Principal | null) => number;

/**
 * @returns a function that returns the dependencies of a route's handler, with gates before its stores. The feed has none:
 * providers would send refused updates again, and all at once
 */
export function gatedDeps<D>(deps: D, shareOf: ShareOf) {
  const gates = { postgres: new StoreGate(), clickhouse: new StoreGate() };
  const known = new Map<unknown, Map<number, D>>();
  return ({ access, deps: bound }: Pick<RouteValue<D>, 'access' | 'deps'>, principal: Principal | null): D => {
    const own = (bound ?? deps) as D;
    if (access === 'feed') return own;
    const share = shareOf(principal);
    const byShare = known.get(own) ?? new Map<number, D>();
    known.set(own, byShare);
    const gated = byShare.get(share) ?? behindGates(own, gates, share);
    byShare.set(share, gated);
    return gated;
  };
}

function behindGates<D>(deps: D, gates: Record<'postgres' | 'clickhouse', StoreGate>, share: number): D {
  const { pool, clickhouse } = deps as Stores;
  const gated = { ...deps } as Stores;
  if (pool !== undefined) {
    const query = pool.query.bind(pool) as unknown as Query;
    gated.pool = Object.create(pool, {
      query: { value: (...parameters: unknown[]) => gates.postgres.pass(share, () => query(...parameters)) },
      connect: { value: () => gates.postgres.pass(share, () => pool.connect()) },
    });
  }
  if (clickhouse !== undefined) {
    gated.clickhouse = Object.create(clickhouse, {
      query: {
        value: (...parameters: unknown[]) => gates.clickhouse.pass(share, () => clickhouse.query(...parameters)),
      },
    });
  }
  return gated as D;
}
