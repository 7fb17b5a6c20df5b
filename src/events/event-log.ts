/**
 * The event log port, one total order of envelopes with an integer cursor. Adapters are postgres-log (embedded) and
 * kafka-log (production). Cursors may have gaps, but a cursor never names two different events.
 */
import { ENVELOPE_MAX_BYTES } from '../wire/envelope.ts';

export interface LogRecord {
  cursor: number;
  matchId: number;
  sport: string;
  tournamentId: number;
  type: string;
  /** The envelope as text, which every channel sends byte for byte. */
  envelope: string;
  /** The span that moved the event into the log, as a W3C `traceparent`. Null if no sampled trace has it. */
  traceparent?: string | null;
  /**
   * When the transaction that committed the event began, in ms since 1970 by the Postgres clock. Null if not recorded.
   */
  committedAt?: number | null;
}

export interface LogRange {
  /** The newest record's cursor; 0 if there has never been one. */
  head: number;
  /** The smallest cursor that a reader may still present, after which every record is stored. */
  oldest: number;
}

export interface ReadLimit {
  records: number;
  /** Envelope size in UTF-8. */
  bytes: number;
}

export type AppendListener = (end?: number) => void;

export interface EventLog {
  range(): Promise<LogRange>;
  /**
   * Returns the records after `cursor`, in order, as many as the limit allows, but at least one. Returns none for a
   * cursor at or beyond the log's end.
   * @throws {CursorExpired} if records after `cursor` have been dropped
   */
  read(cursor: number, limit: ReadLimit): Promise<LogRecord[]>;
  /**
   * @returns the cursor after which to read for everything appended at this time (ms since 1970) or later, which is not
   * below the oldest in the range
   */
  cursorBefore(time: number): Promise<number>;
  /**
   * Calls `listener` whenever there may be new records.
   * @param listener receives the log's end, if known, where a reader has seen everything
   * @returns a function that unsubscribes
   */
  onAppend(listener: AppendListener): () => void;
  close(): Promise<void>;
}

/** What the relay uses to write the log. */
export interface LogWriter {
  /**
   * Appends the oldest outbox rows to the log and deletes them, under the relay's lease, as many as RELAY_BATCH allows,
   * but at least one.
   * @param after only rows with a larger id are searched
   * @returns how many rows were moved
   * @throws {LeaseLost} if a different relay has taken over
   */
  move(generation: number, after?: number): Promise<number>;
  /**
   * Drops some records that are older than the retention.
   * @returns how many records were dropped; 0 if none are left to drop
   * @throws {LeaseLost} if a different relay has taken over
   */
  prune(generation: number, olderThan: Date): Promise<number>;
  /**
   * Raises all later cursors by RESTORED_STEP because Postgres does not know which ones were assigned in the time that
   * a restore has lost. Readers whose cursor lies in that time get CursorExpired.
   * @throws {LeaseLost} if a different relay has taken over
   */
  passLost(generation: number): Promise<void>;
}

/** The log cannot be read now because the store is unavailable. */
export class LogAway extends Error {
  /** Named like the codes in Node and Postgres errors; http/errors.ts maps it to 503. */
  readonly code = 'LOG_AWAY';

  constructor(cause: unknown, message = 'the event log cannot be read') {
    super(message, { cause });
  }
}

/** A reader's position lies before the oldest stored record. */
export class CursorExpired extends Error {
  readonly oldest: number;

  /** @param oldest the smallest cursor that may still be presented */
  constructor(oldest: number) {
    super(`events up to cursor ${oldest} are no longer stored`);
    this.oldest = oldest;
  }
}

/**
 * After Postgres is restored, all later log cursors, change cursors and price ids are larger by this. More are never
 * assigned in a time that a restore loses.
 */
export const RESTORED_STEP = 1_000_000_000;

/**
 * Whether a page or batch with `count` records may have left some behind. If `count` is at least the number of
 * maximum-size envelopes that fit, the limit may have been reached. Fewer records were all there were.
 */
export const mayHaveMore = (count: number, { records, bytes }: ReadLimit): boolean =>
  count >= Math.min(records, bytes / ENVELOPE_MAX_BYTES);
