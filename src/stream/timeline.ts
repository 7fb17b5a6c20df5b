/**
 * The event log as all connections with the same delay see it. Reads the log once for them, and writes to each connection
 * the events that pass its filter. Most of the cost is in the write call, so everything due for a socket goes out in one
 * write. An idle timeline writes at once, and a busy one every 20 ms. Without a delay, the timeline's end is the log's
 * end. With a delay it is a position in the past: the ring gets an event only when it is due.
 */
import type { Writable } from 'node:stream';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { Logger } from 'pino';
import {
  type EventFilter,
  type EventLog,
  type Follower,
  followLog,
  type LogRecord,
  type Ring,
} from '../events/index.ts';
import type { Clock } from '../runtime/clock.ts';
import { isTracing } from '../runtime/tracing.ts';
import { Connection, type ConnectionHub, type ConnectionOptions } from './connection.ts';
import { open, type Step } from './connection-state.ts';
import { endOfLife } from './connection-timers.ts';
import type { EndReason } from './end-reason.ts';
import { createGroups } from './filter-groups.ts';
import type { FrameCache } from './frame-encoder.ts';
import type { LogFloor } from './log-floor.ts';
import { PROTOCOLS, type Protocol, type StreamMetrics } from './metrics.ts';
import { sendMissed } from './missed-events.ts';
import { WriteSpans } from './write-spans.ts';

/** How often a connection that is to get another delay is checked for whether all missed events have been sent. */
const REPLAY_CHECK_MS = 20;

/** The settings that all timelines in a process share. */
export interface TimelineHub {
  readonly log: EventLog;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'error' | 'warn' | 'info'>;
  readonly metrics: StreamMetrics;
  readonly frames: FrameCache;
  readonly floor: LogFloor;
  /** The connections of all timelines, in the order in which they were opened. */
  readonly open: Set<Connection>;
  readonly socketsPerTurn: number;
  readonly flushEveryMs: number;
  /** True if new connections are asked to reconnect at once. */
  readonly draining: boolean;
  /** Returns the timeline with this delay, in seconds. */
  at(delay: number): Promise<Timeline>;
  /** @returns false if the connection had already been removed */
  remove(connection: Connection): boolean;
  /** As for a connection. */
  closing(socket: Writable): void;
  closed(socket: Writable): void;
}

export interface TimelineOptions {
  hub: TimelineHub;
  ring: Ring;
  /** Maximum number of entries in the ring. */
  capacity: number;
  /** In seconds. */
  delay?: number;
  /** What the ring's follower reads. */
  source: Pick<EventLog, 'range' | 'read' | 'onAppend'>;
  /** The log's end at the start. Events up to it were in the log before this process started. */
  warmed?: number;
  /** Called when the ring has new entries. */
  onEntries?(): void;
}

export class Timeline implements ConnectionHub {
  readonly ring: Ring;
  readonly groups = createGroups<Connection>();
  readonly lagging = new Set<Connection>();
  flushed = 0;
  flushingTo: number | null = null;

  private readonly options: TimelineOptions;
  private readonly hub: TimelineHub;
  private follower: Follower | null = null;
  /** Number of connections that are open or being opened. */
  private size = 0;
  readonly delay: number;
  /** When the timeline was last used, in ms of performance.now(). */
  private usedAt = performance.now();

  constructor(options: TimelineOptions) {
    this.options = options;
    this.hub = options.hub;
    this.ring = options.ring;
    this.delay = options.delay ?? 0;
  }

  /** Resolves when the newest events are in memory. */
  async start(): Promise<void> {
    const { hub, ring, capacity, source, onEntries } = this.options;
    this.follower = await followLog({
      log: source,
      ring,
      capacity,
      everyMs: hub.flushEveryMs,
      logger: hub.logger,
      onEntries: () => {
        onEntries?.();
        return this.flush();
      },
      onGap: () => this.endAll('log'),
    });
  }

  async stop(): Promise<void> {
    await this.follower?.stop();
  }

  // ---- what connections ask for

  get frames(): FrameCache {
    return this.hub.frames;
  }
  get clock(): Clock {
    return this.hub.clock;
  }
  get metrics(): StreamMetrics {
    return this.hub.metrics;
  }
  get logger(): TimelineHub['logger'] {
    return this.hub.logger;
  }

  has(connection: Connection): boolean {
    return this.hub.open.has(connection);
  }

  remove(connection: Connection): boolean {
    if (!this.hub.remove(connection)) return false;
    this.release();
    return true;
  }

  closing(socket: Writable): void {
    this.hub.closing(socket);
  }

  closed(socket: Writable): void {
    this.hub.closed(socket);
  }

  // ---- what the hub asks for

