/** One connection slot with the connection that holds it. */
import type { RequestedSlot } from './connection-slot-queries.ts';

export type SlotRequest = Omit<RequestedSlot, 'holder'>;

export type SlotResult = 'taken' | 'full' | 'revoked';

/**
 * Why a connection has to end. The client has reconnected, there are too many connections now that Postgres counts
 * again, or the key is revoked.
 */
export type SlotLoss = 'replaced' | 'full' | 'revoked';

export interface ClientConnection {
  /** The connection has to end. Called at most once, when the slot is already released. */
  lost(why: SlotLoss): void;
}

/** A class without closures, since each connection has one. */
export class Slot implements RequestedSlot {
  readonly subject: string;
  readonly slots: number;
  readonly client: string | null;
  readonly keyId: number | null;
  readonly holder: string;
  readonly connection: ClientConnection;
  /** Slot number. Null if counted by this process alone, until Postgres is back. */
  slot: number | null = null;
  /** The connection has ended, or has lost the slot. */
  isReleased = false;
  private readonly owner: { release(slot: Slot): void };

  /** @param holder identifies the connection over all processes */
  constructor(
    { subject, slots, client, keyId }: SlotRequest,
    holder: string,
    connection: ClientConnection,
    owner: { release(slot: Slot): void },
  ) {
    this.holder = holder;
    this.connection = connection;
    this.owner = owner;
    this.subject = subject;
    this.slots = slots;
    this.client = client;
    this.keyId = keyId;
  }

  assign(slot: number): void {
    this.slot = slot;
  }

  markReleased(): void {
    this.isReleased = true;
  }

  /** Idempotent. */
  release(): void {
    this.owner.release(this);
  }
}
