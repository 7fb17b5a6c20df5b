/**
 * Reads a client's next page while the client receives the present one. The page is dropped if one of its matches changes
 * before the client asks for it, so the client gets what a read at the time of its request would give.
 */
import type { CacheStatistics } from './cache-metrics.ts';
import type { Changes } from './reply-cache.ts';

/** Time for which a page is kept. If a notice is lost, a page is at most this old. */
const KEPT_MS = 1_000;
/** Maximum number of pages that are being read or kept. A page has up to 16 MB. */
const MAX_PAGES = 2;

/** A page that may be read ahead. */
export interface AheadPage {
  /** True if the page shows one of these matches. */
  shows(matches: ReadonlySet<number>): boolean;
  bytes: number;
}

export interface ReadAhead {
  /**
   * Takes the page that was read ahead under this name.
   * @returns null if there is none, or if a match on it has changed
   */
  take<P extends AheadPage>(name: string): Promise<P | null>;
  /**
   * Begins to read a page, unless too many pages are being read or kept.
   * @param read returns null for a page that must not be used later
   */
  begin(name: string, read: () => Promise<AheadPage | null>): void;
  statistics(): CacheStatistics;
}

interface Entry {
  begun: number;
  /** Null if the page cannot be used. */
  page: Promise<AheadPage | null>;
  bytes: number;
  isRead: boolean;
  /** True once a request waits for the page, however long the read takes. */
  isWanted: boolean;
  /** Matches that have changed since the read began. */
  changed: Set<number>;
  timer: NodeJS.Timeout;
}

export function createReadAhead(changes: Changes, now: () => number = () => performance.now()): ReadAhead {
  const entries = new Map<string, Entry>();
  let hits = 0;
  let misses = 0;
  const drop = (name: string) => {
    clearTimeout(entries.get(name)?.timer);
    entries.delete(name);
  };
  changes.subscribe((changed) => {
    if (changed === 'all') for (const name of [...entries.keys()]) drop(name);
    else for (const entry of entries.values()) for (const id of changed) entry.changed.add(id);
  });
  return {
    statistics: () => ({ hits, misses, bytes: [...entries.values()].reduce((sum, { bytes }) => sum + bytes, 0) }),
    async take<P extends AheadPage>(name: string) {
      const entry = entries.get(name);
      if (entry === undefined) return null;
      const { page: pending, begun, isRead, changed } = entry;
      entry.isWanted = true;
      // While the store is slow, another read would take as long, so an unfinished one is never too old.
      const isFresh = !isRead || now() - begun < KEPT_MS;
      const page = isFresh ? await pending : null;
      // Only if the entry is still there: meanwhile all matches may have changed, or another request may have taken the page.
      const isOwn = entries.get(name) === entry;
      if (isOwn) drop(name);
      const taken = isOwn && page !== null && !page.shows(changed) ? page : null;
      if (taken === null) misses += 1;
      else hits += 1;
      return taken as P | null;
    },
    begin(name, read) {
      if (entries.has(name) || entries.size >= MAX_PAGES) return;
      const entry: Entry = {
        begun: now(),
        page: read().catch(() => null),
        bytes: 0,
        isRead: false,
        isWanted: false,
        changed: new Set(),
        timer: setTimeout(() => entry.isRead && drop(name), KEPT_MS).unref(),
      };
      entries.set(name, entry);
      void entry.page.then((page) => {
        entry.isRead = true;
        entry.bytes = page?.bytes ?? 0;
        const isUseless = page === null || now() - entry.begun >= KEPT_MS;
        if (isUseless && !entry.isWanted && entries.get(name) === entry) drop(name);
      });
    },
  };
}
