/**
 * Reads what is appended to the log into the ring, page by page. The first page after a pause is read at once. Later
 * pages are read at intervals, so that a burst is sent in one write.
 */
import type { Logger } from 'pino';
import { startLoop } from '../runtime/loop.ts';
import { CursorExpired, type EventLog, mayHaveMore } from './event-log.ts';
import type { Ring } from './ring.ts';

const PAGE_RECORDS = 1_000;
const PAGE_BYTES = 8 * 1024 * 1024;

export interface FollowerDeps {
  log: Pick<EventLog, 'range' | 'read' | 'onAppend'>;
  ring: Ring;
  /** Maximum number of entries in the ring. */
  capacity: number;
  /** Milliseconds between two pages while there is traffic. */
  everyMs: number;
  logger: Pick<Logger, 'error' | 'warn' | 'info'>;
  /**
   * Called when the ring has grown. The ring grows again only after this call has resolved, so that no entry is evicted
   * unseen.
   */
  onEntries(): Promise<void>;
  /**
   * Called when events have been dropped from the log before they could be read. Once this has resolved, the ring
   * continues after the dropped events.
   */
  onGap(): Promise<void>;
}

export interface Follower {
  stop(): Promise<void>;
}

/** Reads until the ring has reached the log's current head. Resolves then, and follows the log from there. */
export async function followLog({
  log,
  ring,
  capacity,
  everyMs,
  logger,
  onEntries,
  onGap,
}: FollowerDeps): Promise<Follower> {
  const head = () => ring.cursorBefore(ring.end());
  const limit = { records: Math.min(PAGE_RECORDS, capacity), bytes: PAGE_BYTES };
  let stopped = false;
  let nextPage = Number.NEGATIVE_INFINITY;

  /** @returns how much was read; `more` means that more records may follow */
  async function readPage(): Promise<'nothing' | 'all' | 'more'> {
    try {
      const records = await log.read(head(), limit);
      if (stopped || records.length === 0) return 'nothing';
      ring.append(records);
      return mayHaveMore(records.length, limit) ? 'more' : 'all';
    } catch (error) {
      if (!(error instanceof CursorExpired)) throw error;
      logger.warn('events were dropped from the log before they were read, continuing after them');
      await onGap();
      ring.restart(error.oldest);
      return 'more';
    }
  }

  const { head: target } = await log.range();
  while (head() < target && (await readPage()) !== 'nothing') await onEntries();
  const loop = startLoop({
    async run() {
      const read = await readPage();
      if (read === 'nothing') return Number.POSITIVE_INFINITY;
      nextPage = performance.now() + everyMs;
      await onEntries();
      return read === 'more' ? 0 : Number.POSITIVE_INFINITY;
    },
    notBefore: () => nextPage,
    // No timed retry is needed, since the log calls its listeners periodically in any case.
    retryMs: Number.POSITIVE_INFINITY,
    failed: 'reading the event log failed, retrying',
    recovered: 'reading the event log works again',
    logger,
  });
  const stopListening = log.onAppend((end) => {
    if (end === undefined || end > head()) loop.wake();
  });
  return {
    async stop() {
      stopped = true;
      stopListening();
      await loop.stop();
    },
  };
}
