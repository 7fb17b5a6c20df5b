/** Sends replies and problems. Adds media type, caching and entity tag, answers with 304, and compresses. */
import { Readable } from 'node:stream';
import type { Context } from 'koa';
import compress from 'koa-compress';
import { POSITION_HEADER } from '../wire/position.ts';
import { BROTLI, COMPRESS_FROM_BYTES, compressBytes, GZIP } from './compression.ts';
import { type Problem, problemBody } from './errors.ts';
import { matchesEtag, weakEtag } from './etag.ts';
import { cacheControl, NO_STORE, type PendingHeaders, POSITION_VARY, SHARED_PAGE_VARY } from './headers.ts';
import { JoinedBody } from './joined-body.ts';
import type { Reply } from './route.ts';
import type { Prepared } from './route-finder.ts';
import { isForEverybody, sharedCacheControl } from './shared-caches.ts';

const HTML_UTF8 = 'text/html; charset=utf-8';
const PROBLEM_JSON = 'application/problem+json; charset=utf-8';

/** Compresses bodies that are sent only once. */
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

/**
 * Adds the headers for a reply that caches in front of the service may keep. Redirects and problems are never kept: a
 * page may appear at the address at any moment.
 * @returns false if they may not keep it
 */
function addSharedHeaders<D>(
  ctx: Context,
  { route, isPage }: Prepared<D>,
  { cacheTags, maxAge }: Reply,
  headers: PendingHeaders,
): boolean {
  if (cacheTags === undefined || ctx.status !== 200 || !isForEverybody(ctx.req)) return false;
  const seconds = route.cache === 'no-store' ? 0 : (maxAge ?? route.cache.maxAge);
  headers.add('Cache-Control', sharedCacheControl(isPage, seconds));
  headers.add('Cache-Tag', cacheTags.join(','));
  if (isPage) headers.replace('Vary', SHARED_PAGE_VARY);
  return true;
}

function addHeaders<D>(ctx: Context, prepared: Prepared<D>, reply: Reply, headers: PendingHeaders): void {
  const { cacheControl: standard, contentType } = prepared;
  if (!addSharedHeaders(ctx, prepared, reply, headers)) {
    headers.add(
      'Cache-Control',
      reply.maxAge === undefined || standard === NO_STORE ? standard : cacheControl(reply.maxAge),
    );
    // Not in a reply that caches share: they would send it to clients that have named another position.
    if (reply.position !== undefined) {
      headers.add(POSITION_HEADER, reply.position);
      headers.replace('Vary', POSITION_VARY);
    }
  }
  // A browser that has stored a page must not show it after the reader has chosen another theme.
  if (prepared.isPage && standard !== NO_STORE) headers.replace('Vary', SHARED_PAGE_VARY);
  if (reply.headers !== undefined) {
    headers.setOn(ctx.res);
    setOwnHeaders(ctx, reply.headers);
  }
  if (reply.body !== null || reply.attach !== undefined) headers.add('Content-Type', reply.contentType ?? contentType);
}

function setOwnHeaders({ res }: Context, headers: NonNullable<Reply['headers']>): void {
  for (const name of Object.keys(headers)) {
    // If a page sets a policy, the policy defines which sites may frame the page.
    if (name.toLowerCase() === 'content-security-policy') res.removeHeader('X-Frame-Options');
    res.setHeader(name, headers[name] as string | string[]);
  }
}

/**
 * Adds the ETag header and compares it with If-None-Match.
 * @returns `tag` if the client has this body, `claim` if it only sent `*`, and null otherwise
 */
function compareTags(
  ctx: Context,
  body: string | Buffer | JoinedBody,
  version: string | undefined,
  headers: PendingHeaders,
): 'tag' | 'claim' | null {
  const etag = weakEtag(body, version);
  headers.add('ETag', etag);
  const condition = ctx.headers['if-none-match'];
  if (condition === undefined || !matchesEtag(condition, etag)) return null;
  return condition === '*' ? 'claim' : 'tag';
}

/** Writes a body from memory. Leaves out Koa's checks, which cost as much as the write. */
function write(ctx: Context, headers: PendingHeaders, body: Buffer | JoinedBody): void {
  ctx.respond = false;
  headers.add('Content-Length', String(body.length));
  if (body instanceof JoinedBody) headers.write(ctx.res, ctx.status, body.bytesFor(ctx.res), false);
  else headers.write(ctx.res, ctx.status, body);
}

/** @returns a promise while the body is compressed for the first time */
function sendBytes(
  ctx: Context,
  headers: PendingHeaders,
  body: Buffer | JoinedBody,
  type: string,
): Promise<void> | undefined {
  const accepted = ctx.headers['accept-encoding'];
  const sent = typeof accepted === 'string' && ctx.method !== 'HEAD' ? compressBytes(body, type, accepted) : null;
  if (sent === null) {
    write(ctx, headers, body);
    return undefined;
  }
  headers.add('Content-Encoding', sent.encoding);
  if (sent.bytes instanceof Promise) return sent.bytes.then((bytes) => write(ctx, headers, bytes));
  write(ctx, headers, sent.bytes);
  return undefined;
}

async function sendText(ctx: Context, body: string): Promise<void> {
  ctx.body = body;
  const accepted = ctx.headers['accept-encoding'];
  if (typeof accepted === 'string' && accepted !== 'identity' && ctx.length >= COMPRESS_FROM_BYTES)
    await compressText(ctx, nothing);
}

/**
 * @param headers response headers so far
 * @param onUnchanged called if the tag matches and a 304 is sent, with the length of the body that is not sent
 * @returns a promise only if the reply has to wait
 */
export function sendReply<D>(
  ctx: Context,
  prepared: Prepared<D>,
  reply: Reply,
  headers: PendingHeaders,
  onUnchanged: (bytes: number) => void = () => {},
): Promise<void> | undefined {
  const { route } = prepared;
  ctx.status = reply.status ?? route.status ?? 200;
  addHeaders(ctx, prepared, reply, headers);
  const { body: given } = reply;
  if (given === null || given instanceof Readable || reply.attach !== undefined) {
    headers.setOn(ctx.res);
    if (reply.attach !== undefined) return attach(ctx, reply.attach);
    ctx.body = given;
    return undefined;
  }
  const isText = typeof given === 'string' || Buffer.isBuffer(given) || given instanceof JoinedBody;
  const body = isText ? given : JSON.stringify(given);
  const unchanged = route.method === 'GET' && ctx.status === 200 ? compareTags(ctx, body, reply.etag, headers) : null;
  if (unchanged === null && typeof body !== 'string')
    return sendBytes(ctx, headers, body, reply.contentType ?? prepared.contentType);
  headers.setOn(ctx.res);
  if (unchanged === null) return sendText(ctx, body as string);
  if (unchanged === 'tag') onUnchanged(body.length);
  ctx.status = 304;
  return undefined;
}

/** @param page the rendered problem */
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
