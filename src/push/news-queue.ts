import type { News } from './news.ts';

/** News with followers. */
export interface FollowedNews extends News {
  /** The ids under which the sides are favourites. */
  favourites: readonly number[];
}

/** The most news that waits in memory. One has about 1 KB. If there is more, the oldest is skipped. */
const MAX_NEWS = 5_000;

/** The newest news. Each push service reads the queue at an own position. */
export class NewsQueue {
  readonly #news: FollowedNews[] = [];
  /** The reader's position. All news up to here is in the queue, or was in it. */
  reached: number;

  constructor(reached: number) {
    this.reached = reached;
  }

  /** @param reached the last cursor of the read records */
  add(news: readonly FollowedNews[], reached: number): void {
    this.#news.push(...news);
    if (this.#news.length > MAX_NEWS) this.#news.splice(0, this.#news.length - MAX_NEWS);
    this.reached = reached;
  }

  /** Returns the first news after a cursor. */
  after(cursor: number): FollowedNews | undefined {
    let [from, to] = [0, this.#news.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.#news[middle]!.cursor > cursor) to = middle;
      else from = middle + 1;
    }
    return this.#news[from];
  }

  /** Drops what every service has done. */
  dropUpTo(cursor: number): void {
    const kept = this.#news.findIndex((one) => one.cursor > cursor);
    this.#news.splice(0, kept === -1 ? this.#news.length : kept);
  }
}
