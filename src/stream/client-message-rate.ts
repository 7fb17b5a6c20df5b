/**
 * Rate limit for messages from one WebSocket client. Says when the client is disconnected, and how much of a burst is
 * answered at once. Pure.
 */
import { SECOND_MS } from '../wire/time.ts';

/** Above this in each of SECONDS_IN_A_ROW consecutive seconds the client is disconnected. A burst is fine. */
const MESSAGES_PER_SECOND = 10;
const SECONDS_IN_A_ROW = 5;
/** Answers per second, since a replay may read a megabyte. The rest of a burst waits. */
const ANSWERED_PER_SECOND = 50;
/** With more messages waiting the client is certain to exceed the limit. */
export const MOST_WAITING = ANSWERED_PER_SECOND * SECONDS_IN_A_ROW;

export class MessageRate {
  #startedAt: number;
  #count = 0;
  /** Consecutive seconds above the limit, before the current one. */
  #busySeconds = 0;

  /** @param now ms, here and below; starts the current second */
  constructor(now: number) {
    this.#startedAt = now;
  }

  /** Counts a message or a control frame. @returns whether the client has exceeded the limit for too long */
  count(now: number): boolean {
    this.#moveTo(now);
    this.#count += 1;
    return this.#busySeconds >= SECONDS_IN_A_ROW;
  }

  /** True if the next message has to wait for the next second. */
  isFull(now: number): boolean {
    this.#moveTo(now);
    return this.#count >= ANSWERED_PER_SECOND;
  }

  #moveTo(now: number): void {
    // A clock that was set back begins a new second.
    const passed = now < this.#startedAt ? 1 : Math.floor((now - this.#startedAt) / SECOND_MS);
    if (passed === 0) return;
    // If more than one second passed, the last one was silent.
    this.#busySeconds = passed === 1 && this.#count > MESSAGES_PER_SECOND ? this.#busySeconds + 1 : 0;
    this.#startedAt = now < this.#startedAt ? now : this.#startedAt + passed * SECOND_MS;
    this.#count = 0;
  }
}
