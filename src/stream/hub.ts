/**
 * Reads the log once for all connections of this process and writes to each what its filter lets through. The write call is the
 * cost, so what is due for a socket goes out in one write: at once when idle, then every 20 ms while busy.
 */
import type { Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { EventLog } from '../events/event-log.ts';
import { type EventFilter, passes } from '../events/filter.ts';
import { followLog } from '../events/follower.ts';
import { createRing, RING_EVENTS, type RingEntry } from '../events/ring.ts';
import type { Clock } from '../runtime/clock.ts';
import {
  CONNECTION,
  type Connected,
  Connection,
  type ConnectionOptions,
  type LiveConnection,
  UNSENT_BYTES,
} from './connection.ts';
import { encodeFrames, encodeSlice } from './encoder.ts';
import { type EndReason, UNWANTED } from './end-reason.ts';
import { createGroups } from './groups.ts';
import { createStreamMetrics, type StreamMetrics } from './metrics.ts';
import { nextMissed } from './missed.ts';
import { cycled, type Frame, followed, keptAlive, open, type Session, type Step } from './session.ts';

/** A quiet connection gets a sign of life this often (spec: 15 s). */
export const KEEP_ALIVE_MS = 15_000;
/** A connection lives this long (spec: 60 minutes), spread over at most a minute more. */
export const LIFETIME_MS = 60 * 60_000;
export const LIFETIME_SPREAD_MS = 60_000;
/** A reader that does not drain for this long is dropped. */
export const STALLED_MS = 30_000;
/** Between two flushes while there is traffic. */
const FLUSH_EVERY_MS = 20;
/** Sockets written in one turn of the event loop. */
const SOCKETS_PER_TURN = 1_000;
/** Looks at timers this often. */
const TICK_MS = 250;
/** So many of the newest events are in memory from the start: after a restart everyone reconnects at once. */
const WARM_EVENTS = 10_000;

export interface Hub {
  /** The newest cursor that this process has seen. */
  head(): number;
  connect(options: ConnectionOptions): Promise<void>;
  connections(): number;
  metrics: StreamMetrics;
  /** Entries held for connections, in all sets and maps; 0 when nobody is there. */
  held(): number;
  /** Asks every connection to reconnect, spread over this time, and whoever comes meanwhile at once; then stops reading. */
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

export async function openHub(deps: HubDeps): Promise<Hub> {
  const { log, clock, logger } = deps;
  const { ringEvents = RING_EVENTS, socketsPerTurn = SOCKETS_PER_TURN, flushEveryMs = FLUSH_EVERY_MS } = deps;
  const { metrics = createStreamMetrics() } = deps;
  const { head: headAtStart, oldest } = await log.range();
  const ring = createRing(Math.max(oldest, headAtStart - Math.min(WARM_EVENTS, ringEvents)), ringEvents);
  const connections = new Set<Connection>();
  /** Not written by their groups: they read the ring themselves until they have caught up. */
  const lagging = new Set<Connection>();
  const groups = createGroups<Connection>();
  /** Asked to reconnect; cut at this time if their clients do not take the last line. */
  const leaving = new Map<Writable, number>();
  /** Everything before this index has been offered to the groups. */
  let flushed = 0;
  /** The end of the flush under way. */
  let flushingTo: number | null = null;
  /** Whoever comes is sent on at once. */
  let draining = false;
  let onEmpty = nothing;

  const head = () => ring.cursorBefore(ring.end());

  // ---- writing to connections

  async function flush(): Promise<void> {
    const from = Math.max(flushed, ring.start());
    const to = ring.end();
    flushingTo = to;
    const entries = Array.from({ length: to - from }, (_, offset) => ring.at(from + offset));
    let written = 0;
    const delivered = { sse: 0, websocket: 0 };
    for (const [group, wanted] of groups.wanting(entries)) {
      const slice = encodeSlice(wanted, group.encoder);
      for (const connection of group.members) {
        if (lagging.has(connection)) continue;
        connection.index = to;
        send(connection, slice);
        delivered[group.encoder.protocol] += wanted.length;
        written += 1;
        if (written % socketsPerTurn === 0) await turn();
      }
    }
    metrics.delivered('sse', delivered.sse);
    metrics.delivered('websocket', delivered.websocket);
    flushed = to;
    flushingTo = null;
    let pumped = 0;
    for (const connection of lagging) {
      pump(connection);
      pumped += 1;
      if (pumped % socketsPerTurn === 0) await turn();
    }
  }

  /** Writes and, where the socket does not keep up, leaves the rest for when it has drained. */
  function send(connection: Connection, data: Buffer | string): void {
    connection.lastWrite = clock.now();
    connection.socket.write(data);
    if (connection.socket.writableLength < UNSENT_BYTES) return;
    connection.stalledSince ??= clock.now();
    if (lagging.has(connection)) return;
    connection.session = position(connection);
    connection.index = flushed;
    lagging.add(connection);
  }

  /** Lets a lagging connection read on in the ring, as far as its socket takes it. */
  function pump(connection: Connection): void {
    if (connection.index === null || connection.stalledSince !== null || !lagging.has(connection)) return;
    while (connection.index < flushed) {
      if (connection.index < ring.start()) {
        endSlow(connection, 'behind');
        return;
      }
      const { entries, next } = collect(connection, flushed);
      connection.index = next;
      connection.session = followed(connection.session, ring.cursorBefore(next));
      if (entries.length > 0) {
        send(connection, encodeSlice(entries, connection.encoder));
        metrics.delivered(connection.encoder.protocol, entries.length);
      }
      if (connection.stalledSince !== null) return;
    }
    // Its group may be next in a flush under way, and a cursor ahead of this process waits until the ring has come there.
    const caughtUp = connection.session.cursor <= ring.cursorBefore(flushed);
    if (caughtUp && flushingTo === null) lagging.delete(connection);
  }

  /** The next entries of the ring that a connection is to get, up to about one socket buffer. */
  function collect({ index, filter, session }: Connection, limit: number): { entries: RingEntry[]; next: number } {
    const entries: RingEntry[] = [];
    let next = index!;
    for (let bytes = 0; next < limit && bytes < UNSENT_BYTES; next += 1) {
      const entry = ring.at(next);
      if (entry.cursor <= session.cursor || !passes(filter, entry)) continue;
      entries.push(entry);
      bytes += entry.bytes;
    }
    return { entries, next };
  }

  /** Where a connection stands, also in the middle of a flush. */
  function position(connection: Connection): Session {
    if (lagging.has(connection)) return connection.session;
    const hasItsSlice = flushingTo !== null && connection.index === flushingTo;
    return followed(connection.session, ring.cursorBefore(hasItsSlice ? flushingTo! : flushed));
  }

  const encoded = ({ encoder, links }: Connection, frames: readonly Frame[]) =>
    encodeFrames(frames, encoder, links, clock.now());

  function forget(connection: Connection, cause: EndReason | 'gone' = 'gone'): boolean {
    lagging.delete(connection);
    groups.leave(connection, connection.group);
    if (!connections.delete(connection)) return false;
    metrics.ended(connection.encoder.protocol, cause);
    connection.owner?.left();
    connection.resume();
    if (connections.size === 0) onEmpty();
    return true;
  }

  function end(connection: Connection, reason: EndReason): void {
    const { session, frames } = cycled(position(connection));
    if (!forget(connection, reason)) return;
    connection.session = session;
    const { socket } = connection;
    leaving.set(socket, clock.now() + STALLED_MS);
    const last = encoded(connection, UNWANTED.has(reason) ? [] : frames);
    if (connection.owner?.finish === undefined) socket.end(last);
    else connection.owner.finish(last, reason);
  }

  function endSlow(connection: Connection, reason: 'stalled' | 'behind'): void {
    logger.warn({ reason }, 'a stream connection is asked to reconnect');
    end(connection, reason);
  }

  /** Where it has got to in the ring it reads on by itself, until it has caught up with its new group. */
  function subscribe(connection: Connection, filter: EventFilter): void {
    if (!connections.has(connection)) return;
    if (!lagging.has(connection)) {
      connection.session = position(connection);
      connection.index = flushed;
      lagging.add(connection);
    }
    groups.leave(connection, connection.group);
    connection.group = groups.join(connection, filter, connection.encoder);
    connection.filter = connection.group.filter;
  }

  /** A class for its size: there is one for each connection. */
  class Live implements LiveConnection {
    private readonly connection: Connection;

    constructor(connection: Connection) {
      this.connection = connection;
    }
    cursor(): number {
      return position(this.connection).cursor;
    }
    filter(): EventFilter {
      return this.connection.filter;
    }
    send(data: Buffer): void {
      if (connections.has(this.connection)) send(this.connection, data);
    }
    subscribe(filter: EventFilter): void {
      subscribe(this.connection, filter);
    }
    end(reason: EndReason): void {
      end(this.connection, reason);
    }
    leave(): void {
      forget(this.connection);
    }
  }

  async function endAll(reason: EndReason): Promise<void> {
    let ended = 0;
    for (const connection of connections) {
      end(connection, reason);
      ended += 1;
      if (ended % socketsPerTurn === 0) await turn();
    }
  }

  // ---- time

  /** @returns whether it has written something */
  function attend(connection: Connection, now: number): boolean {
    connection.owner?.attend?.(now);
    if (now >= connection.endsAt) end(connection, draining ? 'drain' : 'cycle');
    else if (connection.stalledSince !== null) {
      if (now - connection.stalledSince < STALLED_MS) return false;
      endSlow(connection, 'stalled');
      if (connection.owner?.finish === undefined) connection.socket.destroy();
    } else {
      if (now - connection.lastWrite < KEEP_ALIVE_MS) return false;
      send(connection, encoded(connection, [keptAlive(position(connection))]));
    }
    return true;
  }

  /** Each at a time of its own, so that they do not all come to the other processes at once. */
  async function endSpread(spreadMs: number): Promise<void> {
    const now = clock.now();
    const last = Math.max(0, spreadMs - TICK_MS);
    for (const one of connections) one.endsAt = Math.min(one.endsAt, now + Math.random() * last);
    if (connections.size === 0) return;
    await new Promise<void>((resolve) => {
      onEmpty = resolve;
    });
  }

  let ticking = false;
  async function tick(): Promise<void> {
    if (ticking) return;
    ticking = true;
    const now = clock.now();
    let written = 0;
    for (const connection of connections) {
      if (!attend(connection, now)) continue;
      written += 1;
      if (written % socketsPerTurn === 0) await turn();
    }
    for (const [socket, deadline] of leaving) if (now >= deadline) socket.destroy();
    ticking = false;
  }
  const ticker = setInterval(() => void tick(), TICK_MS);
  ticker.unref();

  // ---- opening

  /** Sends what was missed, a page at a time and no faster than the socket takes it. */
  async function replay(connection: Connection): Promise<void> {
    let examined = 0;
    while (connection.session.phase === 'replaying') {
      const { session, frames, read } = await nextMissed(log, ring, connection);
      if (!connections.has(connection)) return;
      examined += read;
      connection.session = session;
      if (frames.length > 0) send(connection, encoded(connection, frames));
      metrics.delivered(connection.encoder.protocol, frames.filter(({ kind }) => kind === 'event').length);
      if (connection.stalledSince !== null) await drained(connection);
      if (!connections.has(connection)) return;
    }
    metrics.examined('resume', examined);
  }

  const drained = (connection: Connection) =>
    new Promise<void>((resolve) => {
      connection.resume = resolve;
    });

  /** From here on the connection reads the ring. */
  function standInRing(connection: Connection): void {
    connection.index = ring.indexAfter(connection.session.cursor);
    if (connection.index === null) endSlow(connection, 'behind');
    else pump(connection);
  }

  /** The log is asked only where the ring does not know, so that most streams open without a store. */
  async function opening(presented: number | null): Promise<Step> {
    const known = draining || presented === null || (presented <= head() && ring.indexAfter(presented) !== null);
    const range = known ? null : await log.range();
    const logHead = draining ? (presented ?? head()) : (range?.head ?? head());
    return open({ presented, head: head(), logHead, oldest: range?.oldest ?? 0 });
  }

  function join(options: ConnectionOptions, session: Session): Connection {
    const now = clock.now();
    const endsAt = now + LIFETIME_MS + Math.random() * (LIFETIME_SPREAD_MS - TICK_MS);
    const connection = new Connection(options, groups, session, now, endsAt);
    connections.add(connection);
    lagging.add(connection);
    const { socket } = connection;
    socket[CONNECTION] = connection;
    socket.on('drain', onDrain);
    if (socket.listenerCount('error') === 0) socket.on('error', destroySelf);
    socket.on('close', onClose);
    return connection;
  }

  function onDrain(this: Connected): void {
    const connection = this[CONNECTION]!;
    connection.stalledSince = null;
    connection.resume();
    pump(connection);
  }
  function onClose(this: Connected): void {
    leaving.delete(this);
    forget(this[CONNECTION]!);
  }

  const follower = await followLog({
    log,
    ring,
    capacity: ringEvents,
    everyMs: flushEveryMs,
    logger,
    onEntries: flush,
    onHole: () => endAll('log'),
  });

  metrics.watch({
    connections: (protocol) => {
      let count = 0;
      for (const { encoder } of connections) if (encoder.protocol === protocol) count += 1;
      return count;
    },
    lag: async () => Math.max(0, (await log.range()).head - head()),
  });
  return {
    head,
    metrics,
    connections: () => connections.size,
    held: () => connections.size + lagging.size + leaving.size + groups.size(),

    async connect(options) {
      const { session, frames } = await opening(options.cursor);
      if (options.socket.destroyed) {
        options.owner?.left();
        return;
      }
      const connection = join(options, session);
      send(connection, encoded(connection, frames));
      connection.owner?.opened(new Live(connection));
      if (draining) end(connection, 'drain');
      else if (session.phase === 'replaying') {
        try {
          await replay(connection);
        } catch (error) {
          logger.warn({ err: error }, 'missed events could not be read; the client is asked to reconnect');
          end(connection, 'log');
        }
      }
      if (connections.has(connection)) standInRing(connection);
    },

    async close(spreadMs = 0) {
      draining = true;
      if (spreadMs > 0) await endSpread(spreadMs);
      clearInterval(ticker);
      await endAll('drain');
      await follower.stop();
    },
  };
}

const nothing = () => {};
/** A listener that keeps nothing else alive. */
function destroySelf(this: Writable): void {
  this.destroy();
}
