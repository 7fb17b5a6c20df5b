/** A task that is run over and over, never twice at a time: wake-up, pause, retry and stop in one place. */
import type { Logger } from 'pino';

export interface LoopOptions {
  /**
   * One run.
   * @returns milliseconds to pause before the next one: 0 for none, Infinity to wait for a wake-up
   */
  run(): Promise<number>;
  /** Milliseconds to pause after a run that has failed. */
  retryMs: number;
  /** Logged with the error when runs begin to fail; an outage is logged once, not at every retry. */
  failed: string;
  /** Logged when a run succeeds again. */
  recovered: string;
  logger: Pick<Logger, 'error' | 'info'>;
  /**
   * Called with the error of each run that has failed.
   * @returns true where the error is not an outage: it is not logged
   */
  onError?(error: unknown): boolean;
}

export interface Loop {
  /** Ends the pause; during a run, the pause after it is skipped. */
  wake(): void;
  /** Resolves when the run under way has ended; none begins after it. */
  stop(): Promise<void>;
}

/** Node's timers hold 31 bits. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Starts with a run at once. */
export function startLoop({ run, retryMs, failed, recovered, logger, onError }: LoopOptions): Loop {
  let stopped = false;
  let woken = false;
  let failing = false;
  let endPause: () => void = () => {};

  async function once(): Promise<number> {
    try {
      const pause = await run();
      if (failing) logger.info(recovered);
      failing = false;
      return pause;
    } catch (error) {
      if (stopped) return 0;
      const isExpected = onError?.(error) ?? false;
      if (!isExpected && !failing) logger.error({ err: error }, failed);
      if (!isExpected) failing = true;
      return retryMs;
    }
  }

  async function pause(ms: number): Promise<void> {
    if (ms > 0 && !woken && !stopped) {
      await new Promise<void>((resolve) => {
        const timer = ms <= MAX_TIMER_MS ? setTimeout(resolve, ms) : undefined;
        endPause = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    woken = false;
  }

  const running = (async () => {
    while (!stopped) await pause(await once());
  })();

  return {
    wake() {
      woken = true;
      endPause();
    },
    async stop() {
      stopped = true;
      endPause();
      await running;
    },
  };
}
