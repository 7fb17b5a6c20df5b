/** Merges an update into the stored match, and finds the events that report the difference. Pure. */
import { isDeepStrictEqual } from 'node:util';
import type { Precedence } from '../../identity/precedence.ts';
import type { Fault } from '../../wire/fault.ts';
import type { MatchUpdate } from '../../wire/feed-update.ts';
import type { Incident } from '../../wire/match.ts';
import { wireTime } from '../../wire/time.ts';
import { ledBy, parseLead, withLead } from '../lead/choose-leader.ts';
import { statusOf } from '../lead/claims.ts';
import type { Led } from '../lead/lead-updates.ts';
import type { People } from '../resolve/people.ts';
import { isAwaitingData } from '../stored/awaiting-data.ts';
import { parseList, type StoredBlocks } from '../stored/blocks.ts';
import { isAsComplete } from '../stored/completeness.ts';
import { cover, readCovered, uncorrected, withCorrection } from '../stored/correction-overlay.ts';
import { deriveScore, scoreOfIncidents } from '../stored/derived-score.ts';
import { isFinalOnImport, type MatchState } from '../stored/match-state.ts';
import { type Provenance, shownProviders, toObservedAt } from '../stored/provenance.ts';
import { toState } from '../stored/stored-match.ts';
import type { MatchApplyOptions } from '../update-outcomes.ts';
import { concernsFigures, mergeBesideFigures, mergeWithFigures } from './expected-goals.ts';
import type { BlockChanges, BlockMerge } from './match-blocks.ts';
import { type MatchChange, noChange } from './match-change.ts';
import { matchEvents } from './match-events.ts';
import { isBeforeFinality, mergeFields } from './match-fields.ts';

/** An update with everything that the merge needs. */
export interface LoadedUpdate extends Led, People {
  /** The stored blocks to compare with the update. */
  readonly storedBlocks: StoredBlocks;
}

/** The change that an update makes. */
export interface Merged extends MatchChange {
  readonly outcome: 'accepted' | 'unchanged' | 'pending' | 'rejected';
  readonly faults: Fault[];
}

/** The match after an update has been merged into it. */
interface MergedMatch {
  state: MatchState;
  provenance: Provenance;
  blocks: BlockChanges;
}

/** Returns the change for an update that is not merged. */
export const notMerged = ({ before, claims, settledClaims, isPending }: Led): Merged => ({
  ...noChange(before),
  claims,
  settledClaims,
  outcome: isPending ? 'pending' : 'unchanged',
  faults: [],
});

export function mergeMatch(base: Precedence, loaded: LoadedUpdate, options: MatchApplyOptions): Merged {
  const { before, sent, update, storedBlocks } = loaded;
  const former = before && toState(before);
  const precedence = ledBy(base, loaded.lead ?? (before && parseLead(before.provenance)));
  const merged = mergedMatch(precedence, loaded, former, options);
  if ('faults' in merged) return { ...notMerged(loaded), outcome: 'rejected', faults: merged.faults };
  const { state, provenance, blocks } = merged;
  const references = loaded.isReferenced ? [] : [{ provider: sent.provider, external_id: sent.match.id }];
  const unchanged: Merged = { ...notMerged(loaded), references, blocks };
  const hasSameFields = isDeepStrictEqual(former, state);
  const hasSameSources = before !== null && shownProviders(before.provenance) === shownProviders(provenance);
  if (before !== null && hasSameFields && hasSameSources && blocks.changed.size === 0) {
    const isHidden = hasHiddenChanges(before.provenance, merged, options);
    return { ...unchanged, effect: isHidden ? 'hidden' : 'none', after: { ...before, provenance } };
  }
  const observedAt = wireTime(Date.parse(update.observed_at));
  const difference = { before: former, after: state, incidents: blocks.incidents, blocks: blocks.changed };
  return {
    ...unchanged,
    outcome: 'accepted',
    effect: before === null ? 'insert' : 'update',
    after: {
      id: 0,
      sequence: 0,
      version: 0,
      incident_seq: 0,
      detail_at: null,
      updated_at: '',
      ...before,
      ...state,
      provenance,
      status_changed_at: before?.status === state.status ? before.status_changed_at : observedAt,
    },
    occurredAt: observedAt,
    events: options.events ? matchEvents(difference) : [],
    changedProvenance: before !== null && hasSameFields ? changedGroups(before.provenance, provenance) : null,
    hasSameCard:
      hasSameFields &&
      hasSameSources &&
      before !== null &&
      before.detail_at !== null &&
      // The list item contains the weather, so new weather changes the card.
      !blocks.changed.has('weather') &&
      isAsComplete(state.status, storedBlocks, blocks),
  };
}

/**
 * Merges fields, blocks and score, and applies the corrections by hand to the result. Returns faults if the update is rejected.
 * @param shown the match as it was shown until now
 */
