/**
 * Caches public pages, so that a page is rendered at most a few times a second, however many requests arrive. Replies
 * to requests with a key have a cache of their own, because anonymous traffic must not evict them.
 */
import { hash } from 'node:crypto';
import { Turns, WaitedTooLong } from '../runtime/object-pool.ts';
import { rateLimited } from './errors.ts';
import { type Changes, createReplyCache, type ReplyCache, type VersionedReply } from './reply-cache.ts';
import type { Reply } from './route.ts';
import { type BucketLimit, type Buckets, createBuckets } from './token-buckets.ts';

/**
 * Minimum time between two renderings of a page (5 a second). A request in between waits for the next rendering, so
 * that no client gets an outdated page.
 */
const GAP_MS = 200;
const MAX_BYTES = 32 * 1024 * 1024;
/**
 * Rendering limit for each page kind, for all addresses together. While the bucket is empty, only cached pages are
 * served. A page takes 5 to 8 ms, so the limit is a sixth of a core.
 */
const MADE: BucketLimit = { requests: 60, seconds: 3 };
/** How many pages are rendered at the same time. This leaves most database connections for requests with keys. */
const AT_A_TIME = 3;
/**
 * Longest time that a page waits for its turn. While a store is slow, a team page takes up to 15 s, and the next page
 * waits for it.
 */
const LONGEST_WAIT_MS = 20_000;

/** Stands for the match id if no match change affects a page. Such pages are rendered again after a second. */
export const NO_MATCH = 0;

type PlainPage = Pick<Reply, 'status' | 'cacheTags'> & { body: string };

interface Page {
  /** Begins with the page's kind and a space. Each kind has its own limit. */
  key: string;
  /** Null if any match may change the page. */
  match: number | null;
  /**
   * Returns whether the previous page still shows what the database has. Such a page is not rendered, and does not count
   * for the limit, which leaves more of the limit for pages that have changed.
   */
  isCurrent?: (cached: VersionedReply) => Promise<boolean>;
  /**
   * Renders the page from the database.
   * @param cached the previous page, already compressed, which is returned again if nothing has changed
   * @returns a page. If the page has no version, its text is compared with the previous page's text
   */
  make: (cached?: VersionedReply) => Promise<VersionedReply | PlainPage>;
  /** Rendering limit for pages of this kind, for all addresses together. */
  limit?: BucketLimit;
}

const refusal = (seconds: number) =>
  rateLimited('Too many pages are being rendered, and this one is not cached.', seconds);

export interface PageCache {
  /** @throws {Problem} rate_limited if the bucket is empty and the page is not cached */
  get(page: Page): Promise<Reply> | Reply;
  /** Caches page parts, which have no rendering limit. */
  parts: ReplyCache;
}

/** @param now monotonic time for the rendering limit, in ms */
export function createPageCache(changes: Changes, now = () => performance.now()): PageCache {
  const parts = createReplyCache(changes, { gapMs: GAP_MS, maxBytes: MAX_BYTES });
  const made: Buckets = createBuckets(now);
  const turns = new Turns(
    Array.from({ length: AT_A_TIME }, (_, index) => index),
    LONGEST_WAIT_MS,
  );
  return {
    parts,
    get: ({ key, match, limit = MADE, isCurrent, make }) =>
      parts.get(key, match, async (cached) => {
        if (cached !== undefined && (await isCurrent?.(cached))) return cached;
        const wait = made.take(key.replace(/ .*/s, ''), limit);
        try {
          if (wait > 0) throw refusal(wait);
          return await turns.take(async () => versioned(await make(cached), cached));
        } catch (error) {
          const isRefused = wait > 0 || error instanceof WaitedTooLong;
          if (isRefused && cached !== undefined) return cached;
          throw error instanceof WaitedTooLong ? refusal(1) : error;
        }
      }),
  };
}

function versioned(page: VersionedReply | PlainPage, cached: VersionedReply | undefined): VersionedReply {
  if ('version' in page) return page;
  const version = hash('sha1', page.body, 'base64url');
  return cached?.version === version ? cached : { ...page, version, etag: version };
}
