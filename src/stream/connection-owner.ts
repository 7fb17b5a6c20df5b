/** What a connection and its protocol ask of each other. */
import type { EventFilter } from '../events/filter.ts';
import type { EndReason } from './end-reason.ts';

/** The protocol's side of a connection, notified of its life cycle. */
export interface Owner {
  /** The client has been sent the `connected` frame. */
  opened(connection: LiveConnection): void;
  /** So many events have been written: several times a second, and before it has left. */
  delivered?(events: number): void;
  /** Nothing more will be written, or the socket was closed before the connection was opened. */
  left(): void;
  /** Several times a second. @param now ms */
  tick?(now: number): void;
  /** Ends the connection after its last frames; without it they end the socket. */
  finish?(lastFrames: Buffer, reason: EndReason): void;
}

/** What its protocol may do with a connection. */
export interface LiveConnection {
  readonly filter: EventFilter;
  /** Its own position. */
  cursor(): number;
  /** Writes between frames. */
  send(data: Buffer): void;
  /** Replaces the filter from the current position on. */
  subscribe(filter: EventFilter): void;
  end(reason: EndReason): void;
  /** Stops writing to the connection, without last frames. */
  leave(): void;
}
