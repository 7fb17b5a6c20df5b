/** The newest events, in a buffer that all readers in a process share. A reader has a position in the ring instead of a queue. */
import type { LogRecord } from './event-log.ts';

/** Maximum size of a ring: 65,536 events or 64 MiB, whichever is reached first. */
export const RING_EVENTS = 65_536;
const RING_BYTES = 64 * 1024 * 1024;
/**
 * Size of the chunks, which contain many envelopes each. A buffer for each envelope would take far more
 * memory than the text.
 */
const CHUNK_BYTES = 256 * 1024;
/** Approximate memory that an entry takes besides the envelope. */
const ENTRY_OVERHEAD_BYTES = 250;

/** An event in a ring. The envelope is stored in UTF-8, outside the heap. Each use of `envelope` decodes it again. */
export class RingEntry implements LogRecord {
  readonly cursor: number;
  readonly matchId: number;
  readonly sport: string;
  readonly tournamentId: number;
  readonly type: string;
  readonly traceparent: string | null;
  readonly committedAt: number | null;
  readonly appendedAt: number;
  /** Envelope size in UTF-8. */
  readonly bytes: number;
  readonly #chunk: Buffer;
  readonly #offset: number;

  /** @param offset where the envelope starts in the chunk */
  constructor(record: LogRecord, bytes: number, chunk: Buffer, offset: number) {
    this.cursor = record.cursor;
    this.matchId = record.matchId;
    this.sport = record.sport;
    this.tournamentId = record.tournamentId;
    this.type = record.type;
    this.traceparent = record.traceparent ?? null;
    this.committedAt = record.committedAt ?? null;
    this.appendedAt = record.appendedAt;
    this.bytes = bytes;
    this.#chunk = chunk;
    this.#offset = offset;
  }

  get envelope(): string {
    return this.#chunk.toString('utf8', this.#offset, this.#offset + this.bytes);
  }

  /** Copies the envelope without the first `skipped` bytes. */
  copyEnvelope(target: Buffer, at: number, skipped: number): void {
    this.#chunk.copy(target, at, this.#offset + skipped, this.#offset + this.bytes);
  }
}

/** Approximate memory that an entry takes. */
const memoryBytes = ({ bytes }: RingEntry) => bytes + ENTRY_OVERHEAD_BYTES;

export interface Ring {
  /** The oldest entry's index. Indexes only grow. */
  start(): number;
  /** Index after the newest entry. */
  end(): number;
  /** Cursor of the entry before `index`. A reader at this cursor has seen every entry before `index`, which lies between start and end. */
  cursorBefore(index: number): number;
  /** Index of the first entry after `cursor`. Null if entries after `cursor` have been dropped. */
  indexAfter(cursor: number): number | null;
  at(index: number): RingEntry;
  append(records: readonly LogRecord[]): void;
  /** Continues after a gap, at `cursor`. Positions before it can no longer be found. */
  restart(cursor: number): void;
}

/**
 * Returns an envelope's size in bytes. The size is stored with each entry. If 10,000 readers reconnected and read 500
 * events each, counting would take 9 s.
 */
export const countBytes = (record: LogRecord): number =>
  record instanceof RingEntry ? record.bytes : Buffer.byteLength(record.envelope);

/** @param origin the cursor before the first entry */
export function createRing(origin: number, maxEvents = RING_EVENTS, maxBytes = RING_BYTES): Ring {
  const slots = new Array<RingEntry | undefined>(maxEvents);
  let start = 0;
  let end = 0;
  let bytes = 0;
  let dropped = origin;
  let chunk = Buffer.alloc(0);
  let filled = 0;
  const at = (index: number): RingEntry => slots[index % maxEvents]!;

  function drop(): void {
    const entry = at(start);
    dropped = entry.cursor;
    bytes -= memoryBytes(entry);
    slots[start % maxEvents] = undefined;
    start += 1;
  }

  function store(record: LogRecord): RingEntry {
    // An entry of another ring is shared and not copied.
    if (record instanceof RingEntry) return record;
    const size = countBytes(record);
    if (filled + size > chunk.length) {
      chunk = Buffer.allocUnsafeSlow(Math.max(CHUNK_BYTES, size));
      filled = 0;
    }
    const entry = new RingEntry(record, size, chunk, filled);
    chunk.write(record.envelope, filled);
    filled += size;
    return entry;
  }

  return {
    start: () => start,
    end: () => end,
    at,
    cursorBefore: (index) => (index <= start ? dropped : at(index - 1).cursor),
    indexAfter(cursor) {
      if (cursor < dropped) return null;
      let low = start;
      let high = end;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (at(middle).cursor <= cursor) low = middle + 1;
        else high = middle;
      }
      return low;
    },
    append(records) {
      for (const record of records) {
        if (end - start === maxEvents) drop();
        const entry = store(record);
        slots[end % maxEvents] = entry;
        bytes += memoryBytes(entry);
        end += 1;
        while (bytes > maxBytes && end - start > 1) drop();
      }
    },
    restart(cursor) {
      while (start < end) drop();
      // The gap takes up one index, so that a reader before it is no longer within the ring.
      start += 1;
      end += 1;
      dropped = cursor;
    },
  };
}
