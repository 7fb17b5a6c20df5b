/**
 * The log's oldest cursor, for streams that could resume from memory although the log may hold older events. Streams
 * that open at the same time share one answer. If the log does not answer in time, the last known value applies, as
 * streams resume from memory during a log outage.
 */
import type { EventLog } from '../events/index.ts';
import { within } from '../runtime/time-limit.ts';

const ANSWER_WITHIN_MS = 500;

export class LogFloor {
  readonly #log: Pick<EventLog, 'range'>;
  readonly #answerWithinMs: number;
  #oldest: number;
  #asked: { at: number; answer: Promise<void> } | null = null;

  /** @param oldest value known at the start */
  constructor(log: Pick<EventLog, 'range'>, oldest: number, answerWithinMs = ANSWER_WITHIN_MS) {
    this.#log = log;
    this.#oldest = oldest;
    this.#answerWithinMs = answerWithinMs;
  }

  /** @returns the smallest cursor that can be resumed from. Never rejects */
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
