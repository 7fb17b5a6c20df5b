/**
 * Keeps the pages that everybody may ask for, so that they cost no more than a few readings a second however many ask. Apart from the
 * replies that keys pay for: strangers cannot push those out.
 */
import { hash } from 'node:crypto';
import { Turns, WaitedTooLong } from '../runtime/turns.ts';
import { type BucketLimit, type Buckets, createBuckets } from './buckets.ts';
import { Problem } from './errors.ts';
import { type Changes, createReplyCache, type ReplyCache, type VersionedReply } from './reply-cache.ts';
import type { Reply } from './route.ts';

/** A page is made at most 5 times a second. Nobody gets an older one than there is: whoever asks in between waits. */
const GAP_MS = 200;
const MAX_BYTES = 32 * 1024 * 1024;
/**
 * Pages of one kind that are made, for all addresses together; beyond it those in memory are served. Each takes 5 to 8 ms, so this is a
 * sixth of a core.
 */
const MADE: BucketLimit = { requests: 60, seconds: 3 };
/** Made at the same time: of the connections to the database most are left to requests with keys. */
const AT_A_TIME = 3;
const LONGEST_WAIT_MS = 5_000;

/** The match of what no change of a match concerns: it is made again after a second. */
export const NO_MATCH = 0;

interface PageCache {
  replies: ReplyCache;
  made: Buckets;
  turns: Turns<number>;
}
const caches = new WeakMap<Changes, PageCache>();

function findCache({ changes }: { changes: Changes }): PageCache {
  const cache = caches.get(changes) ?? {
    replies: createReplyCache(changes, { gapMs: GAP_MS, maxBytes: MAX_BYTES }),
    made: createBuckets(() => performance.now()),
    turns: new Turns(
      Array.from({ length: AT_A_TIME }, (_, index) => index),
      LONGEST_WAIT_MS,
    ),
  };
  caches.set(changes, cache);
  return cache;
}

/** The one of a process, for the parts that pages are made of. */
export const pageParts = (deps: { changes: Changes }): ReplyCache => findCache(deps).replies;

type PlainPage = Pick<Reply, 'status'> & { body: string };

interface Page {
  /** Begins with its kind, which is limited apart from others, and a space. */
  key: string;
  /** Null: any match may change it. */
  match: number | null;
  /**
   * Reads the database.
   * @param cached the page before, to be returned if nothing has changed: compressed already
   * @returns a page; without a version it is compared with the one before
   */
  make: (cached?: VersionedReply) => Promise<VersionedReply | PlainPage>;
  /** How often pages of this kind are made, for all addresses together. */
  limit?: BucketLimit;
}

const refusal = (retryAfter: number) =>
  new Problem('rate_limited', 'Too many pages are being made. This one is not among those in memory.', {
    headers: { 'Retry-After': String(retryAfter) },
  });

/** @throws {Problem} rate_limited if too many are made, and this one is not in memory */
export function cachedPage(
  deps: { changes: Changes },
  { key, match, limit = MADE, make }: Page,
): Promise<Reply> | Reply {
  const { replies, made, turns } = findCache(deps);
  return replies.get(key, match, async (cached) => {
    const retryAfter = made.take(key.split(' ', 1)[0]!, limit);
    try {
      if (retryAfter > 0) throw refusal(retryAfter);
      return await turns.take(async () => versioned(await make(cached), cached));
    } catch (error) {
      const isRefused = retryAfter > 0 || error instanceof WaitedTooLong;
      if (isRefused && cached !== undefined) return cached;
      throw error instanceof WaitedTooLong ? refusal(1) : error;
    }
  });
}

function versioned(page: VersionedReply | PlainPage, cached: VersionedReply | undefined): VersionedReply {
  if ('version' in page) return page;
  const version = hash('sha1', page.body, 'base64url');
  return cached?.version === version ? cached : { ...page, version, etag: version };
}
