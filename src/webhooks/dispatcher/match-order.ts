/**
 * Sends each match's events in order. At most one event of a match is in flight. If it fails, the match is held: its later
 * events stay in the log while the position moves on past them, and other matches are not delayed. As soon as no delivery of the
 * match waits for a retry, the events that stayed behind are read again and sent, one after the other.
 */
import type { LogRecord, Ring } from '../../events/index.ts';
import type { Ordering } from '../subscriptions/settings.ts';
import type { EventCursor } from './event-cursor.ts';

/** A held match as it is stored. */
export interface HeldMatch {
  match_id: number;
  /** Cursor of the first event that waits. */
  cursor: number;
}

/** A change to the stored held matches. The cursor is null if the match is no longer held. */
export interface HeldMatchChange {
  match_id: number;
  cursor: number | null;
}

/** Limit on events in memory that wait because an event of their match is in flight. At the limit, no newer event is examined. */
const MAX_WAITING = 256;
/** Limit on events in memory that were read again. */
const MAX_READ_AGAIN = 1_000;
/** Limit on held matches. At the limit, no newer event is examined. */
const MAX_HELD = 1_000;

interface Held {
  /** The first cursor that has not been read again. */
  next: number;
  /** Events that were read again and are not in flight yet. */
  queue: LogRecord[];
  /** The cursor of the event in flight that was read again. */
  sending: number | null;
}

/** Returns the cursor of the first event that waits or is in flight. */
const firstWaiting = ({ sending, queue, next }: Held) => sending ?? queue[0]?.cursor ?? next;

interface OrderOptions {
  ordering: Ordering;
  events: EventCursor;
  /** Returns whether to send an event that stayed behind. */
  wants(record: LogRecord): boolean;
  /** Returns whether a delivery of the match waits for a retry. */
  isRetrying(matchId: number): boolean;
}

export class MatchOrder {
  readonly #options: OrderOptions;
  /** Matches with an event or a retry in flight. */
  readonly #inFlight = new Set<number>();
  /** Events that wait for an event of their match in flight, by match. */
  readonly #waiting = new Map<number, LogRecord[]>();
  #waitingCount = 0;
  readonly #held = new Map<number, Held>();
  /** The held matches that may send. Some of them may be retrying again. */
  readonly #released = new Set<number>();
  #readAgain = 0;
  /** The cursor after which the log has to be read again. Null if that is not needed. */
  #readFrom: number | null = null;
  /** True if the latest event was read again. The next one is new, so that neither kind delays the other. */
  #wasReadAgain = false;
  /** Matches whose stored row may be outdated. */
  readonly #changed = new Set<number>();
  /** Matches with a stored row. */
  readonly #stored = new Set<number>();

  constructor(options: OrderOptions, held: readonly HeldMatch[]) {
    this.#options = options;
    for (const { match_id, cursor } of held) {
      this.#stored.add(match_id);
      // After a replay has moved the position back, these events are examined again anyway.
      if (cursor > options.events.reach) {
        this.#changed.add(match_id);
        continue;
      }
      this.#hold(match_id, cursor);
      this.#released.add(match_id);
    }
  }

  /** @returns the next event to send; call `start` with its match */
  next(ring: Ring): LogRecord | null {
    const record = this.#wasReadAgain
      ? (this.#nextNew(ring) ?? this.#nextAgain(ring))
      : (this.#nextAgain(ring) ?? this.#nextNew(ring));
    if (record === null) return null;
    const held = this.#held.get(record.matchId);
    this.#wasReadAgain = held !== undefined;
    if (held !== undefined) held.sending = record.cursor;
    return record;
  }

  get isOrdered(): boolean {
    return this.#options.ordering === 'match';
  }

  /** Returns whether an event of the match may be sent now, unless a delivery of the match waits for a retry. */
  maySend(matchId: number): boolean {
    return !this.isOrdered || !this.#inFlight.has(matchId);
  }

  start(matchId: number): void {
    this.#inFlight.add(matchId);
  }

  /**
   * Records that an event or a retry is no longer in flight. Call it when it is known whether the delivery is retried.
   * @param cursor the event's cursor; null for a retry
   */
  finish(matchId: number, cursor: number | null): void {
    this.#inFlight.delete(matchId);
    const held = this.#held.get(matchId);
    if (held !== undefined && cursor !== null && held.sending === cursor) {
      held.sending = null;
      this.#changed.add(matchId);
    }
    if (this.#isBlocked(matchId)) this.#block(matchId);
    else if (held !== undefined) this.#released.add(matchId);
  }

  /** @returns the cursor after which the log has to be read again; pass the records to `examine` */
  get readsFrom(): number | null {
    return this.#readFrom;
  }

  /** Examines events that were read from the log again. @param after the cursor after which they were read */
  examine(records: readonly LogRecord[], after: number): void {
    const { taken } = this.#options.events;
    this.#readFrom = null;
    for (const record of records) if (record.cursor <= taken) this.#take(record, after);
    this.#advance(Math.min(taken, records.at(-1)?.cursor ?? taken), after);
  }

  /** Skips to `oldest` because the log has dropped the events before it. */
  skipTo(oldest: number): void {
    this.#readFrom = null;
    for (const matchId of this.#released) {
      const held = this.#held.get(matchId)!;
      held.next = Math.max(held.next, oldest + 1);
    }
  }

  hasChanges(): boolean {
    return this.#changed.size > 0;
  }

  /** @returns the changes to store. If they cannot be stored, pass them to `restore`. */
  takeChanges(): HeldMatchChange[] {
    const changes: HeldMatchChange[] = [];
    for (const match_id of this.#changed) {
      const held = this.#held.get(match_id);
      if (held !== undefined) this.#stored.add(match_id);
      else if (!this.#stored.delete(match_id)) continue;
      changes.push({ match_id, cursor: held === undefined ? null : firstWaiting(held) });
    }
    this.#changed.clear();
    return changes;
  }

  restore(changes: readonly HeldMatchChange[]): void {
    for (const { match_id } of changes) {
      this.#changed.add(match_id);
      this.#stored.add(match_id);
    }
  }

  #isBlocked(matchId: number): boolean {
    return this.isOrdered && this.#options.isRetrying(matchId);
  }

  /**
   * Returns whether events are examined again that an earlier lease holder examined. Some of them may be earlier than the stored
   * cursor of their match.
   */
  #isCheckingAgain(): boolean {
    const { taken, reach } = this.#options.events;
    return taken < reach;
  }

  /** Leaves the match's events that are not in flight in the log. */
  #block(matchId: number): void {
    this.#released.delete(matchId);
    const held = this.#held.get(matchId);
    if (held !== undefined) {
      held.next = firstWaiting(held);
      this.#readAgain -= held.queue.length;
      held.queue = [];
    }
    const waiting = this.#waiting.get(matchId) ?? [];
    this.#waiting.delete(matchId);
    this.#waitingCount -= waiting.length;
    for (const record of waiting) this.#leave(record);
  }

  /** Leaves an event in the log, to be read again. */
  #leave(record: LogRecord): void {
    const { matchId, cursor } = record;
    this.#options.events.finish(record);
    const held = this.#held.get(matchId);
    if (held !== undefined && held.next <= cursor) return;
    if (held === undefined) this.#hold(matchId, cursor);
    else held.next = cursor;
    this.#changed.add(matchId);
  }

