/**
 * A leased subscription's position in the event log. Finds the next event in the shared ring, or in the log if the
 * position is older than the ring.
 */
import type { LogRecord, Ring } from '../../events/index.ts';
import type { Ahead } from '../subscriptions/subscription-row.ts';

/**
 * Returns whether stored JSON is valid, since manual SQL may have put anything there. Discarding invalid JSON only
 * makes some events repeat.
 */
const isWellFormed = ({ reach, unfinished }: Ahead): boolean =>
  Number.isSafeInteger(reach) && Array.isArray(unfinished) && unfinished.every(Number.isSafeInteger);

export class EventCursor {
  readonly #wants: (record: LogRecord) => boolean;
  /** Every event up to this cursor has been checked against the filter. */
  #examined: number;
  /** Ring index of the next event to examine. Null while that event is older than the ring and has to be read from the log. */
  #ringIndex: number | null = null;
  /** Events to send that were read from the log and are not yet in flight. */
  readonly #queue: LogRecord[] = [];
  /** Events that are queued or in flight, by cursor, ascending. */
  readonly #unfinished = new Map<number, LogRecord>();
  /** Finished events beyond the position, as an earlier lease holder saved them. */
  #ahead: Ahead | null;

  /** Returns whether an event may be sent already. One that may not holds all later ones. */
  readonly isDue: (record: LogRecord) => boolean;

  /** @param wants whether an event is to be sent */
  constructor(
    position: number,
    wants: (record: LogRecord) => boolean,
    ahead: Ahead | null = null,
    isDue: (record: LogRecord) => boolean = () => true,
  ) {
    this.#examined = position;
    this.#ahead = ahead?.position === position && isWellFormed(ahead) ? ahead : null;
    this.#wants = wants;
    this.isDue = isDue;
  }

  get examined(): number {
    return this.#examined;
  }

  /** `next` has returned every wanted event up to this cursor. */
  get taken(): number {
    const [queued] = this.#queue;
    return queued === undefined ? this.#examined : queued.cursor - 1;
  }

  /** Every event up to this cursor has been taken, by this lease holder or an earlier one. */
  get reach(): number {
    return Math.max(this.taken, this.#ahead?.reach ?? 0);
  }

  /** Every event up to this cursor was delivered, has failed, or was not wanted. */
  position(): number {
    const [first] = this.#unfinished.keys();
    return first === undefined ? this.#examined : first - 1;
  }

  /** @returns the finished events beyond the position, or null if there are none */
  ahead(): Ahead | null {
    const position = this.position();
    // Queued events do not count as reached. Otherwise a page from the log would make a long list of unfinished events.
    const own = this.taken;
    if (this.#ahead !== null && own >= this.#ahead.reach) this.#ahead = null;
    const earlier = this.#ahead;
    const reach = Math.max(own, earlier?.reach ?? 0);
    if (reach === position) return null;
    const unfinished = [
      ...[...this.#unfinished.keys()].filter((cursor) => cursor <= own),
      ...(earlier?.unfinished.filter((cursor) => cursor > own) ?? []),
    ];
    return { position, reach, unfinished };
  }

  /**
   * Returns the oldest undelivered event, which is the first one that is queued or in flight. If there is none,
   * returns the next event to examine, wanted or not, or the ring's first event if that one is older than the ring.
   * Null if every event has been examined.
   */
  oldest(ring: Ring): LogRecord | null {
    const [first] = this.#unfinished.values();
    if (first !== undefined) return first;
    const index = ring.indexAfter(this.#examined) ?? ring.start();
    return index < ring.end() ? ring.at(index) : null;
  }

  /** Examines events that were read from the log, and queues those to send. */
  examine(records: readonly LogRecord[]): void {
    for (const record of records) {
      if (this.#examines(record)) this.#queue.push(record);
    }
  }

  /** Moves on to `cursor` because the log has no events before it. */
  advanceTo(cursor: number): void {
    this.#examined = Math.max(this.#examined, cursor);
  }

  /** Returns whether the next event has to be read from the log because it is older than the ring. */
  isBehind(ring: Ring): boolean {
    if (this.#queue.length > 0) return false;
    if (this.#ringIndex !== null && this.#ringIndex >= ring.start()) return false;
    this.#ringIndex = ring.indexAfter(this.#examined);
    return this.#ringIndex === null;
  }

  /** @returns the next event to send; call `finish` with it when the outcome is known */
  next(ring: Ring): LogRecord | null {
    const [queued] = this.#queue;
    if (queued !== undefined) return this.isDue(queued) ? this.#queue.shift()! : null;
    if (this.isBehind(ring)) return null;
    for (const end = ring.end(); this.#ringIndex! < end; ) {
      const entry = ring.at(this.#ringIndex!);
      if (!this.isDue(entry)) return null;
      this.#ringIndex! += 1;
      if (this.#examines(entry)) return entry;
    }
    return null;
  }

  finish({ cursor }: LogRecord): void {
    this.#unfinished.delete(cursor);
  }

  #examines(record: LogRecord): boolean {
    // An event read from the log may be in the ring as well, but must not be examined twice.
    if (record.cursor <= this.#examined) return false;
    this.#examined = record.cursor;
    if (this.#wasFinished(record.cursor) || !this.#wants(record)) return false;
    this.#unfinished.set(record.cursor, record);
    return true;
  }

  #wasFinished(cursor: number): boolean {
    return this.#ahead !== null && cursor <= this.#ahead.reach && !this.#ahead.unfinished.includes(cursor);
  }
}

const OCCURRED_AT = /"occurred_at":"([^"]+)"/;

/** @returns milliseconds since 1970; null for an envelope without a time */
export function readOccurredAt(envelope: string): number | null {
  const at = Date.parse(OCCURRED_AT.exec(envelope)?.[1] ?? '');
  return Number.isNaN(at) ? null : at;
}
