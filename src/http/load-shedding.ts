/**
 * Limits how many requests wait for a slow store, so that each is soon answered or refused. Smaller plans are refused
 * first. Within a plan, the clients with the most requests are refused first. There is no limit while a store answers
 * quickly.
 */
import type pg from 'pg';
import { maskAddress } from './address-rate-limit.ts';
import type { Principal } from './auth.ts';
import { type Problem, unavailable } from './errors.ts';
import type { RouteValue } from './route.ts';

/** A store is slow if its oldest operation has been waiting for longer than this. */
const SLOW_MS = 1_000;
/**
 * Number of requests that may use a slow store at the same time. A request sends up to two queries at once to
 * ClickHouse, where each waits at most 5 s for a free connection among 16.
 */
const PLACES = { postgres: 40, clickhouse: 24 };
/** Minimum number of places for each plan, and for visitors, however many plans there are. */
const LEAST_PLACES = 4;
/** Longest time that a request waits for one operation. */
const LONGEST_WAIT_MS = 15_000;

/** Shows in the log that a request was refused because a store is slow. */
export class StoreBusy extends Error {
  override readonly name = 'StoreBusy';
}

const busy = (detail: string, reason: string): Problem => unavailable(detail, new StoreBusy(reason));

/** Returns the place share of an account's plan, up to 1. Null stands for a visitor. */
export type ShareOf = (principal: Principal | null) => number;

/** The client that sent a request. */
export interface Asker {
  readonly principal: Principal | null;
  /** The client's address. */
  readonly address: string;
}

/** One request, with all its store operations. */
class GatedRequest {
  /** Places that the request takes. */
  readonly weight: number;
  hasEnded = false;
  readonly #asker: Asker;
  readonly #shareOf: ShareOf;

  constructor(asker: Asker, weight: number, shareOf: ShareOf) {
    this.#asker = asker;
    this.weight = weight;
    this.#shareOf = shareOf;
  }

  get share(): number {
    return this.#shareOf(this.#asker.principal);
  }

  /**
   * Identifies the client whose requests are counted together. All secret keys of an account count as one client,
   * because an account can create any number of keys. Publishable keys count separately, because visitors to the
   * account's site use them and must not take the places that belong to its servers.
   */
  get client(): string {
    const { principal, address } = this.#asker;
    if (principal === null) return `visitor ${maskAddress(address)}`;
    return `${principal.kind === 'pk' ? 'publishable' : 'account'} ${principal.accountId}`;
  }
}

/** The requests that use one store. */
class StoreGate {
  readonly #places: number;
  /** Start times of the operations in progress, oldest first. */
  readonly #operations = new Set<{ begun: number }>();
  /** Requests that take places, with the number of operations in progress. */
  readonly #requests = new Map<GatedRequest, number>();
  /**
   * Requests that have passed once. They may finish all their operations, because a half-read page would be wasted
   * work.
   */
  readonly #admitted = new WeakSet<GatedRequest>();

  constructor(places: number) {
    this.#places = places;
  }

  /** @throws {Problem} unavailable, if the store is slow and too many requests wait, or if the work takes too long */
  async pass<T>(request: GatedRequest, work: () => Promise<T>): Promise<T> {
    if (!this.#admitted.has(request)) {
      if (this.#isFull(request))
        throw busy('The service is slow at the moment, and the request was refused.', 'too many requests wait');
      this.#admitted.add(request);
    }
    const operation = { begun: performance.now() };
    this.#operations.add(operation);
    this.#requests.set(request, (this.#requests.get(request) ?? 0) + 1);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const refuse = () => reject(busy('The service is too slow at the moment.', 'the request has waited too long'));
      timer = setTimeout(refuse, LONGEST_WAIT_MS);
    });
    try {
      return await Promise.race([work(), late]);
    } finally {
      clearTimeout(timer);
      this.#operations.delete(operation);
      this.#requests.set(request, this.#requests.get(request)! - 1);
      this.leave(request);
    }
  }

  /** Frees the places that an ended request has taken, once it has no operation in progress. */
  leave(request: GatedRequest): void {
    if (request.hasEnded && this.#requests.get(request) === 0) this.#requests.delete(request);
  }

  #isFull(request: GatedRequest): boolean {
    const [oldest] = this.#operations;
    if (oldest === undefined || performance.now() - oldest.begun < SLOW_MS) return false;
    return this.#takenFrom(request) >= Math.max(LEAST_PLACES, this.#places * request.share);
  }

  /**
   * Returns how many places count as taken for this request. The places of clients with a greater share count in full.
   * Each other client counts with at most as many places as this client would have. Therefore a client with few places
   * gets one, even if a single client had taken all places before the store became slow.
   */
  #takenFrom({ client, share, weight }: GatedRequest): number {
    const held = new Map<string, { share: number; places: number }>();
    for (const request of this.#requests.keys()) {
      const before = held.get(request.client)?.places ?? 0;
      held.set(request.client, { share: request.share, places: before + request.weight });
    }
    const most = (held.get(client)?.places ?? 0) + weight;
    let taken = 0;
    for (const one of held.values()) taken += one.share > share ? one.places : Math.min(one.places, most);
    return taken;
  }
}

