/**
 * A client for the event stream that never loses an event. It stores the cursor, reconnects, and reads missed events by
 * replay. After more than seven days without a connection, it uses sync instead. After a crash, the events since the
 * last stored cursor may be delivered again, with the same ids. For browsers and Node; no dependencies.
 *
 * @example
 * const stream = openStream({
 *   url: 'https://sports.example.com', key: 'sk_live_…', filters: { event_type: ['match.goal'] },
 *   storage: { load: () => Number(localStorage.cursor) || null, save: (cursor) => { localStorage.cursor = cursor; } },
 *   onEvent: (event) => console.log(event.data.match.home.score, event.data.match.away.score),
 *   onSync: (page) => replaceMatches(page.events, page.deleted),
 * });
 */
import { checkKey, checkUrl } from './options.ts';
import { Pages, type StreamFilters, type SyncPage } from './pages.ts';
import { pause } from './pause.ts';
import { randomName } from './random-name.ts';
import {
  Ended,
  type Signal,
  type SocketConstructor,
  type StreamEvent,
  sseTransport,
  type Transport,
  webSocketTransport,
} from './stream-connection.ts';

export type { SyncPage } from './pages.ts';
export type { StreamEvent } from './stream-connection.ts';

export type StreamState =
  | { phase: 'connecting' }
  | { phase: 'live' }
  /** Paging through missed events. */
  | { phase: 'replaying'; since: number }
  /** Missed events are no longer stored, so the client reads the matches themselves. */
  | { phase: 'syncing' }
  /** Events after `from` are no longer stored, and there is no `onSync`, so the stream continues after them. */
  | { phase: 'skipped'; from: number; to: number; reason: 'expired' | 'ahead' }
  | { phase: 'waiting'; reason: string; retryInMs: number }
  /** The server refuses this request because of the key, plan or filter. */
  | { phase: 'failed'; reason: string }
  | { phase: 'closed' };

export interface StreamOptions {
  /** The service's address. */
  url: string;
  /** A secret or a publishable key. */
  key: string;
  transport?: 'sse' | 'websocket';
  filters?: StreamFilters;
  /**
   * How many seconds after an event you get it, from 0 to 600, so that no score arrives before the television shows it.
   * Not together with `onSync`, which would receive the present state of the matches.
   */
  delay?: number;
  /**
   * Stores the cursor, so that it survives the page or the process. The stream begins at the cursor that `load`
   * returns.
   */
  storage?: { load(): number | null | Promise<number | null>; save(cursor: number): void | Promise<void> };
  /**
   * Called once for each event, in log order. The cursor advances once it has returned. If it throws, it is called
   * again with the same event.
   */
  onEvent(event: StreamEvent): void | Promise<void>;
  /**
   * Receives pages of matches. If no cursor is stored, these are all matches. If missed events are no longer stored, these are the changed
   * matches. Without this function, the stream begins with the next event, and skips missed events.
   */
  onSync?(page: SyncPage): void | Promise<void>;
  /** `next_cursor` from the last page that you have stored. The next sync then returns only changes. */
  syncCursor?: string;
  onState?(state: StreamState): void;
  fetch?: typeof fetch;
  /** Node 20 has no WebSocket, so pass the one from the package ws. */
  WebSocket?: SocketConstructor;
}

export interface StreamHandle {
  close(): void;
  cursor(): number | null;
  /** Resolves when the stream is closed or has failed. */
  done: Promise<void>;
}

/**
 * Shortest and longest back-off between attempts. It is doubled after each failure and partly random, so that clients
 * do not all return at once after a restart.
 */
const RETRY_FIRST_MS = 1_000;
const RETRY_MAX_MS = 30_000;
/**
 * Longest back-off while the service cannot be reached. It is short, so that an outage lasts hardly longer for the
 * client than for the service.
 */
const UNREACHABLE_MAX_MS = 5_000;
/**
 * Longest wait for `Retry-After`, which may be longer (for a used-up monthly quota, say). Timers are limited to 24
 * days.
 */
