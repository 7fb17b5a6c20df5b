/** Token buckets in this process, by name. */
import { LRUCache } from 'lru-cache';

export interface BucketLimit {
  /** Burst size. The bucket is refilled by this number of tokens over `seconds`. */
  requests: number;
  seconds: number;
}

export interface Buckets {
  /**
   * @param count how many tokens to take, 1 by default. Either all tokens are taken, or none
   * @returns 0 if the tokens were taken; otherwise the seconds until the bucket has `count` tokens
   */
  take(name: string, limit: BucketLimit, count?: number): number;
  /** Returns one token. */
  refund(name: string, limit: BucketLimit): void;
}

/**
 * Maximum number of buckets. Above it, the least recently used bucket is dropped. If its name is used again, it is
 * full.
 */
const MAX_BUCKETS = 50_000;

interface Bucket {
  left: number;
  /** When `left` was computed, ms. */
  at: number;
}

/** @param now ms */
export function createBuckets(now: () => number): Buckets {
  // Created at the first request, because it takes more than a megabyte at once.
  let made: LRUCache<string, Bucket> | undefined;
  const buckets = () => (made ??= new LRUCache<string, Bucket>({ max: MAX_BUCKETS }));
  const fill = (name: string, { requests, seconds }: BucketLimit) => {
    const time = now();
    const { left, at } = buckets().get(name) ?? { left: requests, at: time };
    // If the clock was set back, no tokens are removed.
    return { left: Math.min(requests, left + (Math.max(0, time - at) * requests) / (seconds * 1_000)), at: time };
  };
  return {
    take(name, limit, count = 1) {
      const { left, at } = fill(name, limit);
      const perSecond = limit.requests / limit.seconds;
      if (left < count) return Math.max(1, Math.ceil((count - left) / perSecond));
      buckets().set(name, { left: left - count, at });
      return 0;
    },
    refund(name, limit) {
      const { left, at } = fill(name, limit);
      buckets().set(name, { left: Math.min(limit.requests, left + 1), at });
    },
  };
}
