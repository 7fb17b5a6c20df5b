/**
 * Reads the topic by cursor. A cursor is an offset plus a base, which each record has in a header. The base is raised
 * when offsets have restarted or gone back, so that cursors ascend throughout the log. A reader first tries the base
 * that it last saw. The record that it finds there has to confirm this base.
 */
import { CursorExpired, LogAway, type LogRange, type LogRecord, type ReadLimit } from './event-log.ts';
import { type KafkaConnection, type KafkaPage, type KafkaRecord, OffsetOutOfRange } from './kafka-connection.ts';
import { cursorBase, cursorOf, toEvent } from './kafka-record.ts';
import type { LogTail } from './log-tail.ts';

/** Approximate size of a fetch. The broker returns whole batches. */
const FETCH_BYTES = 1024 * 1024;
/** Approximate bytes per record besides the envelope, for the key, headers and framing. */
const RECORD_OVERHEAD_BYTES = 150;
/** How often a reader at the log's end reads the end again, in case it has changed without new records. */
const CONFIRM_EVERY_MS = 1_000;

type Page = Pick<KafkaPage, 'records' | 'end'>;
type Connection = Pick<KafkaConnection, 'topicId' | 'assertSameTopic' | 'bounds' | 'offsetAt' | 'fetch' | 'close'>;

export interface KafkaReaderDeps {
  connector: { get(): Promise<Connection> };
  /** Returns the last cursor that the relay has assigned, which is the head if the topic is empty. */
  lastCursor(): Promise<number>;
  /** The latest records, as a watcher received them when they were appended. They need not be fetched again. */
  tail?: LogTail<KafkaRecord>;
}

export class KafkaReader {
  readonly #connector: KafkaReaderDeps['connector'];
  readonly #lastCursor: KafkaReaderDeps['lastCursor'];
  readonly #tail: KafkaReaderDeps['tail'];
  /** The base in the newest record found so far, and when it was last confirmed. */
  #known: { topicId: string; base: number; confirmedAt: number } | null = null;

  constructor({ connector, lastCursor, tail }: KafkaReaderDeps) {
    this.#connector = connector;
    this.#lastCursor = lastCursor;
    this.#tail = tail;
  }

