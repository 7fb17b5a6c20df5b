/** Brings what is appended to the log into the ring, a page at a time: at once when idle, then at a pace, so that a burst goes out in one write. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { ENVELOPE_MAX_BYTES } from '../wire/envelope.ts';
import { CursorExpired, type EventLog } from './event-log.ts';
import type { Ring } from './ring.ts';

const PAGE_RECORDS = 1_000;
const PAGE_BYTES = 8 * 1024 * 1024;

export interface FollowerDeps {
  log: EventLog;
  ring: Ring;
  /** Entries that the ring holds at most. */
  capacity: number;
  /** Between two pages while there is traffic. */
  everyMs: number;
  logger: Pick<Logger, 'error' | 'warn' | 'info'>;
  /** The ring has grown; it grows on when this is done, so that nothing falls out of it unseen. */
  onEntries(): Promise<void>;
  /** Events were dropped from the log before they could be read; the ring goes on behind them when this is done. */
  onHole(): Promise<void>;
}

export interface Follower {
  stop(): Promise<void>;
}

/** Resolves when the ring has come to the log's head of this moment, and goes on from there. */
export async function followLog({
  log,
  ring,
  capacity,
  everyMs,
  logger,
  onEntries,
  onHole,
}: FollowerDeps): Promise<Follower> {
  const head = () => ring.cursorBefore(ring.end());
  const limit = { records: Math.min(PAGE_RECORDS, capacity), bytes: PAGE_BYTES };
  /** Fewer fit into a page however large they are. */
  const mayBeMore = Math.min(limit.records, PAGE_BYTES / ENVELOPE_MAX_BYTES);
  let stopped = false;
  let news = true;
  let wake: () => void = () => {};

  /** @returns how many records it has put into the ring, at least as many as tell that there may be more where it cannot know */
  async function readOn(): Promise<number> {
    try {
      const records = await log.read(head(), limit);
      if (stopped) return 0;
      ring.append(records);
      return records.length;
    } catch (error) {
      if (!(error instanceof CursorExpired)) throw error;
      logger.warn('events were dropped before they could be read');
      await onHole();
      ring.restart(error.oldest);
      return mayBeMore;
    }
  }

  async function somethingNew(): Promise<void> {
    if (news || stopped) return;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }

  async function follow(): Promise<void> {
    let failing = false;
    let next = Number.NEGATIVE_INFINITY;
    for (;;) {
      await somethingNew();
      const wait = next - performance.now();
      if (wait > 0) await sleep(wait);
      news = false;
      if (stopped) return;
      try {
        const read = await readOn();
        if (failing) logger.info('the event log can be read again');
        failing = false;
        if (read === 0) continue;
        if (read >= mayBeMore) news = true;
        next = performance.now() + everyMs;
        await onEntries();
      } catch (error) {
        // An outage is told once, not ten times a second; the log wakes us again.
        if (!failing && !stopped) logger.error({ err: error }, 'the event log could not be read; trying again');
        failing = true;
      }
    }
  }

  const { head: target } = await log.range();
  while (head() < target && (await readOn()) > 0) await onEntries();
  const stopListening = log.onAppend(() => {
    news = true;
    wake();
  });
  const following = follow();
  return {
    async stop() {
      stopped = true;
      stopListening();
      wake();
      await following;
    },
  };
}
