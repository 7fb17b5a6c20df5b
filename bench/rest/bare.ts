/** The baseline: a bare Koa server that returns the same bytes from memory. */
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { answer } from '../child.ts';
import { usage } from '../usage.ts';

const bodies = new Map<string, Buffer>();
const app = new Koa();
app.use((ctx) => {
  ctx.type = 'application/json';
  ctx.body = bodies.get(ctx.url) ?? '{}';
});
const server = app.listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));

const api = {
  port: () => (server.address() as AddressInfo).port,
  store: (path: string, body: string): void => void bodies.set(path, Buffer.from(body)),
  usage,
};
export type BareApi = typeof api;
answer(api);
