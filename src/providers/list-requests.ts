/**
 * Plans requests for lists that several games need. Each list is requested only once, and as often as the most
 * demanding game needs it. Pure.
 */
import { RECHECK_MS } from './polled-game.ts';
import type { PlannedRequest } from './provider.ts';

export class ListRequests {
  readonly #byPath = new Map<string, PlannedRequest>();

  /**
   * @param everyMs pause between requests, infinite for a game that needs no list
   * @param held the result of `heldVersion`
   */
  add(path: string, everyMs: number, held: { version?: string } = {}): void {
    const other = this.#byPath.get(path);
    const version = held.version ?? other?.version;
    const shortest = Math.min(everyMs, other?.everyMs ?? Number.POSITIVE_INFINITY);
    if (shortest === Number.POSITIVE_INFINITY) return;
    // Finished games need a list every `RECHECK_MS`, so a shorter pause means that a live game needs it.
    const isLive = shortest < RECHECK_MS;
    this.#byPath.set(path, { path, everyMs: shortest, isLive, ...(version !== undefined && { version }) });
  }

  /** Returns the requests in the order in which they were first added. */
  all(): PlannedRequest[] {
    return [...this.#byPath.values()];
  }
}
