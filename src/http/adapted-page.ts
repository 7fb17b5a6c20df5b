/** Adapts pages, which are rendered once for all readers, to what the cookies of one reader say. */
import type { Context } from 'koa';
import type { Reply } from './route.ts';

/**
 * @param cookie the header Cookie
 * @returns the function that adapts a page; null if pages stay as they are
 */
export type AdaptPage = (cookie: string) => ((page: string) => string) | null;

/** Returns the reply with the page adapted. Such a page is not for caches in front of the service. */
export function adapted<R extends Pick<Reply, 'body'>>(ctx: Context, reply: R, adaptPage?: AdaptPage): R {
  const { cookie } = ctx.headers;
  const { body } = reply;
  if (cookie === undefined || adaptPage === undefined || (typeof body !== 'string' && !Buffer.isBuffer(body)))
    return reply;
  const adapt = adaptPage(cookie);
  return adapt === null ? reply : { ...reply, body: adapt(String(body)), etag: undefined, cacheTags: undefined };
}
