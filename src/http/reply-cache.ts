/**
 * Caches replies until a match in them changes. Once a feed update has been answered, the next GET sees the change.
 * While the store is slow or unavailable, the previous reply is served, with the Age header.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { ownBytes } from '../runtime/own-bytes.ts';
import { hasReached, later, NOWHERE, type Position, positionText, type ReadPositions } from '../wire/position.ts';
import type { CacheStatistics } from './cache-metrics.ts';
import { toProblem } from './errors.ts';
import { JoinedBody } from './joined-body.ts';
import type { Reply } from './route.ts';

/**
 * Time for which a reply is fresh. If a notice is lost, a change from another pod is seen after this time at the latest
 * (spec: 1 s).
 */
const FRESH_MS = 1_000;
/** Longest time that a request waits while a reply is read again. After that it gets the previous reply. */
const PATIENCE_MS = 1_000;
/** After this time, requests stop waiting for a read, and begin a new one. */
const LONGEST_READ_MS = 15_000;
/** Maximum age of a reply that is served while it cannot be read again. */
const MAX_AGE_MS = 10 * 60_000;
const UNAVAILABLE = 503;
const MAX_ENTRIES = 5_000;
const MAX_BYTES = 64 * 1024 * 1024;
/** Assumed size of an entry that is still being read. */
const PENDING_BYTES = 4_096;
/**
 * Maximum number of matches for which the last change is remembered. On a busy Saturday a few hundred are live at a
 * time.
 */
const MAX_CHANGED = 10_000;

/** Tells the listeners which matches have changed. 'all' means that any match may have changed. */
export interface Changes {
  subscribe(listener: (changed: readonly number[] | 'all') => void): unknown;
}

export interface VersionedReply extends Reply {
  body: string | Buffer | JoinedBody;
  /** Version of the content in the database. The same version means the same body. */
  version: string | number;
  /** True if a newer reply is already being computed, so that the next request should read again. */
  isStale?: boolean;
}

export interface ReplyCache {
  /**
   * @param match null for a list, which any change may affect
   * @param read reads the database. `cached` is the previous reply, which may be stale. If its version is still
   *   current, `read` returns that reply
   * @param needed the position that the reply must have reached, if the client has named one. `read` must read there
   */
  get(
    key: string,
    match: number | null,
    read: (cached?: VersionedReply) => Promise<VersionedReply>,
    needed?: Position,
  ): Promise<Reply> | Reply;
  statistics(): CacheStatistics;
}

interface Entry {
  reply: Promise<VersionedReply> | VersionedReply;
  /** When the read that gave this reply began. A later read may have returned the same reply again. */
  readAt: number;
  /**
   * Set while the reply is read again. Contains the previous reply, and what requests get until the new one has been
   * read.
   */
  previous?: { entry: ReadEntry; isLate: boolean; inTime: Promise<Reply> };
  /** When the read began or, if it has to wait, when it will begin. */
  begins: number;
  /** Number of notices before the read began. The reply may lack a change whose notice came later. */
  notices: number;
  /** The position that the read has reached. */
  reached: Position;
  freshUntil: number;
}

type ReadEntry = Entry & { reply: VersionedReply };
const isRead = (entry: Entry): entry is ReadEntry => !(entry.reply instanceof Promise);
function entryOf({ previous: _, ...read }: Entry, reply: VersionedReply): Entry {
  return { ...read, reply, freshUntil: reply.isStale ? 0 : read.freshUntil };
}
const isUnavailable = (error: unknown) => toProblem(error).status === UNAVAILABLE;

const withAge = (reply: VersionedReply, ms: number): Reply => ({
  ...reply,
  headers: { ...reply.headers, Age: String(Math.max(1, Math.floor(ms / 1_000))) },
});

const isServedAt = ({ readAt }: Entry, now: number) => now - readAt < MAX_AGE_MS;

/**
 * Returns what requests get while a reply is read again. If the new reply does not come in time, they get the previous
 * one.
 */
function waitFor(
  pending: Promise<VersionedReply>,
  entry: ReadEntry,
  waitMs: number,
  now: () => number,
): Entry['previous'] {
  const previous = { entry, isLate: false, inTime: pending as Promise<Reply> };
  const isServed = () => isServedAt(entry, now());
  const aged = () => withAge(entry.reply, now() - entry.readAt);
  previous.inTime = new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      previous.isLate = true;
      if (isServed()) resolve(aged());
    }, waitMs + PATIENCE_MS);
    timer.unref();
    const fail = (error: unknown) => (isUnavailable(error) && isServed() ? resolve(aged()) : reject(error));
    pending.then(resolve, fail).finally(() => clearTimeout(timer));
  });
  return previous;
}