const RETRY_AFTER_MAX_MS = 3_600_000;

type Gap = Extract<Signal, { kind: 'gap' }>;

/**
 * @throws {TypeError} for a missing or malformed url or key, or for `onSync` with a delay; {Error} if the runtime has no WebSocket and none is given
 */
export function openStream(options: StreamOptions): StreamHandle {
  const client = new StreamClient(options);
  return { close: () => client.close(), cursor: () => client.cursor, done: client.run() };
}

class StreamClient {
  /** The cursor at the last handled event. */
  cursor: number | null = null;
  private readonly options: StreamOptions;
  private readonly abort = new AbortController();
  private readonly pages: Pages;
  private readonly transport: Transport;
  /** This client's name, by which the service knows which earlier connection a new one replaces. */
  private readonly name = randomName();
  private readonly seen = new RecentIds();
  private syncCursor: string | null;
  private phase: StreamState['phase'] | null = null;

  constructor(options: StreamOptions) {
    checkUrl(options.url);
    checkKey(options.key);
    if (options.delay && options.onSync !== undefined)
      throw new TypeError(
        'The options delay and onSync exclude each other: sync reads the present state of the matches.',
      );
    const fetchIt = options.fetch ?? globalThis.fetch.bind(globalThis);
    this.options = options;
    this.transport = chooseTransport(options, fetchIt);
    this.pages = new Pages(options, fetchIt, this.abort.signal);
    this.syncCursor = options.syncCursor ?? null;
  }

  close(): void {
    this.abort.abort();
  }

  private isClosed(): boolean {
    return this.abort.signal.aborted;
  }

  private report(state: StreamState): void {
    this.phase = state.phase;
    this.options.onState?.(state);
  }

  // ---- the cursor

  private async setCursor(next: number): Promise<void> {
    this.cursor = next;
    await this.options.storage?.save(next);
  }

  private async advance(next: number): Promise<void> {
    if (this.cursor === null || next > this.cursor) await this.setCursor(next);
  }

  private async deliver(event: StreamEvent): Promise<void> {
    if (!this.seen.has(event.id)) {
      await this.options.onEvent(event);
      this.seen.add(event.id);
    }
    await this.advance(event.cursor);
  }

  // ---- gaps

  /**
   * Reads all missed events. The stored cursor advances with each event, so that the client continues from there after
   * a crash.
   */
  private async catchUp({ from, to }: Gap): Promise<void> {
    this.report({ phase: 'replaying', since: from });
    for (let since = from; !this.isClosed(); ) {
      const page = await this.pages.replay(since);
      if (page === 'expired') return this.resync({ kind: 'gap', from: since, to, reason: 'expired' });
      for (const event of page.events) {
        if (this.isClosed()) return;
        await this.deliver(event);
      }
      await this.advance(page.next_cursor);
      if (!page.has_more) return;
      since = page.next_cursor;
    }
  }

  /**
   * Reads matches in place of missed events. After an earlier sync, it reads the matches that have changed since, and
   * otherwise all matches. If the sync fails, the next attempt continues it. The stored cursor stays before the gap
   * until the last page has been handled.
   * @param gap null for the first sync
   */
  private async resync(gap: Gap | null): Promise<void> {
    const { onSync } = this.options;
    if (gap?.reason === 'ahead') {
      // The service was restored with an older log, so earlier ids and cursors may now belong to other events.
      this.seen.clear();
      this.syncCursor = null;
    }
    if (onSync === undefined) {
      if (gap === null) return;
      const { from, to } = gap;
      this.report({ phase: 'skipped', from, to, reason: gap.reason === 'ahead' ? 'ahead' : 'expired' });
      return this.setCursor(to);
    }
    this.report({ phase: 'syncing' });
    while (!this.isClosed()) {
      const page = await this.pages.sync(this.syncCursor);
      await onSync(page);
      this.syncCursor = page.next_cursor;
      // `stream_cursor` is the same on all pages in a sync.
      if (!page.has_more) return this.setCursor(page.stream_cursor);
    }
  }

  // ---- connections

