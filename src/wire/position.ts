/**
 * Positions in the write-ahead log of Postgres. The position of a reply is at or past everything that the reply shows.
 * A client that names it in a later request gets a reply that is not older.
 */

/** The header of replies and requests that carries a position. */
export const POSITION_HEADER = 'Touchline-Position';

export interface Position {
  /** Increased whenever a standby becomes the primary. */
  timeline: number;
  /** Bytes from the beginning of the write-ahead log. */
  lsn: number;
}

/** Before every other position. */
export const NOWHERE: Position = { timeline: 0, lsn: 0 };

const TEXT = /^([1-9]\d{0,9})-(0|[1-9A-F][0-9A-F]{0,12})$/;

/** @returns null if the text is not a position */
export function readPosition(text: string): Position | null {
  const [, timeline, lsn] = TEXT.exec(text) ?? [];
  if (timeline === undefined || lsn === undefined) return null;
  const position = { timeline: Number(timeline), lsn: Number.parseInt(lsn, 16) };
  return Number.isSafeInteger(position.lsn) ? position : null;
}

export const positionText = ({ timeline, lsn }: Position): string => `${timeline}-${lsn.toString(16).toUpperCase()}`;

/**
 * True if a server that has replayed to `reached` has everything up to `needed`. A server with a newer timeline has all
 * changes of the older one that were kept. Its bytes are compared as well, because it may still replay the older one.
 */
export const hasReached = (reached: Position, needed: Position): boolean =>
  reached.timeline >= needed.timeline && reached.lsn >= needed.lsn;

/** Returns a position that is at or past both. */
export const later = (a: Position, b: Position): Position =>
  hasReached(a, b)
    ? a
    : hasReached(b, a)
      ? b
      : { timeline: Math.max(a.timeline, b.timeline), lsn: Math.max(a.lsn, b.lsn) };

/** How far the reads of a process have come. */
export interface ReadPositions {
  /** The furthest position that has been read. A reply that was read before shows nothing later. */
  readonly shown: Position;
  /** Returns a position that a read has reached that begins now. @param match null for a list */
  beginRead(match: number | null): Position;
  /** True if every read has reached this position. */
  covers(position: Position): boolean;
  /**
   * Makes every read reach this position.
   * @returns `primary` if only the primary has reached it; `unknown` if not even the primary has
   */
  reach(position: Position): Promise<'reached' | 'primary' | 'unknown'>;
}
