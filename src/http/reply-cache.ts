/** Caches replies until a match in them changes: after the reply to a feed update, the next GET sees the change. */
import { LRUCache } from 'lru-cache';
import { ownBytes } from '../runtime/own-bytes.ts';
import type { Reply } from './route.ts';

/** Also the longest time until a change of another pod is seen when its notice is lost (spec: 1 s). */
const FRESH_MS = 1_000;
const MAX_ENTRIES = 5_000;
const MAX_BYTES = 64 * 1024 * 1024;
/** Size of an entry that is still being read. */
const PENDING_BYTES = 4_096;
/** Matches whose last change is remembered; on a busy Saturday a few hundred are live at a time. */
const MAX_CHANGED = 10_000;

/** Tells which matches have changed; 'all': any may have. */
export interface Changes {
  subscribe(listener: (changed: readonly number[] | 'all') => void): unknown;
}

export interface VersionedReply extends Reply {
  body: string | Buffer;
  /** Of the content in the database: the same version means the same body. */
  version: string | number;
}

export interface ReplyCache {
  /**
   * @param match null: a list, which any change may affect
   * @param read the database; `cached` is the previous reply, which may be stale: where its version is current, it is returned again
   */
  get(
    key: string,
    match: number | null,
    read: (cached?: VersionedReply) => Promise<VersionedReply>,
  ): Promise<Reply> | Reply;
}

interface Entry {
  reply: Promise<VersionedReply> | VersionedReply;
  /** Number of notices before reading began: a change that came in the meantime may not have been read. */
  notices: number;
  freshUntil: number;
}

/** @param now monotonic milliseconds */
export function createReplyCache(changes: Changes, now: () => number = () => performance.now()): ReplyCache {
  const entries = new LRUCache<string, Entry>({ max: MAX_ENTRIES, maxSize: MAX_BYTES });
  let notices = 0;
  /** Number of the last notice about a match. */
  const changedAt = new LRUCache<number, number>({
    max: MAX_CHANGED,
    dispose: (_notice, _match, reason) => {
      if (reason === 'evict') entries.clear();
    },
  });
  changes.subscribe((changed) => {
    notices += 1;
    // Then not even versions are comparable: the address may lead to another database, or to a restored backup of this one.
    if (changed === 'all') entries.clear();
    else for (const id of changed) changedAt.set(id, notices);
  });

  const isFresh = ({ notices: before, freshUntil }: Entry, match: number | null) =>
    before >= (match === null ? notices : (changedAt.get(match) ?? 0)) && now() < freshUntil;

  return {
    get(key, match, read) {
      const cached = entries.get(key);
      if (cached !== undefined && isFresh(cached, match)) return cached.reply;
      const previous = cached?.reply instanceof Promise ? undefined : cached?.reply;
      // Its time starts when reading does: a change whose notice was lost may have come right after.
      const times = { notices, freshUntil: now() + FRESH_MS };
      const pending = read(previous).then(asBytes);
      const entry = { reply: pending, ...times };
      entries.set(key, entry, { size: PENDING_BYTES });
      pending.then(
        (reply) => {
          if (entries.peek(key) !== entry) return;
          entries.set(key, { reply, ...times }, { size: PENDING_BYTES + reply.body.length });
        },
        () => {
          if (entries.peek(key) === entry) entries.delete(key);
        },
      );
      return pending;
    },
  };
}

/** As text the body would be encoded for each response. */
const asBytes = (reply: VersionedReply) => ({ ...reply, body: ownBytes(reply.body) });

const caches = new WeakMap<Changes, ReplyCache>();

/** The one of a process: what it holds is bounded for all routes together. */
export function replyCacheOf({ changes }: { changes: Changes }): ReplyCache {
  const cache = caches.get(changes) ?? createReplyCache(changes);
  caches.set(changes, cache);
  return cache;
}
