/** Streams of one account in one process. */
export class StreamUse {
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
