/**
 * A leased subscription's position in the event log, and the next event, from the shared ring or, if the position is
 * behind the ring, from the log.
 */
import type { LogRecord, Ring } from '../../events/index.ts';
import type { Ahead } from '../subscriptions/subscription-row.ts';

/** Manual SQL may have stored anything here. An invalid value only makes some events repeat. */
const isWellFormed = ({ reach, unfinished }: Ahead): boolean =>
  Number.isSafeInteger(reach) && Array.isArray(unfinished) && unfinished.every(Number.isSafeInteger);

export class EventCursor {
  readonly #wants: (record: LogRecord) => boolean;
  /** Every event up to here has been checked against the filter. */
  #examined: number;
  /** Ring index of the next event to examine. Null if the subscription is behind the ring and reads the log. */
  #ringIndex: number | null = null;
  /** Events to send that were read from the log and are not yet in flight. */
  readonly #queue: LogRecord[] = [];
  /** Events that are queued or in flight, by cursor, ascending. */
  readonly #unfinished = new Map<number, LogRecord>();
  /** Events beyond the position that an earlier lease holder has finished. */
  #ahead: Ahead | null;

  /** @param wants whether an event is to be sent */
  constructor(position: number, wants: (record: LogRecord) => boolean, ahead: Ahead | null = null) {
    this.#examined = position;
    this.#ahead = ahead?.position === position && isWellFormed(ahead) ? ahead : null;
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

  /** @returns the finished events beyond the position, or null if there are none */
  ahead(): Ahead | null {
    const position = this.position();
    // Queued events do not count as reached, since a page from the log would make a long list of unfinished ones.
    const queued = this.#queue[0];
    const own = queued === undefined ? this.#examined : queued.cursor - 1;
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
   * Returns the oldest event that has not been sent. It is queued or in flight, or else the next one to examine, wanted
   * or not. A subscription behind the ring gets the ring's oldest, which is later. Null if there is none.
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

  /** Moves on to `cursor` because there are no events up to it. */
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

  /** @returns an event to send. `finish` it when the outcome is known. */
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
    // An event that was read from the log may enter the ring afterwards.
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
