/**
 * A provider: how to read one public source of live data. It is a folder of pure functions, without clock, network or
 * database: the poller (src/polling) sends its requests, keeps what it knows, and applies its updates. See
 * docs/providers.md.
 */
import type { FeedUpdateInput } from '../wire/feed-update.ts';

/** A request that is worth repeating. */
export interface PlannedRequest {
  /** Path and query below the provider's address; identifies the request. It begins with a slash. */
  path: string;
  /** Milliseconds from one answer to the next request; the poller adds jitter. */
  everyMs: number;
  /** The request is due at once if this differs from the version that was answered last. */
  version?: string;
  /** Requests of the daily budget that it takes, as the source counts them; 1 unless given. */
  cost?: number;
  /** Whether a match depends on it now. The others leave a part of the budget to these. */
  isLive?: boolean;
}

/** A connection of server-sent events that is worth keeping open now. */
export interface PlannedStream {
  /** Path below the provider's address of events. */
  path: string;
}

/** A reply of the source, or one of its server-sent events. */
export interface ProviderReply {
  /** The path of the request, or of the stream. */
  path: string;
  /** The parsed JSON, of any shape. */
  body: unknown;
  /** The name of a server-sent event; absent in replies. */
  event?: string;
  /** When it arrived, by our clock, in ms. */
  receivedAt: number;
  /** The clock of the source when it answered, in ms, if it told. */
  sourceTime: number | null;
}

type WithoutEnvelope<U> = U extends unknown ? Omit<U, 'schema' | 'provider' | 'observed_at'> : never;
/** A feed update without the members that the poller adds. */
export type ProviderUpdate = WithoutEnvelope<FeedUpdateInput>;

/** A value that the provider does not know. It is left out: it neither ends a match nor empties a block. */
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
 * The state of a provider for one of its scopes (a league, for instance). It is plain JSON and is kept in Postgres, so
 * that another process goes on with it. A lost one costs requests, no data.
 */
export interface Provider<K = unknown> {
  /** The provider of its feed updates, its name in PROVIDERS, and the label of its metrics. */
  name: string;
  /** The source's own name. */
  title: string;
  /** Without a slash at the end. */
  baseUrl: string;
  /**
   * Addresses of other hosts of the source, without a slash at the end, by the beginning of the paths below them:
   * `{ '/v2/': 'https://schedule.example' }`. An address that the operator gives in place of `baseUrl` serves all paths.
   */
  otherUrls?: Readonly<Record<string, string>>;
  /** The address of its server-sent events, if it has any. */
  eventsUrl?: string;
  /** Requests a day (UTC). */
  dailyRequests: number;
  /** Upper bound of a reply in bytes, after decompression. */
  maxBytes?: number;
  /** `acceptance`: the operator has to accept `notice`. `contact`: the owner wants an address to write to. */
  requires?: 'acceptance' | 'contact';
  /** The terms of the source, in a sentence or two. */
  notice: string;
  /** Raised when the shape of `known` changes: an older one is dropped. */
  knownVersion: number;
  /**
   * Begins a scope: `bl1` in `PROVIDERS=openligadb:bl1`, null in `PROVIDERS=nhl`.
   * @returns what is known before the first reply, or a text that says why there is no such scope
   */
  start(scope: string | null): K | string;
  /** Returns the requests that are worth repeating at `now` (ms), the most urgent first; of two with one path, the first counts. */
  requests(now: number, known: K): PlannedRequest[];
  /** Returns the connections that should be open at `now` (ms). */
  streams?(now: number, known: K): PlannedStream[];
  /**
   * Reads a reply to one of the requests.
   * @returns a text if the whole reply is unusable; then the poller keeps `known`, and asks again
   */
  updates(reply: ProviderReply, known: K): Reading<K> | string;
}

/** Types a provider: the poller handles what it knows as a value of any shape. */
export const defineProvider = <K>(provider: Provider<K>): Provider => provider;
