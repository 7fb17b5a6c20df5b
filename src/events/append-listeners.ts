/** The readers in this process, which are called when the log may have grown. */
import type { AppendListener } from './event-log.ts';

export class AppendListeners {
  readonly #listeners = new Set<AppendListener>();

  /** @returns a function that unsubscribes */
  add(listener: AppendListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @param end the log's end, if known */
  readonly call = (end?: number): void => {
    for (const listener of this.#listeners) listener(end);
  };

  get isEmpty(): boolean {
    return this.#listeners.size === 0;
  }

  clear(): void {
    this.#listeners.clear();
  }
}
