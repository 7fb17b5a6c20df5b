/**
 * The baseline: a bare Koa server that returns the same bytes from memory. HEADERS=1 makes it send the same headers too, in the way that is
 * fastest in Node. With READS=version, it reads a number from Postgres before each reply, with one prepared statement; with READS=body, it
 * reads the bytes in the same way.
 */
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import pg from 'pg';
import { answer } from '../child.ts';
import { usage } from '../usage.ts';

const CONNECTIONS = 10;
const { DATABASE_URL, HEADERS, READS } = process.env;
const pool = READS === undefined ? null : new pg.Pool({ connectionString: DATABASE_URL, max: CONNECTIONS });
const TABLE = `bench_${READS}`;
await pool?.query(`CREATE TABLE ${TABLE} (path text PRIMARY KEY, version int NOT NULL, body text NOT NULL)`);

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
async function answerRead(ctx: Koa.Context): Promise<void> {
  ctx.type = 'application/json';
  ctx.body = await read(ctx.url);
}

const app = new Koa();
// Silent, because clients disconnect in the middle of replies when a round ends.
app.silent = true;
app.use(pool !== null ? answerRead : HEADERS === undefined ? answerHot : answerWithHeaders);
const server = app.listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));

const api = {
  port: () => (server.address() as AddressInfo).port,
  async store(path: string, body: string, sent: Record<string, string>): Promise<void> {
    bodies.set(path, Buffer.from(body));
    headers.set(path, sent);
    await pool?.query(`INSERT INTO ${TABLE} VALUES ($1, 1, $2)`, [path, body]);
  },
  usage,
};
export type BareApi = typeof api;
answer(api);
