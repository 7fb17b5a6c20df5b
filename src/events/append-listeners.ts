/** The readers of this process that are called when the log may have grown. */
export class AppendListeners {
  readonly #listeners = new Set<() => void>();

  /** @returns ends it */
  add(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  readonly call = (): void => {
    for (const listener of this.#listeners) listener();
  };

  get isEmpty(): boolean {
    return this.#listeners.size === 0;
  }

  clear(): void {
    this.#listeners.clear();
  }
}
