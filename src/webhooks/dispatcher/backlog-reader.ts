/** Reads the event log for leased subscriptions whose next event is older than the shared ring. */
import type { Logger } from 'pino';
import type { Counter } from 'prom-client';
import { CursorExpired, type EventLog, type Ring } from '../../events/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { LeasedSubscription } from './leased-subscription.ts';

/** Limits for one read. */
const PAGE = { records: 200, bytes: 1024 * 1024 };
/** Limit on concurrent reads. */
const MAX_READS = 4;

interface BacklogDeps {
  log: EventLog;
  ring: Ring;
  clock: Clock;
  logger: Pick<Logger, 'warn'>;
  /** Counts reads that came too late because the log had dropped the events. */
  expired: Counter;
  /** Called when a read has ended. */
  onRead(): void;
}

export class BacklogReader {
  readonly #deps: BacklogDeps;
  #reads = 0;
  #stopping = false;

  constructor(deps: BacklogDeps) {
    this.#deps = deps;
  }

  isIdle(): boolean {
    return this.#reads === 0;
  }

  /** Stops logging the failures of reads that are in progress. */
  stop(): void {
    this.#stopping = true;
  }

  /** Starts a read if the subscription needs one. @param now milliseconds since 1970 */
  read(subscription: LeasedSubscription, now: number): void {
    if (this.#reads < MAX_READS && subscription.wantsLog(this.#deps.ring, now)) void this.#read(subscription);
  }

  async #read(subscription: LeasedSubscription): Promise<void> {
    const { log, ring, onRead } = this.#deps;
    this.#reads += 1;
    const { events } = subscription;
    const position = events.startRead();
    const ringOrigin = ring.cursorBefore(ring.start());
    try {
      events.examine(await log.read(position, PAGE), ringOrigin);
    } catch (error) {
      this.#failed(subscription, error);
    } finally {
      this.#reads -= 1;
      events.endRead();
    }
    onRead();
  }

  #failed(subscription: LeasedSubscription, error: unknown): void {
    const { clock, logger, expired } = this.#deps;
    if (error instanceof CursorExpired) {
      logger.warn(
        { subscription: subscription.id, oldest: error.oldest },
        'events were dropped from the log before they could be sent, continuing with the oldest remaining event',
      );
      expired.inc();
      subscription.skipTo(error.oldest, clock.now());
    } else if (!this.#stopping) {
      logger.warn({ err: error, subscription: subscription.id }, 'reading the event log failed, retrying');
    }
  }
}
