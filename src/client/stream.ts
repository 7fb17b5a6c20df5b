/**
 * A client that never loses an event: it remembers its cursor, reconnects, pages replay through a gap, and falls back to sync when
 * it was away for more than seven days. For browsers and Node; no dependencies. After a crash the events since the last stored cursor
 * may come again, with the same ids.
 *
 * @example
 * const stream = openStream({
 *   url: 'https://sports.example.com', key: 'sk_live_…', filters: { event_type: ['match.goal'] },
 *   storage: { load: () => Number(localStorage.cursor) || null, save: (cursor) => { localStorage.cursor = cursor; } },
 *   onEvent: (event) => console.log(event.data.match.home.score, event.data.match.away.score),
 *   onSync: (page) => replaceMatches(page.events, page.deleted),
 * });
 */
import type { z } from 'zod';
import type { matchDetail } from '../wire/match.ts';
import {
  Ended,
  failureOf,
  type Request,
  type Signal,
  type SocketConstructor,
  type StreamEvent,
  sseTransport,
  type Transport,
  watchdog,
  webSocketTransport,
} from './transport.ts';

export type { StreamEvent } from './transport.ts';

export interface SyncPage {
  count: number;
  events: z.infer<typeof matchDetail>[];
  deleted: { id: number; reason: 'deleted' | 'merged' | 'moved'; merged_into: number | null }[];
  next_cursor: string;
  has_more: boolean;
  stream_cursor: number;
}

export type StreamState =
  | { phase: 'connecting' }
  | { phase: 'live' }
  /** Paging through missed events. */
  | { phase: 'replaying'; since: number }
  /** Events are gone; reading the matches themselves. */
  | { phase: 'syncing' }
  /** Events after `from` are gone, and there is no `onSync`: the stream goes on behind them. */
  | { phase: 'skipped'; from: number; to: number; reason: 'expired' | 'ahead' }
  | { phase: 'waiting'; reason: string; retryInMs: number }
  /** The server will not serve this request: key, plan or filter. */
  | { phase: 'failed'; reason: string }
  | { phase: 'closed' };

export interface StreamOptions {
  /** The service's address. */
  url: string;
  /** Absent on the service's own pages, which have a session. */
  key?: string;
  transport?: 'sse' | 'websocket';
  filters?: { sport?: readonly string[]; league?: readonly number[]; event_type?: readonly string[] };
  /** Where the cursor outlives the page or the process; what `load` gives is where the stream begins. */
  storage?: { load(): number | null | Promise<number | null>; save(cursor: number): void | Promise<void> };
  /** Called for each event once, in the order of the log; the cursor moves on when it has returned. One that throws gets the event again. */
  onEvent(event: StreamEvent): void | Promise<void>;
  /**
   * Pages of matches: all at the beginning, where there is no stored cursor, and what has changed when events were missed for good.
   * Without it the stream begins with the next event and goes on behind a hole.
   */
  onSync?(page: SyncPage): void | Promise<void>;
  /** `next_cursor` of the last page that was kept, so that the next sync gives only what has changed. */
  syncCursor?: string;
  onState?(state: StreamState): void;
  fetch?: typeof fetch;
  /** Node 20 has none of its own: pass the one of the package ws. */
  WebSocket?: SocketConstructor;
}

export interface StreamHandle {
  close(): void;
  cursor(): number | null;
  /** Resolves when the stream was closed or has failed. */
  done: Promise<void>;
}

/** Between attempts: doubled each time without success, half of it by chance, so that a restart is not met by all at once. */
const RETRY_FIRST_MS = 1_000;
const RETRY_MAX_MS = 30_000;
/** A longer `Retry-After` (a month's quota, say) is asked about again after this; timers end at 24 days. */
const RETRY_AFTER_MAX_MS = 3_600_000;
/** Envelope ids that are remembered to drop repeats. */
const REMEMBERED = 20_000;
const PAGE = 500;
/** For one page of replay or sync. */
const PAGE_TIMEOUT_MS = 120_000;

