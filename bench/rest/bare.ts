/**
 * The baseline: a bare Koa server that returns the same bytes from memory. HEADERS=1 makes it send the same headers too, in the way that is
 * fastest in Node. With READS=version, it reads a number from Postgres before each reply, with one prepared statement; with READS=body, it
 * reads the bytes in the same way.
 *
 * PLAIN=1 is a listener without Koa that does only what a request with a key and limits cannot do without: it compares the key, charges
 * three windows, counts and measures the request, and writes the same headers.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import pg from 'pg';
import { Histogram } from 'prom-client';
import { answer } from '../child.ts';
import { usage } from '../usage.ts';

const CONNECTIONS = 10;
const { DATABASE_URL, HEADERS, PLAIN, READS } = process.env;
const pool = READS === undefined ? null : new pg.Pool({ connectionString: DATABASE_URL, max: CONNECTIONS });
const TABLE = `bench_${READS}`;
await pool?.query(`CREATE TABLE ${TABLE} (path text PRIMARY KEY, version int NOT NULL, body text NOT NULL)`);

/** The key that clients send to the baseline. */
const KEY = 'none';
const bodies = new Map<string, Buffer>();
const headers = new Map<string, Record<string, string>>();
/** Reads from Postgres for a reply. */
async function read(path: string): Promise<Buffer | string> {
  const query = { name: 'read', text: `SELECT ${READS} AS value FROM ${TABLE} WHERE path = $1`, values: [path] };
  const { value } = (await pool!.query<{ value: string }>(query)).rows[0]!;
  return READS === 'body' ? value : bodies.get(path)!;
}

function answerHot(ctx: Koa.Context): void {
  ctx.type = 'application/json';
  ctx.body = bodies.get(ctx.url) ?? '{}';
}
function answerWithHeaders(ctx: Koa.Context): void {
  ctx.respond = false;
  ctx.res.writeHead(200, headers.get(ctx.url));
  ctx.res.end(bodies.get(ctx.url));
}

const WINDOWS = [
  { name: 'burst', quota: 1_000_000, seconds: 1 },
  { name: 'day', quota: 1_000_000_000, seconds: 86_400 },
  { name: 'month', quota: 1_000_000_000, seconds: 2_592_000 },
].map((window) => ({ ...window, left: window.quota }));
const POLICY = WINDOWS.map(({ name, quota, seconds }) => `"${name}";q=${quota};w=${seconds}`).join(', ');
const requests = new Map<string, number>();
const duration = new Histogram({ name: 'duration', help: 'Seconds.', registers: [] });
const OWN = new Set(['x-request-id', 'ratelimit', 'ratelimit-policy']);
/** The headers of each path that are the same for every request, names and values in turns. */
const lists = new Map<string, string[]>();

const answerPlain: RequestListener = (request, response) => {
  const begun = performance.now();
  const path = request.url!;
  const isKnown = request.headers['x-api-key'] === KEY;
  const body = bodies.get(path)!;
  if (!isKnown) {
    response.writeHead(401).end();
    return;
  }
  let state = '';
  for (const window of WINDOWS) {
    window.left -= 1;
    state += `${state === '' ? '' : ', '}"${window.name}";r=${window.left};t=${window.seconds}`;
  }
  response.writeHead(200, [
    'X-Request-Id',
    randomUUID(),
    'RateLimit-Policy',
    POLICY,
    'RateLimit',
    state,
    ...lists.get(path)!,
  ]);
  response.end(body);
  requests.set(path, (requests.get(path) ?? 0) + 1);
  duration.observe((performance.now() - begun) / 1_000);
};

async function answerRead(ctx: Koa.Context): Promise<void> {
  ctx.type = 'application/json';
  ctx.body = await read(ctx.url);
}

const app = new Koa();
// Silent, because clients disconnect in the middle of replies when a round ends.
app.silent = true;
app.use(pool !== null ? answerRead : HEADERS === undefined ? answerHot : answerWithHeaders);
const server = (PLAIN === undefined ? app : createServer(answerPlain)).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));

const api = {
  port: () => (server.address() as AddressInfo).port,
  async store(path: string, body: string, sent: Record<string, string>): Promise<void> {
    bodies.set(path, Buffer.from(body));
    headers.set(path, sent);
    lists.set(
      path,
      Object.entries(sent)
        .filter(([name]) => !OWN.has(name))
        .flat(),
    );
    await pool?.query(`INSERT INTO ${TABLE} VALUES ($1, 1, $2)`, [path, body]);
  },
  usage,
};
export type BareApi = typeof api;
answer(api);
