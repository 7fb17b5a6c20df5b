/** A leased subscription's work, and its result. */
import type { LogRecord } from '../../events/index.ts';
import type { DeliveryState } from '../delivery/attempt-queries.ts';
import type { Retry } from './retry-queue.ts';

export type Work =
  | { kind: 'event'; record: LogRecord }
  | ({ kind: 'retry' } & Retry)
  | { kind: 'ping' }
  | { kind: 'challenge' };

/** Work in flight, which the caller passes back to `finish` or `cancel`. */
export interface StartedWork {
  work: Work;
  wasFailing: boolean;
  previouslySentAt: number;
}

/** How an outcome changes the delivery. */
export interface FinishedWork {
  state: DeliveryState;
  /** Number of attempts that count. One that the receiver answered by asking to wait does not. */
  attempts: number;
  /** When the next attempt is due, in milliseconds since 1970. Null if no attempt follows. */
  nextAttemptAt: number | null;
  /**
   * True if not only the attempt is stored but also the delivery, because it is an event that has failed at least
   * once.
   */
  isStored: boolean;
}