  /** The newest cursor in the ring. Without a delay, it is the newest cursor that this process has seen. */
  head(): number {
    this.usedAt = performance.now();
    return this.ring.cursorBefore(this.ring.end());
  }

  /** True if the timeline has had no connections, and its head has not been read, for `ms`. */
  isUnused(ms: number): boolean {
    return this.size === 0 && performance.now() - this.usedAt >= ms;
  }

  /** Number of entries stored for connections, which is 0 when there are no connections. */
  held(): number {
    return this.size + this.lagging.size + this.groups.size();
  }

  private release(): void {
    this.size -= 1;
    this.usedAt = performance.now();
  }

  // ---- opening

  async connect(options: ConnectionOptions): Promise<void> {
    const { hub } = this;
    this.size += 1;
    const opened = await this.firstStep(options.cursor).catch((error) => {
      this.release();
      throw error;
    });
    const { state, frames } = opened;
    if (options.socket.destroyed) {
      this.release();
      options.owner?.left();
      return;
    }
    const connection = new Connection(options, this, state, endOfLife(hub.clock.now()));
    hub.open.add(connection);
    this.lagging.add(connection);
    connection.open(frames);
    if (hub.draining) connection.end('drain');
    else await this.follow(connection);
  }

  async move(connection: Connection, filter: EventFilter, delay: number): Promise<void> {
    const target = await this.hub.at(delay);
    while (this.has(connection) && !connection.followsRing()) await sleep(REPLAY_CHECK_MS);
    if (this.has(connection) && connection.isIn(this)) target.takeOver(connection, filter, this);
  }

  /** Takes over a connection that has another delay and has been sent all missed events. */
  private takeOver(connection: Connection, filter: EventFilter, from: Timeline): void {
    from.release();
    this.size += 1;
    connection.moveTo(this, filter);
    const cursor = connection.cursor();
    const { state } = open({ presented: cursor, head: this.head(), logHead: cursor, oldest: 0 });
    connection.advance({ state, frames: [] });
    // The answer to the client's message is sent first.
    void turn().then(() => this.follow(connection));
  }

  /** Sends missed events, and then those from the ring. */
  private async follow(connection: Connection): Promise<void> {
    if (connection.replaying() !== null) await this.resume(connection);
    if (this.has(connection)) connection.followRing();
  }

  private async firstStep(presented: number | null): Promise<Step> {
    const { hub, ring } = this;
    const head = this.head();
    if (hub.draining || presented === null) return open({ presented, head, logHead: presented ?? head, oldest: 0 });
    // If the ring has the missed events, the stream can open even if the log cannot be read.
    const inMemory = presented <= head && ring.indexAfter(presented) !== null;
    const { head: logHead, oldest } = inMemory ? { head: 0, oldest: await hub.floor.oldest() } : await hub.log.range();
    return open({ presented, head: this.head(), logHead, oldest: this.oldestShown(oldest) });
  }

  /**
   * Returns the oldest cursor from which a client can resume. A delayed client gets to know only when its time has come
   * that events were dropped.
   */
  private oldestShown(oldest: number): number {
    return this.isDelayed ? Math.min(oldest, this.head()) : oldest;
  }

  private get isDelayed(): boolean {
    return this.delay > 0;
  }

  private async resume(connection: Connection): Promise<void> {
    const { hub } = this;
    try {
      const examined = await sendMissed(hub.log, this.ring, connection);
      if (examined !== null) hub.metrics.examined('resume', examined);
    } catch (error) {
      hub.logger.warn({ err: error }, 'reading missed events failed, asking the client to reconnect');
      connection.end('log');
    }
  }

  // ---- writing to connections

  private async flush(): Promise<void> {
    const { hub, ring, lagging } = this;
    const from = Math.max(this.flushed, ring.start());
    const to = ring.end();
    this.flushingTo = to;
    const entries = Array.from({ length: to - from }, (_, offset) => ring.at(from + offset));
    const spans = isTracing() && !this.isDelayed ? new WriteSpans(entries, this.options.warmed ?? 0) : null;
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
        if (written % hub.socketsPerTurn === 0) await turn();
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
      if (pumped % hub.socketsPerTurn === 0) await turn();
    }
  }

  private noteAges(entries: readonly LogRecord[]): void {
    const now = this.clock.now() - this.delay * 1_000;
    // The clocks of two processes may differ slightly, so an age may be negative.
    for (const { committedAt } of entries)
      if (typeof committedAt === 'number') this.metrics.written(Math.max(0, now - committedAt) / 1_000);
  }

  private async endAll(reason: EndReason): Promise<void> {
    let ended = 0;
    for (const connection of this.hub.open) {
      if (!connection.isIn(this)) continue;
      connection.end(reason);
      ended += 1;
      if (ended % this.hub.socketsPerTurn === 0) await turn();
    }
  }
}
