/** All reply caches in a process. Each cache has one size limit, for all routes together. */
import { Counter, Gauge, Registry } from 'prom-client';
import { createItemCache, type ItemCache } from './item-cache.ts';
import { createPageCache, type PageCache } from './page-cache.ts';
import { type CacheStatistics, type Changes, createReplyCache, type ReplyCache } from './reply-cache.ts';
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
}

/** @param registry gets the metrics */
export function createReplyCaches(changes: Changes, registry = new Registry()): ReplyCaches {
  const replies = createReplyCache(changes);
  const items = createItemCache(changes);
  const pages = createPageCache(changes);
  const versioned = createVersionedReplies();
  observe(registry, { replies, items, pages: pages.parts, versioned });
  return { replies, items, pages, versioned };
}

function observe(registry: Registry, caches: Readonly<Record<string, { statistics(): CacheStatistics }>>): void {
  const named = Object.entries(caches);
  new Counter({
    name: 'touchline_cache_requests_total',
    help: 'Requests to the caches in memory, by cache (replies, list items, pages, large replies with a version) and result (hit or miss).',
    labelNames: ['cache', 'result'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [cache, { statistics }] of named) {
        const { hits, misses } = statistics();
        this.inc({ cache, result: 'hit' }, hits);
        this.inc({ cache, result: 'miss' }, misses);
      }
    },
  });
  new Gauge({
    name: 'touchline_cache_bytes',
    help: 'Memory that a cache holds, as it counts it.',
    labelNames: ['cache'],
    registers: [registry],
    collect() {
      for (const [cache, { statistics }] of named) this.set({ cache }, statistics().bytes);
    },
  });
}
