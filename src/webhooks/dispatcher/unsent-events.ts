/**
 * The events that a leased subscription still has to send, in the order in which it sends them, and the position in the event
 * log that is saved for the next lease holder. Events come from the shared ring or, if the ring does not go back far enough,
 * from pages of the log.
 */
import type { LogRecord, Ring } from '../../events/index.ts';
import { eventIdOf } from '../../wire/envelope.ts';
import { wireTime } from '../../wire/time.ts';
import { deriveDeliveryId, partsOfDelivery } from '../delivery/signature.ts';
import type { Destination } from '../destinations/kinds.ts';
import { wants } from '../subscriptions/event-filter.ts';
import { type Gap, parseGap } from '../subscriptions/gap.ts';
import type { StoredSettings } from '../subscriptions/stored-settings.ts';
import type { SubscriptionRow } from '../subscriptions/subscription-row.ts';
import { EventCursor, readOccurredAt } from './event-cursor.ts';
import { EventDelay } from './event-delay.ts';
import { type HeldMatch, MatchOrder } from './match-order.ts';
import type { RetryQueue } from './retry-queue.ts';
import type { ProgressRow } from './saved-positions.ts';
import type { Work } from './work.ts';

interface UnsentOptions {
  /** The stored held matches. */
  held: readonly HeldMatch[];
  /** The subscription's failed deliveries. They are sent as retries, and hold later events of the same match. */
  retries: RetryQueue;
  /** Returns the current settings. */
  settings(): Pick<StoredSettings, 'endpoint' | 'filter'>;
}

/** The part of the progress that is saved for the events. Times are in milliseconds since 1970. */
type EventProgress = Pick<ProgressRow, 'position' | 'last_due' | 'ahead' | 'gap' | 'held'>;

export class UnsentEvents {
  readonly #retries: RetryQueue;
  readonly #delay = new EventDelay();
  readonly #cursor: EventCursor;
  readonly #order: MatchOrder;
  /** The newest event that is due. Null without a delay. */
  #lastDue: number | null = null;
  #savedLastDue: number | null = null;
  #savedPosition: number;
  /** Events that the log dropped before this subscription examined them. */
  #gap: Gap | null;
  /** The read of the log in progress. `isAgain` is true if it reads events that stayed behind the position. */
  #read: { after: number; isAgain: boolean } | null = null;

  constructor(row: SubscriptionRow, { held, retries, settings }: UnsentOptions) {
    const { id } = row;
    this.#retries = retries;
    const isUnsent = (record: LogRecord) => {
      const { filter, endpoint } = settings();
      if (!wants(filter, record) || !canSend(endpoint, record)) return false;
      // If the event's delivery already waits for a retry, the retry sends it. The position may lie before such a delivery.
      return retries.isEmpty() || !retries.has(deriveDeliveryId(id, eventIdOf(record.envelope)));
    };
    const isRetrying = (matchId: number) => retries.hasMatch(matchId);
    this.#cursor = new EventCursor(row.position, isUnsent, row.ahead, this.#delay.isDue);
    this.#order = new MatchOrder({ ordering: row.ordering, events: this.#cursor, wants: isUnsent, isRetrying }, held);
    this.#savedPosition = row.position;
    this.#gap = parseGap(row.gap);
  }

  // ---- the delay

  /** @param seconds the time that must pass before an event is sent; 0 for none */
  setDelay(seconds: number): void {
    this.#delay.seconds = seconds;
  }

  /** Sets the time by which events are due, in ms since 1970, as other machines see it. */
  setTime(ring: Ring, now: number): void {
    this.#delay.setTime(now);
    this.#lastDue = this.#delay.lastDue(ring);
  }

  /** Returns when an event of this time may be sent, in ms since 1970. */
  dueAt(time: number): number {
    return time + this.#delay.ms;
  }

  /** When the next event is due, in ms since 1970. Infinity if no event waits for its delay. */
  get waitsUntil(): number {
    return this.#delay.waitsUntil;
  }

