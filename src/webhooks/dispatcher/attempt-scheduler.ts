/** Decides which attempts start next. Leased subscriptions take turns, one attempt each, within the process limits and the host limits. */
import { setTimeout as sleep, setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Histogram } from 'prom-client';
import type { LogRecord, Ring } from '../../events/index.ts';
import { type Clock, sharedTime } from '../../runtime/clock.ts';
import { type Loop, startLoop } from '../../runtime/loop.ts';
import type { BacklogReader } from './backlog-reader.ts';
import type { DeliveryRunner } from './delivery-runner.ts';
import type { HostRates } from './host-rates.ts';
import type { LeasedSubscription } from './leased-subscription.ts';
import type { ResultBuffer } from './result-buffer.ts';
import type { Work } from './work.ts';

/** Limit on attempts in flight in this process. */
const MAX_IN_FLIGHT = 1_000;
/** Limit on attempts in flight to failing endpoints. */
const MAX_FAILING_IN_FLIGHT = 250;
/** Number of attempts that are started before the event loop gets a turn. */
const STARTS_PER_TURN = 32;
/** Poll interval for due retries and pings. */
const POLL_MS = 200;
const IDLE_POLL_MS = 10;
/**
 * Age above which an event counts as old in the metric. Such an event comes from a replay, from before a pause, or
 * from an outage, which has its own alerts.
 */
const OLD_MS = 15 * 60_000;

interface SchedulerDeps {
  leased: ReadonlyMap<number, LeasedSubscription>;
  ring: Ring;
  backlog: BacklogReader;
  deliveries: DeliveryRunner;
  rates: HostRates;
  outcomes: ResultBuffer;
  firstAttempts: Histogram<'wait'>;
  clock: Clock;
  logger: Pick<Logger, 'info' | 'error'>;
}

export class AttemptScheduler {
  readonly #deps: SchedulerDeps;
  #inFlight = 0;
  #failingInFlight = 0;
  /** Index of the subscription that is served first. It advances by one each time, for fairness. */
  #first = 0;
  #stopping = false;
  #loop: Loop | null = null;

