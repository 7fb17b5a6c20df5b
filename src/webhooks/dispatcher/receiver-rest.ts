/**
 * The rest that a receiver has asked for by a reply with status 429 and `Retry-After`. No event is sent to the subscription until
 * then. Afterwards one attempt at a time is made until the receiver gives another reply.
 */

import { parseRetryAfter } from '../delivery/retry-schedule.ts';
import type { AttemptResult } from '../destinations/attempt.ts';

const TOO_MANY_REQUESTS = 429;
/** The shortest rest, so that `Retry-After: 0` does not lead to requests without a pause. */
const MIN_REST_MS = 1_000;
/** The longest rest. After that, the receiver is asked again. */
const MAX_REST_MS = 3_600_000;

export class ReceiverRest {
  /** Times are in milliseconds since 1970. Null if the receiver has not asked for a rest since its last other reply. */
  #until: number | null;

  /** @param until as stored; a time that is too late was written by hand */
  constructor(until: number | null, now: number) {
    this.#until = until === null ? null : Math.min(until, now + MAX_REST_MS);
  }

  get until(): number | null {
    return this.#until;
  }

  isResting(now: number): boolean {
    return this.#until !== null && now < this.#until;
  }

  /** Returns whether the receiver has not given another reply since the rest. */
  isProbing(): boolean {
    return this.#until !== null;
  }

  /** @returns until when the receiver asks to wait; null if it does not */
  afterReply({ status, retryAfter }: Pick<AttemptResult, 'status' | 'retryAfter'>, now: number): number | null {
    const requested = status === TOO_MANY_REQUESTS ? parseRetryAfter(retryAfter, now) : null;
    if (requested === null) {
      // A reply to an attempt that was in flight when the rest began does not end it.
      if (!this.isResting(now)) this.end();
      return null;
    }
    const until = now + Math.min(Math.max(requested, MIN_REST_MS), MAX_REST_MS);
    this.#until = Math.max(this.#until ?? 0, until);
    return this.#until;
  }

  end(): void {
    this.#until = null;
  }
}
