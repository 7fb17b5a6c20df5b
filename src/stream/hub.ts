/**
 * All streams in this process. They are in timelines: one for connections without a delay, and one for each delay that
 * connections have at the moment.
 */
import type { Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createRing, type EventLog, RING_EVENTS } from '../events/index.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Connection, ConnectionOptions } from './connection.ts';
import { Timers } from './connection-timers.ts';
import { DelayedTimelines } from './delayed-timelines.ts';
import { FrameCache } from './frame-encoder.ts';
import { LogFloor } from './log-floor.ts';
import { createStreamMetrics, type Protocol, type StreamMetrics } from './metrics.ts';
import { Timeline, type TimelineHub } from './timeline.ts';

/** Time between two flushes while there is traffic. */
const FLUSH_EVERY_MS = 20;
/** Number of sockets that are written to in one turn of the event loop. */
const SOCKETS_PER_TURN = 1_000;
/** Number of newest events that are loaded at the start, because after a restart all clients reconnect at once. */
const WARM_EVENTS = 10_000;

export interface StreamOptions extends ConnectionOptions {
  /** How many seconds after an event the connection gets it. */
  delay?: number | undefined;
}

export interface Hub {
  /** The newest cursor that this process has seen. */
  head(): number;
  /** The newest cursor that a connection with this delay may see; Infinity without a delay. */
  lastDue(delay: number): Promise<number>;
  connect(options: StreamOptions): Promise<void>;
  connections(): number;
  metrics: StreamMetrics;
  /** Number of entries stored for connections in all sets and maps, which is 0 when there are no connections. */
  held(): number;
  /**
   * Asks up to `count` connections that are at least this old to reconnect, the longest-lived first.
   * @returns how many were asked
   */
  moveOldest(count: number, leastAgeMs: number): number;
  /**
   * Asks every connection to reconnect, at a time within `spreadMs`, and new connections at once. Then stops reading
   * the log.
   */
  close(spreadMs?: number): Promise<void>;
}

export interface HubDeps {
  log: EventLog;
  clock: Clock;
  logger: Pick<Logger, 'error' | 'warn' | 'info'>;
  ringEvents?: number;
  socketsPerTurn?: number;
  flushEveryMs?: number;
  /** Maximum time between two looks at the clock while a delayed event waits. */
  lookEveryMs?: number | undefined;
  /** A delay that has not been used for this long is forgotten. */
  forgetDelayMs?: number | undefined;
  metrics?: StreamMetrics;
}

/** Resolves when the newest events are in memory. */
export async function startHub(deps: HubDeps): Promise<Hub> {
  const hub = new StreamHub(deps, await deps.log.range());
  await hub.start();
  return hub;
}

class StreamHub implements Hub, TimelineHub {
  readonly log: EventLog;
  readonly clock: Clock;
  readonly logger: HubDeps['logger'];
  readonly metrics: StreamMetrics;
  readonly frames = new FrameCache();
  readonly floor: LogFloor;
  readonly open = new Set<Connection>();
  readonly socketsPerTurn: number;
  readonly flushEveryMs: number;
  draining = false;

  private readonly timers: Timers;
  private readonly live: Timeline;
  private readonly delayed: DelayedTimelines;
  private onEmpty = () => {};

  /** @param range of the log when the hub starts */
  constructor(deps: HubDeps, { head, oldest }: { head: number; oldest: number }) {
    const { log, clock, logger, socketsPerTurn = SOCKETS_PER_TURN, flushEveryMs = FLUSH_EVERY_MS } = deps;
    const { ringEvents = RING_EVENTS } = deps;
    this.log = log;
    this.floor = new LogFloor(log, oldest);
    this.clock = clock;
    this.logger = logger;
    this.socketsPerTurn = socketsPerTurn;
    this.flushEveryMs = flushEveryMs;
    this.metrics = deps.metrics ?? createStreamMetrics();
    this.timers = new Timers({
      clock,
      connections: this.open,
      socketsPerTurn,
      endReason: () => (this.draining ? 'drain' : 'cycle'),
    });
    const ring = createRing(Math.max(oldest, head - Math.min(WARM_EVENTS, ringEvents)), ringEvents);
    this.delayed = new DelayedTimelines(this, ring, { ...deps, ringEvents });
    this.live = new Timeline({
      hub: this,
      ring,
      capacity: ringEvents,
      source: log,
      warmed: head,
      onEntries: () => this.delayed.grown(),
    });
  }

  async start(): Promise<void> {
    await this.live.start();
    this.metrics.watch({
      connections: (protocol) => this.count(protocol),
      lag: async () => Math.max(0, (await this.log.range()).head - this.head()),
    });
  }

  // ---- what timelines ask for

  async at(delay: number): Promise<Timeline> {
    return delay === 0 ? this.live : this.delayed.at(delay);
  }

  remove(connection: Connection): boolean {
    if (!this.open.delete(connection)) return false;
    if (this.open.size === 0) this.onEmpty();
    return true;
  }

  closing(socket: Writable): void {
    this.timers.closeLater(socket);
  }

  closed(socket: Writable): void {
    this.timers.closed(socket);
  }

  // ---- what the process asks for

  head(): number {
    return this.live.head();
  }

  async lastDue(delay: number): Promise<number> {
    return delay === 0 ? Number.POSITIVE_INFINITY : this.delayed.lastDue(delay);
  }

  async connect({ delay = 0, ...options }: StreamOptions): Promise<void> {
    await (await this.at(delay)).connect(options);
  }

  connections(): number {
    return this.open.size;
  }

  held(): number {
    return this.open.size + this.timers.size + this.live.held() + this.delayed.held();
  }

  private count(protocol: Protocol): number {
    let count = 0;
    for (const { encoder } of this.open) if (encoder.protocol === protocol) count += 1;
    return count;
  }

  // ---- closing

  moveOldest(count: number, leastAgeMs: number): number {
    const now = this.clock.now();
    let moved = 0;
    // The set iterates in insertion order, so the longest-lived connections come first.
    for (const connection of this.open) {
      if (moved >= count || connection.age(now) < leastAgeMs) break;
      connection.end('balance');
      moved += 1;
    }
    return moved;
  }

  async close(spreadMs = 0): Promise<void> {
    this.draining = true;
    if (spreadMs > 0) await this.drain(spreadMs);
    this.timers.stop();
    let ended = 0;
    for (const connection of this.open) {
      connection.end('drain');
      ended += 1;
      if (ended % this.socketsPerTurn === 0) await turn();
    }
    await this.live.stop();
    await this.delayed.stop();
  }

  private async drain(spreadMs: number): Promise<void> {
    this.timers.endAllWithin(spreadMs);
    if (this.open.size === 0) return;
    await new Promise<void>((resolve) => {
      this.onEmpty = resolve;
    });
  }
}
