/** The interface between a connection and its protocol. */
import type { EventFilter } from '../events/index.ts';
import type { SampleEvent } from '../wire/sample-event.ts';
import type { EndReason } from './end-reason.ts';

/** The protocol's side of a connection. It is told when the connection opens, delivers events or ends. */
export interface Owner {
  /** Called when the `connected` frame has been written. */
  opened(connection: LiveConnection): void;
  /** Called several times a second, and before `left`. @param events number of events written since the last call */
  delivered?(events: number): void;
  /** Called when no more frames will be written, or when the socket was closed before the connection opened. */
  left(): void;
  /** Called several times a second. @param now ms */
  tick?(now: number): void;
  /** Writes the last frames and ends the connection. Without this method, the connection writes them and ends the socket. */
  finish?(lastFrames: Buffer, reason: EndReason): void;
}

/** Operations that a protocol may use on a connection. */
export interface LiveConnection {
  readonly filter: EventFilter;
  /** How many seconds after an event the connection gets it. */
  readonly delay: number;
  /** Returns the connection's position in the log. */
  cursor(): number;
  /** Writes a protocol's own data, between two frames. */
  send(data: Buffer): void;
  /** Writes a sample event, with the connection's own position, if it passes the filter and the socket keeps up. */
  sendSample(sample: SampleEvent): void;
  /** Replaces the filter for the events after the current position. */
  subscribe(filter: EventFilter): void;
  /**
   * Replaces the filter and the delay. With a longer one, the connection waits at its position until the next event is due. With a
   * shorter one, it gets the events that are due by then as missed events.
   */
  subscribeWithDelay(filter: EventFilter, delay: number): Promise<void>;
  end(reason: EndReason): void;
  /** Stops writing to the connection without sending last frames. */
  leave(): void;
}
