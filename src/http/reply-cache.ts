/** Caches replies until a match in them changes: after the reply to a feed update, the next GET sees the change. */
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { ownBytes } from '../runtime/own-bytes.ts';
import type { Reply } from './route.ts';

/** Also the longest time until another pod's change is seen if its notice is lost (spec: 1 s). */
const FRESH_MS = 1_000;
const MAX_ENTRIES = 5_000;
const MAX_BYTES = 64 * 1024 * 1024;
/** Assumed size of an entry that is still being read. */
const PENDING_BYTES = 4_096;
/** Limit of matches whose last change is remembered; on a busy Saturday a few hundred are live at a time. */
const MAX_CHANGED = 10_000;

/** Reports which matches have changed; 'all': any may have. */
export interface Changes {
  subscribe(listener: (changed: readonly number[] | 'all') => void): unknown;
}

export interface VersionedReply extends Reply {
  body: string | Buffer;
  /** Version of the content in the database: the same version means the same body. */
  version: string | number;
  /** True if a newer reply is being made: the next request reads again. */
  isStale?: boolean;
}

export interface ReplyCache {
  /**
   * @param match null: a list, which any change may affect
   * @param read reads the database; `cached` is the previous reply, which may be stale: if its version is current, it
   * is returned again
   */
  get(
    key: string,
    match: number | null,
    read: (cached?: VersionedReply) => Promise<VersionedReply>,
  ): Promise<Reply> | Reply;
}

interface Entry {
  reply: Promise<VersionedReply> | VersionedReply;
  /** When reading began, or will begin. */
  begins: number;
  /** Number of notices before reading began: a change that came in the meantime may not be in the reply. */
  notices: number;
  freshUntil: number;
}

interface ReplyCacheOptions {
  /** Monotonic milliseconds. */
  now?: () => number;
  maxBytes?: number;
  /** Minimum milliseconds between two reads of a reply: requests in between wait for the next read. */
  gapMs?: number;
}

const UNREAD: VersionedReply = { body: '', version: '' };

export function createReplyCache(
  changes: Changes,
  { now = () => performance.now(), maxBytes = MAX_BYTES, gapMs = 0 }: ReplyCacheOptions = {},
): ReplyCache {
  const entries = new LRUCache<string, Entry>({ max: MAX_ENTRIES, maxSize: maxBytes });
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
    // Then not even versions are comparable: the address may lead to another database, or to a restored backup of this
    // one.
    if (changed === 'all') entries.clear();
    else for (const id of changed) changedAt.set(id, notices);
  });

  const isFresh = ({ begins, notices: before, freshUntil }: Entry, match: number | null) =>
    now() < begins || (before >= (match === null ? notices : (changedAt.get(match) ?? 0)) && now() < freshUntil);

  return {
    get(key, match, read) {
      const cached = entries.get(key);
      if (cached !== undefined && isFresh(cached, match)) return cached.reply;
      const previous = cached?.reply instanceof Promise ? undefined : cached?.reply;
      const waitMs = cached === undefined ? 0 : cached.begins + gapMs - now();
      const begin = () => {
        // Freshness counts from the start of the read: a change whose notice was lost may have come right after.
        Object.assign(entry, { begins: now(), notices, freshUntil: now() + FRESH_MS });
        return read(previous);
      };
      const entry: Entry = { reply: UNREAD, begins: now() + waitMs, notices, freshUntil: 0 };
      const pending = (waitMs > 0 ? sleep(waitMs).then(begin) : begin()).then(asBytes);
      entry.reply = pending;
      entries.set(key, entry, { size: PENDING_BYTES });
      pending.then(
        (reply) => {
          if (entries.peek(key) !== entry) return;
          const freshUntil = reply.isStale ? 0 : entry.freshUntil;
          entries.set(key, { ...entry, reply, freshUntil }, { size: PENDING_BYTES + reply.body.length });
        },
        () => {
          if (entries.peek(key) === entry) entries.delete(key);
        },
      );
      return pending;
    },
  };
}

/** A text body would be encoded for each response. */
const asBytes = (reply: VersionedReply) => ({ ...reply, body: ownBytes(reply.body) });
