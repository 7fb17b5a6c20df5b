/**
 * Typed REST client. The types of paths, parameters and replies come from the service's OpenAPI document. If a request
 * is refused because of a limit, or because the service restarts, it is retried. For browsers and Node; no dependencies.
 *
 * @example
 * const api = createClient({ url: 'https://sports.example.com', key: 'sk_live_…' });
 * const match = await api.get('/v1/event/{id}', { id: 42 });
 * for await (const page of api.pages('/v1/events', { sport: 'football' })) show(page.events);
 */
import type { Operations } from './api.ts';
import { checkKey, checkUrl } from './options.ts';
import { pause } from './pause.ts';
import { ApiError } from './problem.ts';
import { randomName } from './random-name.ts';
import { ReachedPosition } from './reached.ts';

import { type Method, shouldRetry, waitBefore } from './retry.ts';
import { watchdog } from './stream-connection.ts';

/** The paths that have this method. */
export type PathOf<M extends Method> = keyof Operations extends infer Name
  ? Name extends `${M} ${infer Path}`
    ? Path
    : never
  : never;
type Operation<M extends Method, P extends PathOf<M>> = Operations[Extract<keyof Operations, `${M} ${P}`>];
/** A list that has one value may be given as that value. */
type OneOrMany<Params> = {
  [Name in keyof Params]: Name extends 'body'
    ? Params[Name]
    : Params[Name] extends readonly (infer One)[] | undefined
      ? Params[Name] | One
      : Params[Name];
};
/** Path and query parameters. The member `body` is sent as JSON. */
export type ParamsOf<M extends Method, P extends PathOf<M>> = OneOrMany<Operation<M, P>['params']>;
export type ReplyOf<M extends Method, P extends PathOf<M>> = Operation<M, P>['reply'];

export interface RequestOptions {
  signal?: AbortSignal;
  /**
   * For POST. A second request with the same key within 24 hours creates nothing. By default, each call gets a new key.
   */
  idempotencyKey?: string;
}
type Given<Params> =
  Record<string, never> extends Params
    ? [params?: Params, options?: RequestOptions]
    : [params: Params, options?: RequestOptions];

export interface ClientOptions {
  /** The service's address. */
  url: string;
  /** A secret or a publishable key. */
  key: string;
  fetch?: typeof fetch;
  /** Maximum number of attempts per call. 4 by default. */
  attempts?: number;
  /**
   * Longest wait before a retry. If `Retry-After` is longer, as when a daily quota is used up, the call fails at once.
   * 30,000 by default.
   */
  longestWaitMs?: number;
  /** Timeout for one request. 30,000 by default. */
  timeoutMs?: number;
  /**
   * Maximum number of replies that are cached by entity tag. A request for a cached reply costs nothing if it has not
   * changed. 0 by default.
   */
  remember?: number;
}

export interface Client {
  get<P extends PathOf<'GET'>>(path: P, ...given: Given<ParamsOf<'GET', P>>): Promise<ReplyOf<'GET', P>>;
  /** Yields the page that the parameters ask for, and all pages after it. */
  pages<P extends PathOf<'GET'>>(path: P, ...given: Given<ParamsOf<'GET', P>>): AsyncGenerator<ReplyOf<'GET', P>, void>;
  post<P extends PathOf<'POST'>>(path: P, ...given: Given<ParamsOf<'POST', P>>): Promise<ReplyOf<'POST', P>>;
  patch<P extends PathOf<'PATCH'>>(path: P, ...given: Given<ParamsOf<'PATCH', P>>): Promise<ReplyOf<'PATCH', P>>;
  delete<P extends PathOf<'DELETE'>>(path: P, ...given: Given<ParamsOf<'DELETE', P>>): Promise<ReplyOf<'DELETE', P>>;
}

const ATTEMPTS = 4;
const LONGEST_WAIT_MS = 30_000;
const TIMEOUT_MS = 30_000;

/**
 * @throws {TypeError} for a missing or malformed url, or for a malformed key. Each method throws {ApiError} for
 *   statuses of 400 and above, and the `fetch` error if the service is unreachable
 */
export function createClient(options: ClientOptions): Client {
  const rest = new RestClient(options);
  const method =
    (name: Method) =>
    (path: string, params?: Params, given?: RequestOptions): Promise<never> =>
      rest.call(name, path, params, given) as Promise<never>;
  return {
    get: method('GET'),
    pages: (path: string, params?: Params, given?: RequestOptions) =>
      rest.pages(path, params, given) as AsyncGenerator<never, void>,
    post: method('POST'),
    patch: method('PATCH'),
    delete: method('DELETE'),
  };
}

type Params = Readonly<Record<string, unknown>>;

