/** One timeline for each delay that connections have at the moment. */
import { createRing, DelayedLog, type Ring } from '../events/index.ts';
import { sharedTime } from '../runtime/clock.ts';
import { Timeline, type TimelineHub } from './timeline.ts';

/**
 * Maximum size of a timeline's ring. Its entries take no memory of their own as long as the ring of the newest events
 * has them too. With more timelines, later rings are smaller, so that a client that opens streams with all delays does
 * not use up the memory.
 */
const RING_EVENTS = 8_192;
const RING_BYTES = 8 * 1024 * 1024;
const LEAST_RING_BYTES = 256 * 1024;
const ALL_RINGS_BYTES = 32 * 1024 * 1024;
const FORGET_AFTER_MS = 30_000;

interface DelayedOptions {
  /** Maximum number of entries in the ring of the newest events. */
  ringEvents: number;
  lookEveryMs?: number | undefined;
  /** A delay that has not been used for this long is forgotten. */
  forgetDelayMs?: number | undefined;
}

interface Opened {
  log: DelayedLog;
  /** Resolves when the timeline has reached the newest event that is old enough. */
  opening: Promise<Timeline>;
  /** Null until the timeline is open. */
  timeline: Timeline | null;
}

export class DelayedTimelines {
  readonly #hub: TimelineHub;
  readonly #newest: Ring;
  readonly #capacity: number;
  readonly #lookEveryMs: number | undefined;
  /** By delay, in seconds. */
  readonly #byDelay = new Map<number, Opened>();
  readonly #check: NodeJS.Timeout;

  /** @param newest ring of the newest events; call `grown` when it has new entries */
  constructor(
    hub: TimelineHub,
    newest: Ring,
    { ringEvents, lookEveryMs, forgetDelayMs = FORGET_AFTER_MS }: DelayedOptions,
  ) {
    this.#hub = hub;
    this.#newest = newest;
    this.#capacity = Math.min(ringEvents, RING_EVENTS);
    this.#lookEveryMs = lookEveryMs;
    this.#check = setInterval(() => this.#closeUnused(forgetDelayMs), forgetDelayMs / 3);
    this.#check.unref();
  }

  /** Returns the timeline with this delay, in seconds. Opens it if it is not open. */
  at(delay: number): Promise<Timeline> {
    const known = this.#byDelay.get(delay);
    if (known !== undefined) return known.opening;
    const log = this.#logWith(delay);
    // Connections that open while the process stops are asked to reconnect at once. They need only a position.
    if (this.#hub.draining) return this.#create(log, delay);
    const opened: Opened = { log, opening: this.#start(log, delay), timeline: null };
    this.#byDelay.set(delay, opened);
    opened.opening.then(
      (timeline) => {
        opened.timeline = timeline;
      },
      () => this.#byDelay.delete(delay),
    );
    return opened.opening;
  }

  /** Returns the newest cursor that is due. Opens no timeline for it. */
  async lastDue(delay: number): Promise<number> {
    const known = this.#byDelay.get(delay);
    return known === undefined ? this.#logWith(delay).lastDue() : (await known.opening).head();
  }

  /** Called when the ring of the newest events has new entries. */
  grown(): void {
    for (const { log } of this.#byDelay.values()) log.grown();
  }

  /** As for the hub. */
  held(): number {
    let held = 0;
    for (const { timeline } of this.#byDelay.values()) held += timeline?.held() ?? 0;
    return held;
  }

  async stop(): Promise<void> {
    clearInterval(this.#check);
    await Promise.all([...this.#byDelay.values()].map(({ opening }) => stopped(opening)));
    this.#byDelay.clear();
  }

  #logWith(delay: number): DelayedLog {
    const { log, clock } = this.#hub;
    return new DelayedLog({
      log,
      newest: this.#newest,
      delayMs: delay * 1_000,
      now: () => sharedTime(clock),
      lookEveryMs: this.#lookEveryMs,
    });
  }

  async #create(log: DelayedLog, delay: number): Promise<Timeline> {
    const capacity = this.#capacity;
    const share = ALL_RINGS_BYTES / (this.#byDelay.size + 1);
    const bytes = Math.min(RING_BYTES, Math.max(LEAST_RING_BYTES, share));
    const ring = createRing(await log.origin(), capacity, bytes);
    return new Timeline({ hub: this.#hub, ring, capacity, delay, source: log });
  }

  async #start(log: DelayedLog, delay: number): Promise<Timeline> {
    const timeline = await this.#create(log, delay);
    await timeline.start();
    return timeline;
  }

  #closeUnused(forMs: number): void {
    for (const [delay, { timeline }] of this.#byDelay) {
      if (!timeline?.isUnused(forMs)) continue;
      this.#byDelay.delete(delay);
      void timeline.stop();
    }
  }
}

/** Stops a timeline, once it is open. One that could not be opened has nothing to stop. */
async function stopped(opening: Promise<Timeline>): Promise<void> {
  const timeline = await opening.catch(() => null);
  await timeline?.stop();
}