  /** Follows one connection until it ends or shows a gap, and then closes the gap. @throws {Ended} */
  private async follow(): Promise<void> {
    const { key } = this.options;
    const url = this.pages.stream(this.name, this.cursor);
    for await (const signal of this.transport({ url, key, signal: this.abort.signal })) {
      if (this.isClosed()) return;
      if (signal.kind === 'gap') {
        // The connection is abandoned, because its next events come after the gap.
        return signal.reason === 'limit' ? this.catchUp(signal) : this.resync(signal);
      }
      if (this.phase !== 'live') this.report({ phase: 'live' });
      if (signal.kind === 'event') await this.deliver(signal.event);
      else await this.advance(signal.cursor);
    }
    throw new Ended('lost', 'the connection ended');
  }

  /** @returns the reason why the attempt ended; null if a gap was closed or a first sync is complete */
  private async attempt(): Promise<Ended | null> {
    try {
      if (this.cursor === null && this.options.onSync !== undefined) await this.resync(null);
      else await this.follow();
      return null;
    } catch (error) {
      return error instanceof Ended ? error : new Ended('lost', String(error));
    }
  }

  /** Connects again and again. Resolves when the stream is closed or has failed. */
  async run(): Promise<void> {
    try {
      this.cursor = (await this.options.storage?.load()) ?? null;
    } catch (error) {
      this.report({ phase: 'failed', reason: String(error) });
      return;
    }
    let attempts = 0;
    while (!this.isClosed()) {
      this.report({ phase: 'connecting' });
      const before = this.cursor;
      const end = await this.attempt();
      if (this.isClosed()) break;
      if (end?.kind === 'refused') {
        this.report({ phase: 'failed', reason: end.message });
        return;
      }
      // After a gap is closed, the client reconnects at once. If the same gap occurs again, it pauses first.
      if (end === null && this.cursor !== before) attempts = 0;
      else {
        attempts = this.phase === 'live' ? 1 : attempts + 1;
        await this.pause(end, attempts);
      }
    }
    this.report({ phase: 'closed' });
  }

  /** @param attempts number of consecutive attempts without success */
  private async pause(end: Ended | null, attempts: number): Promise<void> {
    const retryInMs = backOffMs(end, attempts);
    this.report({ phase: 'waiting', reason: end?.message ?? 'the same gap came again', retryInMs });
    await pause(retryInMs, this.abort.signal);
  }
}

/**
 * @param end null if the same gap occurred again
 * @param attempts number of consecutive attempts without success
 * @returns the pause before the next attempt, in milliseconds
 */
export function backOffMs(end: Ended | null, attempts: number): number {
  const limit = end?.isAnswer === false ? UNREACHABLE_MAX_MS : RETRY_MAX_MS;
  const longest = Math.min(limit, RETRY_FIRST_MS * 2 ** (attempts - 1));
  const requested = Math.min(end?.retryAfterMs ?? 0, RETRY_AFTER_MAX_MS);
  // A random time is added, so that clients with the same `Retry-After` do not return at the same time.
  return Math.max(requested, longest / 2) + (Math.random() * longest) / 2;
}

const REMEMBERED_IDS = 20_000;

/** Stores the most recent envelope ids, so that repeats are dropped. */
class RecentIds {
  private readonly ids = new Set<string>();

  has(id: string): boolean {
    return this.ids.has(id);
  }

  add(id: string): void {
    this.ids.add(id);
    if (this.ids.size > REMEMBERED_IDS) this.ids.delete(this.ids.values().next().value!);
  }

  clear(): void {
    this.ids.clear();
  }
}

function chooseTransport({ transport, WebSocket: given }: StreamOptions, fetchIt: typeof fetch): Transport {
  if (transport !== 'websocket') return sseTransport(fetchIt);
  const SocketClass = given ?? (globalThis as { WebSocket?: SocketConstructor }).WebSocket;
  if (SocketClass === undefined) throw new Error('no WebSocket available: pass one, for example from the package ws');
  return webSocketTransport(SocketClass);
}
