/** One connection slot, and the connection that has it. */
import type { SlotClaim } from './slot-queries.ts';

export type SlotRequest = Omit<SlotClaim, 'holder'>;

export type ClaimOutcome = 'taken' | 'full' | 'revoked';

/** Why a connection has to end: its client has come back, there are too many now that Postgres counts again, the key is revoked. */
export type SlotLoss = 'replaced' | 'full' | 'revoked';

export interface ClientConnection {
  /** It has to end: called at most once, and there is nothing left to release then. */
  lost(why: SlotLoss): void;
}

/** A class without closures, since there is one for each connection. */
export class Slot implements SlotClaim {
  readonly subject: string;
  readonly slots: number;
  readonly client: string | null;
  readonly keyId: number | null;
  readonly holder: string;
  readonly connection: ClientConnection;
  /** Its number; null: counted by this process alone, until Postgres is back. */
  slot: number | null = null;
  /** The connection has ended, or has lost it. */
  isReleased = false;
  private readonly owner: { release(slot: Slot): void };

  /** @param holder names the connection among those of all processes */
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

  /** May be called again. */
  release(): void {
    this.owner.release(this);
  }
}
