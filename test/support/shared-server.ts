/** A server shared by all suites of a run: started by the first user, stopped at the run's end. */
export interface SharedServer<T> {
  get(): Promise<T>;
  stop(): Promise<void>;
}

export function sharedServer<T extends { stop(): Promise<void> }>(start: () => Promise<T>): SharedServer<T> {
  let started: Promise<T> | null = null;
  return {
    get() {
      started ??= start();
      return started;
    },
    async stop() {
      const running = started;
      started = null;
      await (await running)?.stop();
    },
  };
}