type Gap = Extract<Signal, { kind: 'gap' }>;
interface ReplayPage {
  events: StreamEvent[];
  next_cursor: number;
  has_more: boolean;
}

export function openStream(options: StreamOptions): StreamHandle {
  const abort = new AbortController();
  const { signal } = abort;
  const fetchIt = options.fetch ?? globalThis.fetch.bind(globalThis);
  const transport = chooseTransport(options, fetchIt);
  const client = randomName();
  const seen = rememberIds();
  let cursor: number | null = null;
  let syncCursor = options.syncCursor ?? null;
  let phase: StreamState['phase'] | null = null;
  const report = (state: StreamState) => {
    ({ phase } = state);
    options.onState?.(state);
  };

  async function setCursor(next: number): Promise<void> {
    cursor = next;
    await options.storage?.save(next);
  }

  async function moveTo(next: number): Promise<void> {
    if (cursor === null || next > cursor) await setCursor(next);
  }

  async function deliver(event: StreamEvent): Promise<void> {
    if (!seen.has(event.id)) {
      await options.onEvent(event);
      seen.add(event.id);
    }
    await moveTo(event.cursor);
  }

  function request(path: string, parameters: Record<string, string>): URL {
    const url = new URL(path, options.url.endsWith('/') ? options.url : `${options.url}/`);
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return url;
  }
  function filters(): Record<string, string> {
    const given = Object.entries(options.filters ?? {}).filter(
      ([, values]) => values !== undefined && values.length > 0,
    );
    return Object.fromEntries(given.map(([name, values]) => [name, values.join(',')]));
  }
  const headers = (): Record<string, string> => (options.key === undefined ? {} : { 'X-API-Key': options.key });

  async function getJson<T>(url: URL): Promise<T | 'expired'> {
    const watch = watchdog(signal, PAGE_TIMEOUT_MS);
    watch.wait();
    try {
      const asked = { signal: watch.signal, headers: headers(), credentials: 'same-origin' } as const;
      const response = await fetchIt(url, asked);
      if (response.status === 410) return 'expired';
      if (response.status !== 200) throw await failureOf(response);
      return (await response.json()) as T;
    } finally {
      watch.stop();
    }
  }

  /** Reads all that was missed; the stored cursor moves with it, so that a crash on the way goes on from there. */
  async function catchUp({ from, to }: Gap): Promise<void> {
    report({ phase: 'replaying', since: from });
    for (let since = from; !signal.aborted; ) {
      const query = { ...filters(), since: String(since), limit: String(PAGE) };
      const page = await getJson<ReplayPage>(request('v1/stream/replay', query));
      if (page === 'expired') return resync({ kind: 'gap', from: since, to, reason: 'expired' });
      for (const event of page.events) {
        if (signal.aborted) return;
        await deliver(event);
      }
      await moveTo(page.next_cursor);
      if (!page.has_more) return;
      since = page.next_cursor;
    }
  }

  /**
   * Reads the matches themselves: all, or what has changed since the last sync. An attempt that breaks off is continued by the next one.
   * The stored cursor stays before the hole until the last page was taken.
   * @param gap null: the first one
   */
  async function resync(gap: Gap | null): Promise<void> {
    const { onSync } = options;
    if (gap?.reason === 'ahead') {
      // The service came back with an older log: ids and cursors of before may now name other events.
      seen.clear();
      syncCursor = null;
    }
    if (onSync === undefined) {
      if (gap === null) return;
      report({ phase: 'skipped', from: gap.from, to: gap.to, reason: gap.reason === 'ahead' ? 'ahead' : 'expired' });
      return setCursor(gap.to);
    }
    report({ phase: 'syncing' });
    const { sport, league } = filters();
    // Sync takes one sport and one tournament; of several, the pages hold more than was asked for.
    const narrowed: Record<string, string> = { limit: String(PAGE) };
    if (sport !== undefined && !sport.includes(',')) narrowed.sport = sport;
    if (league !== undefined && !league.includes(',')) narrowed.tournament = league;
    while (!signal.aborted) {
      const page: SyncPage | 'expired' = await getJson<SyncPage>(
        request('v1/sync', syncCursor === null ? narrowed : { ...narrowed, cursor: syncCursor }),
      );
      if (page === 'expired') throw new Ended('lost', 'sync never expires');
      await onSync(page);
      syncCursor = page.next_cursor;
      // The same on every page of a pass.
      if (!page.has_more) return setCursor(page.stream_cursor);
    }
  }

  /** One connection, until it ends or shows a gap; then the hole is closed. @throws {Ended} */
  async function follow(): Promise<void> {
    const path = options.transport === 'websocket' ? 'v1/stream/ws' : 'v1/stream';
    const from = options.transport === 'websocket' ? 'cursor' : 'last_event_id';
    const url = request(path, { ...filters(), client, ...(cursor !== null && { [from]: String(cursor) }) });
    const asked: Request = { url, key: options.key, signal };
    for await (const one of transport(asked)) {
      if (signal.aborted) return;
      if (one.kind === 'gap') {
        // The connection is given up: what it would send now lies behind the hole.
        return one.reason === 'limit' ? catchUp(one) : resync(one);
      }
      if (phase !== 'live') report({ phase: 'live' });
      if (one.kind === 'event') await deliver(one.event);
      else await moveTo(one.cursor);
    }
    throw new Ended('lost', 'the connection ended');
  }

  async function run(): Promise<void> {
    try {
      cursor = (await options.storage?.load()) ?? null;
    } catch (error) {
      report({ phase: 'failed', reason: String(error) });
      return;
    }
    let attempts = 0;
    while (!signal.aborted) {
      report({ phase: 'connecting' });
      const before = cursor;
      const end = await (cursor === null && options.onSync !== undefined ? resync(null) : follow()).then(
        () => null,
        (error: unknown) => (error instanceof Ended ? error : new Ended('lost', String(error))),
      );
      if (signal.aborted) break;
      if (end?.kind === 'refused') {
        report({ phase: 'failed', reason: end.message });
        return;
      }
      // A hole that was closed is followed by a connection at once, unless it shows again and again.
      if (end === null && cursor !== before) attempts = 0;
      else {
        attempts = phase === 'live' ? 1 : attempts + 1;
        await pause(end, attempts);
      }
    }
    report({ phase: 'closed' });
  }

  /** @param attempts without success */
  async function pause(end: Ended | null, attempts: number): Promise<void> {
    const longest = Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** (attempts - 1));
    const asked = Math.min(end?.retryAfterMs ?? 0, RETRY_AFTER_MAX_MS);
    // Those who were told the same time do not come at the same time either.
    const retryInMs = Math.max(asked, longest / 2) + (Math.random() * longest) / 2;
    report({ phase: 'waiting', reason: end?.message ?? 'the same gap again', retryInMs });
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, retryInMs);
      signal.addEventListener('abort', done);
      if (signal.aborted) done();
    });
  }

  return { close: () => abort.abort(), cursor: () => cursor, done: run() };
}

function chooseTransport({ transport, WebSocket: given }: StreamOptions, fetchIt: typeof fetch): Transport {
  if (transport !== 'websocket') return sseTransport(fetchIt);
  const SocketClass = given ?? (globalThis as { WebSocket?: SocketConstructor }).WebSocket;
  if (SocketClass === undefined) throw new Error('there is no WebSocket here: pass one, for example of the package ws');
  return webSocketTransport(SocketClass);
}

/** Tells the service which old connection this one replaces. */
function randomName(): string {
  return Array.from(globalThis.crypto.getRandomValues(new Uint8Array(12)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

/** The newest ids, the oldest forgotten. */
function rememberIds(): { has(id: string): boolean; add(id: string): void; clear(): void } {
  const ids = new Set<string>();
  return {
    has: (id) => ids.has(id),
    clear: () => ids.clear(),
    add(id) {
      ids.add(id);
      if (ids.size > REMEMBERED) ids.delete(ids.values().next().value!);
    },
  };
}
