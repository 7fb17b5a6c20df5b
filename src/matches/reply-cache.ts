/** Replies that were just made, until a match in them changes. A change is visible to the next GET when the feed has replied. */
import { LRUCache } from 'lru-cache';
import type { MatchChanges } from '../db/notices.ts';
import type { Reply } from '../http/route.ts';

/** Also the longest time that another pod's change stays unseen when its notice is lost (spec: 1 s). */
const FRESH_MS = 1_000;
const MAX_ENTRIES = 5_000;
const MAX_BYTES = 64 * 1024 * 1024;
/** For an entry whose text is still being made. */
const PENDING_BYTES = 4_096;
/** Matches whose last change is remembered; a busy Saturday has some hundred live at a time. */
const MAX_CHANGED = 10_000;

export interface MadeReply extends Reply {
  body: string | Buffer;
  /** Names the content, as the database has it: with the same version the body is the same. */
  version: string | number;
}

export interface ReplyCache {
  /**
   * @param match null: a list, which any change may concern
   * @param make reads the database; `held` is what was made before and may be old: where its version still holds, its body is given again
   */
  get(key: string, match: number | null, make: (held?: MadeReply) => Promise<MadeReply>): Promise<Reply> | Reply;
}

interface Entry {
  reply: Promise<MadeReply> | MadeReply;
  /** Number of notices before the reading began: a change that came in the meantime may not have been read. */
  notices: number;
  freshUntil: number;
}

export function createReplyCache(changes: Pick<MatchChanges, 'subscribe'>): ReplyCache {
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
    // Not even a version is trusted then: another database may be behind the same address, or this one as it was before.
    if (changed === 'all') entries.clear();
    else for (const id of changed) changedAt.set(id, notices);
  });

  const isFresh = ({ notices: before, freshUntil }: Entry, match: number | null) =>
    before >= (match === null ? notices : (changedAt.get(match) ?? 0)) && performance.now() < freshUntil;

  return {
    get(key, match, make) {
      const held = entries.get(key);
      if (held !== undefined && isFresh(held, match)) return held.reply;
      const old = held?.reply instanceof Promise ? undefined : held?.reply;
      // Its time begins when the reading does: a change that nobody told of may have come right after.
      const times = { notices, freshUntil: performance.now() + FRESH_MS };
      const pending = make(old).then(asBytes);
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

/** What each of its uses would encode again. */
const asBytes = (reply: MadeReply) => ({
  ...reply,
  body: typeof reply.body === 'string' ? Buffer.from(reply.body) : reply.body,
});
