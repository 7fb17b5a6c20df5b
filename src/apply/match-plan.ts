/** What a batch of match updates changes: collected match by match, before anything is written. */

import { isDeepStrictEqual } from 'node:util';
import type { Precedence } from '../identity/precedence.ts';
import type { Fault } from '../wire/fault.ts';
import type { MatchUpdate } from '../wire/feed-update.ts';
import type { Incident } from '../wire/match.ts';
import { wireTime } from '../wire/time.ts';
import { isAwaitingData } from './awaiting-data.ts';
import { type ClaimRow, statusOf } from './claims.ts';
import { isAsComplete } from './completeness.ts';
import { deriveScore } from './derived-score.ts';
import { isFinalOnImport } from './finality.ts';
import { scoreOfIncidents } from './incident-score.ts';
import { type Lead, type LeadPlan, ledBy, parseLead, recordLead } from './lead.ts';
import { type BlockChanges, mergeBlocks, parseList, type StoredBlocks } from './match-blocks.ts';
import { type MatchEvent, matchEvents } from './match-events.ts';
import { isBeforeFinality, mergeFields } from './match-fields.ts';
import type { MatchState, ResolvedRefs } from './match-state.ts';
import { type Provenance, toObservedAt } from './provenance.ts';
import type { StoredMatch } from './store.ts';
import type { PlayerId } from './wire-blocks.ts';

export interface MatchApplyOptions {
  events: boolean;
  /** ms */
  now: number;
  /** See `ApplyOptions`. */
  areClaims?: boolean;
}

/** An update of a match with its references resolved. */
export interface Prepared {
  update: MatchUpdate;
  refs: ResolvedRefs;
  playerId: PlayerId;
  /** When the provider observed the groups and blocks, in ms, where that is not one time: the update is a claim. */
  times?: ReadonlyMap<string, number>;
}

/** The outcome of an update; a new match has its id only after it was written. */
export type PlannedOutcome =
  | { outcome: 'rejected'; errors: Fault[] }
  | { outcome: 'accepted' | 'unchanged' | 'pending'; match?: { readonly id: number } };

export interface ChangedMatch {
  match: StoredMatch;
  before: StoredMatch | null;
  events: MatchEvent[];
  occurredAt: string;
  blocks: BlockChanges;
  /** The groups of the provenance that differ, if only the provenance and blocks of the match have changed and no group is gone. */
  changedProvenance: Provenance | null;
  /** Whether the card differs only in its times and blocks. */
  hasSameCard: boolean;
}

/** A match of which clients see no change. */
export interface UnchangedMatch {
  match: StoredMatch;
  provenance: Provenance;
  blockRows: BlockChanges['rows'];
  mentions: BlockChanges['mentions'];
}

/** What is to be written. New matches have the id 0 until they are inserted. */
export interface MatchWrites {
  inserts: ChangedMatch[];
  updates: ChangedMatch[];
  deletions: { match: StoredMatch; occurredAt: string }[];
  unchanged: UnchangedMatch[];
  references: { provider: string; external_id: string; match: { id: number } }[];
  /** What providers that do not lead have reported. */
  claims: ClaimRow[];
  /** Claims to be deleted: of a new leader, or of all providers (null). */
  settledClaims: { match_id: number; provider: string | null }[];
}

export class MatchPlan {
  readonly writes: MatchWrites = {
    inserts: [],
    updates: [],
    deletions: [],
    unchanged: [],
    references: [],
    claims: [],
    settledClaims: [],
  };
  private readonly precedence: Precedence;
  private readonly options: MatchApplyOptions;

  constructor(precedence: Precedence, options: MatchApplyOptions) {
    this.precedence = precedence;
    this.options = options;
  }

  /**
   * @param isKnown whether the provider's id of the match is stored already
   * @param lead of the match from now on; null: as it is
   */
  change(
    { update, refs, playerId, times }: Prepared,
    before: StoredMatch | null,
    storedBlocks: StoredBlocks,
    isKnown: boolean,
    lead: Lead | null,
  ): PlannedOutcome {
    const { options, writes } = this;
    const precedence = ledBy(this.precedence, lead ?? (before && parseLead(before.provenance)));
    const state = before && toState(before);
    const { after, provenance, faults } = mergeFields(
      precedence,
      state,
      before?.provenance ?? {},
      update,
      refs,
      toObservedAt(update, times),
    );
    if (faults.length > 0) return { outcome: 'rejected', errors: faults };
    if (lead !== null) recordLead(provenance, lead);
    const leads = lead === null || lead.provider === update.provider;
    const given = !leads && isAhead(update, after) ? withoutIncidents(update) : update;
    const blocks = mergeBlocks(
      precedence,
      given,
      playerId,
      before?.incident_seq ?? 0,
      storedBlocks,
      provenance,
      toObservedAt(update, times),
    );
    const incidents = () => blocks.incidents?.incidents ?? parseList<Incident>(storedBlocks.get('incidents'));
    deriveScore(precedence, after, provenance, incidents, wasLive(update, provenance));
    this.settleFinality(state, after, provenance, update, blocks.changed.size > 0);
    // An update only ends the mark, which housekeeping makes; a fixture that is imported may be long past.
    const marks = before?.awaiting_data || (!options.events && after.status === 'scheduled');
    after.awaiting_data = marks && isAwaitingData(after, provenance, options.now);
    const sameFields = isDeepStrictEqual(state, after);
    const sameSources = before !== null && sources(before.provenance) === sources(provenance);
    const isChanged = blocks.changed.size > 0 || !sameFields || !sameSources;
    const match = isChanged ? this.nextRow(before, after, provenance, update, blocks) : before!;
    if (!isKnown) writes.references.push({ provider: update.provider, external_id: update.match.id, match });
    if (!isChanged) {
      this.keepUnchanged(match, provenance, blocks);
      return { outcome: 'unchanged', match };
    }
    const events = options.events
      ? matchEvents({ before: state, after, incidents: blocks.incidents, blocks: blocks.changed })
      : [];
    match.sequence += events.length;
    (before === null ? writes.inserts : writes.updates).push({
      match,
      before,
      events,
      occurredAt: wireTime(Date.parse(update.observed_at)),
      blocks,
      changedProvenance: sameFields ? changedGroups(before!.provenance, provenance) : null,
      hasSameCard:
        sameFields &&
        sameSources &&
        before.detail_at !== null &&
        // The weather is part of the list item.
        !blocks.changed.has('weather') &&
        isAsComplete(after.status, storedBlocks, blocks),
    });
    return { outcome: 'accepted', match };
  }

