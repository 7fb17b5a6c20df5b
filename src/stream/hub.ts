/**
 * Reads the log once for all connections of this process and writes to each what its filter lets through. The write call is the
 * cost, so what is due for a socket goes out in one write: at once when idle, then every 20 ms while busy.
 */
import type { Writable } from 'node:stream';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { EventLog, LogRecord } from '../events/event-log.ts';
import { type EventFilter, filterKey, passes } from '../events/filter.ts';
import { createRing, type Ring, type RingEntry } from './ring.ts';
import { cycled, EXAMINED_BYTES, type Frame, followed, keptAlive, open, replayed, type Session } from './session.ts';
import type { Encoder, GapLinks } from './sse.ts';

/** A quiet connection gets a sign of life this often (spec: 15 s). */
export const KEEP_ALIVE_MS = 15_000;
/** A connection lives this long (spec: 60 minutes), spread over at most a minute more. */
export const LIFETIME_MS = 60 * 60_000;
export const LIFETIME_SPREAD_MS = 60_000;
/** Between two flushes while there is traffic. */
const FLUSH_EVERY_MS = 20;
/** A reader with more than this unsent gets nothing new until it has drained. */
const UNSENT_BYTES = 64 * 1024;
/** A reader that does not drain for this long is dropped. */
export const STALLED_MS = 30_000;
/** Sockets written in one turn of the event loop. */
const SOCKETS_PER_TURN = 1_000;
/** Looks at timers this often. */
const TICK_MS = 250;
const READ_RECORDS = 1_000;

export interface ConnectionOptions {
  socket: Writable;
  encoder: Encoder;
  filter: EventFilter;
  /** null: none was presented. */
  cursor: number | null;
  links: GapLinks;
}

export interface Hub {
  /** The newest cursor that this process has seen. */
  head(): number;
  connect(options: ConnectionOptions): Promise<void>;
  connections(): number;
  /** Asks every connection to reconnect, ends it, and stops reading. */
  close(): Promise<void>;
}

interface Connection extends Omit<ConnectionOptions, 'cursor'> {
  session: Session;
  group: Group;
  /** Ring index of the next entry to look at; kept up for connections that lag, see `position`. */
  index: number;
  /** Not written by its group: it reads the ring itself until it has caught up. */
  lagging: boolean;
  stalledSince: number | null;
  lastWrite: number;
  endsAt: number;
}

/** Connections with the same filter and format: they share one encoded slice. */
interface Group {
  filter: EventFilter;
  encoder: Encoder;
  members: Set<Connection>;
}

export interface HubDeps {
  log: EventLog;
  clock: Clock;
  logger: Pick<Logger, 'error' | 'warn'>;
}

