/**
 * Plans requests for lists that several games need. Each list is requested once, as often as the most demanding game
 * needs it. Pure.
 */
import { RECHECK_MS } from './polled-game.ts';
import type { PlannedRequest } from './provider.ts';

export class ListRequests {
  readonly #byPath = new Map<string, PlannedRequest>();

  /** @param everyMs infinite for a game that needs no list @param held see `heldVersion` */
  add(path: string, everyMs: number, held: { version?: string } = {}): void {
    const other = this.#byPath.get(path);
    const version = held.version ?? other?.version;
    const shortest = Math.min(everyMs, other?.everyMs ?? Number.POSITIVE_INFINITY);
    if (shortest === Number.POSITIVE_INFINITY) return;
    // A list needed more often than for a finished game depends on a live one.
    const isLive = shortest < RECHECK_MS;
    this.#byPath.set(path, { path, everyMs: shortest, isLive, ...(version !== undefined && { version }) });
  }

  /** Returns the requests in the order in which they were first added. */
  all(): PlannedRequest[] {
    return [...this.#byPath.values()];
  }
}
