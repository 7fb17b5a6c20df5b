/**
 * Caches public pages, so that each costs at most a few renderings a second at any load. Separate from the paying keys'
 * reply cache, because anonymous traffic must not evict those replies.
 */
import { hash } from 'node:crypto';
import { Turns, WaitedTooLong } from '../runtime/object-pool.ts';
import { rateLimited } from './errors.ts';
import { type Changes, createReplyCache, type ReplyCache, type VersionedReply } from './reply-cache.ts';
import type { Reply } from './route.ts';
import { type BucketLimit, type Buckets, createBuckets } from './token-buckets.ts';

/**
 * A page is rendered at most 5 times a second. A client never gets an outdated page, because requests in between wait
 * for the next rendering.
 */
const GAP_MS = 200;
const MAX_BYTES = 32 * 1024 * 1024;
/**
 * Token bucket for rendering pages of one kind, over all addresses. When it is empty only cached pages are served. A
 * page takes 5 to 8 ms, so this is a sixth of a core.
 */
const MADE: BucketLimit = { requests: 60, seconds: 3 };
/** Concurrent renderings. Most database connections are left to requests with keys. */
const AT_A_TIME = 3;
/** While a store is slow, a team page takes up to 15 s, and the next visitor waits for that. */
const LONGEST_WAIT_MS = 20_000;

/** Match id for pages that no match change affects. They are rendered again after a second. */
export const NO_MATCH = 0;

type PlainPage = Pick<Reply, 'status'> & { body: string };

interface Page {
  /** Begins with the page kind, which has a separate limit, and a space. */
  key: string;
  /** Null if any match may change the page. */
  match: number | null;
  /**
   * Renders the page from the database.
   * @param cached the previous page, already compressed, to be returned if it is unchanged
   * @returns a page; one without a version is compared with the previous page
   */
  make: (cached?: VersionedReply) => Promise<VersionedReply | PlainPage>;
  /** Rendering limit for pages of this kind, over all addresses. */
  limit?: BucketLimit;
}

const refusal = (seconds: number) =>
  rateLimited('Too many pages are being rendered, and this one is not cached.', seconds);

export interface PageCache {
  /** @throws {Problem} rate_limited if the bucket is empty and the page is not cached */
  get(page: Page): Promise<Reply> | Reply;
  /** Caches page parts, without a separate limit. */
  parts: ReplyCache;
}

export function createPageCache(changes: Changes): PageCache {
  const parts = createReplyCache(changes, { gapMs: GAP_MS, maxBytes: MAX_BYTES });
  const made: Buckets = createBuckets(() => performance.now());
  const turns = new Turns(
    Array.from({ length: AT_A_TIME }, (_, index) => index),
    LONGEST_WAIT_MS,
  );
  return {
    parts,
    get: ({ key, match, limit = MADE, make }) =>
      parts.get(key, match, async (cached) => {
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
