/**
 * Caches each large reply in memory until its source's version changes. Unlike the reply cache, this cache checks the
 * version on every request.
 */
import { LRUCache } from 'lru-cache';
import { ownBytes } from '../runtime/own-bytes.ts';
import type { CacheStatistics } from './cache-metrics.ts';
import { weakEtag } from './etag.ts';
import type { Reply } from './route.ts';

const MAX_ENTRIES = 500;
const MAX_BYTES = 32 * 1024 * 1024;

interface Entry {
  version: string;
  body: Buffer;
  etag: string;
}

export interface VersionedReplies {
  /** @param version null if the reply must not be cached */
  get(key: string, version: string | null, read: () => Promise<string>): Promise<Reply>;
  statistics(): CacheStatistics;
}

export function createVersionedReplies(): VersionedReplies {
  const cache = new LRUCache<string, Entry>({
    max: MAX_ENTRIES,
    maxSize: MAX_BYTES,
    sizeCalculation: ({ body }) => body.length,
  });
  let hits = 0;
  let misses = 0;
  return {
    statistics: () => ({ hits, misses, bytes: cache.calculatedSize }),
    async get(key, version, read) {
      const known = cache.get(key);
      if (known !== undefined && known.version === version) {
        hits += 1;
        return { body: known.body, etag: known.etag };
      }
      misses += 1;
      const body = ownBytes(await read());
      const etag = weakEtag(body).slice('W/"'.length, -1);
      if (version !== null) cache.set(key, { version, body, etag });
      return { body, etag };
    },
  };
}
