/**
 * How far back the log reaches, for streams that could resume from memory, where older events may still be. One answer for all that open
 * at the same time; without one in time the last one known applies, as streams resume from memory while the log is away.
 */
import type { EventLog } from '../events/event-log.ts';

const ANSWER_WITHIN_MS = 500;

export class LogFloor {
  readonly #log: Pick<EventLog, 'range'>;
  readonly #answerWithinMs: number;
  #oldest: number;
  #asked: { at: number; answer: Promise<void> } | null = null;

  /** @param oldest what is known at the start */
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
    if (left > 0) {
      let timer: NodeJS.Timeout | undefined;
      const tooLate = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, left);
      });
      await Promise.race([answer, tooLate]);
      clearTimeout(timer);
    }
    return this.#oldest;
  }

  async #ask(): Promise<void> {
    try {
      this.#oldest = (await this.#log.range()).oldest;
    } catch {
      // The follower reports that the log is away.
    }
    this.#asked = null;
  }
}
