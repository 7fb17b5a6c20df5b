/**
 * A server that all suites in a run share. The first suite that uses it starts it, and it stops at the end of the run.
 */
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
