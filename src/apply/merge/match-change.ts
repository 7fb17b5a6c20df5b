/** A change to a stored match before it is written, whatever its cause. */
import type { WinProbability } from '../../in-play/index.ts';
import type { ClaimRow } from '../lead/claims.ts';
import type { Provenance } from '../stored/provenance.ts';
import type { StoredMatch } from '../stored/stored-match.ts';
import { type BlockChanges, noBlockChanges } from './match-blocks.ts';
import type { MatchEvent } from './match-events.ts';

export interface MatchChange {
  /**
   * - `none`: the match row stays as it is
   * - `hidden`: only providers, observation times and ids that no client sees are written, without a new version
   * - `insert`, `update`, `delete`: clients see the change
   */
  readonly effect: 'none' | 'hidden' | 'insert' | 'update' | 'delete';
  /** The stored match, locked. Null if there is none. */
  readonly before: StoredMatch | null;
  /** The match after the change, or the deleted match. Id, version, sequence and times are set when it is written. */
  readonly after: StoredMatch | null;
  readonly blocks: BlockChanges;
  readonly events: readonly MatchEvent[];
  /** When the change happened, for the events. Null means now. */
  readonly occurredAt: string | null;
  /** The changed provenance groups, if only the provenance column differs. Null if the whole row is written. */
  readonly changedProvenance: Provenance | null;
  /** True if the card differs only in times and blocks. */
  readonly hasSameCard: boolean;
  /** The win probability that the service has computed for the new state, for the events. Null without one. */
  readonly winProbability: WinProbability | null;
  /** Providers' match ids that are not stored yet. */
  readonly references: readonly { provider: string; external_id: string }[];
  /** New claims from providers that do not lead. */
  readonly claims: readonly ClaimRow[];
  /** Providers that lead now, so that their claims are deleted. */
  readonly settledClaims: readonly string[];
  /** For a deletion, the match that turned out to be the same as the deleted one. */
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

/** Creates a change to a stored match that is caused not by an update but by time, weather, a rename or a linked player. */
export const storedMatchChange = (
  before: StoredMatch,
  fields: Partial<StoredMatch> = {},
  parts: Partial<Pick<MatchChange, 'blocks' | 'events' | 'hasSameCard'>> = {},
): MatchChange => ({ ...noChange(before), effect: 'update', after: { ...before, ...fields }, ...parts });

/** Creates the change that deletes a stored match. */
export const matchDeletion = (before: StoredMatch, parts: Pick<MatchChange, 'events' | 'occurredAt'>): MatchChange => ({
  ...noChange(before),
  effect: 'delete',
  after: before,
  ...parts,
});
