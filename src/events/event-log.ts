/**
 * The event log's interface. The log holds all envelopes in one order, each with an integer cursor. The
 * implementations are postgres-log (embedded) and kafka-log (production). Cursors may have gaps, but a cursor never
 * names two different events.
 */
import { ENVELOPE_MAX_BYTES } from '../wire/envelope.ts';

export interface LogRecord {
  cursor: number;
  matchId: number;
  sport: string;
  tournamentId: number;
  type: string;
  /** The envelope as text. Every channel sends it byte for byte. */
  envelope: string;
  /** The span that moved the event into the log, as a W3C `traceparent`. Null if the event is not in a sampled trace. */
  traceparent?: string | null;
  /**
   * When the transaction that committed the event began, in ms since 1970 by the Postgres clock. Null if not recorded.
   */
  committedAt?: number | null;
  /** When the relay appended the event to the log, in ms since 1970 by the clock of Postgres or of the relay. */
  appendedAt: number;
}

export interface LogRange {
  /** The newest record's cursor; 0 if there has never been one. */
  head: number;
  /** The oldest cursor after which a reader can still read. Every later record is stored. */
  oldest: number;
}

export interface ReadLimit {
  records: number;
  /** Limit on the envelopes' total size in UTF-8. */
  bytes: number;
}

export type AppendListener = (end?: number) => void;

export interface EventLog {
  range(): Promise<LogRange>;
  /**
   * Returns the records after `cursor` in order, up to the limit. The first record is returned even if it alone exceeds
   * the limit. Returns none if `cursor` is at or beyond the log's end.
   * @throws {CursorExpired} if records after `cursor` have been dropped
   */
  read(cursor: number, limit: ReadLimit): Promise<LogRecord[]>;
  /**
   * @returns the cursor to read after to get everything appended at or after this time (ms since 1970); at least the
   * oldest cursor in the range
   */
  cursorBefore(time: number): Promise<number>;
  /**
   * Calls `listener` whenever there may be new records.
   * @param listener receives the cursor of the log's last record, if known
   * @returns a function that unsubscribes
   */
  onAppend(listener: AppendListener): () => void;
  close(): Promise<void>;
}

/** The part of the log that the relay uses for writing. */
export interface LogWriter {
  /**
   * Under the relay's lease, appends the oldest outbox rows to the log and deletes them, up to RELAY_BATCH. The first
   * row is moved even if it alone exceeds the limit.
   * @param after only rows with a larger id are searched
   * @returns how many rows were moved
   * @throws {LeaseLost} if a new relay has taken over
   */
  move(generation: number, after?: number): Promise<number>;
  /**
   * Drops some records that are older than the retention.
   * @returns how many records were dropped; 0 if there are none left to drop
   * @throws {LeaseLost} if a new relay has taken over
   */
  prune(generation: number, olderThan: Date): Promise<number>;
  /**
   * Raises all later cursors by RESTORED_STEP after a restore, because Postgres does not know which cursors were
   * assigned in the lost time. A reader with a cursor from that time gets CursorExpired.
   * @throws {LeaseLost} if a new relay has taken over
   */
  passLost(generation: number): Promise<void>;
}

/** Thrown if the log cannot be read now because its store is unavailable. */
export class LogAway extends Error {
  /** A code like those in errors from Node and Postgres. http/errors.ts maps it to 503. */
  readonly code = 'LOG_AWAY';

  constructor(cause: unknown, message = 'the event log cannot be read') {
    super(message, { cause });
  }
}

/** Thrown if a reader's position lies before the oldest stored record. */
export class CursorExpired extends Error {
  readonly oldest: number;

  /** @param oldest the oldest cursor after which a reader can still read */
  constructor(oldest: number) {
    super(`events up to cursor ${oldest} are no longer stored`);
    this.oldest = oldest;
  }
}

/**
 * By how much log cursors, change cursors and price ids are raised after a restore of Postgres. It is more than can be
 * assigned in the time that a restore loses.
 */
export const RESTORED_STEP = 1_000_000_000;

/**
 * Returns whether more records may follow a page or batch of `count` records, which is so if `count` records of
 * maximum size would reach the limit. A smaller page or batch ended because there was nothing more to read.
 */
export const mayHaveMore = (count: number, { records, bytes }: ReadLimit): boolean =>
  count >= Math.min(records, bytes / ENVELOPE_MAX_BYTES);