  /**
   * @param update of a provider that may not lead
   * @param isKnown whether that provider's id of the match is stored already
   */
  keepClaims(match: StoredMatch, { provider, match: { id } }: MatchUpdate, plan: LeadPlan, isKnown: boolean): void {
    const { claims, takeover, lead } = plan;
    this.writes.claims.push(...claims);
    if (takeover === null) return;
    this.writes.settledClaims.push({ match_id: match.id, provider: lead.provider });
    if (!isKnown) this.writes.references.push({ provider, external_id: id, match });
  }

  delete(update: MatchUpdate, before: StoredMatch): PlannedOutcome {
    const match = { ...before, sequence: before.sequence + 1 };
    this.writes.deletions.push({ match, occurredAt: wireTime(Date.parse(update.observed_at)) });
    return { outcome: 'accepted', match };
  }

  newMatches(): StoredMatch[] {
    return this.writes.inserts.map(({ match }) => match);
  }

  /** When the match was observed, by whom, and under which ids may still have changed. */
  private keepUnchanged(match: StoredMatch, provenance: Provenance, blocks: BlockChanges): void {
    const { rows: blockRows, mentions } = blocks;
    const withoutTimes = (groups: Provenance) =>
      Object.fromEntries(Object.entries(groups).map(([group, [owner, , hidden]]) => [group, [owner, hidden]]));
    const ownersDiffer = !isDeepStrictEqual(withoutTimes(match.provenance), withoutTimes(provenance));
    // An import has no order in time: the time of its file is not worth a write.
    const observedLater = this.options.events && !isDeepStrictEqual(match.provenance, provenance);
    if (ownersDiffer || observedLater || blockRows.length > 0)
      this.writes.unchanged.push({ match, provenance, blockRows, mentions });
  }

  private settleFinality(
    before: MatchState | null,
    after: MatchState,
    provenance: Provenance,
    update: MatchUpdate,
    blocksDiffer: boolean,
  ): void {
    if (update.match.finalized !== undefined || after.status !== 'finished') return;
    if (before?.finalized && blocksDiffer && !isBeforeFinality(provenance, update)) after.finalized = false;
    if (!this.options.events && isFinalOnImport(after.scheduled_start, this.options.now)) after.finalized = true;
  }

  private nextRow(
    before: StoredMatch | null,
    after: MatchState,
    provenance: Provenance,
    update: MatchUpdate,
    blocks: BlockChanges,
  ): StoredMatch {
    const at = wireTime(this.options.now);
    return {
      ...after,
      id: before?.id ?? 0,
      sequence: before?.sequence ?? 0,
      version: (before?.version ?? 0) + 1,
      incident_seq: blocks.incidents?.lastId ?? before?.incident_seq ?? 0,
      provenance,
      detail_at: blocks.changed.size > 0 ? at : (before?.detail_at ?? null),
      status_changed_at:
        before?.status === after.status ? before.status_changed_at : wireTime(Date.parse(update.observed_at)),
      updated_at: at,
    };
  }
}

/** Whether the provider of the status says that the match was live, and has not said later that there is no score. */
const wasLive = ({ provider, match, observed_at }: MatchUpdate, { status, score }: Provenance): boolean =>
  status?.[0] === provider &&
  statusOf(match) === 'live' &&
  (score === undefined || score[1] <= Date.parse(observed_at));

/** Whether the update knows of more goals than are shown: the incidents of a provider that does not lead would be ahead of the score. */
function isAhead({ match }: MatchUpdate, { sport, home_score, away_score }: MatchState): boolean {
  const score = (match.incidents && scoreOfIncidents(sport, match.incidents)) ?? match.score;
  return !!score && (score.home > (home_score ?? 0) || score.away > (away_score ?? 0));
}

const withoutIncidents = (update: MatchUpdate): MatchUpdate => ({
  ...update,
  match: { ...update.match, incidents: undefined },
});

function toState(match: StoredMatch): MatchState {
  const {
    id: _id,
    sequence: _s,
    version: _v,
    incident_seq: _i,
    provenance: _p,
    detail_at: _d,
    status_changed_at: _c,
    updated_at: _u,
    ...state
  } = match;
  return state;
}

/** The groups that were written, each as a new entry; null: one is gone. */
function changedGroups(before: Provenance, after: Provenance): Provenance | null {
  if (Object.keys(before).some((group) => !(group in after))) return null;
  return Object.fromEntries(Object.entries(after).filter(([group, owner]) => owner !== before[group]));
}

/** The providers that `meta.sources` names, as one text. */
const sources = (provenance: Provenance): string => {
  const shown = new Set<string>();
  for (const [provider, , hidden] of Object.values(provenance)) if (hidden === undefined) shown.add(provider);
  return [...shown].sort().join();
};
