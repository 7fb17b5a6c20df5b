/**
 * Counts what accounts use in this process, and adds it to Postgres every few seconds and at shutdown. A killed process
 * loses the counts since the last write. While Postgres is unavailable, the process continues to count.
 */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { RequestRecord } from '../../http/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import { type Loop, startLoop } from '../../runtime/loop.ts';
import { DAY_MS, utcDay } from '../../wire/time.ts';
import { UsageCounters } from './counters.ts';
import { removeOldUsage, storeUsage } from './usage-queries.ts';

const FLUSH_MS = 3_000;
const HOUSEKEEPING_MS = 6 * 60 * 60_000;

export interface UsageRecorderOptions {
  pool: pg.Pool;
  clock: Clock;
  logger: Pick<Logger, 'error' | 'info'>;
  flushMs?: number;
}

/** Counts one account's streams in this process. */
class StreamUse {
  readonly accountId: number;
  #open = 0;
  #peak = 0;
  #delivered = 0;

  constructor(accountId: number) {
    this.accountId = accountId;
  }

  get isIdle(): boolean {
    return this.#open === 0 && this.#delivered === 0 && this.#peak === 0;
  }

  opened(): void {
    this.#open += 1;
    this.#peak = Math.max(this.#peak, this.#open);
  }

  closed(): void {
    this.#open -= 1;
  }

  delivered(events: number): void {
    this.#delivered += events;
  }

  /** Returns the counts since the last call. */
  take(): { peak: number; delivered: number } {
    const taken = { peak: this.#peak, delivered: this.#delivered };
    this.#peak = this.#open;
    this.#delivered = 0;
    return taken;
  }

  putBack({ peak, delivered }: { peak: number; delivered: number }): void {
    this.#peak = Math.max(this.#peak, peak);
    this.#delivered += delivered;
  }
}

/** Runs until closed. */
export class UsageRecorder {
  readonly #options: UsageRecorderOptions;
  readonly #counters = new UsageCounters();
  readonly #streams = new Map<number, StreamUse>();
  readonly #loop: Loop;
  #day = '';
  #dayEndsAt = Number.NEGATIVE_INFINITY;
  #housekeepingAt = performance.now() + Math.random() * HOUSEKEEPING_MS;

  constructor(options: UsageRecorderOptions) {
    const { flushMs = FLUSH_MS, logger } = options;
    this.#options = options;
    this.#loop = startLoop({
      run: async () => {
        await this.#flush();
        if (performance.now() >= this.#housekeepingAt) await this.#housekeeping();
        return flushMs;
      },
      retryMs: flushMs,
      failed: 'storing usage failed, retrying; requests are still counted',
      recovered: 'usage is stored again',
      logger,
    });
  }

  /** Records an answered request. Only requests with a key are counted. */
  readonly record = (facts: RequestRecord, status: number): void => {
    const { principal, route } = facts;
    if (principal === null || route === null || (principal.kind !== 'sk' && principal.kind !== 'pk')) return;
    const { accountId, keyId } = principal;
    const now = this.#options.clock.now();
    this.#counters.count({ accountId, keyId, endpoint: route, status, cost: facts.cost }, this.#dayAt(now));
    this.#counters.used(keyId, now, () => facts.address);
  };

  /** Returns the counter for an account's streams. */
  streams(accountId: number): StreamUse {
    let use = this.#streams.get(accountId);
    if (use === undefined) {
      use = new StreamUse(accountId);
      this.#streams.set(accountId, use);
    }
    return use;
  }

  /** Stores the counts that are not stored yet. */
  async close(): Promise<void> {
    await this.#loop.stop();
    await this.#flush().catch((error: unknown) => {
      this.#options.logger.error({ err: error }, 'storing the last usage counts failed, they are lost');
    });
  }

  #dayAt(now: number): string {
    if (now >= this.#dayEndsAt || now < this.#dayEndsAt - DAY_MS) {
      this.#day = utcDay(now);
      this.#dayEndsAt = now - (now % DAY_MS) + DAY_MS;
    }
    return this.#day;
  }

  async #flush(): Promise<void> {
    const day = this.#dayAt(this.#options.clock.now());
    const taken = this.#counters.take();
    const streams: { use: StreamUse; peak: number; delivered: number }[] = [];
    for (const [accountId, use] of this.#streams) {
      if (use.isIdle) this.#streams.delete(accountId);
      else streams.push({ use, ...use.take() });
    }
    if (taken.cells.length === 0 && taken.keys.length === 0 && streams.length === 0) return;
    const activity = streams.map(({ use: { accountId }, peak, delivered }) => ({ accountId, day, peak, delivered }));
    try {
      await storeUsage(this.#options.pool, { ...taken, activity });
    } catch (error) {
      this.#counters.putBack(taken);
      for (const { use, ...one } of streams) use.putBack(one);
      throw error;
    }
  }

  async #housekeeping(): Promise<void> {
    this.#housekeepingAt = performance.now() + HOUSEKEEPING_MS;
    await removeOldUsage(this.#options.pool, this.#dayAt(this.#options.clock.now()));
  }
}
