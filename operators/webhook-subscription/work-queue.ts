/**
 * A work queue by key, with one run at a time for each key, a further one if the key was added meanwhile, and retries
 * with growing delays.
 */
import type { Clock } from '../../src/runtime/clock.ts';

export interface QueueOptions {
  /** Does a key's work. @returns milliseconds until it is due again; undefined means when it is added again */
  work(key: string): Promise<number | undefined>;
  clock: Clock;
  /** Limit for keys in work at the same time. */
  concurrency: number;
  /** Called with each failure. @returns minimum delay before the retry, in ms */
  onFailure?(key: string, error: unknown, failures: number): number;
  random?(): number;
}

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;
/** Limit for a timer's sleep, since the clock may be moved. */
const MAX_SLEEP_MS = 60_000;

/**
 * Returns the delay after this number of consecutive failures. It doubles each time, minus a random part up to a half.
 */
export function backoff(failures: number, random: () => number): number {
  const full = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(failures - 1, 20));
  return full * (1 - random() / 2);
}

interface Entry {
  /** The next start time. Null if in work, and not due again. */
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

  /** Makes a key due now, or as soon as its work in progress has ended; a waiting retry is brought forward. */
  add(key: string): void {
    if (this.#closed) return;
    const entry = this.#entries.get(key) ?? { due: null, running: false, failures: 0 };
    entry.due = this.#options.clock.now();
    this.#entries.set(key, entry);
    this.#schedule();
  }

  /** Starts all due work. Only tests call it; otherwise a timer does. */
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

  /** Keys that are due or in work. */
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
    // A key that was added meanwhile is due at once, whatever delay the work returned.
    if (entry.due === null && delay !== undefined) entry.due = clock.now() + delay;
    if (entry.due === null) this.#entries.delete(key);
  }
}
