/** The change of one match within a transaction: the value that travels through resolve → merge → lead → write. */
import type { ResolvedRefs } from '../../identity/match-references.ts';
import type { WinProbability } from '../../in-play/percent.ts';
import type { Fault } from '../../wire/fault.ts';
import type { MatchUpdate } from '../../wire/feed-update.ts';
import type { ClaimRow } from '../lead/claims.ts';
import type { Lead } from '../lead/lead.ts';
import type { PlayerId } from '../resolve/given-players.ts';
import type { StoredBlocks } from '../stored/blocks.ts';
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
  effect: 'none' | 'hidden' | 'insert' | 'update' | 'delete';
  /** The stored match, locked; null: there is none. */
  before: StoredMatch | null;
  /** The match from now on, or the deleted match. Its id, version, sequence and times are set when it is written. */
  after: StoredMatch | null;
  blocks: BlockChanges;
  events: MatchEvent[];
  /** When the change happened, for its events; null: now. */
  occurredAt: string | null;
  /** The groups of the provenance that differ, if no column beside the provenance does; null: the whole row is written. */
  changedProvenance: Provenance | null;
  /** Whether the card differs only in its times and blocks. */
  hasSameCard: boolean;
  /** What the service has computed for the match as it is now, for its events; null: nothing. */
  winProbability: WinProbability | null;
  /** Providers' ids of the match that are not stored yet. */
  references: { provider: string; external_id: string }[];
  /** New claims of providers that do not lead. */
  claims: ClaimRow[];
  /** Providers whose claims are deleted, because they lead now. */
  settledClaims: string[];
  /** For a deletion: the match that it turned out to be. */
  mergedInto?: number;
}

/** The change that an update causes. */
export interface UpdateChange extends MatchChange {
  /** The update as it was sent. */
  readonly sent: MatchUpdate;
  outcome: 'accepted' | 'unchanged' | 'pending' | 'rejected';
  faults: Fault[];
  /** The update that is merged: the sent one, or the whole claim of a provider that takes over the lead. */
  update: MatchUpdate;
  /** When the provider observed the groups and blocks, in ms, if that is not one time: the update is a claim. */
  times?: ReadonlyMap<string, number>;
  /** Our ids of the entities that `update` names. */
  refs: ResolvedRefs;
  playerId: PlayerId;
  /** Whether the reviewed list has the name as a coach's of that side on the day of the match. */
  isListedCoach: (side: 'home' | 'away', name: string) => boolean;
  /** Whether the provider's id of the match is stored. */
  isReferenced: boolean;
  /** Whether the provider has deleted the match later than it observed the update. */
  isOutdated: boolean;
  /** The lead of the match from now on; null: the update is history, which does not lead. */
  lead: Lead | null;
  /** The stored blocks that the update is compared with. */
  storedBlocks: StoredBlocks;
}

const noChange = (before: StoredMatch | null): MatchChange => ({
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

/** Creates the change of an update with resolved references; its match is not searched yet. */
export const updateChange = (update: MatchUpdate, resolved: Pick<UpdateChange, 'refs' | 'playerId'>): UpdateChange => ({
  ...noChange(null),
  sent: update,
  update,
  ...resolved,
  outcome: 'unchanged',
  faults: [],
  isListedCoach: () => false,
  isReferenced: false,
  isOutdated: false,
  lead: null,
  storedBlocks: new Map(),
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
  after: { ...before },
  ...parts,
});
