/** All reply caches in a process. Each cache has one size limit, for all routes together. */
import { Registry } from 'prom-client';
import type { ReadPositions } from '../wire/position.ts';
import { observeCache } from './cache-metrics.ts';
import { createItemCache, type ItemCache } from './item-cache.ts';
import { createPageCache, type PageCache } from './page-cache.ts';
import { createReadAhead, type ReadAhead } from './read-ahead.ts';
import { type Changes, createReplyCache, type ReplyCache } from './reply-cache.ts';
import { createVersionedReplies, type VersionedReplies } from './versioned-replies.ts';

export interface ReplyCaches {
  /** Cached replies to requests with a key. */
  replies: ReplyCache;
  /** Items of match lists. */
  items: ItemCache;
  /** Public pages. */
  pages: PageCache;
  /** Large replies. Each request checks whether the version is current. */
  versioned: VersionedReplies;
  /** Pages that are read before a client asks for them. */
  ahead: ReadAhead;
}

/**
 * @param registry gets the metrics
 * @param positions positions of the reads, if they may use a replica
 */
export function createReplyCaches(changes: Changes, registry = new Registry(), positions?: ReadPositions): ReplyCaches {
  const replies = createReplyCache(changes, { positions });
  const items = createItemCache(changes);
  const pages = createPageCache(changes);
  const versioned = createVersionedReplies();
  const ahead = createReadAhead(changes);
  for (const [name, { statistics }] of Object.entries({ replies, items, pages: pages.parts, versioned, ahead }))
    observeCache(registry, name, statistics);
  return { replies, items, pages, versioned, ahead };
}
