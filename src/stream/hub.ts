/**
 * Reads the log once for all connections in this process, and writes to each connection the events that pass its
 * filter. Most of the cost is in the write call, so everything due for a socket goes out in one write. An idle hub
 * writes at once, and a busy one every 20 ms.
 */
import type { Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { Logger } from 'pino';
import {
  createRing,
  type EventLog,
  type Follower,
  followLog,
  type LogRecord,
  RING_EVENTS,
  type Ring,
} from '../events/index.ts';
import type { Clock } from '../runtime/clock.ts';
import { isTracing } from '../runtime/tracing.ts';
import { Connection, type ConnectionHub, type ConnectionOptions } from './connection.ts';
import { open, type Step } from './connection-state.ts';
import { endOfLife, Timers } from './connection-timers.ts';
import type { EndReason } from './end-reason.ts';
import { createGroups } from './filter-groups.ts';
import { FrameCache } from './frame-encoder.ts';
import { LogFloor } from './log-floor.ts';
import { createStreamMetrics, PROTOCOLS, type Protocol, type StreamMetrics } from './metrics.ts';
import { sendMissed } from './missed-events.ts';
import { WriteSpans } from './write-spans.ts';

/** Time between two flushes while there is traffic. */
const FLUSH_EVERY_MS = 20;
/** Number of sockets that are written to in one turn of the event loop. */
const SOCKETS_PER_TURN = 1_000;
/** Number of newest events that are loaded at the start, because after a restart all clients reconnect at once. */
const WARM_EVENTS = 10_000;

export interface Hub {
  /** The newest cursor that this process has seen. */
  head(): number;
  connect(options: ConnectionOptions): Promise<void>;
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
  metrics?: StreamMetrics;
}

/** Resolves when the newest events are in memory. */
export async function startHub(deps: HubDeps): Promise<Hub> {
  const { ringEvents = RING_EVENTS } = deps;
  const { head, oldest } = await deps.log.range();
  const ring = createRing(Math.max(oldest, head - Math.min(WARM_EVENTS, ringEvents)), ringEvents);
  const hub = new StreamHub(deps, ring, oldest);
  await hub.start(ringEvents, head);
  return hub;
}

class StreamHub implements Hub, ConnectionHub {
  readonly ring: Ring;
  readonly clock: Clock;
  readonly logger: HubDeps['logger'];
  readonly metrics: StreamMetrics;
  readonly groups = createGroups<Connection>();
  readonly frames = new FrameCache();
  readonly lagging = new Set<Connection>();
  flushed = 0;
  flushingTo: number | null = null;

  private warmed = 0;
  private readonly open = new Set<Connection>();
  private readonly log: EventLog;
  private readonly floor: LogFloor;
  private readonly socketsPerTurn: number;
  private readonly flushEveryMs: number;
  private readonly timers: Timers;
  private follower: Follower | null = null;
  /** True if new connections are asked to reconnect at once. */
  private draining = false;
  private onEmpty = () => {};

  /** @param oldest the oldest cursor from which a client can resume when the hub starts */
  constructor(deps: HubDeps, ring: Ring, oldest: number) {
    const { log, clock, logger, socketsPerTurn = SOCKETS_PER_TURN, flushEveryMs = FLUSH_EVERY_MS } = deps;
    this.log = log;
    this.floor = new LogFloor(log, oldest);
    this.clock = clock;
    this.logger = logger;
    this.ring = ring;
    this.socketsPerTurn = socketsPerTurn;
    this.flushEveryMs = flushEveryMs;
    this.metrics = deps.metrics ?? createStreamMetrics();
    this.timers = new Timers({
      clock,
      connections: this.open,
      socketsPerTurn,
      endReason: () => (this.draining ? 'drain' : 'cycle'),
    });
  }

  /** @param head the log's end; events up to this cursor were in the log before this process started */
  async start(capacity: number, head: number): Promise<void> {
    this.warmed = head;
    this.follower = await followLog({
      log: this.log,
      ring: this.ring,
      capacity,
      everyMs: this.flushEveryMs,
      logger: this.logger,
      onEntries: () => this.flush(),
      onGap: () => this.endAll('log'),
    });
    this.metrics.watch({
      connections: (protocol) => this.count(protocol),
      lag: async () => Math.max(0, (await this.log.range()).head - this.head()),
    });
  }

  // ---- what connections ask for

  has(connection: Connection): boolean {
    return this.open.has(connection);
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
    return this.ring.cursorBefore(this.ring.end());
  }

  connections(): number {
    return this.open.size;
  }

  held(): number {
    return this.open.size + this.lagging.size + this.timers.size + this.groups.size();
  }

  private count(protocol: Protocol): number {
    let count = 0;
    for (const { encoder } of this.open) if (encoder.protocol === protocol) count += 1;
    return count;
  }

  // ---- opening

  async connect(options: ConnectionOptions): Promise<void> {
    const { state, frames } = await this.firstStep(options.cursor);
    if (options.socket.destroyed) {
      options.owner?.left();
      return;
    }
    const connection = new Connection(options, this, state, endOfLife(this.clock.now()));
    this.open.add(connection);
    this.lagging.add(connection);
    connection.open(frames);
    if (this.draining) connection.end('drain');
    else if (state.phase === 'replaying') await this.resume(connection);
    if (this.open.has(connection)) connection.followRing();
  }

  private async firstStep(presented: number | null): Promise<Step> {
    if (this.draining || presented === null) {
      const head = this.head();
      return open({ presented, head, logHead: presented ?? head, oldest: 0 });
    }
    // If the ring has the missed events, the stream can open even if the log cannot be read.
    const inMemory = presented <= this.head() && this.ring.indexAfter(presented) !== null;
    const { head: logHead, oldest } = inMemory
      ? { head: 0, oldest: await this.floor.oldest() }
      : await this.log.range();
    return open({ presented, head: this.head(), logHead, oldest });
  }

  private async resume(connection: Connection): Promise<void> {
    try {
      const examined = await sendMissed(this.log, this.ring, connection);
      if (examined !== null) this.metrics.examined('resume', examined);
    } catch (error) {
      this.logger.warn({ err: error }, 'reading missed events failed, asking the client to reconnect');
      connection.end('log');
    }
  }

  // ---- writing to connections

  private async flush(): Promise<void> {
    const { ring, lagging, socketsPerTurn } = this;
    const from = Math.max(this.flushed, ring.start());
    const to = ring.end();
    this.flushingTo = to;
    const entries = Array.from({ length: to - from }, (_, offset) => ring.at(from + offset));
    const spans = isTracing() ? new WriteSpans(entries, this.warmed) : null;
    let written = 0;
    const delivered: Record<Protocol, number> = { sse: 0, websocket: 0, page: 0 };
    for (const [group, wanted] of this.groups.wanting(entries)) {
      const slice = this.frames.encodeSlice(wanted, group.encoder);
      spans?.count(wanted, group.members.size);
      for (const connection of group.members) {
        if (lagging.size > 0 && lagging.has(connection)) continue;
        connection.deliver(slice, to, wanted.length);
        delivered[group.encoder.protocol] += wanted.length;
        written += 1;
        if (written % socketsPerTurn === 0) await turn();
      }
    }
    spans?.end();
    for (const protocol of PROTOCOLS) this.metrics.delivered(protocol, delivered[protocol]);
    if (written > 0) this.noteAges(entries);
    this.flushed = to;
    this.flushingTo = null;
    let pumped = 0;
    for (const connection of lagging) {
      connection.pump();
      pumped += 1;
      if (pumped % socketsPerTurn === 0) await turn();
    }
  }

  private noteAges(entries: readonly LogRecord[]): void {
    const now = this.clock.now();
    // The clocks of two processes may differ slightly, so an age may be negative.
    for (const { committedAt } of entries)
      if (typeof committedAt === 'number') this.metrics.written(Math.max(0, now - committedAt) / 1_000);
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

  private async endAll(reason: EndReason): Promise<void> {
    let ended = 0;
    for (const connection of this.open) {
      connection.end(reason);
      ended += 1;
      if (ended % this.socketsPerTurn === 0) await turn();
    }
  }

  async close(spreadMs = 0): Promise<void> {
    this.draining = true;
    if (spreadMs > 0) await this.drain(spreadMs);
    this.timers.stop();
    await this.endAll('drain');
    await this.follower?.stop();
  }

  private async drain(spreadMs: number): Promise<void> {
    this.timers.endAllWithin(spreadMs);
    if (this.open.size === 0) return;
    await new Promise<void>((resolve) => {
      this.onEmpty = resolve;
    });
  }
}
