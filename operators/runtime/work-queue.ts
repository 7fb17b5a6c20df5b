/**
 * A work queue by key. Each key has at most one run at a time. If a key is added during its run, a second run follows.
 * Failed runs are retried with growing delays.
 */
import type { Clock } from '../../src/runtime/clock.ts';

export interface QueueOptions {
  /**
   * Does a key's work.
   * @returns milliseconds until the key is due again; undefined if it is due only when it is added again
   */
  work(key: string): Promise<number | undefined>;
  clock: Clock;
  /** Maximum number of keys that are worked on at the same time. */
  concurrency: number;
  /** Called after each failure. @returns minimum delay in ms before the retry */
  onFailure?(key: string, error: unknown, failures: number): number;
  random?(): number;
}

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;
/** Maximum time that a timer sleeps, since the clock may be changed. */
const MAX_SLEEP_MS = 60_000;

/**
 * Returns the delay after this number of consecutive failures. It doubles with each failure, and is shortened at
 * random by up to half.
 */
export function backoff(failures: number, random: () => number): number {
  const full = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(failures - 1, 20));
  return full * (1 - random() / 2);
}

interface Entry {
  /** When the key is due. Null if the key is being worked on and is not due again. */
  due: number | null;
  running: boolean;
  failures: number;
}

export class Queue {
  readonly #options: QueueOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #running = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  /** Makes a key due now. If it is being worked on, it is due again afterwards. If it waits for a retry, the retry comes now. */
  add(key: string): void {
    if (this.#closed) return;
    const entry = this.#entries.get(key) ?? { due: null, running: false, failures: 0 };
    entry.due = this.#options.clock.now();
    this.#entries.set(key, entry);
    this.#schedule();
  }

  /** Starts all work that is due. Called by a timer, or by the test. */
  tick(): void {
    const now = this.#options.clock.now();
    for (const [key, entry] of this.#entries) {
      if (this.#closed || this.#running.size >= this.#options.concurrency) break;
      if (entry.running || entry.due === null || entry.due > now) continue;
      const run = this.#run(key, entry).finally(() => {
        this.#running.delete(run);
        this.#schedule();
      });
      this.#running.add(run);
    }
    this.#schedule();
  }

  /** Number of keys that are due or being worked on. */
  get size(): number {
    const now = this.#options.clock.now();
    return [...this.#entries.values()].filter(({ due, running }) => running || (due !== null && due <= now)).length;
  }

  /** Accepts no more keys. Resolves when no work is in progress. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await Promise.all(this.#running);
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    const { clock, concurrency } = this.#options;
    if (this.#closed || this.#running.size >= concurrency) return;
    let next = Number.POSITIVE_INFINITY;
    for (const { due, running } of this.#entries.values()) if (due !== null && !running && due < next) next = due;
    if (next === Number.POSITIVE_INFINITY) return;
    this.#timer = setTimeout(() => this.tick(), Math.min(MAX_SLEEP_MS, Math.max(0, next - clock.now())));
  }

  async #run(key: string, entry: Entry): Promise<void> {
    const { work, clock, onFailure = () => 0, random = Math.random } = this.#options;
    entry.running = true;
    entry.due = null;
    let delay: number | undefined;
    try {
      delay = await work(key);
      entry.failures = 0;
    } catch (error) {
      entry.failures += 1;
      delay = Math.max(backoff(entry.failures, random), onFailure(key, error, entry.failures));
    }
    entry.running = false;
    // If the key was added during the run, it is due at once, whatever delay the work has returned.
    if (entry.due === null && delay !== undefined) entry.due = clock.now() + delay;
    // The key goes to the end, so that keys that are due all the time do not keep the others waiting.
    this.#entries.delete(key);
    if (entry.due !== null) this.#entries.set(key, entry);
  }
}
