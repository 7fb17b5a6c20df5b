/**
 * Builds request addresses for the client, and reads the pages of replay and sync. No dependencies; runs in browsers
 * and Node.
 */
import type { Operations } from './api.ts';
import { Ended, toEnded, watchdog } from './stream-connection.ts';

export type SyncPage = Operations['GET /v1/sync']['reply'];
export type ReplayPage = Operations['GET /v1/stream/replay']['reply'];

export interface StreamFilters {
  sport?: readonly string[];
  league?: readonly number[];
  event_type?: readonly string[];
  /** Conditions on fields, such as `data.match.minute>=80`. A text in a condition that has a comma is in quotation marks. */
  where?: readonly string[];
}

interface PagesOptions {
  url: string;
  key?: string;
  transport?: 'sse' | 'websocket';
  filters?: StreamFilters;
  delay?: number;
}

const PAGE_EVENTS = 500;
/** Timeout for reading one page. */
const PAGE_TIMEOUT_MS = 120_000;

export class Pages {
  private readonly options: PagesOptions;
  private readonly fetchIt: typeof fetch;
  private readonly signal: AbortSignal;

  constructor(options: PagesOptions, fetchIt: typeof fetch, signal: AbortSignal) {
    this.options = options;
    this.fetchIt = fetchIt;
    this.signal = signal;
  }

  /** @param client this client's name */
  stream(client: string, cursor: number | null): URL {
    const isWebSocket = this.options.transport === 'websocket';
    const from = isWebSocket ? 'cursor' : 'last_event_id';
    return this.address(isWebSocket ? 'v1/stream/ws' : 'v1/stream', {
      ...this.filters(),
      ...this.delay(),
      client,
      ...(cursor !== null && { [from]: String(cursor) }),
    });
  }

  /**
   * Returns the events after `since`, or `expired` if the service no longer stores them.
   * @throws {Ended}
   */
  replay(since: number): Promise<ReplayPage | 'expired'> {
    const query = { ...this.filters(), ...this.delay(), since: String(since), limit: String(PAGE_EVENTS) };
    return this.read<ReplayPage>(this.address('v1/stream/replay', query));
  }

  /** @param cursor the previous page's `next_cursor`; null for the first page. @throws {Ended} */
  async sync(cursor: string | null): Promise<SyncPage> {
    const { sport, league } = this.filters();
    // Sync accepts only one sport and one tournament. A filter with several values is left out, so the pages contain
    // more matches than requested.
    const query: Record<string, string> = { limit: String(PAGE_EVENTS) };
    if (sport !== undefined && !sport.includes(',')) query.sport = sport;
    if (league !== undefined && !league.includes(',')) query.tournament = league;
    if (cursor !== null) query.cursor = cursor;
    const page = await this.read<SyncPage>(this.address('v1/sync', query));
    if (page === 'expired') throw new Ended('lost', 'sync answered with the unexpected status 410');
    return page;
  }

  private address(path: string, query: Record<string, string>): URL {
    const { url: base } = this.options;
    const url = new URL(path, base.endsWith('/') ? base : `${base}/`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url;
  }

  private filters(): Record<string, string> {
    const given = Object.entries(this.options.filters ?? {}).filter(
      ([, values]) => values !== undefined && values.length > 0,
    );
    return Object.fromEntries(given.map(([name, values]) => [name, values.join(',')]));
  }

  private delay(): Record<string, string> {
    const { delay } = this.options;
    return delay === undefined ? {} : { delay: String(delay) };
  }

  private async read<T>(url: URL): Promise<T | 'expired'> {
    const { key } = this.options;
    const watch = watchdog(this.signal, PAGE_TIMEOUT_MS);
    watch.wait();
    try {
      const headers: Record<string, string> = key === undefined ? {} : { 'X-API-Key': key };
      const response = await this.fetchIt(url, { signal: watch.signal, headers, credentials: 'same-origin' });
      if (response.status === 410) return 'expired';
      if (response.status !== 200) throw await toEnded(response);
      return (await response.json()) as T;
    } finally {
      watch.stop();
    }
  }
}
