/**
 * Starts routes on a free port and calls them over real HTTP. Each JSON reply has to match the route's schema exactly.
 */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import type pg from 'pg';
import { z } from 'zod';
import { keyStore } from '../../src/accounts/keys/key-store.ts';
import { createApp, type HttpConfig, type HttpDeps, type HttpOptions } from '../../src/http/app.ts';
import { documentedResponse } from '../../src/http/fields.ts';
import type { AnyRoute, RouteValue } from '../../src/http/route.ts';
import { listen } from '../../src/http/server.ts';
import { adaptPage } from '../../src/site/reader-choices.ts';
import { referenceRoutes } from '../../src/site/reference.ts';
import { createKey } from './accounts.ts';
import { startNginx } from './nginx.ts';

/** Whether requests by address go through a real nginx with the shipped configuration (`make test-proxy`). */
export const THROUGH_NGINX = process.env.TEST_PROXY === 'nginx';

export const FEED_TOKEN = 'feed-token-of-the-tests';

export const testConfig: HttpConfig = {
  baseUrl: undefined,
  allowedHosts: [],
  trustedProxies: [],
  feedToken: FEED_TOKEN,
};

export interface Asked {
  method?: string;
  headers?: Record<string, string>;
  /** The key to send instead of the default one; null for no key. */
  key?: string | null;
  /** Sent as JSON, unless it is text or bytes. */
  body?: unknown;
}

export interface Answer<T> {
  status: number;
  headers: Headers;
  text: string;
  bytes: Buffer;
  /** The parsed body of a JSON reply, otherwise null. */
  json: T;
}

export interface ProblemReply {
  code: string;
  status: number;
  detail: string;
  request_id: string;
  errors?: { parameter: string; code: string; detail: string }[];
  [member: string]: unknown;
}

export interface TestApp {
  url: string;
  /** The service's port, even if `url` is a proxy's address. */
  port: number;
  /** A secret key on plan pro. */
  key: string;
  ask<T = ProblemReply>(path: string, asked?: Asked): Promise<Answer<T>>;
  /** Writes raw bytes. Returns all bytes that are received until the server closes, or until 500 ms of silence. */
  raw(text: string): Promise<string>;
  close(): Promise<void>;
}

function routeAt<D>(routes: readonly RouteValue<D>[], method: string, path: string): RouteValue<D> | undefined {
  const matches = routes.filter(
    (route) => route.method === method && new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
  return matches.sort((a, b) => a.path.split('{').length - b.path.split('{').length)[0];
}

/** Checks that the schema neither adds nor drops a member, so that the body which was sent matches its description. */
function checkReply<D>(route: RouteValue<D> | undefined, json: unknown, query = ''): void {
  if (route === undefined) return;
  const response = /(^|&)fields=/.test(query) ? documentedResponse(route as unknown as AnyRoute) : route.response;
  if (!('safeParse' in response)) return;
  const parsed = response.safeParse(json);
  const where = `${route.method} ${route.path}`;
  assert.ok(
    parsed.success,
    `${where} does not answer as its schema says: ${parsed.error && z.prettifyError(parsed.error)}`,
  );
  assert.deepEqual(json, parsed.data, `${where} answers with more than its schema says`);
}

function bodyOf(body: unknown): { body?: string | Uint8Array<ArrayBuffer>; type?: string } {
  if (body === undefined) return {};
  if (typeof body === 'string') return { body };
  if (body instanceof Uint8Array) return { body: new Uint8Array(body) };
  return { body: JSON.stringify(body), type: 'application/json' };
}

export async function startApp<D extends HttpDeps & { pool: pg.Pool }>(
  routes: readonly RouteValue<D>[],
  deps: D,
  options: Partial<HttpOptions> = {},
): Promise<TestApp> {
  const app = createApp(routes, deps, {
    keys: keyStore(deps.pool),
    reference: referenceRoutes,
    adaptPage: (cookie) => adaptPage(cookie, deps.clock.now()),
    ...options,
  });
  const { key } = await createKey(deps.pool, deps.clock, { email: 'tests@example.com', plan: 'pro' });
  const { port, close } = await listen(app.listener, { host: '127.0.0.1', port: 0, upgrade: app.upgrade });
  const nginx = THROUGH_NGINX ? await startNginx({ api: [port], ingest: [port], stream: [port] }) : null;
  const url = nginx?.url ?? `http://127.0.0.1:${port}`;
  return {
    url,
    port,
    key,
    async close() {
      await close(0);
      await nginx?.close();
    },
    async ask<T>(path: string, { method = 'GET', headers = {}, key: other, body }: Asked = {}): Promise<Answer<T>> {
      const sent = bodyOf(body);
      const presented = other === undefined ? key : other;
      const response = await fetch(url + path, {
        method,
        redirect: 'manual',
        headers: {
          ...(presented !== null && { 'X-API-Key': presented }),
          ...(sent.type !== undefined && { 'Content-Type': sent.type }),
          ...headers,
        },
        ...(sent.body !== undefined && { body: sent.body }),
      });
      const bytes = Buffer.from(await response.arrayBuffer());
      const text = bytes.toString('utf8');
      const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '') && text !== '';
      const json = isJson ? JSON.parse(text) : null;
      if (isJson && response.ok) checkReply(routeAt(routes, method, path.split('?')[0]!), json, path.split('?')[1]);
      return { status: response.status, headers: response.headers, text, bytes, json };
    },
    raw(text) {
      return new Promise((resolve, reject) => {
        const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'));
        let got = '';
        socket.setTimeout(500, () => socket.destroy());
        socket.on('data', (chunk) => {
          got += chunk.toString('latin1');
        });
        socket.on('close', () => resolve(got));
        socket.on('error', (error) => (got === '' ? reject(error) : resolve(got)));
      });
    },
  };
}
