/**
 * A provider reads one public source for live data. It is a folder of pure functions, without clock, network or
 * database. The poller (src/polling) sends the requests, keeps the known state, and applies the updates. See
 * docs/providers.md.
 */
import type { FeedUpdateInput } from '../wire/feed-update.ts';

/** A request that should be repeated. */
export interface PlannedRequest {
  /** Path and query below the provider's address, which identify the request. Begins with a slash. */
  path: string;
  /** Pause between an answer and the next request, in ms; the poller adds jitter. */
  everyMs: number;
  /** The request is due at once if this differs from the version of the last answered request. */
  version?: string;
  /** What the request takes from the daily budget, as the source counts requests; the default is 1. */
  cost?: number;
  /** Whether a match depends on the request now. Requests without this flag may use only a part of the budget. */
  isLive?: boolean;
}

/** A server-sent event connection that should be open now. */
export interface PlannedStream {
  /** Path below the provider's events address. */
  path: string;
}

/** A reply from the source, or a server-sent event. */
export interface ProviderReply {
  /** Path that was requested, or the stream's path. */
  path: string;
  /** The parsed JSON, of any shape. */
  body: unknown;
  /** Name of a server-sent event; absent in replies. */
  event?: string;
  /** When the reply or the event arrived, by our clock, in ms. */
  receivedAt: number;
  /** The source's clock when it answered, in ms, if given. */
  sourceTime: number | null;
}

type WithoutEnvelope<U> = U extends unknown ? Omit<U, 'schema' | 'provider' | 'observed_at'> : never;
/** A feed update without the members that the poller adds. */
export type ProviderUpdate = WithoutEnvelope<FeedUpdateInput>;

/** A value that the provider does not know. It is left out; it never ends a match or empties a block. */
export interface Unknown {
  /** For example `games[3].gameState`. */
  path: string;
  value: unknown;
}

export interface Reading<K> {
  known: K;
  /** In the order in which they are applied. */
  updates: ProviderUpdate[];
  unknown: Unknown[];
}

/**
 * A provider. `K` is the state for one scope (a league, for instance). The state is plain JSON, kept in Postgres so
 * that the next process continues from it. If the state is lost, the poller sends more requests, but no data is lost.
 */
export interface Provider<K = unknown> {
  /** Names the provider in feed updates, in `PROVIDERS` and in the metrics label. */
  name: string;
  /** The source's name for itself. */
  title: string;
  /** The source's address, without a trailing slash. */
  baseUrl: string;
  /**
   * Addresses of other hosts, without a trailing slash, by the beginning of the paths that they serve: `{ '/v2/':
   * 'https://schedule.example' }`. If the operator gives an address in place of `baseUrl`, it serves all paths.
   */
  otherUrls?: Readonly<Record<string, string>>;
  /** Address for server-sent events, if the source has any. */
  eventsUrl?: string;
  /** Maximum number of requests per day (UTC). */
  dailyRequests: number;
  /** Upper bound for a reply in bytes, after decompression. */
  maxBytes?: number;
  /** `acceptance`: the operator has to accept `notice`. `contact`: the source's owner wants an address to write to. */
  requires?: 'acceptance' | 'contact';
  /** The source's terms, in a sentence or two. */
  notice: string;
  /** Version of the shape of `known`. If it is raised, stored states with an older version are dropped. */
  knownVersion: number;
  /**
   * Begins a scope: `bl1` in `PROVIDERS=openligadb:bl1`, null in `PROVIDERS=nhl`.
   * @returns what is known before the first reply, or a text that says why there is no such scope
   */
  start(scope: string | null): K | string;
  /**
   * Returns the requests that should be repeated at `now` (ms), the most urgent first. If two have the same path, the
   * first counts.
   */
  requests(now: number, known: K): PlannedRequest[];
  /** Returns the connections that should be open at `now` (ms). */
  streams?(now: number, known: K): PlannedStream[];
  /**
   * Reads a reply to a planned request.
   * @returns an error text if the whole reply is unusable, so that the poller keeps `known` and asks again
   */
  updates(reply: ProviderReply, known: K): Reading<K> | string;
}

/** Gives a provider a type. The poller treats the provider's state as an opaque value. */
export const defineProvider = <K>(provider: Provider<K>): Provider => provider;
