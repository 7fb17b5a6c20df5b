/** Work by key: one at a time for each, again when it was asked for meanwhile, and later and later when it fails. */
import type { Clock } from '../../src/runtime/clock.ts';

export interface QueueOptions {
  /** Does what is to be done for a key. @returns after how many ms to look again, if at all */
  work(key: string): Promise<number | undefined>;
  clock: Clock;
  /** Keys worked on at the same time. */
  concurrency: number;
  /** Told of each failure. @returns the least wait that the failure asks for, in ms */
  onFailure?(key: string, error: unknown, failures: number): number;
  random?(): number;
}

export interface Queue {
  /** Now, or as soon as the key's work under way is done; a wait after a failure ends. */
  add(key: string): void;
  /** Begins what is due. Only tests need to call it: a timer does. */
  tick(): void;
  /** Keys that wait or are worked on. */
  size(): number;
  /** Forgets what waits; work under way goes on. */
  clear(): void;
  /** Takes nothing more, and resolves when no work is under way. */
  close(): Promise<void>;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** A timer never sleeps longer: the clock may be moved. */
const LONGEST_SLEEP_MS = 60_000;

/** The wait after so many failures in a row: doubled each time, of which a random part of a half is left away. */
export function backoff(failures: number, random: () => number): number {
  const full = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 20));
  return full * (1 - random() / 2);
}

interface Entry {
  /** When to begin; null: not wanted, but being worked on. */
  due: number | null;
  running: boolean;
  failures: number;
}

export function openQueue(options: QueueOptions): Queue {
  const { work, clock, concurrency, onFailure = () => 0, random = Math.random } = options;
  const entries = new Map<string, Entry>();
  const under = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  function schedule(): void {
    clearTimeout(timer);
    if (closed) return;
    let next = Number.POSITIVE_INFINITY;
    for (const { due, running } of entries.values()) if (due !== null && !running && due < next) next = due;
    if (next === Number.POSITIVE_INFINITY || under.size >= concurrency) return;
    timer = setTimeout(tick, Math.min(LONGEST_SLEEP_MS, Math.max(0, next - clock.now())));
  }

  async function run(key: string, entry: Entry): Promise<void> {
    entry.running = true;
    entry.due = null;
    let again: number | undefined;
    try {
      again = await work(key);
      entry.failures = 0;
    } catch (error) {
      entry.failures += 1;
      again = Math.max(backoff(entry.failures, random), onFailure(key, error, entry.failures));
    }
    entry.running = false;
    // Asked for while it ran: that goes before.
    if (entry.due === null && again !== undefined && entries.get(key) === entry) entry.due = clock.now() + again;
    if (entry.due === null && entries.get(key) === entry) entries.delete(key);
  }

  function tick(): void {
    const now = clock.now();
    for (const [key, entry] of entries) {
      if (closed || under.size >= concurrency) break;
      if (entry.running || entry.due === null || entry.due > now) continue;
      const one = run(key, entry).finally(() => {
        under.delete(one);
        schedule();
      });
      under.add(one);
    }
    schedule();
  }

  return {
    add(key) {
      if (closed) return;
      const entry = entries.get(key) ?? { due: null, running: false, failures: 0 };
      entry.due = clock.now();
      entries.set(key, entry);
      schedule();
    },
    tick,
    size: () => entries.size,
    clear() {
      for (const [key, entry] of entries) {
        entry.due = null;
        if (!entry.running) entries.delete(key);
      }
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await Promise.all(under);
    },
  };
}
