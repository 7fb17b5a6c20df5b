/**
 * The baseline: a bare Koa server that returns the same bytes from memory. With READS=version it reads a number from
 * Postgres before each reply, by one prepared statement; with READS=body it reads the bytes so.
 */
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import pg from 'pg';
import { answer } from '../child.ts';
import { usage } from '../usage.ts';

const CONNECTIONS = 10;
const { DATABASE_URL, READS } = process.env;
const pool = READS === undefined ? null : new pg.Pool({ connectionString: DATABASE_URL, max: CONNECTIONS });
const TABLE = `bench_${READS}`;
await pool?.query(`CREATE TABLE ${TABLE} (path text PRIMARY KEY, version int NOT NULL, body text NOT NULL)`);

const bodies = new Map<string, Buffer>();
/** Reads Postgres for a reply. */
async function read(path: string): Promise<Buffer | string> {
  const query = { name: 'read', text: `SELECT ${READS} AS value FROM ${TABLE} WHERE path = $1`, values: [path] };
  const { value } = (await pool!.query<{ value: string }>(query)).rows[0]!;
  return READS === 'body' ? value : bodies.get(path)!;
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
    bodies.set(path, Buffer.from(body));
    await pool?.query(`INSERT INTO ${TABLE} VALUES ($1, 1, $2)`, [path, body]);
  },
  usage,
};
export type BareApi = typeof api;
answer(api);
