/** The newest events, shared by all readers of a process: a reader is a position in it, not a queue. */
import type { LogRecord } from './event-log.ts';

/** 65,536 events or 64 MiB, whichever is less. */
export const RING_EVENTS = 65_536;
const RING_BYTES = 64 * 1024 * 1024;

export interface RingEntry extends LogRecord {
  /** Frames by format, encoded once when first needed. */
  frames: (Buffer | undefined)[];
  /** Size of the envelope in UTF-8. */
  bytes: number;
  /** Bytes of memory, including a frame in one format. */
  weight: number;
}

export interface Ring {
  /** Index of the oldest entry; indices only grow. */
  start(): number;
  /** Index after the newest entry. */
  end(): number;
  /**
   * Cursor of the entry before `index`: a reader there has seen everything up to it. `index` lies between start and
   * end.
   */
  cursorBefore(index: number): number;
  /** Index of the first entry after `cursor`; null if entries after `cursor` have been dropped. */
  indexAfter(cursor: number): number | null;
  at(index: number): RingEntry;
  append(records: readonly LogRecord[]): void;
  /** Continues at a cursor beyond a gap: positions before it can no longer be found. */
  restart(cursor: number): void;
}

/** Approximate memory of the objects around a text and its frame. */
const ENTRY_OVERHEAD_BYTES = 250;
const memoryWeight = (bytes: number) => 2 * bytes + ENTRY_OVERHEAD_BYTES;

/** Bytes of the envelope. Counted once for an entry: 10,000 readers that reconnect, each for 500 events, would take 9 s to count them. */
export const countBytes = (record: LogRecord | RingEntry): number =>
  'bytes' in record ? record.bytes : Buffer.byteLength(record.envelope);

/** @param origin the cursor before the first entry */
export function createRing(origin: number, maxEvents = RING_EVENTS, maxBytes = RING_BYTES): Ring {
  const slots = new Array<RingEntry | undefined>(maxEvents);
  let start = 0;
  let end = 0;
  let bytes = 0;
  let dropped = origin;
  const at = (index: number): RingEntry => slots[index % maxEvents]!;

  function drop(): void {
    const entry = at(start);
    dropped = entry.cursor;
    bytes -= entry.weight;
    slots[start % maxEvents] = undefined;
    start += 1;
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
        const size = countBytes(record);
        const weight = memoryWeight(size);
        slots[end % maxEvents] = { ...record, frames: [], bytes: size, weight };
        bytes += weight;
        end += 1;
        while (bytes > maxBytes && end - start > 1) drop();
      }
    },
    restart(cursor) {
      while (start < end) drop();
      // The gap has an index of its own: a reader before it is behind the ring.
      start += 1;
      end += 1;
      dropped = cursor;
    },
  };
}
