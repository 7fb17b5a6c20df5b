/**
 * A client that never loses an event: it remembers its cursor, reconnects, pages replay through a gap, and falls back to sync when
 * it was away for more than seven days. For browsers and Node; no dependencies.
 *
 * @example
 * const stream = openStream({
 *   url: 'https://sports.example.com', key: 'sk_live_…', filters: { event_type: ['match.goal'] },
 *   storage: { load: () => Number(localStorage.cursor) || null, save: (cursor) => { localStorage.cursor = cursor; } },
 *   onEvent: (event) => console.log(event.data.match.home.score, event.data.match.away.score),
 *   onSync: (page) => replaceMatches(page.events, page.deleted),
 * });
 */
import {
  Ended,
  failureOf,
  type Request,
  type Signal,
  type SocketConstructor,
  type StreamEvent,
  sseTransport,
  type Transport,
  webSocketTransport,
} from './transport.ts';

export type { StreamEvent } from './transport.ts';

export interface SyncPage {
  events: unknown[];
  deleted: { id: number; reason: string; merged_into: number | null }[];
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
  /** Called for each event once, in the order of the log; the cursor moves on when it has returned. */
  onEvent(event: StreamEvent): void | Promise<void>;
  /** Pages of changed matches, when events were missed for good. Without it the stream goes on behind the hole. */
  onSync?(page: SyncPage): void | Promise<void>;
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

/** Between attempts: doubled each time, half of it by chance, so that a restart is not met by all at once. */
const RETRY_FIRST_MS = 1_000;
const RETRY_MAX_MS = 30_000;
/** Envelope ids that are remembered to drop repeats. */
const REMEMBERED = 20_000;
const PAGE = 500;

export function openStream(options: StreamOptions): StreamHandle {
  const abort = new AbortController();
  const { signal } = abort;
  const fetchIt = options.fetch ?? globalThis.fetch.bind(globalThis);
  const transport = chooseTransport(options, fetchIt);
  const client = randomName();
  const seen = rememberIds();
  let cursor: number | null = null;
  const report = (state: StreamState) => options.onState?.(state);

  async function moveTo(next: number): Promise<void> {
    if (cursor !== null && next <= cursor) return;
    cursor = next;
    await options.storage?.save(next);
  }

  async function deliver(event: StreamEvent): Promise<void> {
    if (seen.has(event.id)) return moveTo(event.cursor);
    await options.onEvent(event);
    seen.add(event.id);
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
    const response = await fetchIt(url, { signal, headers: headers(), credentials: 'same-origin' });
    if (response.status === 410) return 'expired';
    if (response.status !== 200) throw await failureOf(response);
    return (await response.json()) as T;
  }

  /** Reads all that was missed; the stored cursor moves with it, so that a crash on the way goes on from there. */
  async function catchUp(since: number): Promise<void> {
    report({ phase: 'replaying', since });
    for (let from = since; ; ) {
      const page = await getJson<{ events: StreamEvent[]; next_cursor: number; has_more: boolean }>(
        request('v1/stream/replay', { ...filters(), since: String(from), limit: String(PAGE) }),
      );
      if (page === 'expired') return resync(null);
      for (const event of page.events) await deliver(event);
      await moveTo(page.next_cursor);
      if (!page.has_more) return;
      from = page.next_cursor;
    }
  }

  /** @param behind where to go on when there is nobody to take the pages; null: the end of the log */
  async function resync(behind: number | null): Promise<void> {
    const { onSync } = options;
    if (onSync === undefined) {
      cursor = behind;
      return;
    }
    report({ phase: 'syncing' });
    const { sport, league } = filters();
    // Sync takes one sport and one tournament; of several, the pages hold more than was asked for.
    const narrowed: Record<string, string> = { limit: String(PAGE) };
    if (sport !== undefined && !sport.includes(',')) narrowed.sport = sport;
    if (league !== undefined && !league.includes(',')) narrowed.tournament = league;
    let streamCursor: number | null = null;
    for (let next: string | null = null; ; ) {
      const page: SyncPage | 'expired' = await getJson<SyncPage>(
        request('v1/sync', next === null ? narrowed : { ...narrowed, cursor: next }),
      );
      if (page === 'expired') throw new Ended('lost', 'sync never expires');
      await onSync(page);
      streamCursor ??= page.stream_cursor;
      next = page.next_cursor;
      if (!page.has_more) break;
    }
    cursor = streamCursor;
    await options.storage?.save(streamCursor);
  }

  /** One connection, until it ends or shows a gap; then the hole is closed. @throws {Ended} */
  async function follow(): Promise<void> {
    const path = options.transport === 'websocket' ? 'v1/stream/ws' : 'v1/stream';
    const from = options.transport === 'websocket' ? 'cursor' : 'last_event_id';
    const url = request(path, { ...filters(), client, ...(cursor !== null && { [from]: String(cursor) }) });
    const asked: Request = { url, key: options.key, signal };
    for await (const one of transport(asked)) {
      if (signal.aborted) return;
      const gap = await take(one);
      if (gap === null) continue;
      // The connection is given up: what it would send now lies behind the hole.
      if (gap.reason === 'limit') return catchUp(gap.from);
      if (gap.reason === 'expired') return resync(gap.to);
      cursor = gap.to;
      await options.storage?.save(gap.to);
    }
    throw new Ended('lost', 'the connection ended');
  }

  async function take(one: Signal): Promise<Extract<Signal, { kind: 'gap' }> | null> {
    if (one.kind === 'gap') return one;
    if (one.kind === 'event') await deliver(one.event);
    else {
      report({ phase: 'live' });
      if (cursor === null) cursor = one.cursor;
      await moveTo(one.cursor);
    }
    return null;
  }

  async function run(): Promise<void> {
    cursor = (await options.storage?.load()) ?? null;
    let attempts = 0;
    while (!signal.aborted) {
      report({ phase: 'connecting' });
      const begun = Date.now();
      const end = await follow().then(
        () => null,
        (error: unknown) => (error instanceof Ended ? error : new Ended('lost', String(error))),
      );
      if (signal.aborted) break;
      if (end?.kind === 'refused') {
        report({ phase: 'failed', reason: end.message });
        return;
      }
      // A connection that has lived for a while ended as connections do.
      attempts = end === null || Date.now() - begun > RETRY_MAX_MS ? 0 : attempts + 1;
      await pause(end, attempts);
    }
    report({ phase: 'closed' });
  }

  async function pause(end: Ended | null, attempts: number): Promise<void> {
    const longest = Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** Math.max(attempts - 1, 0));
    const retryInMs = Math.max(end?.retryAfterMs ?? 0, attempts === 0 ? 0 : longest * (0.5 + Math.random() / 2));
    if (retryInMs === 0) return;
    report({ phase: 'waiting', reason: end?.message ?? '', retryInMs });
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, retryInMs);
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
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
function rememberIds(): { has(id: string): boolean; add(id: string): void } {
  const ids = new Set<string>();
  return {
    has: (id) => ids.has(id),
    add(id) {
      ids.add(id);
      if (ids.size > REMEMBERED) ids.delete(ids.values().next().value!);
    },
  };
}