export async function openHub({ log, clock, logger }: HubDeps): Promise<Hub> {
  const { head } = await log.range();
  const ring = createRing(head);
  const connections = new Set<Connection>();
  const groups = createGroups();
  /** Everything before this index has been offered to the groups. */
  let flushed = 0;
  let flushing = false;
  let lastFlush = 0;
  let flushTimer: NodeJS.Timeout | null = null;
  let closed = false;

  // ---- reading the log

  let reading = false;
  let again = false;
  async function readLog(): Promise<void> {
    if (reading) {
      again = true;
      return;
    }
    reading = true;
    try {
      do {
        again = false;
        const records = await log.read(ring.cursorBefore(ring.end()), { records: READ_RECORDS, bytes: EXAMINED_BYTES });
        if (closed) return;
        if (records.length > 0) {
          again = true;
          ring.append(records);
          scheduleFlush();
        }
      } while (again && !closed);
    } catch (error) {
      if (!closed) logger.error({ err: error }, 'the event log could not be read; trying again');
    } finally {
      reading = false;
    }
  }
  const stopListening = log.onAppend(() => void readLog());

  // ---- writing to connections

  function scheduleFlush(): void {
    if (flushTimer !== null || flushing) return;
    const wait = lastFlush + FLUSH_EVERY_MS - performance.now();
    if (wait <= 0) void flush();
    else flushTimer = setTimeout(() => void flush(), wait);
  }

  async function flush(): Promise<void> {
    if (flushTimer !== null) clearTimeout(flushTimer);
    flushTimer = null;
    flushing = true;
    lastFlush = performance.now();
    const from = Math.max(flushed, ring.start());
    const to = ring.end();
    flushed = to;
    let written = 0;
    for (const [group, entries] of groups.wanting(ring, from, to)) {
      const slice = encodeSlice(entries, group.encoder);
      for (const connection of group.members) {
        if (connection.lagging || connection.index >= to) continue;
        connection.index = to;
        send(connection, slice);
        written += 1;
        if (written % SOCKETS_PER_TURN === 0) await new Promise(setImmediate);
      }
    }
    flushing = false;
    for (const connection of connections) if (connection.lagging) pump(connection);
    if (ring.end() > flushed && !closed) scheduleFlush();
  }

  /** Writes and, where the socket does not keep up, leaves the rest for when it has drained. */
  function send(connection: Connection, data: Buffer | string): void {
    connection.lastWrite = clock.now();
    connection.socket.write(data);
    if (connection.socket.writableLength < UNSENT_BYTES) return;
    if (!connection.lagging) {
      connection.session = position(connection);
      connection.index = Math.max(connection.index, flushed);
      connection.lagging = true;
    }
    connection.stalledSince ??= clock.now();
    connection.socket.once('drain', () => {
      connection.stalledSince = null;
      pump(connection);
    });
  }

  /** Lets a lagging connection read on in the ring, as far as its socket takes it. */
  function pump(connection: Connection): void {
    if (!connection.lagging || connection.session.phase !== 'following' || connection.stalledSince !== null) return;
    while (connection.index < flushed) {
      if (connection.index < ring.start()) return end(connection, 'behind the ring');
      const { entries, next } = collect(connection, flushed);
      connection.index = next;
      connection.session = followed(connection.session, ring.cursorBefore(next));
      if (entries.length > 0) send(connection, encodeSlice(entries, connection.encoder));
      if (connection.stalledSince !== null) return;
    }
    // A cursor ahead of this process keeps its own position until the ring has come there.
    const caughtUp = connection.session.cursor <= ring.cursorBefore(connection.index);
    if (caughtUp && !flushing) connection.lagging = false;
  }

  /** The next entries of the ring that a connection is to get, up to about one socket buffer. */
  function collect({ index, group, session }: Connection, limit: number): { entries: RingEntry[]; next: number } {
    const entries: RingEntry[] = [];
    let next = index;
    for (let bytes = 0; next < limit && bytes < UNSENT_BYTES; next += 1) {
      const entry = ring.at(next);
      if (entry.cursor <= session.cursor || !passes(group.filter, entry)) continue;
      entries.push(entry);
      bytes += entry.envelope.length;
    }
    return { entries, next };
  }

  /** In the middle of a flush a connection that has not had its slice yet stands where it was: a repeat is legal, a loss is not. */
  const position = ({ lagging, session, index }: Connection): Session =>
    lagging ? session : followed(session, ring.cursorBefore(flushing && index < flushed ? index : flushed));

  const encodeFrames = ({ encoder, links }: Connection, frames: readonly Frame[]) =>
    frames.map((frame) => (frame.kind === 'event' ? encoder.event(frame.record) : encoder.frame(frame, clock.now(), links))).join('');

  function end(connection: Connection, reason?: string): void {
    if (!connections.delete(connection)) return;
    groups.leave(connection);
    if (reason !== undefined) logger.warn({ reason }, 'a stream connection was too slow and is asked to reconnect');
    const { frames } = cycled(position(connection));
    connection.socket.end(encodeFrames(connection, frames));
  }

  // ---- time

  const ticker = setInterval(() => {
    if (flushing) return;
    const now = clock.now();
    for (const connection of connections) {
      if (now >= connection.endsAt) end(connection);
      else if (connection.stalledSince !== null && now - connection.stalledSince >= STALLED_MS) {
        end(connection, 'stalled');
        connection.socket.destroy();
      } else if (now - connection.lastWrite >= KEEP_ALIVE_MS && connection.stalledSince === null && connection.session.phase === 'following') {
        send(connection, encodeFrames(connection, [keptAlive(position(connection))]));
      }
    }
  }, TICK_MS);
  ticker.unref();

  /** Sends what was missed, page by page, then follows the ring from the head at the time of connecting. */
  async function replay(connection: Connection): Promise<void> {
    while (connection.session.phase === 'replaying' && connections.has(connection)) {
      const records = await readAfter(connection.session.cursor);
      const step = replayed(connection.session, records, (record) => passes(connection.filter, record));
      connection.session = step.session;
      if (step.frames.length > 0) send(connection, encodeFrames(connection, step.frames));
      if (connection.stalledSince !== null) await new Promise((done) => connection.socket.once('drain', done).once('close', done));
    }
  }

  async function readAfter(cursor: number): Promise<LogRecord[]> {
    const index = ring.indexAfter(cursor);
    if (index === null) return log.read(cursor, { records: READ_RECORDS, bytes: EXAMINED_BYTES });
    const upTo = Math.min(ring.end(), index + READ_RECORDS);
    return Array.from({ length: upTo - index }, (_, offset) => ring.at(index + offset));
  }

  return {
    head: () => ring.cursorBefore(ring.end()),
    connections: () => connections.size,

    async connect({ cursor, ...options }) {
      const range = await log.range();
      if (options.socket.destroyed) return;
      const opened = open({ presented: cursor, head: ring.cursorBefore(ring.end()), logHead: range.head, oldest: range.oldest });
      const now = clock.now();
      const connection: Connection = {
        ...options,
        session: opened.session,
        group: groups.of(options.filter, options.encoder),
        index: 0,
        lagging: true,
        stalledSince: null,
        lastWrite: now,
        endsAt: now + LIFETIME_MS + Math.random() * LIFETIME_SPREAD_MS,
      };
      connections.add(connection);
      connection.group.members.add(connection);
      options.socket.once('close', () => {
        connections.delete(connection);
        groups.leave(connection);
      });
      options.socket.on('error', () => options.socket.destroy());
      if (closed) return end(connection);
      send(connection, encodeFrames(connection, opened.frames));
      await replay(connection);
      const index = ring.indexAfter(connection.session.cursor);
      if (index === null) return end(connection, 'behind the ring');
      connection.index = index;
      pump(connection);
    },

    async close() {
      closed = true;
      stopListening();
      clearInterval(ticker);
      if (flushTimer !== null) clearTimeout(flushTimer);
      for (const connection of [...connections]) end(connection);
    },
  };
}

