/** Work for a leased subscription, and the result. */
import type { LogRecord } from '../../events/index.ts';
import type { DeliveryState } from '../delivery/attempt-queries.ts';
import type { Retry } from './retry-queue.ts';

export type Work =
  | { kind: 'event'; record: LogRecord }
  | ({ kind: 'retry' } & Retry)
  | { kind: 'ping' }
  | { kind: 'challenge' };

/** Work in flight, passed back to `finish` or `cancel`. */
export interface StartedWork {
  work: Work;
  wasFailing: boolean;
  previouslySentAt: number;
}

/** What an outcome does to the delivery. */
export interface FinishedWork {
  state: DeliveryState;
  /** Milliseconds since 1970. Null if there is no further attempt. */
  nextAttemptAt: number | null;
  /** True if the delivery is stored, and not only the attempt, because it is an event that has failed at least once. */
  isStored: boolean;
}
