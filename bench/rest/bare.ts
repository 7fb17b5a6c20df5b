/**
 * The baseline: a bare Koa server that returns the same bytes from memory. If DATABASE_URL is set, it reads them from
 * Postgres for each request, by one prepared statement.
 */
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import pg from 'pg';
import { answer } from '../child.ts';
import { usage } from '../usage.ts';

const CONNECTIONS = 10;
const { DATABASE_URL } = process.env;
const pool = DATABASE_URL ? new pg.Pool({ connectionString: DATABASE_URL, max: CONNECTIONS }) : null;
await pool?.query('CREATE TABLE bench_reply (path text PRIMARY KEY, body text NOT NULL)');

const bodies = new Map<string, Buffer>();
async function read(path: string): Promise<string> {
  const query = { name: 'reply', text: 'SELECT body FROM bench_reply WHERE path = $1', values: [path] };
  return (await pool!.query<{ body: string }>(query)).rows[0]!.body;
}

const app = new Koa();
app.use(
  pool === null
    ? (ctx) => {
        ctx.type = 'application/json';
        ctx.body = bodies.get(ctx.url) ?? '{}';
      }
    : async (ctx) => {
        ctx.type = 'application/json';
        ctx.body = await read(ctx.url);
      },
);
const server = app.listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));

const api = {
  port: () => (server.address() as AddressInfo).port,
  async store(path: string, body: string): Promise<void> {
    if (pool === null) bodies.set(path, Buffer.from(body));
    else await pool.query('INSERT INTO bench_reply VALUES ($1, $2)', [path, body]);
  },
  usage,
};
export type BareApi = typeof api;
answer(api);