/** A slice of entries as one buffer; each entry's frame is encoded once for all groups. */
function encodeSlice(entries: readonly RingEntry[], encoder: Encoder): Buffer {
  const frames = entries.map((entry) => {
    entry.frames[encoder.format] ??= Buffer.from(encoder.event(entry));
    return entry.frames[encoder.format]!;
  });
  return frames.length === 1 ? frames[0]! : Buffer.concat(frames);
}

/** Groups by filter, found through an index by league, then sport, then all. */
function createGroups() {
  const byKey = new Map<string, Group>();
  const byLeague = new Map<number, Set<Group>>();
  const bySport = new Map<string, Set<Group>>();
  const unbound = new Set<Group>();

  const shelves = ({ filter }: Group): Set<Group>[] => {
    const shelf = <K>(index: Map<K, Set<Group>>, key: K) => {
      const held = index.get(key) ?? new Set<Group>();
      index.set(key, held);
      return held;
    };
    if (filter.leagues.length > 0) return filter.leagues.map((league) => shelf(byLeague, league));
    if (filter.sports.length > 0) return filter.sports.map((sport) => shelf(bySport, sport));
    return [unbound];
  };
  const remove = <K>(index: Map<K, Set<Group>>, keys: readonly K[], group: Group) => {
    for (const key of keys) {
      index.get(key)?.delete(group);
      if (index.get(key)?.size === 0) index.delete(key);
    }
  };
  const keyOf = (filter: EventFilter, encoder: Encoder) => `${encoder.format}${filterKey(filter)}`;

  return {
    of(filter: EventFilter, encoder: Encoder): Group {
      const key = keyOf(filter, encoder);
      const held = byKey.get(key);
      if (held !== undefined) return held;
      const group: Group = { filter, encoder, members: new Set() };
      byKey.set(key, group);
      for (const shelf of shelves(group)) shelf.add(group);
      return group;
    },

    leave(connection: Connection): void {
      const { group } = connection;
      group.members.delete(connection);
      if (group.members.size > 0) return;
      byKey.delete(keyOf(group.filter, group.encoder));
      unbound.delete(group);
      remove(byLeague, group.filter.leagues, group);
      remove(bySport, group.filter.sports, group);
    },

    /** The groups that want some of the entries from..to, with those. */
    wanting(ring: Ring, from: number, to: number): Map<Group, RingEntry[]> {
      const found = new Map<Group, RingEntry[]>();
      for (let index = from; index < to; index += 1) {
        const entry = ring.at(index);
        for (const shelf of [byLeague.get(entry.tournamentId), bySport.get(entry.sport), unbound]) {
          for (const group of shelf ?? []) {
            if (!passes(group.filter, entry)) continue;
            const entries = found.get(group);
            if (entries === undefined) found.set(group, [entry]);
            else entries.push(entry);
          }
        }
      }
      return found;
    },
  };
}
