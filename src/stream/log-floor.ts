/**
 * The log's oldest cursor. It is read even if a stream can resume from the ring. Streams that open at the same time
 * share one query. If the log does not answer in time, the last known value is used, so that streams can resume from
 * the ring during a log outage.
 */
import type { EventLog } from '../events/index.ts';
import { within } from '../runtime/time-limit.ts';

const ANSWER_WITHIN_MS = 500;

export class LogFloor {
  readonly #log: Pick<EventLog, 'range'>;
  readonly #answerWithinMs: number;
  #oldest: number;
  #asked: { at: number; answer: Promise<void> } | null = null;

  /** @param oldest the log's oldest cursor at the start */
  constructor(log: Pick<EventLog, 'range'>, oldest: number, answerWithinMs = ANSWER_WITHIN_MS) {
    this.#log = log;
    this.#oldest = oldest;
    this.#answerWithinMs = answerWithinMs;
  }

  /** Returns the oldest cursor from which a client can resume. Never rejects. */
  async oldest(): Promise<number> {
    this.#asked ??= { at: performance.now(), answer: this.#ask() };
    const { at, answer } = this.#asked;
    const left = at + this.#answerWithinMs - performance.now();
    if (left > 0) await within(left, answer, undefined);
    return this.#oldest;
  }

  async #ask(): Promise<void> {
    try {
      this.#oldest = (await this.#log.range()).oldest;
    } catch {
      // The follower reports the log outage.
    }
    this.#asked = null;
  }
}