  /**
   * Returns when the oldest unsent event occurred, in ms since 1970. Null if no event is waiting. A delay does not count
   * as waiting.
   */
  waitingSince(ring: Ring, now: number): number | null {
    const oldest = this.#cursor.oldest(ring);
    const dueAt = oldest && this.dueAt(oldest.appendedAt);
    const occurredAt = oldest && readOccurredAt(oldest.envelope);
    const isWaiting = dueAt !== null && occurredAt !== null && (this.#delay.ms === 0 || dueAt <= now);
    return isWaiting ? this.dueAt(occurredAt) : null;
  }

  // ---- sending

  /** @returns the next event to send; call `start` with it */
  next(ring: Ring): LogRecord | null {
    return this.#order.next(ring);
  }

  /** Returns whether a delivery may be retried now. If events are ordered, a match's deliveries are retried one after the other. */
  readonly mayRetry = (deliveryId: string): boolean =>
    this.#order.maySend(partsOfDelivery(deliveryId).matchId) &&
    (!this.#order.isOrdered || this.#retries.isFirstOfMatch(deliveryId));

  start(work: Work): void {
    const matchId = workMatchId(work);
    if (matchId !== null) this.#order.start(matchId);
  }

  /** Records that work is no longer in flight. Call it when it is known whether the delivery is retried. */
  finish(work: Work): void {
    if (work.kind === 'event') this.#cursor.finish(work.record);
    const matchId = workMatchId(work);
    if (matchId !== null) this.#order.finish(matchId, work.kind === 'event' ? work.record.cursor : null);
  }

  // ---- reading the log, if the shared ring does not go back far enough

  /** Returns whether events have to be read from the log before the next one can be sent. False during a read. */
  needsRead(ring: Ring): boolean {
    return this.#read === null && (this.#order.readsFrom !== null || this.#cursor.isBehind(ring));
  }

  /**
   * Starts reading from the log, until `endRead`. Events that stayed behind the position come first.
   * @returns the cursor to read after
   */
  startRead(): number {
    const again = this.#order.readsFrom;
    this.#read = { after: again ?? this.#cursor.examined, isAgain: again !== null };
    return this.#read.after;
  }

  endRead(): void {
    this.#read = null;
  }

  /**
   * Examines events that were read from the log. If there are none, the subscription continues in the ring.
   * @param ringOrigin the cursor before the ring's first event
   */
  examine(records: readonly LogRecord[], ringOrigin = 0): void {
    if (this.#read?.isAgain) {
      this.#order.examine(records, this.#read.after);
      return;
    }
    this.#cursor.examine(records);
    if (records.length === 0) this.#cursor.advanceTo(ringOrigin);
  }

  /** Skips to `oldest` because the log has dropped the events before it. */
  skipTo(oldest: number, now: number): void {
    this.#gap = { at: wireTime(now), from: this.#read?.after ?? this.#cursor.examined, to: oldest };
    if (this.#read?.isAgain) this.#order.skipTo(oldest);
    else this.#cursor.advanceTo(oldest);
  }

  // ---- the saved position

  /** Every event up to this cursor was delivered, has failed, or was not wanted. */
  position(): number {
    return this.#cursor.position();
  }

  /** Number of cursors from the position to `head`, or to the newest event that is due. */
  lag(head: number): number {
    return Math.max(0, (this.#lastDue ?? head) - this.position());
  }

  /** @param all whether moving past unwanted events already counts as progress */
  hasProgress(all: boolean): boolean {
    return this.#order.hasChanges() || (all && this.#hasMoved());
  }

  #hasMoved(): boolean {
    return this.position() !== this.#savedPosition || this.#lastDue !== this.#savedLastDue;
  }

  /** @returns the progress to save. Report the result by `progressSaved` or `progressNotSaved`. */
  takeProgress(): EventProgress {
    return {
      position: this.position(),
      last_due: this.#lastDue,
      ahead: this.#cursor.ahead(),
      gap: this.#gap,
      held: this.#order.takeChanges(),
    };
  }

  progressSaved({ position, last_due }: EventProgress): void {
    this.#savedPosition = position;
    this.#savedLastDue = last_due;
  }

  progressNotSaved({ held }: EventProgress): void {
    this.#order.restore(held);
  }
}

/** Returns whether the destination has a form for this event. */
const canSend = (endpoint: URL | Destination, record: LogRecord) =>
  endpoint instanceof URL || (endpoint.kind.canSend?.(endpoint.settings, record) ?? true);

/** Returns the match that the work is about. Null for pings and challenges. */
function workMatchId(work: Work): number | null {
  if (work.kind === 'event') return work.record.matchId;
  return work.kind === 'retry' ? partsOfDelivery(work.id).matchId : null;
}
