/** One stream in the hub, with its position in the log and the frames to write. */
import type { Writable } from 'node:stream';
import type { Logger } from 'pino';
import type { EventFilter, Ring, RingEntry } from '../events/index.ts';
import type { Clock } from '../runtime/clock.ts';
import type { SampleEvent } from '../wire/sample-event.ts';
import type { LiveConnection, Owner } from './connection-owner.ts';
import { type ConnectionState, cycled, type Frame, followed, keptAlive, type Step } from './connection-state.ts';
import { type EndReason, UNWANTED } from './end-reason.ts';
import type { Group, Groups } from './filter-groups.ts';
import type { Encoder, FrameCache, GapLinks } from './frame-encoder.ts';
import type { StreamMetrics } from './metrics.ts';
import { type StreamFilter, wants } from './stream-filter.ts';

/** If more bytes than this are unsent, the connection gets no new frames until the socket has drained. */
export const UNSENT_BYTES = 64 * 1024;

export interface ConnectionOptions {
  socket: Writable;
  encoder: Encoder;
  filter: StreamFilter;
  /** The cursor to resume from. Null if the client sent none. */
  cursor: number | null;
  links: GapLinks;
  owner?: Owner;
}

/** State that all connections in a hub share. */
export interface ConnectionHub {
  /** In seconds; 0 for connections without a delay. */
  readonly delay: number;
  readonly ring: Ring;
  readonly frames: FrameCache;
  readonly groups: Groups<Connection>;
  readonly clock: Clock;
  readonly metrics: StreamMetrics;
  readonly logger: Pick<Logger, 'warn'>;
  /** Connections that have to catch up. They read the ring themselves, and their groups do not write to them. */
  readonly lagging: Set<Connection>;
  /** Ring index up to which all entries have been offered to the groups. */
  readonly flushed: number;
  /** Ring index at which the flush in progress will end. Null if no flush is in progress. */
  readonly flushingTo: number | null;
  has(connection: Connection): boolean;
  /** @returns false if the connection had already been removed */
  remove(connection: Connection): boolean;
  /** Moves a connection to the hub with another delay, with a new filter. */
  move(connection: Connection, filter: EventFilter, delay: number): Promise<void>;
  /** Called when the last frames are written. Destroys the socket later if it does not close. */
  closing(socket: Writable): void;
  closed(socket: Writable): void;
}

/**
 * Uses no closures, to save memory, since every client has an instance. An object literal with spread properties would
 * have its own hidden class, which takes 400 bytes. Listeners are shared by all connections for the same reason.
 */
export class Connection implements LiveConnection {
  readonly owner: Owner | undefined;
  readonly encoder: Encoder;
  private hub: ConnectionHub;
  private readonly socket: ConnectedSocket;
  private readonly links: GapLinks;
  private group: Group<Connection>;
  private state: ConnectionState;
  /**
   * Ring index of the next entry to read. For a group member, the index after the last entry that the group has
   * written. Null until the connection follows the ring.
   */
  private index: number | null = null;
  private stalledSince: number | null = null;
  private lastWrite: number;
  private readonly openedAt: number;
  private endsAt: number;
  /** Number of events written since the last report to the owner. A call to the owner for every delivery would add 2 % to the cost. */
  private unreported = 0;
  /** Lets `drained` go on when the socket has drained or the connection has been removed. */
  private resume: () => void = nothing;

  /** @param endsAt when the connection's lifetime ends, in ms */
  constructor(
    { socket, encoder, filter, links, owner }: ConnectionOptions,
    hub: ConnectionHub,
    state: ConnectionState,
    endsAt: number,
  ) {
    this.hub = hub;
    this.state = state;
    this.endsAt = endsAt;
    this.socket = socket;
    this.encoder = encoder;
    this.links = links;
    this.owner = owner;
    this.lastWrite = hub.clock.now();
    this.openedAt = this.lastWrite;
    this.group = hub.groups.join(this, filter, encoder);
    this.socket[CONNECTION] = this;
    socket.on('drain', onDrain);
    if (socket.listenerCount('error') === 0) socket.on('error', destroySelf);
    socket.on('close', onClose);
  }

  // ---- state

  /** One object that all group members share. */
  get filter(): StreamFilter {
    return this.group.filter;
  }

  get delay(): number {
    return this.hub.delay;
  }

  cursor(): number {
    return this.position().cursor;
  }

