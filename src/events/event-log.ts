/**
 * The port of the event log: one total order of envelopes with an integer cursor. Adapters: postgres-log (embedded) and, in
 * production, Kafka. Holes in cursors are legal; a cursor never names two different events.
 */

export interface LogRecord {
  cursor: number;
  matchId: number;
  sport: string;
  tournamentId: number;
  type: string;
  /** The envelope as text: the bytes that every channel sends. */
  envelope: string;
}

export interface LogRange {
  /** Cursor of the newest record; 0 when there has never been one. */
  head: number;
  /** The smallest cursor that a reader may still present: everything after it is kept. */
  oldest: number;
}

export interface ReadLimit {
  records: number;
  /** Of envelopes, in UTF-8. */
  bytes: number;
}

export interface EventLog {
  range(): Promise<LogRange>;
  /**
   * Records after `cursor`, in order: all there are within the limit, and one at least; none for a cursor beyond the log's end.
   * @throws {CursorExpired} when some of the records after `cursor` have been dropped
   */
  read(cursor: number, limit: ReadLimit): Promise<LogRecord[]>;
  /** Calls `listener` whenever there may be something new; a reader polls besides. @returns ends it */
  onAppend(listener: () => void): () => void;
  close(): Promise<void>;
}

/** What the relay needs of the log. */
export interface LogWriter {
  /**
   * Moves outbox rows, the oldest first, to the log's end and deletes them, under the relay's lease; at most BATCH_RECORDS
   * and about BATCH_BYTES at once, but always one.
   * @param after only rows with a larger id are looked for
   * @returns how many
   * @throws {LeaseLost} when another relay has taken over
   */
  move(generation: number, after?: number): Promise<number>;
  /**
   * Drops a slice of the records that are older than the retention.
   * @returns how many; 0: there is nothing left to drop
   * @throws {LeaseLost} when another relay has taken over
   */
  prune(generation: number, olderThan: Date): Promise<number>;
}

export class LeaseLost extends Error {
  constructor() {
    super('another relay holds the lease');
  }
}

/** The log cannot be read now: its store is away. */
export class LogAway extends Error {
  /** As errors of Node and Postgres have one, by which a client is told to come again. */
  readonly code = 'LOG_AWAY';

  constructor(cause: unknown) {
    super('the event log cannot be read', { cause });
  }
}

/** A reader's position lies before what is kept. */
export class CursorExpired extends Error {
  readonly oldest: number;

  /** @param oldest the smallest cursor that may still be presented */
  constructor(oldest: number) {
    super(`events up to cursor ${oldest} are no longer kept`);
    this.oldest = oldest;
  }
}

/** Events stay readable for this long (spec: 7 days). */
export const RETENTION_MS = 7 * 24 * 3_600_000;
/** At most this much goes to the log at once. */
export const BATCH_RECORDS = 500;
export const BATCH_BYTES = 512 * 1024;
