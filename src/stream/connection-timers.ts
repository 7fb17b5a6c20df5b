/**
 * What happens to connections as time passes: they get keep-alives, and they end when their lifetime is over or when
 * they stall.
 */
import type { Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../runtime/clock.ts';
import type { Connection } from './connection.ts';
import type { EndReason } from './end-reason.ts';

/** Keep-alive interval for a connection without events (spec: 15 s). */
const KEEP_ALIVE_MS = 15_000;
/**
 * Connection lifetime (spec: 60 minutes). A random delay of up to a minute is added, so that connections do not all end
 * together.
 */
const LIFETIME_MS = 60 * 60_000;
const LIFETIME_SPREAD_MS = 60_000;
/** A connection whose socket does not drain for this long is dropped. */
const STALLED_MS = 30_000;
/** Time between two checks of all connections. */
const TICK_MS = 250;

/** @returns when the lifetime ends for a connection that opens at `now` */
export const endOfLife = (now: number): number => now + LIFETIME_MS + Math.random() * (LIFETIME_SPREAD_MS - TICK_MS);

interface TimersOptions {
  clock: Clock;
  connections: ReadonlySet<Connection>;
  /** Number of sockets that are written to in one turn of the event loop. */
  socketsPerTurn: number;
  /** Returns the reason to give when a connection's lifetime is over. */
  endReason(): EndReason;
}

/** Checks the connections until it is stopped. */
export class Timers {
  private readonly options: TimersOptions;
  /**
   * Sockets whose clients have been asked to reconnect, each with the time at which it is destroyed if it is still
   * open.
   */
  private readonly closing = new Map<Writable, number>();
  private readonly interval: NodeJS.Timeout;
  private ticking = false;

  constructor(options: TimersOptions) {
    this.options = options;
    this.interval = setInterval(() => void this.tick(), TICK_MS);
    this.interval.unref();
  }

  /** Number of sockets whose clients have been asked to reconnect and that are still open. */
  get size(): number {
    return this.closing.size;
  }

  /** Destroys the socket later, unless it closes after the last frames. */
  closeLater(socket: Writable): void {
    this.closing.set(socket, this.options.clock.now() + STALLED_MS);
  }

  closed(socket: Writable): void {
    this.closing.delete(socket);
  }

  /** Ends each connection at a different moment, so that the clients do not all reach the next process at once. */
  endAllWithin(spreadMs: number): void {
    const now = this.options.clock.now();
    const last = Math.max(0, spreadMs - TICK_MS);
    for (const connection of this.options.connections) connection.endBy(now + Math.random() * last);
  }

  stop(): void {
    clearInterval(this.interval);
  }

  private async tick(): Promise<void> {
    if (this.ticking) return;
    this.ticking = true;
    const { clock, connections, socketsPerTurn } = this.options;
    const now = clock.now();
    let written = 0;
    for (const connection of connections) {
      if (!this.check(connection, now)) continue;
      written += 1;
      if (written % socketsPerTurn === 0) await turn();
    }
    for (const [socket, deadline] of this.closing) if (now >= deadline) socket.destroy();
    this.ticking = false;
  }

  /** @returns whether a frame was written */
  private check(connection: Connection, now: number): boolean {
    connection.report();
    connection.owner?.tick?.(now);
    if (connection.isDue(now)) connection.end(this.options.endReason());
    else if (connection.isStalled()) {
      if (connection.stalledFor(now) < STALLED_MS) return false;
      connection.endStalled();
    } else {
      if (connection.idleFor(now) < KEEP_ALIVE_MS) return false;
      connection.keepAlive();
    }
    return true;
  }
}