  #hold(matchId: number, cursor: number): void {
    this.#held.set(matchId, { next: cursor, queue: [], sending: null });
  }

  #nextNew(ring: Ring): LogRecord | null {
    const { events } = this.#options;
    for (const [matchId, records] of this.#waiting) {
      if (this.#inFlight.has(matchId) || !events.isDue(records[0]!)) continue;
      this.#waitingCount -= 1;
      const record = records.shift()!;
      if (records.length === 0) this.#waiting.delete(matchId);
      return record;
    }
    while (this.#waitingCount < MAX_WAITING && (this.#held.size < MAX_HELD || this.#isCheckingAgain())) {
      const record = events.next(ring);
      if (record === null) return null;
      const { matchId } = record;
      if (this.#waiting.has(matchId)) this.#wait(record);
      else if (this.#held.has(matchId) || this.#isBlocked(matchId)) this.#leave(record);
      else if (this.maySend(matchId)) return record;
      else this.#wait(record);
    }
    return null;
  }

  #wait(record: LogRecord): void {
    const records = this.#waiting.get(record.matchId) ?? [];
    records.push(record);
    this.#waiting.set(record.matchId, records);
    this.#waitingCount += 1;
  }

  #nextAgain(ring: Ring): LogRecord | null {
    this.#catchUp(ring);
    for (const matchId of this.#released) {
      if (this.#inFlight.has(matchId) || this.#isBlocked(matchId)) continue;
      const { queue } = this.#held.get(matchId)!;
      if (queue[0] === undefined || !this.#options.events.isDue(queue[0])) continue;
      this.#readAgain -= 1;
      return queue.shift()!;
    }
    return null;
  }

  /** Reads the events that stayed behind again, as far as they are in the ring. The rest has to be read from the log. */
  #catchUp(ring: Ring): void {
    this.#readFrom = null;
    const after = this.#firstToRead();
    if (after === null || this.#readAgain >= MAX_READ_AGAIN) return;
    let index = ring.indexAfter(after);
    if (index === null) {
      this.#readFrom = after;
      return;
    }
    const { taken } = this.#options.events;
    for (const end = ring.end(); index < end && ring.at(index).cursor <= taken; index += 1)
      this.#take(ring.at(index), after);
    this.#advance(Math.min(taken, ring.cursorBefore(ring.end())), after);
    this.#firstToRead();
  }

  /**
   * Releases the matches that have caught up.
   * @returns the cursor after which events have to be read again; null if no released match needs more events now
   */
  #firstToRead(): number | null {
    const { taken } = this.#options.events;
    if (this.#isCheckingAgain()) return null;
    let first = Number.POSITIVE_INFINITY;
    let isNeeded = false;
    for (const matchId of this.#released) {
      const held = this.#held.get(matchId)!;
      const isIdle = held.queue.length === 0 && held.sending === null;
      if (isIdle && held.next > taken) {
        this.#held.delete(matchId);
        this.#released.delete(matchId);
        this.#changed.add(matchId);
        continue;
      }
      first = Math.min(first, held.next);
      isNeeded ||= isIdle && !this.#isBlocked(matchId);
    }
    return isNeeded ? first - 1 : null;
  }

  /** Queues an event that was read again after `after`, if its match has been read up to there. */
  #take(record: LogRecord, after: number): void {
    if (!this.#released.has(record.matchId)) return;
    const held = this.#held.get(record.matchId)!;
    if (held.next <= after || record.cursor < held.next || this.#readAgain >= MAX_READ_AGAIN) return;
    held.next = record.cursor + 1;
    if (!this.#options.wants(record)) return;
    held.queue.push(record);
    this.#readAgain += 1;
  }

  /** Records that all events up to a cursor have been read again, unless too many are in memory. */
  #advance(cursor: number, after: number): void {
    if (this.#readAgain >= MAX_READ_AGAIN) return;
    for (const matchId of this.#released) {
      const held = this.#held.get(matchId)!;
      if (held.next > after) held.next = Math.max(held.next, cursor + 1);
    }
  }
}
