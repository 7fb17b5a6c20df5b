/** The interface of a kind of destination. A kind is one file in this folder; see the recipe in CONTRIBUTING.md. */
import type { z } from 'zod';
import type { Guard } from '../../outbound/index.ts';
import type { AttemptResult, Sender } from './attempt.ts';

/** An event as it is sent. */
export interface Message {
  eventId: string;
  /** An event type, or `webhook.test`. */
  type: string;
  /** Null for a test event. */
  matchId: number | null;
  /** The bytes that are signed. */
  envelope: string;
  /** The delivery's headers with the signatures, by name. */
  headers: Readonly<Record<string, string>>;
  /** The attempt number, from 1. */
  attempt: number;
}

export type Reply = Omit<AttemptResult, 'durationMs'>;

/** Returned for an event that the receiver has confirmed without a reply. */
export const CONFIRMED: Reply = { status: null, failure: null, cause: null, reply: null, retryAfter: null };

/**
 * Thrown if the receiver has refused an event. The text is fixed or a code of the protocol, since the receiver's own
 * words may contain secrets.
 */
export class Refused extends Error {
  /** Whether the connection can be used for other events. */
  readonly keepsConnection: boolean;

  constructor(failure: string, keepsConnection = true) {
    super(failure);
    this.keepsConnection = keepsConnection;
  }
}

export interface Connection {
  /**
   * Sends one event. Resolves when the receiver has confirmed it.
   * @throws {Refused}
   * @throws if the connection is broken; the caller then closes it and opens another one for the next event
   */
  send(message: Message): Promise<Reply>;
  close(): void;
}

export interface ConnectionContext {
  guard: Guard;
  /** Sends HTTP requests. */
  sender: Sender;
  /** Certificates that tests trust in addition to the public ones. */
  ca?: string | undefined;
  /** The subscription's id and the teams or players that it names. */
  subscriptionId: number;
  participantIds: readonly number[];
}

export interface DestinationKind<S extends { kind: string }> {
  /** Checks the settings that an owner sends. The secret is null if it is not shown or, in a change, not changed. */
  settings: z.ZodType<S>;
  /** The setting that is stored encrypted and never shown. */
  secret: keyof S & string;
  needsSecret(settings: S): boolean;
  /** Returns where the secret is sent. A stored secret is not kept if this changes. */
  receiver(settings: S): string;
  /** Whether the signature is sent. */
  isSigned: boolean;
  /** Returns whether the destination has a form for an event. If undefined, all events can be sent. */
  canSend?(settings: S, event: { type: string; envelope: string }): boolean;
  /** Returns the address that is shown and stored, without the secret: `<kind>://<host>…`. */
  address(settings: S): string;
  /** Makes the checks that need more than the schema. @throws {AddressRefused} */
  check(settings: S, guard: Guard): Promise<void>;
  /** Returns whether the settings prove that the receiver wants events, such as by a password. */
  isAuthorized(settings: S): boolean;
  /** Opens a connection. The library is loaded, and the network used, only by `send`. */
  open(settings: S, context: ConnectionContext): Connection;
}
