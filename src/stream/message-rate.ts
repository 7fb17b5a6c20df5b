/** How fast one WebSocket client sends: what is too much for too long, and how much of a burst is answered at once. Pure. */

const SECOND_MS = 1_000;
/** More than this in each of so many seconds in a row is too much; a burst is not. */
const MESSAGES_PER_SECOND = 10;
const SECONDS_IN_A_ROW = 5;
/** No more is answered in one second, since a replay may read a megabyte; the rest of a burst waits. */
const ANSWERED_PER_SECOND = 50;
/** With more that wait it is certain that there will be too many for too long. */
export const MOST_WAITING = ANSWERED_PER_SECOND * SECONDS_IN_A_ROW;

export class MessageRate {
  #startedAt: number;
  #count = 0;
  /** Seconds in a row before the present one that had too many. */
  #busySeconds = 0;

  /** @param now ms, here and below: the present second begins */
  constructor(now: number) {
    this.#startedAt = now;
  }

  /** Counts a message or a control frame. @returns whether there were too many for too long */
  count(now: number): boolean {
    this.#moveTo(now);
    this.#count += 1;
    return this.#busySeconds >= SECONDS_IN_A_ROW;
  }

  /** Whether the next one has to wait for the next second. */
  isFull(now: number): boolean {
    this.#moveTo(now);
    return this.#count >= ANSWERED_PER_SECOND;
  }

  #moveTo(now: number): void {
    // A clock that was set back begins another second.
    const passed = now < this.#startedAt ? 1 : Math.floor((now - this.#startedAt) / SECOND_MS);
    if (passed === 0) return;
    // After more than one, the last has been silent.
    this.#busySeconds = passed === 1 && this.#count > MESSAGES_PER_SECOND ? this.#busySeconds + 1 : 0;
    this.#startedAt = now < this.#startedAt ? now : this.#startedAt + passed * SECOND_MS;
    this.#count = 0;
  }
}