  isIn(hub: ConnectionHub): boolean {
    return this.hub === hub;
  }

  /** False while missed events are being sent. */
  followsRing(): boolean {
    return this.index !== null;
  }

  isOpen(): boolean {
    return this.hub.has(this);
  }

  /**
   * @returns the connection's state while missed events are being sent; null otherwise, or if the connection has been
   * removed
   */
  replaying(): ConnectionState | null {
    return this.state.phase === 'replaying' && this.isOpen() ? this.state : null;
  }

  isStalled(): boolean {
    return this.stalledSince !== null;
  }

  /** Milliseconds for which the socket has not drained, or 0 if it keeps up. */
  stalledFor(now: number): number {
    return this.stalledSince === null ? 0 : now - this.stalledSince;
  }

  /** Milliseconds since the last write. */
  idleFor(now: number): number {
    return now - this.lastWrite;
  }

  /** Milliseconds since the connection was opened. */
  age(now: number): number {
    return now - this.openedAt;
  }

  isDue(now: number): boolean {
    return now >= this.endsAt;
  }

  /** Returns the connection's position, which is correct even during a flush. */
  private position(): ConnectionState {
    const { ring, flushed, flushingTo, lagging } = this.hub;
    if (lagging.has(this)) return this.state;
    const hasItsSlice = flushingTo !== null && this.index === flushingTo;
    return followed(this.state, ring.cursorBefore(hasItsSlice ? flushingTo : flushed));
  }

  // ---- writing

  /** Writes to the socket. If the socket does not keep up, the connection reads the ring by itself after the socket has drained. */
  private write(data: Buffer): void {
    this.lastWrite = this.hub.clock.now();
    this.socket.write(data);
    if (this.socket.writableLength < UNSENT_BYTES) return;
    this.stalledSince ??= this.lastWrite;
    this.lag();
  }

  private lag(): void {
    const { lagging, flushed } = this.hub;
    if (lagging.has(this)) return;
    this.state = this.position();
    this.index = flushed;
    lagging.add(this);
  }

  private encoded(frames: readonly Frame[]): Buffer {
    return this.hub.frames.encodeFrames(frames, this.encoder, this.links, this.hub.clock.now());
  }

  send(data: Buffer): void {
    if (this.isOpen()) this.write(data);
  }

  sendSample(sample: SampleEvent): void {
    const record = { ...sample, cursor: this.cursor(), appendedAt: this.hub.clock.now() };
    if (this.isOpen() && !this.isStalled() && wants(this.filter, record)) this.write(this.encoder.event(record));
  }

  /** Writes the first frames. */
  open(frames: readonly Frame[]): void {
    this.write(this.encoded(frames));
    this.owner?.opened(this);
  }

  /** Writes a page of missed events. */
  advance({ state, frames }: Step): void {
    this.state = state;
    if (frames.length > 0) this.write(this.encoded(frames));
    const events = frames.filter(({ kind }) => kind === 'event').length;
    this.hub.metrics.delivered(this.encoder.protocol, events);
    this.unreported += events;
  }

  /**
   * Writes a slice of frames that the group's members share.
   * @param end ring index after the slice's last entry
   * @param events number of events in the slice
   */
  deliver(slice: Buffer, end: number, events: number): void {
    this.index = end;
    this.write(slice);
    this.unreported += events;
  }

  /** Tells the owner how many events were written since the last report. */
  report(): void {
    if (this.unreported === 0) return;
    this.owner?.delivered?.(this.unreported);
    this.unreported = 0;
  }

  keepAlive(): void {
    this.write(this.encoded([keptAlive(this.position())]));
  }

  /** Resolves when the socket has drained or the connection has been removed. */
  drained(): Promise<void> {
    return new Promise((resolve) => {
      this.resume = resolve;
    });
  }

  socketDrained(): void {
    this.stalledSince = null;
    this.resume();
    this.pump();
  }

  // ---- reading the ring

  /** Switches to the ring once all missed events are written. */
  followRing(): void {
    this.index = this.hub.ring.indexAfter(this.state.cursor);
    if (this.index === null) this.endSlow('behind');
    else this.pump();
  }