interface ReplyCacheOptions {
  /** Returns monotonic time in milliseconds. */
  now?: () => number;
  maxBytes?: number;
  /** Minimum time between two reads of the same reply, in ms. Requests in between wait for the next read. */
  gapMs?: number;
  /** Positions of the reads, if they may use a replica. */
  positions?: Pick<ReadPositions, 'beginRead' | 'shown'> | undefined;
}

/** Converts a text to bytes, because it would be encoded again for each response. */
const keptBody = (body: VersionedReply['body']) => (body instanceof JoinedBody ? body : ownBytes(body));

const UNREAD: VersionedReply = { body: '', version: '' };

export function createReplyCache(
  changes: Changes,
  { now = () => performance.now(), maxBytes = MAX_BYTES, gapMs = 0, positions }: ReplyCacheOptions = {},
): ReplyCache {
  const entries = new LRUCache<string, Entry>({ max: MAX_ENTRIES, maxSize: maxBytes });
  let notices = 0;
  let hits = 0;
  let misses = 0;
  /** For each match, the number of the last notice about it. */
  const changedAt = new LRUCache<number, number>({
    max: MAX_CHANGED,
    dispose: (_notice, _match, reason) => {
      if (reason === 'evict') entries.clear();
    },
  });
  changes.subscribe((changed) => {
    notices += 1;
    // After a notice about all matches, versions cannot be compared either, because the address may now lead to another
    // database, or to a restored backup.
    if (changed === 'all') entries.clear();
    else for (const id of changed) changedAt.set(id, notices);
  });

  function isFresh(
    { begins, notices: before, freshUntil, reply, reached }: Entry,
    match: number | null,
    needed?: Position,
  ): boolean {
    if (needed !== undefined && !hasReached(reached, needed)) return false;
    if (now() < begins) return true;
    const isChanged = before < (match === null ? notices : (changedAt.get(match) ?? 0));
    // While the store is slow, a second read would wait as well, so an unfinished read counts as fresh.
    return !isChanged && now() < (reply instanceof Promise ? begins + LONGEST_READ_MS : freshUntil);
  }

  function kept(key: string, match: number | null, reply: VersionedReply): VersionedReply {
    const cached: VersionedReply = { ...reply, body: keptBody(reply.body) };
    if (positions !== undefined) cached.position = positionText(positions.shown);
    cached.isFresh = (needed) => {
      const entry = entries.get(key);
      if (entry?.reply !== cached || !isFresh(entry, match, needed)) return false;
      hits += 1;
      return true;
    };
    return cached;
  }

  const isServed = (entry: Entry) => isServedAt(entry, now());

  return {
    statistics: () => ({ hits, misses, bytes: entries.calculatedSize }),
    get(key, match, read, needed) {
      const cached = entries.get(key);
      // Only one read runs at a time, because a second read would wait as well.
      const late =
        !needed && cached?.previous?.isLate && isServed(cached.previous.entry) ? cached.previous.entry : undefined;
      const isHit = late !== undefined || (cached !== undefined && isFresh(cached, match, needed));
      if (isHit) hits += 1;
      else misses += 1;
      if (late !== undefined) return withAge(late.reply, now() - late.readAt);
      // The previous reply has not reached what the client needs.
      if (cached !== undefined && isHit) return (needed ? null : cached.previous?.inTime) ?? cached.reply;
      const known = cached === undefined || isRead(cached) ? cached : cached.previous?.entry;
      const previous = known?.reply;
      const waitMs = cached === undefined ? 0 : Math.max(0, cached.begins + gapMs - now());
      const begin = () => {
        // Freshness counts from the start of the read, because a change may come right after that, and the change's notice may be lost.
        Object.assign(entry, { begins: now(), readAt: now(), notices, freshUntil: now() + FRESH_MS });
        if (positions !== undefined) entry.reached = later(positions.beginRead(match), needed ?? NOWHERE);
        return read(previous);
      };
      const keepReply = (reply: VersionedReply) => (reply === previous ? reply : kept(key, match, reply));
      const entry: Entry = {
        reply: UNREAD,
        readAt: now(),
        begins: now() + waitMs,
        notices,
        reached: NOWHERE,
        freshUntil: 0,
      };
      const pending = (waitMs > 0 ? sleep(waitMs).then(begin) : begin()).then(keepReply);
      entry.reply = pending;
      const size = PENDING_BYTES + (previous?.body.length ?? 0);
      if (known !== undefined) entry.previous = waitFor(pending, known, waitMs, now);
      entries.set(key, entry, { size });
      const keep = (next: Entry, size: number) => entries.peek(key) === entry && entries.set(key, next, { size });
      pending.then(
        (reply) => keep(entryOf(entry, reply), PENDING_BYTES + reply.body.length),
        (error: unknown) => {
          if (known !== undefined && isServed(known) && isUnavailable(error)) keep({ ...known, freshUntil: 0 }, size);
          else if (entries.peek(key) === entry) entries.delete(key);
        },
      );
      return (needed ? null : entry.previous?.inTime) ?? pending;
    },
  };
}
