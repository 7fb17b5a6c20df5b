/** Sends replies and problems: media type, caching, entity tag or 304, compression. */
import { Readable } from 'node:stream';
import type { Context } from 'koa';
import compress from 'koa-compress';
import { BROTLI, COMPRESS_FROM_BYTES, compressBytes, GZIP } from './compression.ts';
import { type Problem, problemBody } from './errors.ts';
import { matchesEtag, weakEtag } from './etag.ts';
import { cacheControl, NO_STORE } from './headers.ts';
import type { Prepared } from './resource.ts';
import type { Reply } from './route.ts';

const HTML_UTF8 = 'text/html; charset=utf-8';
const PROBLEM_JSON = 'application/problem+json; charset=utf-8';

/** For bodies that are sent once. */
const compressText = compress({
  threshold: COMPRESS_FROM_BYTES,
  br: BROTLI,
  gzip: GZIP,
  deflate: false,
  zstd: false,
});
const nothing = async () => {};

async function attach(ctx: Context, take: NonNullable<Reply['attach']>): Promise<void> {
  if (ctx.method === 'HEAD') ctx.res.end();
  else await take(ctx.res);
  ctx.respond = false;
}

function setHeaders(ctx: Context, { cacheControl: standard }: Prepared<never>, reply: Reply): void {
  const cached = reply.maxAge === undefined || standard === NO_STORE ? standard : cacheControl(reply.maxAge);
  ctx.res.setHeader('Cache-Control', cached);
  if (reply.headers !== undefined) setOwnHeaders(ctx, reply.headers);
}

function setOwnHeaders({ res }: Context, headers: NonNullable<Reply['headers']>): void {
  for (const name of Object.keys(headers)) {
    // A page with a policy of its own defines there which sites may frame it.
    if (name.toLowerCase() === 'content-security-policy') res.removeHeader('X-Frame-Options');
    res.setHeader(name, headers[name] as string | string[]);
  }
}

/** Sets ETag. @returns whether the client has this body: by its tag; or, with `*`, only by its own claim */
function compareTags(ctx: Context, body: string | Buffer, version: string | undefined): 'tag' | 'claim' | null {
  const etag = weakEtag(body, version);
  ctx.res.setHeader('ETag', etag);
  const condition = ctx.headers['if-none-match'];
  if (condition === undefined || !matchesEtag(condition, etag)) return null;
  return condition === '*' ? 'claim' : 'tag';
}

/** @param onUnchanged called for a 304 by a tag, with the length of the body that is not sent */
export async function sendReply<D>(
  ctx: Context,
  prepared: Prepared<D>,
  reply: Reply,
  onUnchanged: (bytes: number) => void = () => {},
): Promise<void> {
  const { res } = ctx;
  const { route } = prepared;
  ctx.status = reply.status ?? route.status ?? 200;
  setHeaders(ctx, prepared as Prepared<never>, reply);
  if (reply.body !== null || reply.attach !== undefined) {
    res.setHeader('Content-Type', reply.contentType ?? prepared.contentType);
  }
  if (reply.attach !== undefined) {
    await attach(ctx, reply.attach);
    return;
  }
  if (reply.body === null || reply.body instanceof Readable) {
    ctx.body = reply.body;
    return;
  }
  const body = typeof reply.body === 'string' || Buffer.isBuffer(reply.body) ? reply.body : JSON.stringify(reply.body);
  const unchanged = route.method === 'GET' && ctx.status === 200 ? compareTags(ctx, body, reply.etag) : null;
  if (unchanged !== null) {
    if (unchanged === 'tag') onUnchanged(body.length);
    ctx.status = 304;
    return;
  }
  ctx.body = body;
  const accepted = ctx.headers['accept-encoding'];
  if (typeof accepted === 'string' && accepted !== 'identity' && ctx.length >= COMPRESS_FROM_BYTES) {
    await (Buffer.isBuffer(body) ? compressBytes(ctx, body, accepted) : compressText(ctx, nothing));
  }
}

/** @param page rendering of the problem */
export function sendProblemPage(
  ctx: Context,
  problem: Problem,
  { body, headers }: Pick<Reply, 'body' | 'headers'>,
): void {
  const { res } = ctx;
  if (res.headersSent) {
    res.destroy();
    return;
  }
  ctx.status = problem.status;
  res.setHeader('Content-Type', HTML_UTF8);
  setOwnHeaders(ctx, { 'Cache-Control': NO_STORE, ...headers, ...problem.options.headers });
  ctx.body = body;
}

export function sendProblem(ctx: Context, problem: Problem, { id, path }: { id: string; path: string }): void {
  const { res } = ctx;
  if (res.headersSent) {
    res.destroy();
    return;
  }
  ctx.status = problem.status;
  res.setHeader('Cache-Control', NO_STORE);
  res.setHeader('Content-Type', PROBLEM_JSON);
  for (const [name, value] of Object.entries(problem.options.headers ?? {})) res.setHeader(name, value);
  ctx.body = problemBody(problem, path, id);
}
