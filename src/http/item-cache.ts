/**
 * Keeps list items in memory by match and version. All lists share them, so a changed match costs one item, not every
 * list that shows it.
 */
import { LRUCache } from 'lru-cache';
import { ownBytes } from '../runtime/own-bytes.ts';
import type { CacheStatistics } from './cache-metrics.ts';
import type { Changes } from './reply-cache.ts';

const MAX_BYTES = 32 * 1024 * 1024;
/** Assumed size of an entry without its text. */
const ENTRY_BYTES = 300;

export interface CachedItem {
  /** JSON in UTF-8. */
  json: Buffer;
  isLive: boolean;
}

/** @param json the item's text */
export const listItem = (json: string): CachedItem => ({
  json: ownBytes(json),
  isLive: json.includes('"status":"live"'),
});

export interface ItemCache {
  /** @param version the match's id and version, as `id.version` */
  get(version: string): CachedItem | undefined;
  /**
   * Call it before items are read.
   * @returns a function that keeps an item, unless all matches may have changed since the read began
   */
  beginRead(): (version: string, json: string) => CachedItem;
  statistics(): CacheStatistics;
}

export function createItemCache(changes: Changes): ItemCache {
  const items = new LRUCache<string, CachedItem>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ json }) => json.length + ENTRY_BYTES,
  });
  let resets = 0;
  let hits = 0;
  let misses = 0;
  changes.subscribe((changed) => {
    // After a notice about all matches, versions cannot be compared, because they may come from another database.
    if (changed !== 'all') return;
    resets += 1;
    items.clear();
  });
  return {
    statistics: () => ({ hits, misses, bytes: items.calculatedSize }),
    get(version) {
      const item = items.get(version);
      if (item === undefined) misses += 1;
      else hits += 1;
      return item;
    },
    beginRead() {
      const before = resets;
      return (version, json) => {
        const item = listItem(json);
        if (resets === before) items.set(version, item);
        return item;
      };
    },
  };
}
