/** How far one leased subscription has got in the event log, and its next event: from the shared ring, or read from the log where it is behind. */
import type { LogRecord } from '../events/event-log.ts';
import type { Ring } from '../events/ring.ts';

export class EventCursor {
  readonly #wants: (record: LogRecord) => boolean;
  /** Every event up to here has been checked against the filter. */
  #examined: number;
  /** Ring index of the next event to examine; null: the subscription is behind the ring, and reads the log. */
  #ringIndex: number | null = null;
  /** Events to send that were read from the log, not yet in flight. */
  readonly #queue: LogRecord[] = [];
  /** Events that are queued or in flight, by cursor, ascending. */
  readonly #unfinished = new Map<number, LogRecord>();

  /** @param wants whether an event is to be sent */
  constructor(position: number, wants: (record: LogRecord) => boolean) {
    this.#examined = position;
    this.#wants = wants;
  }

  get examined(): number {
    return this.#examined;
  }

  /** Every event up to this cursor was delivered, has failed, or was not wanted. */
  position(): number {
    const [first] = this.#unfinished.keys();
    return first === undefined ? this.#examined : first - 1;
  }

  /**
   * The oldest event that has not been sent: queued or in flight, else the next one to examine, whether it is wanted or not. Of a
   * subscription that is behind the ring it is the ring's oldest, which is later. Null: there is none.
   */
  oldest(ring: Ring): LogRecord | null {
    const [first] = this.#unfinished.values();
    if (first !== undefined) return first;
    const index = ring.indexAfter(this.#examined) ?? ring.start();
    return index < ring.end() ? ring.at(index) : null;
  }

  /** Takes events that were read from the log. */
  examine(records: readonly LogRecord[]): void {
    for (const record of records) {
      if (this.#examines(record)) this.#queue.push(record);
    }
  }

  /** There are no events up to this cursor. */
  advanceTo(cursor: number): void {
    this.#examined = Math.max(this.#examined, cursor);
  }

  /** Whether the next event has to be read from the log. */
  isBehind(ring: Ring): boolean {
    if (this.#queue.length > 0) return false;
    if (this.#ringIndex !== null && this.#ringIndex >= ring.start()) return false;
    this.#ringIndex = ring.indexAfter(this.#examined);
    return this.#ringIndex === null;
  }

  /** @returns an event to send; `finish` it when its outcome is known */
  next(ring: Ring): LogRecord | null {
    const queued = this.#queue.shift();
    if (queued !== undefined) return queued;
    if (this.isBehind(ring)) return null;
    for (const end = ring.end(); this.#ringIndex! < end; ) {
      const entry = ring.at(this.#ringIndex!);
      this.#ringIndex! += 1;
      if (this.#examines(entry)) return entry;
    }
    return null;
  }

  finish({ cursor }: LogRecord): void {
    this.#unfinished.delete(cursor);
  }

  #examines(record: LogRecord): boolean {
    // An event that was read from the log may come into the ring afterwards.
    if (record.cursor <= this.#examined) return false;
    this.#examined = record.cursor;
    if (!this.#wants(record)) return false;
    this.#unfinished.set(record.cursor, record);
    return true;
  }
}