  /** Writes entries from the ring to a connection that catches up, as long as the socket keeps up. */
  pump(): void {
    const { ring, frames, flushed, flushingTo, lagging, metrics } = this.hub;
    if (this.index === null || this.stalledSince !== null || !lagging.has(this)) return;
    while (this.index < flushed) {
      if (this.index < ring.start()) {
        this.endSlow('behind');
        return;
      }
      const entries = this.collect(this.index, flushed);
      if (entries.length > 0) {
        this.write(frames.encodeSlice(entries, this.encoder));
        metrics.delivered(this.encoder.protocol, entries.length);
        this.unreported += entries.length;
      }
      if (this.stalledSince !== null) return;
    }
    // During a flush, the connection still has to catch up, since its group may be the next to be written. So does a
    // connection whose cursor is ahead of this process's ring.
    const caughtUp = this.state.cursor <= ring.cursorBefore(flushed);
    if (caughtUp && flushingTo === null) lagging.delete(this);
  }

  /** Moves on in the ring by about one socket buffer of matching entries. @returns the entries that pass the filter */
  private collect(from: number, limit: number): RingEntry[] {
    const { ring } = this.hub;
    const { state, filter } = this;
    const entries: RingEntry[] = [];
    let next = from;
    for (let bytes = 0; next < limit && bytes < UNSENT_BYTES; next += 1) {
      const entry = ring.at(next);
      if (entry.cursor <= state.cursor || !wants(filter, entry)) continue;
      entries.push(entry);
      bytes += entry.bytes;
    }
    this.index = next;
    this.state = followed(state, ring.cursorBefore(next));
    return entries;
  }

  /** Replaces the filter. The connection reads the ring by itself from its position until it has caught up with the new group. */
  subscribe(filter: EventFilter): void {
    if (!this.isOpen()) return;
    this.lag();
    const { groups } = this.hub;
    groups.leave(this, this.group);
    this.group = groups.join(this, filter, this.encoder);
  }

  subscribeWithDelay(filter: EventFilter, delay: number): Promise<void> {
    return this.hub.move(this, filter, delay);
  }

  /** Leaves its hub for one with another delay. Keeps its position. The new hub sends what follows. */
  moveTo(hub: ConnectionHub, filter: EventFilter): void {
    this.lag();
    this.hub.lagging.delete(this);
    this.hub.groups.leave(this, this.group);
    this.hub = hub;
    this.index = null;
    this.group = hub.groups.join(this, filter, this.encoder);
    hub.lagging.add(this);
  }

  // ---- ending

  /** Makes sure that the connection ends no later than `latest` (ms). */
  endBy(latest: number): void {
    this.endsAt = Math.min(this.endsAt, latest);
  }

  end(reason: EndReason): void {
    const { state, frames } = cycled(this.position());
    if (!this.detach(reason)) return;
    this.state = state;
    this.hub.closing(this.socket);
    const last = this.encoded(UNWANTED.has(reason) ? [] : frames);
    if (this.owner?.finish === undefined) this.socket.end(last);
    else this.owner.finish(last, reason);
  }

  /**
   * Ends a connection whose socket has stalled, and whose last frames could not be sent. A protocol with a closing
   * handshake has its own time limit.
   */
  endStalled(): void {
    this.endSlow('stalled');
    if (this.owner?.finish === undefined) this.socket.destroy();
  }

  private endSlow(reason: 'stalled' | 'behind'): void {
    this.hub.logger.warn({ reason }, 'stream client too slow, asking it to reconnect');
    this.end(reason);
  }

  leave(): void {
    this.detach('gone');
  }

  socketClosed(): void {
    this.hub.closed(this.socket);
    this.detach('gone');
  }

  /** @returns false if the connection had already been removed */
  private detach(cause: EndReason | 'gone'): boolean {
    const { hub } = this;
    hub.lagging.delete(this);
    hub.groups.leave(this, this.group);
    if (!hub.remove(this)) return false;
    hub.metrics.ended(this.encoder.protocol, cause);
    this.report();
    this.owner?.left();
    this.resume();
    return true;
  }
}

const CONNECTION = Symbol('connection');
type ConnectedSocket = Writable & { [CONNECTION]?: Connection };

const nothing = () => {};
function onDrain(this: ConnectedSocket): void {
  this[CONNECTION]!.socketDrained();
}
function onClose(this: ConnectedSocket): void {
  this[CONNECTION]!.socketClosed();
}
/** A shared listener that keeps no object in memory. */
function destroySelf(this: Writable): void {
  this.destroy();
}
