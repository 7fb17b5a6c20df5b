/** A player's move from one club to another. */
import type { ListedParticipant } from '../identity/index.ts';

export const TRANSFER_TYPES = ['transfer', 'loan', 'loan_return', 'other'] as const;
export type TransferType = (typeof TRANSFER_TYPES)[number];

/** A transfer from a source's list. */
export interface ListedTransfer {
  provider: string;
  /** The source's id. */
  id: string | undefined;
  sport: string;
  gender: string;
  player: ListedParticipant;
  /** YYYY-MM-DD */
  date: string;
  type: TransferType;
  /** Null if the player had no club, or if the club is unknown. */
  from: ListedParticipant | null;
  to: ListedParticipant | null;
  /** A loan's agreed last day, YYYY-MM-DD. */
  loan_until: string | null;
  /** 0 for a free transfer; null if unknown. */
  fee: number | null;
  /** ISO 4217. */
  fee_currency: string | null;
}
