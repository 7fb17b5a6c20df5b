/**
 * Headers that every response has. They are computed once, because computing them for each request would be the HTTP
 * layer's largest cost.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'koa-helmet';

/** When a route was deprecated, and when it will be removed. */
export interface Deprecation {
  deprecated: Date;
  sunset: Date;
  link?: string;
}

export type HeaderList = readonly (readonly [string, string])[];

export const VARY = 'Origin, Accept-Encoding, Accept-Language';
/** For pages that caches may keep: a cookie may choose the language and the time zone. */
export const SHARED_PAGE_VARY = `${VARY}, Cookie`;
/** For replies with a position, so that a browser does not show an older one to a client that names a later position. */
export const POSITION_VARY = `${VARY}, Touchline-Position`;
export const NO_STORE = 'no-store';

/** Our pages load nothing from elsewhere and have no inline scripts or styles. */
const PAGE_POLICY = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'font-src': ["'self'"],
  'connect-src': ["'self'"],
  'manifest-src': ["'self'"],
  'form-action': ["'self'"],
  'base-uri': ["'none'"],
  'frame-ancestors': ["'none'"],
};
const DATA_POLICY = { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] };

type HelmetOptions = NonNullable<Parameters<typeof helmet>[0]>;

/** koa-helmet returns a promise, but sets the headers synchronously, so nothing is awaited. */
function collect(options: HelmetOptions): HeaderList {
  const list: [string, string][] = [];
  const res = { setHeader: (name: string, value: string) => list.push([name, value]), removeHeader: () => {} };
  const ctx = { req: {} as IncomingMessage, res: res as unknown as ServerResponse };
  void helmet(options)(ctx as Parameters<ReturnType<typeof helmet>>[0], async () => {});
  if (list.length === 0) throw new Error('koa-helmet set no headers');
  return list;
}

export interface SecurityHeaders {
  /** Headers for HTML pages. */
  page: HeaderList;
  data: HeaderList;
}

/** @param https whether the public address is https, because only then HSTS is sent. */
export function securityHeaders(https: boolean): SecurityHeaders {
  const common = { strictTransportSecurity: https, crossOriginResourcePolicy: { policy: 'cross-origin' } } as const;
  const page = collect({ ...common, contentSecurityPolicy: { useDefaults: false, directives: PAGE_POLICY } });
  const data = collect({
    ...common,
    contentSecurityPolicy: { useDefaults: false, directives: DATA_POLICY },
    // These headers matter only for documents, and browsers never render data as a document.
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
    xFrameOptions: false,
  });
  return { page, data };
}

const cacheControls = new Map<number, string>();

/** @param maxAge in seconds */
export function cacheControl(maxAge: number): string {
  let value = cacheControls.get(maxAge);
  if (value === undefined) {
    value = `private, max-age=${Math.max(0, Math.floor(maxAge))}`;
    if (cacheControls.size < 1_000) cacheControls.set(maxAge, value);
  }
  return value;
}

export function setAll(response: ServerResponse, headers: HeaderList): void {
  for (const [name, value] of headers) response.setHeader(name, value);
}

/** A response that was written from memory. */
export interface WrittenResponse {
  status: number;
  /** Names and values in turns. */
  headers: readonly string[];
  body: Buffer;
}

/**
 * Collects the response headers until they are written. A body in memory is written together with all headers, since
 * setting each header on the response would cost as much as the rest of a frequent reply.
 */
export class PendingHeaders {
  #list: string[] = [];
  #response: ServerResponse | null = null;
  /** The response, if it was written from memory at once. */
  written: WrittenResponse | null = null;

  /** Adds headers, except those that are already present. After `setOn`, headers are set on the response directly. */
  add(name: string, value: string): void {
    if (this.#response === null) this.#list.push(name, value);
    else this.#response.setHeader(name, value);
  }

  addAll(headers: HeaderList): void {
    for (const [name, value] of headers) this.add(name, value);
  }

  /** Sets a header in place of the one with this name. */
  replace(name: string, value: string): void {
    const at = this.#list.findIndex((text, index) => index % 2 === 0 && text === name);
    if (at === -1) this.add(name, value);
    else this.#list[at + 1] = value;
  }

  replaceAll(headers: HeaderList): void {
    for (const [name, value] of headers) this.replace(name, value);
  }

  /** Sets all headers on the response. A header that is set on the response later replaces the one set here. */
  setOn(response: ServerResponse): void {
    for (let index = 0; index < this.#list.length; index += 2)
      response.setHeader(this.#list[index]!, this.#list[index + 1]!);
    this.#list = [];
    this.#response = response;
  }

  /** Writes a whole response. @param isKept false if the bytes must not be used after the response */
  write(response: ServerResponse, status: number, body: Buffer, isKept = true): void {
    if (this.#response === null) {
      response.writeHead(status, this.#list);
      if (isKept) this.written = { status, headers: this.#list, body };
    }
    response.end(body);
  }
}

/** Returns the headers by RFC 9745 and RFC 8594. */
export function deprecationHeaders(deprecation: Deprecation | undefined): HeaderList {
  if (deprecation === undefined) return [];
  const { deprecated, sunset, link } = deprecation;
  const headers: [string, string][] = [
    ['Deprecation', `@${Math.floor(deprecated.getTime() / 1000)}`],
    ['Sunset', sunset.toUTCString()],
  ];
  if (link !== undefined) headers.push(['Link', `<${link}>; rel="deprecation"`]);
  return headers;
}
