/**
 * The rate limit for messages from one WebSocket client. It decides when the client is disconnected and how many
 * messages of a burst are answered at once. Pure.
 */
import { SECOND_MS } from '../wire/time.ts';

/** A client that exceeds this in each of SECONDS_IN_A_ROW consecutive seconds is disconnected. A shorter burst is allowed. */
const MESSAGES_PER_SECOND = 10;
const SECONDS_IN_A_ROW = 5;
/** Limit on answers per second, since a replay may read a megabyte. The rest of a burst waits. */
const ANSWERED_PER_SECOND = 50;
/** If more messages than this wait, the client is certain to exceed the limit. */
export const MOST_WAITING = ANSWERED_PER_SECOND * SECONDS_IN_A_ROW;

export class MessageRate {
  #startedAt: number;
  #count = 0;
  /** Number of consecutive seconds above the limit, not including the current second. */
  #busySeconds = 0;

  /** @param now start of the current second, in ms like every `now` below */
  constructor(now: number) {
    this.#startedAt = now;
  }

  /** Counts a message or a control frame. @returns whether the client has exceeded the limit for too long */
  count(now: number): boolean {
    this.#moveTo(now);
    this.#count += 1;
    return this.#busySeconds >= SECONDS_IN_A_ROW;
  }

  /** Returns whether the next message has to wait until the next second. */
  isFull(now: number): boolean {
    this.#moveTo(now);
    return this.#count >= ANSWERED_PER_SECOND;
  }

  #moveTo(now: number): void {
    // If the clock was set back, a new second begins.
    const passed = now < this.#startedAt ? 1 : Math.floor((now - this.#startedAt) / SECOND_MS);
    if (passed === 0) return;
    // If more than one second has passed, the client sent nothing in the most recent second.
    this.#busySeconds = passed === 1 && this.#count > MESSAGES_PER_SECOND ? this.#busySeconds + 1 : 0;
    this.#startedAt = now < this.#startedAt ? now : this.#startedAt + passed * SECOND_MS;
    this.#count = 0;
  }
}
