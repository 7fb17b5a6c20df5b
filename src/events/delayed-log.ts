/**
 * The log for a follower that gets each event a fixed time after it was appended. Events come from the ring of the newest
 * events. If the ring does not go back far enough, they come from the log, in pages. An event is held until its time has
 * come, and so are all events after it, so the order is kept.
 */
import { CursorExpired, type EventLog, type LogRecord, type ReadLimit } from './event-log.ts';
import { countBytes, type Ring } from './ring.ts';

/** The longest delay that a reader can ask for, in seconds. */
export const MAX_DELAY = 600;
/** Size of a page from the log. The page's events that are not due yet stay in memory. */
const PAGE: ReadLimit = { records: 100, bytes: 128 * 1024 };
const ONE: ReadLimit = { records: 1, bytes: 1 };
/** Maximum time between two looks at the clock, because the clock may be set. */
const LOOK_EVERY_MS = 250;
/** Time after which a read is tried again if the log could not be read. */
const RETRY_MS = 1_000;
/**
 * Events that were due this long ago are not looked at again. Times may not rise from event to event, if the clock was
 * set or another relay has taken over.
 */
const SETTLED_MS = 60_000;

interface DelayedLogOptions {
  log: Pick<EventLog, 'range' | 'read' | 'cursorBefore'>;
  /** The newest events. Call `grown` when it has new entries. */
  newest: Ring;
  delayMs: number;
  /** Current time in ms since 1970. */
  now(): number;
  lookEveryMs?: number | undefined;
}

export class DelayedLog {
  readonly #options: DelayedLogOptions;
  /** Records after the cursor `after` that were read from the log and were not due. */
  #page: { after: number; records: readonly LogRecord[] } = { after: 0, records: [] };
  #listener: () => void = () => {};
  /** Set while the follower waits for a time, and not for the log to grow. */
  #timer: NodeJS.Timeout | undefined;

  constructor(options: DelayedLogOptions) {
    this.#options = options;
  }

  /** Returns a cursor at which a follower can begin. All events up to it have been due for a minute. */
  async origin(): Promise<number> {
    const { log, newest, delayMs, now } = this.#options;
    const settled = now() - delayMs - SETTLED_MS;
    let index = newest.start();
    while (index < newest.end() && newest.at(index).appendedAt < settled) index += 1;
    return index > newest.start() ? newest.cursorBefore(index) : log.cursorBefore(settled);
  }

  /** Returns the cursor of the newest event that is due. */
  async lastDue(): Promise<number> {
    let cursor = await this.origin();
    for (let more = true; more; ) {
      const due = await this.read(cursor, { records: 1_000, bytes: 1024 * 1024 });
      cursor = due.at(-1)?.cursor ?? cursor;
      more = due.length > 0;
    }
    this.#stopWaiting();
    return cursor;
  }

  range = () => this.#options.log.range();

  /** Returns the records after `cursor` that are due. @throws {CursorExpired} once the first record after the gap is due */
  async read(cursor: number, limit: ReadLimit): Promise<LogRecord[]> {
    const { newest } = this.#options;
    this.#stopWaiting();
    const index = newest.indexAfter(cursor);
    if (index !== null) {
      this.#page = { after: 0, records: [] };
      return this.#takeDue(limit, (taken) => (index + taken < newest.end() ? newest.at(index + taken) : undefined));
    }
    const records = await this.#pageAfter(cursor);
    const due = this.#takeDue(limit, (taken) => records[taken]);
    this.#page = { after: due.at(-1)?.cursor ?? cursor, records: records.slice(due.length) };
    // More may follow a page that is due as a whole.
    if (due.length > 0 && due.length === records.length) this.#listener();
    return due;
  }

  onAppend(listener: () => void): () => void {
    this.#listener = listener;
    return () => {
      this.#listener = () => {};
      this.#stopWaiting();
    };
  }

  /** Called when the ring has new entries. The follower is not woken if it waits for an earlier event. */
  grown(): void {
    if (this.#timer === undefined) this.#listener();
  }

  #dueAt(record: LogRecord): number {
    return record.appendedAt + this.#options.delayMs;
  }

  /** Takes records that are due, in order. If a record is not due, waits for it. @param at returns the record after `taken` others */
  #takeDue(limit: ReadLimit, at: (taken: number) => LogRecord | undefined): LogRecord[] {
    const now = this.#options.now();
    const due: LogRecord[] = [];
    for (let bytes = 0; due.length < limit.records && bytes < limit.bytes; ) {
      const record = at(due.length);
      if (record === undefined) break;
      if (now < this.#dueAt(record)) {
        this.#waitUntil(this.#dueAt(record));
        break;
      }
      due.push(record);
      bytes += countBytes(record);
    }
    return due;
  }

  async #pageAfter(cursor: number): Promise<readonly LogRecord[]> {
    if (this.#page.after === cursor && this.#page.records.length > 0) return this.#page.records;
    try {
      return await this.#readPage(cursor);
    } catch (error) {
      if (!(error instanceof CursorExpired)) this.#wakeIn(RETRY_MS, () => this.#listener());
      throw error;
    }
  }

  async #readPage(cursor: number): Promise<readonly LogRecord[]> {
    const { log, now } = this.#options;
    try {
      return await log.read(cursor, PAGE);
    } catch (error) {
      if (!(error instanceof CursorExpired)) throw error;
      const [next] = await log.read(error.oldest, ONE);
      if (next !== undefined && this.#dueAt(next) <= now()) throw error;
      if (next !== undefined) this.#waitUntil(this.#dueAt(next));
      return [];
    }
  }

  #waitUntil(dueAt: number): void {
    const { now, lookEveryMs = LOOK_EVERY_MS } = this.#options;
    this.#wakeIn(Math.min(Math.max(1, Math.ceil(dueAt - now())), lookEveryMs), () => {
      if (now() < dueAt) this.#waitUntil(dueAt);
      else this.#listener();
    });
  }

  #wakeIn(ms: number, wake: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      wake();
    }, ms);
    this.#timer.unref();
  }

  #stopWaiting(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