function mergedMatch(
  precedence: Precedence,
  { update, times, before, lead, refs, playerId, isListedCoach, storedBlocks }: LoadedUpdate,
  shown: MatchState | null,
  options: MatchApplyOptions,
): MergedMatch | { faults: Fault[] } {
  const former = before && toState(uncorrected(before));
  const observedAt = toObservedAt(update, times);
  const fields = mergeFields(precedence, former, before?.provenance ?? {}, update, refs, observedAt);
  if (fields.faults.length > 0) return { faults: fields.faults };
  const isLeader = lead === null || lead.provider === update.provider;
  const merge: BlockMerge = {
    precedence,
    update: !isLeader && isAhead(update, fields.after) ? withoutIncidents(update) : update,
    playerId,
    isListedCoach,
    observedAt,
    stored: storedBlocks,
    provenance: lead === null ? fields.provenance : withLead(fields.provenance, lead),
    lastIncidentId: before?.incident_seq ?? 0,
  };
  const { blocks, provenance: withBlocks } = concernsFigures(update, before)
    ? mergeWithFigures(merge, fields.after.status === 'finished')
    : mergeBesideFigures(merge);
  const { state, provenance } = deriveScore(
    precedence,
    { state: fields.after, provenance: withBlocks },
    () => blocks.incidents?.incidents ?? parseList<Incident>(storedBlocks.get('incidents')),
    wasLive(update, withBlocks),
  );
  const finalized = isFinal(former, state, provenance, update, blocks, options);
  const merged = withCorrections({ state: { ...state, finalized }, provenance, blocks }, shown, update);
  // Live updates can only remove the `awaiting_data` mark. Imports may also set it, because the date of an imported fixture
  // may be long past.
  const marks = before?.awaiting_data || (!options.events && merged.state.status === 'scheduled');
  const awaiting_data = marks && isAwaitingData(merged.state, provenance, options.now);
  return { ...merged, state: { ...merged.state, awaiting_data } };
}

/** Applies the corrections by hand to a merged match. The players in the incidents are corrected already. */
function withCorrections(merged: MergedMatch, shown: MatchState | null, { match }: MatchUpdate): MergedMatch {
  const { provenance } = merged;
  const correction = readCovered(provenance);
  if (correction === null) return merged;
  const { state, below } = cover(merged.state, shown, correction, match.finalized !== undefined);
  return { ...merged, state, provenance: withCorrection(provenance, { ...correction, below }) };
}

/** True if something differs that no client sees, such as observation times, providers or their ids. */
function hasHiddenChanges(
  before: Provenance,
  { provenance, blocks }: MergedMatch,
  { events }: MatchApplyOptions,
): boolean {
  if (blocks.rows.length > 0) return true;
  // Files are not imported in chronological order, so a changed time alone is not worth a write.
  if (events) return !isDeepStrictEqual(before, provenance);
  const withoutTimes = (groups: Provenance) =>
    Object.fromEntries(Object.entries(groups).map(([group, { observedAt: _at, ...others }]) => [group, others]));
  return !isDeepStrictEqual(withoutTimes(before), withoutTimes(provenance));
}

function isFinal(
  before: MatchState | null,
  { finalized, status, scheduled_start }: MatchState,
  provenance: Provenance,
  update: MatchUpdate,
  blocks: BlockChanges,
  { events, now }: MatchApplyOptions,
): boolean {
  if (update.match.finalized !== undefined || status !== 'finished') return finalized;
  if (!events && isFinalOnImport(scheduled_start, now)) return true;
  const isCorrected = before?.finalized && blocks.changed.size > 0 && !isBeforeFinality(provenance, update);
  return finalized && !isCorrected;
}

/** True if the status provider's update reports the match as live, and no later update has said that there is no score. */
const wasLive = ({ provider, match, observed_at }: MatchUpdate, { status, score }: Provenance): boolean =>
  status?.provider === provider &&
  statusOf(match) === 'live' &&
  (score === undefined || score.observedAt <= Date.parse(observed_at));

/**
 * True if the update has more goals than the match shows. If the update's provider does not lead, the incidents would then be
 * ahead of the score.
 */
function isAhead({ match }: MatchUpdate, { sport, home_score, away_score }: MatchState): boolean {
  const score = (match.incidents && scoreOfIncidents(sport, match.incidents)) ?? match.score;
  return !!score && (score.home > (home_score ?? 0) || score.away > (away_score ?? 0));
}

const withoutIncidents = (update: MatchUpdate): MatchUpdate => ({
  ...update,
  match: { ...update.match, incidents: undefined },
});

/** Returns each written group with its new entry. Null if a group was removed. */
function changedGroups(before: Provenance, after: Provenance): Provenance | null {
  if (Object.keys(before).some((group) => !(group in after))) return null;
  return Object.fromEntries(Object.entries(after).filter(([group, owner]) => owner !== before[group]));
}
