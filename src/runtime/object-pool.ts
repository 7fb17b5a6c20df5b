/**
 * Thrown if a user has waited too long for an object from the pool `Turns`, which lends each object to one user at a
 * time. The rest queue.
 */
export class WaitedTooLong extends Error {
  constructor(ms: number) {
    super(`no turn came within ${ms} ms, because all were taken`);
  }
}

export class Turns<T> {
  private readonly free: T[];
  private readonly waiting = new Set<(thing: T) => void>();
  private readonly longestWaitMs: number;

  constructor(things: readonly T[], longestWaitMs: number) {
    this.free = [...things];
    this.longestWaitMs = longestWaitMs;
  }

  /** Calls `use` with a free object, as soon as there is one. @throws {WaitedTooLong} and any error from `use` */
  async take<R>(use: (thing: T) => Promise<R>): Promise<R> {
    const thing = this.free.pop() ?? (await this.wait());
    try {
      return await use(thing);
    } finally {
      this.giveBack(thing);
    }
  }

  private wait(): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.delete(take);
        reject(new WaitedTooLong(this.longestWaitMs));
      }, this.longestWaitMs);
      const take = (thing: T) => {
        clearTimeout(timer);
        resolve(thing);
      };
      this.waiting.add(take);
    });
  }

  private giveBack(thing: T): void {
    const [next] = this.waiting;
    if (next === undefined) this.free.push(thing);
    else {
      this.waiting.delete(next);
      next(thing);
    }
  }
}
