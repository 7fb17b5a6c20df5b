/** The change of a stored match, whatever has caused it, before it is written. */
import type { WinProbability } from '../../in-play/index.ts';
import type { ClaimRow } from '../lead/claims.ts';
import type { Provenance } from '../stored/provenance.ts';
import type { StoredMatch } from '../stored/stored-match.ts';
import { type BlockChanges, noBlockChanges } from './match-blocks.ts';
import type { MatchEvent } from './match-events.ts';

export interface MatchChange {
  /**
   * - `none`: the row of the match stays as it is
   * - `hidden`: only providers, times of observation and ids that no client sees are written, without a new version
   * - `insert`, `update`, `delete`: clients see the change
   */
  readonly effect: 'none' | 'hidden' | 'insert' | 'update' | 'delete';
  /** The stored match, locked; null: there is none. */
  readonly before: StoredMatch | null;
  /** The match from now on, or the deleted match. It gets its id, version, sequence and times when it is written. */
  readonly after: StoredMatch | null;
  readonly blocks: BlockChanges;
  readonly events: readonly MatchEvent[];
  /** When the change happened, for its events; null: now. */
  readonly occurredAt: string | null;
  /** The groups of the provenance that differ, if no column beside the provenance does; null: the whole row is written. */
  readonly changedProvenance: Provenance | null;
  /** Whether the card differs only in its times and blocks. */
  readonly hasSameCard: boolean;
  /** What the service has computed for the match as it is now, for its events; null: nothing. */
  readonly winProbability: WinProbability | null;
  /** Providers' ids of the match that are not stored yet. */
  readonly references: readonly { provider: string; external_id: string }[];
  /** New claims of providers that do not lead. */
  readonly claims: readonly ClaimRow[];
  /** Providers whose claims are deleted, because they lead now. */
  readonly settledClaims: readonly string[];
  /** For a deletion: the match that it turned out to be. */
  readonly mergedInto?: number;
}

export const noChange = (before: StoredMatch | null): MatchChange => ({
  effect: 'none',
  before,
  after: null,
  blocks: noBlockChanges(),
  events: [],
  occurredAt: null,
  changedProvenance: null,
  hasSameCard: false,
  winProbability: null,
  references: [],
  claims: [],
  settledClaims: [],
});

/** Creates the change of a stored match by time, weather, a rename or a linked player. */
export const storedMatchChange = (
  before: StoredMatch,
  fields: Partial<StoredMatch> = {},
  parts: Partial<Pick<MatchChange, 'blocks' | 'events' | 'hasSameCard'>> = {},
): MatchChange => ({ ...noChange(before), effect: 'update', after: { ...before, ...fields }, ...parts });

/** Creates the deletion of a stored match. */
export const matchDeletion = (before: StoredMatch, parts: Pick<MatchChange, 'events' | 'occurredAt'>): MatchChange => ({
  ...noChange(before),
  effect: 'delete',
  after: before,
  ...parts,
});
