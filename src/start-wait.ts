/**
 * Waits for stores at the start, and reports the wait. Stores may start at the same time as the service, or be
 * restarted.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isStoreUnavailable } from './http/unavailable-store.ts';
import { tlsError } from './runtime/tls-error.ts';
import { errorMessage, readMember } from './runtime/unknown-values.ts';
import { MINUTE_MS } from './wire/time.ts';

/** Maximum wait. After this time, the process ends, so that the supervisor notices. */
export const START_LIMIT_MS = 5 * 60_000;
const RETRY_MS = 1_000;

export interface StartWaitOptions {
  logger: Pick<Logger, 'info' | 'warn'>;
  /** Aborts the wait. */
  signal?: AbortSignal | undefined;
  limitMs?: number | undefined;
  retryMs?: number | undefined;
}

export class StartWait {
  readonly #options: StartWaitOptions;
  readonly #waitingFor = new Map<string, string>();

  constructor(options: StartWaitOptions) {
    this.#options = options;
  }

  /** Returns the stores that are waited for, with the reasons, for /readyz. */
  waitingFor(): Record<string, string> {
    return Object.fromEntries(this.#waitingFor);
  }

  /**
   * Calls `open` until the store can be reached. An outage is logged once.
   * @throws the error from `open` if it does not mean an outage, for example a wrong password or a missing migration
   * @throws {Error} after `limitMs`, or when the signal aborts
   */
  async open<T>(store: string, open: () => Promise<T>): Promise<T> {
    const { logger, signal, limitMs = START_LIMIT_MS, retryMs = RETRY_MS } = this.#options;
    const begun = performance.now();
    for (;;) {
      try {
        const opened = await open();
        if (this.#waitingFor.delete(store)) logger.info(`${store} can be reached`);
        return opened;
      } catch (error) {
        if (!isStoreUnavailable(error)) throw error;
        const reason = describeError(store, error);
        if (performance.now() - begun >= limitMs) {
          const minutes = limitMs / MINUTE_MS;
          throw new Error(`${store} could not be reached for ${minutes} minutes: ${reason}`, { cause: error });
        }
        if (!this.#waitingFor.has(store)) logger.warn({ reason }, `${store} cannot be reached, waiting for it`);
        this.#waitingFor.set(store, reason);
        // If the store refuses us, the error says how long to wait before a retry.
        const asked = readMember(readMember(error, 'cause'), 'retryMs');
        await sleep(typeof asked === 'number' ? asked : retryMs, undefined, { signal }).catch(() => {
          throw new Error(`stopped while waiting for ${store}`);
        });
      }
    }
  }
}

/** If all of a host's addresses fail, Node throws an error that has no text itself. */
const describeError = (store: string, error: unknown): string =>
  tlsError(store, error) ||
  errorMessage(error) ||
  (error instanceof AggregateError && errorMessage(error.errors[0] ?? '')) ||
  String(error);
