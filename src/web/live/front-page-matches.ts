/** The live matches that the front page shows, for this process's streams. */
import type { Queryable } from '../../db/postgres.ts';
import { liveMatchIds, SHOWN_LIVE } from '../../matches/index.ts';
import { type Loop, startLoop } from '../../runtime/loop.ts';

const READ_EVERY_MS = 1_000;

/** Refreshes the list while any stream needs it. Runs until `close`. */
export class ShownMatches {
  readonly #pool: Queryable;
  readonly #loop: Loop;
  /** Null if the page has room for all live matches. */
  #ids: ReadonlySet<number> | null = null;
  #followers = 0;
  #reading: Promise<void> | null = null;

  constructor(pool: Queryable) {
    this.#pool = pool;
    this.#loop = startLoop({
      run: async () => {
        if (this.#followers === 0) return Number.POSITIVE_INFINITY;
        await this.#read();
        return READ_EVERY_MS;
      },
      retryMs: READ_EVERY_MS,
      // Keeps the previous list. Postgres outages are reported elsewhere.
      onError: () => true,
    });
  }

  /** Resolves when the list is loaded. */
  async follow(): Promise<void> {
    if (this.#followers === 0) await this.#readOnce();
    this.#followers += 1;
    this.#loop.wake();
  }

  unfollow(): void {
    this.#followers -= 1;
  }

  /** @param matchId id of a match in progress */
  has(matchId: number): boolean {
    return this.#ids?.has(matchId) ?? true;
  }

  close(): Promise<void> {
    return this.#loop.stop();
  }

  /** Reads the list. Followers that start at the same time share one query. */
  #readOnce(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #read(): Promise<void> {
    const ids = await liveMatchIds(this.#pool);
    this.#ids = ids.length < SHOWN_LIVE ? null : new Set(ids);
  }
}
