/**
 * Caches large replies in memory, each until the version of its source changes. Unlike the reply cache it always checks
 * the version.
 */
import { LRUCache } from 'lru-cache';
import { ownBytes } from '../runtime/own-bytes.ts';
import { weakEtag } from './etag.ts';
import type { Reply } from './route.ts';

const MAX_ENTRIES = 500;
const MAX_BYTES = 32 * 1024 * 1024;

interface Entry {
  version: string;
  body: Buffer;
  etag: string;
}

const caches = new WeakMap<object, LRUCache<string, Entry>>();

/**
 * @param owner object that the data comes from, a pool: replies live as long as it does
 * @param version null: the reply must not be cached
 */
export async function versionedReply(
  owner: object,
  key: string,
  version: string | null,
  read: () => Promise<string>,
): Promise<Reply> {
  const cache =
    caches.get(owner) ??
    new LRUCache<string, Entry>({ max: MAX_ENTRIES, maxSize: MAX_BYTES, sizeCalculation: ({ body }) => body.length });
  caches.set(owner, cache);
  const known = cache.get(key);
  if (known !== undefined && known.version === version) return { body: known.body, etag: known.etag };
  const body = ownBytes(await read());
  const etag = weakEtag(body).slice('W/"'.length, -1);
  if (version !== null) cache.set(key, { version, body, etag });
  return { body, etag };
}
