/** The requests of lists that several games need: one for each list, as often as the game that needs it most often. Pure. */
import { RECHECK_MS } from './polled-game.ts';
import type { PlannedRequest } from './provider.ts';

export class ListRequests {
  readonly #byPath = new Map<string, PlannedRequest>();

  /** @param everyMs infinite for a game that needs none @param held see `heldVersion` */
  add(path: string, everyMs: number, held: { version?: string } = {}): void {
    const other = this.#byPath.get(path);
    const version = held.version ?? other?.version;
    const shortest = Math.min(everyMs, other?.everyMs ?? Number.POSITIVE_INFINITY);
    if (shortest === Number.POSITIVE_INFINITY) return;
    // What is needed more often than a game that is over depends on a live one.
    const isLive = shortest < RECHECK_MS;
    this.#byPath.set(path, { path, everyMs: shortest, isLive, ...(version !== undefined && { version }) });
  }

  /** In the order in which they were added first. */
  all(): PlannedRequest[] {
    return [...this.#byPath.values()];
  }
}