class RestClient {
  private readonly options: ClientOptions;
  private readonly fetchIt: typeof fetch;
  private readonly reached = new ReachedPosition();
  /** Cached replies by address, the most recently used last. */
  private readonly replies = new Map<string, { tag: string; text: string }>();

  constructor(options: ClientOptions) {
    checkUrl(options.url);
    checkKey(options.key);
    this.options = options;
    this.fetchIt = options.fetch ?? globalThis.fetch.bind(globalThis);
  }

  async *pages(path: string, params: Params = {}, given: RequestOptions = {}): AsyncGenerator<unknown, void> {
    for (let next: Params | null = params; next !== null; ) {
      const page = (await this.call('GET', path, next, given)) as Page;
      yield page;
      next = nextPage(path, next, page);
    }
  }

  async call(method: Method, path: string, params: Params = {}, given: RequestOptions = {}): Promise<unknown> {
    const { body, ...rest } = params;
    const url = buildUrl(this.options.url, path, rest);
    const headers: Record<string, string> = { Accept: 'application/json' };
    if (this.options.key !== undefined) headers['X-API-Key'] = this.options.key;
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    if (method === 'POST') headers['Idempotency-Key'] = given.idempotencyKey ?? randomName();
    const request: RequestInit = {
      method,
      headers,
      credentials: 'same-origin',
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
    const { attempts = ATTEMPTS, longestWaitMs = LONGEST_WAIT_MS } = this.options;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.ask(url, request, given.signal);
      } catch (error) {
        const wait = waitBefore(attempt + 1, error);
        const isFinal = attempt >= attempts || wait > longestWaitMs || !shouldRetry(error, method);
        if (given.signal?.aborted === true || isFinal) throw error;
        await pause(wait, given.signal);
      }
    }
  }

  private async ask(url: string, request: RequestInit, signal = new AbortController().signal): Promise<unknown> {
    const known = request.method === 'GET' ? this.replies.get(url) : undefined;
    const headers = {
      ...(request.headers as Record<string, string>),
      ...this.reached.headers,
      ...(known && { 'If-None-Match': known.tag }),
    };
    const { timeoutMs = TIMEOUT_MS } = this.options;
    const watch = watchdog(signal, timeoutMs);
    watch.wait();
    try {
      const response = await this.fetchIt(url, { ...request, headers, signal: watch.signal });
      const text = await response.text();
      this.reached.take(response);
      if (response.status === 304 && known !== undefined) return this.reply(url, known.tag, known.text);
      if (!response.ok) throw new ApiError(response, text);
      if (text === '') return undefined;
      return this.reply(url, request.method === 'GET' ? response.headers.get('etag') : null, text);
    } catch (error) {
      if (!watch.signal.aborted || signal.aborted) throw error;
      throw new Error(`no answer within ${timeoutMs} ms`, { cause: error });
    } finally {
      watch.stop();
    }
  }

  private reply(url: string, tag: string | null, text: string): unknown {
    this.replies.delete(url);
    if (tag !== null) this.replies.set(url, { tag, text });
    if (this.replies.size > (this.options.remember ?? 0)) this.replies.delete(this.replies.keys().next().value!);
    return JSON.parse(text);
  }
}

/** Members that paged replies have. */
interface Page {
  has_more?: boolean;
  next_cursor?: string | number | null;
  next_after?: string | null;
  count?: number;
  total?: number;
}

/** @returns the parameters for the next page; null if the page is the last */
function nextPage(path: string, params: Params, page: Page): Params | null {
  const { has_more, next_cursor, next_after, count = 0, total } = page;
  if (has_more === false || next_cursor === null || next_after === null) return null;
  if (next_cursor !== undefined) return { ...params, [path === '/v1/stream/replay' ? 'since' : 'cursor']: next_cursor };
  if (next_after !== undefined) {
    const { offset: _, ...others } = params;
    return { ...others, after: next_after };
  }
  const reached = Number(params.offset ?? 0) + count;
  return total !== undefined && count > 0 && reached < total ? { ...params, offset: reached } : null;
}

/** @throws {TypeError} for a missing path parameter */
function buildUrl(base: string, path: string, params: Params): string {
  const query = { ...params };
  const filled = path.replace(/\{(\w+)\}/gu, (_, name: string) => {
    const value = String(params[name] ?? '');
    // One dot, or two, would lead elsewhere.
    if (/^\.{0,2}$/u.test(value)) throw new TypeError(`${path} needs a value for ${name}`);
    delete query[name];
    return encodeURIComponent(value);
  });
  const url = new URL(filled.slice(1), base.endsWith('/') ? base : `${base}/`);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
  return url.href;
}