  /** @throws {LogAway} */
  range(): Promise<LogRange> {
    return this.#retried(async (connection) => {
      const { head, oldest } = await this.#ends(connection);
      return { head, oldest };
    });
  }

  /** @throws {CursorExpired | LogAway} */
  read(cursor: number, limit: ReadLimit): Promise<LogRecord[]> {
    return this.#retried((connection) => this.#readFrom(connection, cursor, limit));
  }

  /** As in EventLog. @throws {LogAway} */
  cursorBefore(time: number): Promise<number> {
    return this.#retried(async (connection) => {
      const { head, oldest, start } = await this.#ends(connection);
      const offset = await connection.offsetAt(time);
      if (offset === null) return head;
      return Math.max(oldest, cursorOf(await recordAt(connection, Math.max(start, offset))) - 1);
    });
  }

  /**
   * Runs a read, and repeats it once if it fails. The connection may have been broken for a long time, and reading
   * twice does no harm.
   */
  async #retried<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      const connection = await this.#connector.get().catch((error) => {
        throw new LogAway(error);
      });
      try {
        return await work(connection);
      } catch (error) {
        if (error instanceof CursorExpired) throw error;
        if (!(error instanceof OffsetOutOfRange)) connection.close();
        if (tries === 2) throw new LogAway(error);
      }
    }
  }

  async #readFrom(connection: Connection, cursor: number, limit: ReadLimit): Promise<LogRecord[]> {
    const found: LogRecord[] = [];
    let bytes = 0;
    const fetchBytes = () =>
      Math.max(1, Math.min(FETCH_BYTES, limit.bytes - bytes + RECORD_OVERHEAD_BYTES * (limit.records - found.length)));
    let page = await this.#firstPage(connection, cursor, fetchBytes());
    for (;;) {
      for (const record of page.records) {
        const event = toEvent(record);
        // A former leader may append late, with an earlier base. Such records repeat the next leader's records and are skipped.
        if (event.cursor <= (found.at(-1)?.cursor ?? cursor)) continue;
        bytes += Buffer.byteLength(event.envelope);
        if (found.length > 0 && bytes > limit.bytes) return found;
        found.push(event);
        if (found.length >= limit.records) return found;
      }
      const last = page.records.at(-1);
      if (last === undefined || last.offset + 1 >= page.end) return found;
      page = await connection.fetch(last.offset + 1, { bytes: fetchBytes() });
    }
  }

  async #firstPage(connection: Connection, cursor: number, bytes: number): Promise<Page> {
    const known = this.#tailFrom(connection, cursor);
    if (known !== null) return known;
    if (!this.#isConfirmed(connection)) await this.#ends(connection);
    if (this.#known !== null && cursor >= this.#known.base) {
      try {
        const { base } = this.#known;
        const page = await connection.fetch(cursor - base, { bytes });
        // If the record has the expected base, the record before it has a smaller cursor. This record is therefore the
        // first one after `cursor`.
        const [first] = page.records;
        if (first !== undefined && cursorBase(first) === base) return page;
        if (first === undefined) {
          // Nothing follows. Makes sure that this is not another topic that ends at the same offset.
          await connection.assertSameTopic();
          return page;
        }
      } catch (error) {
        if (!(error instanceof OffsetOutOfRange)) throw error;
      }
    }
    const offset = await this.#locate(connection, cursor);
    const page = await connection.fetch(offset, { bytes });
    if (page.records[0] !== undefined) this.#confirm(connection, cursorBase(page.records[0]));
    return page;
  }

  /** Returns a page from the tail. Its first record has to confirm the known base; see #firstPage. */
  #tailFrom({ topicId }: Connection, cursor: number): Page | null {
    if (this.#known?.topicId !== topicId) return null;
    const records = this.#tail?.from(cursor - this.#known.base) ?? [];
    const [first] = records;
    if (first === undefined || cursorBase(first) !== this.#known.base) return null;
    // The page counts as complete, since readers are called again when more is appended.
    return { records, end: records.at(-1)!.offset + 1 };
  }

  /**
   * Finds a position by binary search.
   * @returns the offset of the first record after `cursor`, or the log's end if there is none
   */
  async #locate(connection: Connection, cursor: number): Promise<number> {
    const { oldest, start, end } = await this.#ends(connection);
    if (cursor < oldest) throw new CursorExpired(oldest);
    if (start === end) return end;
    let [low, high] = [start, end];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const record = await recordAt(connection, middle);
      if (cursorOf(record) > cursor) high = middle;
      else low = middle + 1;
      if (low === high && low === record.offset) this.#confirm(connection, cursorBase(record));
    }
    return low;
  }

  async #ends(connection: Connection): Promise<LogRange & { start: number; end: number }> {
    for (;;) {
      const { start, end } = await connection.bounds();
      if (start < end) {
        const [first, last] = [await recordAt(connection, start), await recordAt(connection, end - 1)];
        this.#confirm(connection, cursorBase(last));
        return { head: cursorOf(last), oldest: cursorOf(first) - 1, start, end };
      }
      const last = await this.#lastCursor();
      // If records have been appended meanwhile, they may be the ones with cursors up to `last`. They must not count
      // as dropped, so the bounds are read again.
      if ((await connection.bounds()).end === end) return { head: last, oldest: last, start, end };
    }
  }

  #isConfirmed({ topicId }: Connection): boolean {
    return this.#known?.topicId === topicId && performance.now() - this.#known.confirmedAt < CONFIRM_EVERY_MS;
  }

  #confirm({ topicId }: Connection, base: number): void {
    this.#known = { topicId, base, confirmedAt: performance.now() };
  }
}

/** @throws {OffsetOutOfRange} if the record has just been dropped */
async function recordAt(connection: Connection, offset: number): Promise<KafkaRecord> {
  const [record] = (await connection.fetch(offset, { bytes: 1 })).records;
  if (record === undefined) throw new OffsetOutOfRange();
  return record;
}
