/** The interface between a connection and its protocol. */
import type { EventFilter } from '../events/index.ts';
import type { EndReason } from './end-reason.ts';

/** The protocol's side of a connection, which is notified when the connection opens, delivers and ends. */
export interface Owner {
  /** The `connected` frame has been written. */
  opened(connection: LiveConnection): void;
  /** Reports the number of events written, several times a second, and before the connection has left. */
  delivered?(events: number): void;
  /** No more frames will be written, or the socket was closed before the connection was opened. */
  left(): void;
  /** Called several times a second. @param now ms */
  tick?(now: number): void;
  /** Ends the connection after the last frames. Without it they end the socket. */
  finish?(lastFrames: Buffer, reason: EndReason): void;
}

/** Operations that a protocol may use on a connection. */
export interface LiveConnection {
  readonly filter: EventFilter;
  /** Returns the connection's position. */
  cursor(): number;
  /** Writes data between frames. */
  send(data: Buffer): void;
  /** Replaces the filter from the current position on. */
  subscribe(filter: EventFilter): void;
  end(reason: EndReason): void;
  /** Stops writing to the connection, without last frames. */
  leave(): void;
}
