/** One stream as the hub keeps it, and what it and its protocol say to each other. */
import type { Writable } from 'node:stream';
import type { EventFilter } from '../events/filter.ts';
import type { Encoder, GapLinks } from './encoder.ts';
import type { EndReason } from './end-reason.ts';
import type { Group, Groups } from './groups.ts';
import type { Session } from './session.ts';

/** A reader with more than this unsent gets nothing new until it has drained. */
export const UNSENT_BYTES = 64 * 1024;

export interface ConnectionOptions {
  socket: Writable;
  encoder: Encoder;
  filter: EventFilter;
  /** null: none was presented. */
  cursor: number | null;
  links: GapLinks;
  owner?: Owner;
}

/** Is told what becomes of its connection. */
export interface Owner {
  /** The client has been told that it is connected. */
  opened(connection: LiveConnection): void;
  /** Nothing is written any more, or its socket was gone before it was opened. */
  left(): void;
  /** Several times a second. */
  attend?(now: number): void;
  /** Ends the connection after its last frames; without it they end the socket. */
  finish?(lastFrames: Buffer, reason: EndReason): void;
}

/** What its protocol may do with a connection. */
export interface LiveConnection {
  /** Its own position. */
  cursor(): number;
  filter(): EventFilter;
  /** Writes between frames. */
  send(data: Buffer): void;
  /** From here on another filter decides; the position stays. */
  subscribe(filter: EventFilter): void;
  end(reason: EndReason): void;
  /** Writes nothing more. */
  leave(): void;
}

/** A class for its size: a spread literal has a hidden class of its own, 400 bytes each. */
export class Connection {
  readonly socket: Connected;
  readonly encoder: Encoder;
  readonly links: GapLinks;
  readonly owner: Owner | undefined;
  filter: EventFilter;
  group: Group<Connection>;
  /** Ring index of the next entry to look at, or what its group has got to; null before it stands in the ring. */
  index: number | null = null;
  stalledSince: number | null = null;
  /** Called when the socket takes more, and when it is gone. */
  resume: () => void = nothing;
  lastWrite: number;

  session: Session;
  endsAt: number;

  constructor(
    { socket, encoder, filter, links, owner }: ConnectionOptions,
    groups: Groups<Connection>,
    session: Session,
    now: number,
    endsAt: number,
  ) {
    this.session = session;
    this.endsAt = endsAt;
    this.socket = socket;
    this.encoder = encoder;
    this.links = links;
    this.owner = owner;
    this.lastWrite = now;
    this.group = groups.join(this, filter, encoder);
    // One for all of the group.
    this.filter = this.group.filter;
  }
}

/** So that listeners need no closure of their own for each connection. */
export const CONNECTION = Symbol('connection');
export type Connected = Writable & { [CONNECTION]?: Connection };

const nothing = () => {};