  constructor(deps: SchedulerDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#loop = startLoop({
      run: async () => {
        await this.#startAttempts();
        const { rates, clock } = this.#deps;
        return Math.min(POLL_MS, rates.waitMs(clock.now()), this.#delayMs());
      },
      retryMs: POLL_MS,
      failed: 'starting webhook attempts failed, retrying',
      recovered: 'webhook attempts start again',
      logger: this.#deps.logger,
    });
  }

  /** In-flight attempts divided by the limit, 0 to 1. */
  get usage(): number {
    return this.#inFlight / MAX_IN_FLIGHT;
  }

  /** Wakes the scheduler because there may be work. */
  wake(): void {
    this.#loop?.wake();
  }

  /** Starts no more attempts. Resolves when no attempt is in flight. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#deps.backlog.stop();
    await this.#loop?.stop();
    while (!this.#isIdle()) await sleep(IDLE_POLL_MS);
  }

  /** Resolves when no work is due at the clock's time and no attempt is in flight. For tests. */
  async settled(): Promise<void> {
    while ((await this.#startAttempts()) > 0 || !this.#isIdle()) await sleep(IDLE_POLL_MS);
  }

  /** Returns the time until the next delayed event is due, in ms. */
  #delayMs(): number {
    const now = sharedTime(this.#deps.clock);
    let wait = Number.POSITIVE_INFINITY;
    // An event that is due but cannot be sent waits for something else.
    for (const { events } of this.#deps.leased.values())
      if (events.waitsUntil > now) wait = Math.min(wait, events.waitsUntil - now);
    return wait;
  }

  #isIdle(): boolean {
    return this.#inFlight === 0 && this.#deps.backlog.isIdle();
  }

  /** @returns the number of attempts started */
  async #startAttempts(): Promise<number> {
    const started = await this.#startTurns();
    const all = [...this.#deps.leased.values()];
    this.#first = all.length === 0 ? 0 : (this.#first + 1) % all.length;
    const ready = [...all.slice(this.#first), ...all.slice(0, this.#first)];
    return started + (await startInRounds(ready, (subscription) => this.#startAttempt(subscription)));
  }

  /** Serves subscriptions that have waited because of a host's limit. @returns the number of attempts started */
  #startTurns(): Promise<number> {
    const { rates, clock } = this.#deps;
    return startInRounds(rates.hostsWithTurns(clock.now()), (host) => this.#startTurn(host));
  }

  /** @returns whether a waiting subscription got a turn and had work to send */
  #startTurn(host: string): boolean {
    const { rates, clock } = this.#deps;
    for (;;) {
      const next = rates.takeTurn(host, clock.now());
      if (next === null) return false;
      if (!this.#startWork(next)) continue;
      rates.wait(next);
      return true;
    }
  }

  /** @returns whether there was work to send */
  #startAttempt(subscription: LeasedSubscription): boolean {
    const { rates, clock } = this.#deps;
    if (!this.#mayStart(subscription)) return false;
    const now = clock.now();
    if (rates.mayStart(subscription, now)) return this.#startWork(subscription);
    subscription.hold(now);
    return false;
  }

  #startWork(subscription: LeasedSubscription): boolean {
    if (!this.#mayStart(subscription)) return false;
    const now = this.#deps.clock.now();
    const work = subscription.next(this.#deps.ring, now, sharedTime(this.#deps.clock));
    if (work === null) {
      this.#deps.backlog.read(subscription, now);
      return false;
    }
    void this.#run(subscription, work, now);
    return true;
  }

  #mayStart(subscription: LeasedSubscription): boolean {
    if (this.#stopping || this.#inFlight >= MAX_IN_FLIGHT || this.#deps.outcomes.isOverdue()) return false;
    if (!subscription.maySend()) return false;
    return !subscription.isFailing() || this.#failingInFlight < MAX_FAILING_IN_FLIGHT;
  }

  #noteAge(subscription: LeasedSubscription, { committedAt }: LogRecord, now: number): void {
    if (typeof committedAt !== 'number') return;
    const dueAt = subscription.events.dueAt(committedAt);
    const age = Math.max(0, now - dueAt);
    const isHeld = subscription.isFailing() || subscription.wasHeldSince(dueAt);
    const wait = age > OLD_MS ? 'old' : isHeld ? 'receiver' : 'none';
    this.#deps.firstAttempts.observe({ wait }, age / 1_000);
  }

  async #run(subscription: LeasedSubscription, work: Work, now: number): Promise<void> {
    const started = subscription.start(work, now);
    const { wasFailing } = started;
    if (work.kind === 'event') this.#noteAge(subscription, work.record, now);
    const host = subscription.settings.host;
    const ended = this.#deps.rates.started(subscription, now);
    this.#inFlight += 1;
    if (wasFailing) this.#failingInFlight += 1;
    await this.#deps.deliveries.run(subscription, started);
    ended(this.#deps.clock.now());
    this.#inFlight -= 1;
    if (wasFailing) this.#failingInFlight -= 1;
    // Subscriptions may have waited for the process limit, or this subscription has recovered and may now have several
    // attempts in flight.
    if (this.#inFlight === MAX_IN_FLIGHT - 1 || (wasFailing && !subscription.isFailing())) this.wake();
    else this.#startAttempt(subscription);
    this.#startTurn(host);
  }
}

/**
 * Starts one attempt for each item in turn. Each later round serves only the items that started an attempt in the
 * round before.
 * @returns the number of attempts started
 */
async function startInRounds<T>(all: readonly T[], start: (one: T) => boolean): Promise<number> {
  let started = 0;
  for (let round = all; round.length > 0; ) {
    const again: T[] = [];
    for (const one of round) {
      if (!start(one)) continue;
      again.push(one);
      started += 1;
      if (started % STARTS_PER_TURN === 0) await yieldToEventLoop();
    }
    round = again;
  }
  return started;
}
