/** Replies that were just made, until a match in them changes. A change is visible to the next GET when the feed has replied. */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Reply } from '../http/route.ts';
import type { MatchChanges } from './changes.ts';

/** Also the longest time that another pod's change stays unseen when its notice is lost (spec: 1 s). */
const FRESH_MS = 1_000;
const MAX_ENTRIES = 5_000;
const MAX_BYTES = 64 * 1024 * 1024;
/** For an entry whose text is still being made. */
const PENDING_BYTES = 4_096;

/** `null` as match: a list, which any change may concern. */
export interface ReplyCache {
  get(key: string, match: number | null, make: () => Promise<Reply>): Promise<Reply> | Reply;
}

interface Entry {
  match: number | null;
  reply: Promise<Reply> | Reply;
}

export function createReplyCache(changes: Pick<MatchChanges, 'subscribe'>): ReplyCache {
  const entries = new LRUCache<string, Entry>({
    max: MAX_ENTRIES,
    maxSize: MAX_BYTES,
    ttl: FRESH_MS,
    ttlResolution: 10,
    dispose: (entry, key) => forget(key, entry.match),
  });
  const lists = new Set<string>();
  const byMatch = new Map<number, Set<string>>();
  changes.subscribe((changed) => {
    if (changed === 'all') {
      entries.clear();
      byMatch.clear();
    } else {
      for (const id of changed) {
        for (const key of byMatch.get(id) ?? []) entries.delete(key);
        byMatch.delete(id);
      }
      for (const key of lists) entries.delete(key);
    }
    lists.clear();
  });

  function forget(key: string, match: number | null): void {
    if (entries.has(key)) return;
    if (match === null) {
      lists.delete(key);
      return;
    }
    const keys = byMatch.get(match);
    keys?.delete(key);
    if (keys?.size === 0) byMatch.delete(match);
  }

  function note(key: string, match: number | null): void {
    if (match === null) {
      lists.add(key);
      return;
    }
    const keys = byMatch.get(match) ?? new Set();
    byMatch.set(match, keys.add(key));
  }

  return {
    get(key, match, make) {
      const held = entries.get(key);
      if (held !== undefined) return held.reply;
      // Its time begins when the reading does: a change that nobody told of may have come right after.
      const start = performance.now();
      const pending = make().then(settled);
      const entry: Entry = { match, reply: pending };
      entries.set(key, entry, { size: PENDING_BYTES });
      note(key, match);
      pending.then(
        (reply) => {
          // A change in the meantime has removed the entry: what was read then may be old.
          if (entries.peek(key) !== entry) return;
          entries.set(key, { match, reply }, { size: PENDING_BYTES + (reply.body as Buffer).length, start });
        },
        () => {
          if (entries.peek(key) === entry) entries.delete(key);
        },
      );
      return pending;
    },
  };
}

/** What each of its uses would work out again: the bytes and their tag. */
function settled(reply: Reply): Reply {
  const body = Buffer.from(reply.body as string);
  return { ...reply, body, etag: reply.etag ?? hash('sha1', body, 'base64url') };
}