type Query = (...parameters: unknown[]) => Promise<unknown>;
interface Stores {
  pool?: pg.Pool;
  reads?: { query: Query };
  clickhouse?: { query: Query };
}

const SHARED = Symbol('shared');
interface SharedPool {
  [SHARED]?: <T>(read: (pool: pg.Pool) => Promise<T>) => Promise<T>;
}

/**
 * Runs a read that several requests share. Each request passes the gate by itself. The read uses the pool behind the
 * gate.
 * @param db the handler's pool, or a database without a gate
 */
export const readTogether = <Q, T>(db: Q, read: (db: Q) => Promise<T>): Promise<T> => {
  const pass = (db as SharedPool)[SHARED];
  return pass === undefined ? read(db) : pass((pool) => read(pool as Q));
};

/** Dependencies that a handler gets for one request. */
export interface RequestDeps<D> {
  deps: D;
  /** Frees the request's places. Call it when the handler has ended. */
  end(): void;
}

const nothing = () => {};

/**
 * @returns a function that puts gates before the stores that a handler uses. The feed has no gates, because providers
 *   would all repeat their refused updates at the same time
 */
export function gatedDeps<D>(deps: D, shareOf: ShareOf) {
  const postgres = new StoreGate(PLACES.postgres);
  const clickhouse = new StoreGate(PLACES.clickhouse);
  type Route = Pick<RouteValue<D>, 'access' | 'deps' | 'weight'>;
  return ({ access, deps: bound, weight = 1 }: Route, asker: Asker): RequestDeps<D> => {
    const own = (bound ?? deps) as D & Stores;
    if (access === 'feed') return { deps: own, end: nothing };
    const request = new GatedRequest(asker, weight, shareOf);
    const gated = { ...own };
    if (own.pool !== undefined) gated.pool = gatedPool(own.pool, postgres, request);
    if (own.reads !== undefined) gated.reads = gatedQueries(own.reads, postgres, request);
    if (own.clickhouse !== undefined) gated.clickhouse = gatedQueries(own.clickhouse, clickhouse, request);
    const end = () => {
      request.hasEnded = true;
      postgres.leave(request);
      clickhouse.leave(request);
    };
    return { deps: gated, end };
  };
}

/** Assigns the properties, because defining them would make each request slower. */
function gatedPool(pool: pg.Pool, gate: StoreGate, request: GatedRequest): pg.Pool {
  const gated = Object.create(pool) as Record<'query' | 'connect', Query> & SharedPool;
  gated.query = (...parameters) => gate.pass(request, () => (pool.query as unknown as Query)(...parameters));
  gated.connect = () => gate.pass(request, () => pool.connect());
  gated[SHARED] = (read) => gate.pass(request, () => read(pool));
  return gated as unknown as pg.Pool;
}

function gatedQueries(store: { query: Query }, gate: StoreGate, request: GatedRequest): { query: Query } {
  const gated = Object.create(store) as { query: Query };
  gated.query = (...parameters) => gate.pass(request, () => store.query(...parameters));
  return gated;
}
