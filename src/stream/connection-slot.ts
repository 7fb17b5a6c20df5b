/** One connection slot with the connection that holds it. */
import type { RequestedSlot } from './connection-slot-queries.ts';

export type SlotRequest = Omit<RequestedSlot, 'holder'>;

export type SlotResult = 'taken' | 'full' | 'revoked';

/**
 * Why a connection that lost its slot has to end. `replaced` means that the client has reconnected. `full` means that
 * there were too many connections when Postgres was available again. `revoked` means that the key was revoked.
 */
export type SlotLoss = 'replaced' | 'full' | 'revoked';

export interface ClientConnection {
  /** Ends the connection. Called at most once, after the slot has been released. */
  lost(why: SlotLoss): void;
}

/** Uses no closures, to save memory, since every connection has an instance. */
export class Slot implements RequestedSlot {
  readonly subject: string;
  readonly slots: number;
  readonly client: string | null;
  readonly keyId: number | null;
  readonly holder: string;
  readonly connection: ClientConnection;
  /** The slot's number. Null while only this process counts the slot, because Postgres is unavailable. */
  slot: number | null = null;
  /** True if the connection has ended or has lost the slot. */
  isReleased = false;
  private readonly owner: { release(slot: Slot): void };

  /** @param holder identifies the connection across all processes */
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
