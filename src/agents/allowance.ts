/**
 * Limits for one POST, which all calls in it share: inner requests, the time that they wait for the plan, and reply
 * bytes.
 */
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { type AwaitBurst, type Charge, type ChargeInner, type Problem, rateLimited, toProblem } from '../http/index.ts';

const MOST_REQUESTS = 20;
/** The smallest plans have two requests a second, so a POST on such a plan gets twelve requests within this time. */
const MOST_WAIT_MS = 5_000;
export const MOST_REPLY_BYTES = 262_144;
/** Reserved for the envelopes of up to 20 messages. */
const ENVELOPE_BYTES = 16_384;
/** How often a wait checks the clock, which a test may advance. */
const LOOK_MS = 100;

let lastTurn: Promise<unknown> = Promise.resolve();
/**
 * Waits for a turn of the event loop in which no other POST or call begins, so that REST requests can run in between.
 */
export const ownTurn = (): Promise<unknown> => (lastTurn = lastTurn.then(() => turn()));

export interface AllowanceOptions {
  charge: ChargeInner;
  clock: { now(): number };
  /** True if the client has closed the connection. */
  isGone(): boolean;
}

export class Allowance {
  readonly #options: AllowanceOptions;
  #requests = MOST_REQUESTS;
  #waitMs = MOST_WAIT_MS;
  #bytes = MOST_REPLY_BYTES - ENVELOPE_BYTES;
  /** The plan's refusal of a request in this POST. All later requests are refused as well. */
  #refusal: Problem | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: AllowanceOptions) {
    this.#options = options;
  }

  /** Bytes that are left for replies. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Runs the work once all work that was passed earlier has ended. The SDK begins all calls in a POST at once, and this
   * function runs them one by one.
   */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(ownTurn).then(work);
    this.#last = done.catch(() => {});
    return done;
  }

  /**
   * Charges one inner request before it begins. The request waits while the plan's burst is used up.
   * @throws {Problem} rate_limited, quota_exceeded
   */
  async charge(cost: number): Promise<Charge | undefined> {
    if (this.#refusal !== null) throw this.#refusal;
    if (this.#requests === 0) {
      throw rateLimited(
        `One POST may make at most ${MOST_REQUESTS} requests. Send the remaining calls in another POST.`,
        1,
      );
    }
    this.#requests -= 1;
    try {
      return await this.#options.charge(cost, this.wait);
    } catch (error) {
      this.#refusal = toProblem(error);
      throw error;
    }
  }

  /** Counts reply bytes. @returns false, without counting them, if they exceed the allowance */
  spendBytes(bytes: number): boolean {
    if (bytes > this.#bytes) return false;
    this.#bytes -= bytes;
    return true;
  }

  /**
   * Waits for `ms`.
   * @returns false if the POST may not wait that long, or the client has disconnected
   */
  readonly wait: AwaitBurst = async (ms) => {
    const { clock, isGone } = this.#options;
    const [begun, begunHere] = [clock.now(), performance.now()];
    const waited = () => Math.max(clock.now() - begun, performance.now() - begunHere);
    while (ms <= this.#waitMs && waited() <= this.#waitMs && !isGone()) {
      await sleep(Math.min(LOOK_MS, Math.max(1, ms)));
      if (clock.now() - begun < ms) continue;
      this.#waitMs -= waited();
      return !isGone();
    }
    return false;
  };
}
