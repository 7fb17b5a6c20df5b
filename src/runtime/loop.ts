/** A task that runs repeatedly, one run at a time. Handles wake-ups, pauses, retries and the end. */
import type { Logger } from 'pino';

export interface LoopOptions {
  /**
   * Runs once.
   * @returns milliseconds to pause before the next run; 0 for none, Infinity to wait for a wake-up
   */
  run(): Promise<number>;
  /**
   * Returns the earliest time for the next run, in milliseconds of performance.now(). All wake-ups before that time
   * lead to one run. If this function is missing, a wake-up starts a run at once.
   */
  notBefore?(): number;
  /** Milliseconds to pause after a failed run, or Infinity to wait for a wake-up. */
  retryMs: number;
  /** Logged with the error when runs begin to fail. An outage is logged once, not at every retry. */
  failed?: string;
  /** Logged when a run succeeds again. */
  recovered?: string;
  /** Without a logger, outages are not logged here, because the caller reports them. */
  logger?: Pick<Logger, 'error' | 'info'>;
  /** Called with the error after each failed run. @returns true if the error is not an outage and must not be logged */
  onError?(error: unknown): boolean;
}

export interface Loop {
  /** Ends the pause and starts a run. If a run is in progress, the pause after it is skipped. */
  wake(): void;
  /** Stops the loop. Resolves when the current run has ended. */
  stop(): Promise<void>;
}

/** The longest delay that Node's timers accept. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Starts the loop. The first run begins at once. */
export function startLoop(options: LoopOptions): Loop {
  const { run, notBefore, retryMs, failed, recovered, logger, onError } = options;
  let stopped = false;
  let woken = false;
  let pausing = false;
  let failing = false;
  let endWait: () => void = () => {};

  async function once(): Promise<number> {
    try {
      const pause = await run();
      if (failing) logger?.info(recovered);
      failing = false;
      return pause;
    } catch (error) {
      if (stopped) return 0;
      const isExpected = onError?.(error) ?? false;
      if (!isExpected && !failing) logger?.error({ err: error }, failed);
      if (!isExpected) failing = true;
      return retryMs;
    }
  }

  const wait = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = ms <= MAX_TIMER_MS ? setTimeout(resolve, Math.ceil(ms)) : undefined;
      endWait = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  async function pause(ms: number): Promise<void> {
    if (ms > 0 && !woken && !stopped) {
      pausing = true;
      await wait(ms);
      pausing = false;
    }
    const early = notBefore === undefined ? 0 : notBefore() - performance.now();
    if (early > 0 && !stopped) await wait(early);
    woken = false;
  }

  const running = (async () => {
    while (!stopped) await pause(await once());
  })();

  return {
    wake() {
      woken = true;
      if (pausing) endWait();
    },
    async stop() {
      stopped = true;
      endWait();
      await running;
    },
  };
}

interface ChecksOptions {
  everyMs: number;
  check(): Promise<void>;
  /** Time without a successful check after which a failure is logged. */
  reportAfterMs: number;
  /** Logged once, when no check has succeeded for `reportAfterMs`. */
  failed: string;
  /** Logged when a check succeeds again. */
  recovered: string;
  logger: Pick<Logger, 'error' | 'info'>;
}

/** Maximum number of checks in progress at the same time. */
const MAX_CHECKS = 3;

/**
 * Starts a check at a fixed interval, even if earlier checks are still in progress. The latest result is therefore
 * never older than the interval plus the duration of one check.
 */
export function startChecks(options: ChecksOptions): { stop(): void } {
  const { everyMs, check, reportAfterMs, failed, recovered, logger } = options;
  let running = 0;
  let stopped = false;
  let isReported = false;
  let succeededAt = performance.now();

  async function once(): Promise<void> {
    running += 1;
    try {
      await check();
      succeededAt = performance.now();
      if (isReported) logger.info(recovered);
      isReported = false;
    } catch (error) {
      if (stopped || isReported || performance.now() - succeededAt < reportAfterMs) return;
      isReported = true;
      logger.error({ err: error }, failed);
    } finally {
      running -= 1;
    }
  }

  const timer = setInterval(() => {
    if (running < MAX_CHECKS) void once();
  }, everyMs);
  return {
    stop() {
      stopped = true;
      clearInterval(timer);
    },
  };
}
