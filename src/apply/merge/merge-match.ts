/** Merges an update into the stored match, and finds the events that report the difference. */
import { isDeepStrictEqual } from 'node:util';
import type { Precedence } from '../../identity/precedence.ts';
import type { MatchUpdate } from '../../wire/feed-update.ts';
import type { Incident } from '../../wire/match.ts';
import { wireTime } from '../../wire/time.ts';
import type { MatchApplyOptions } from '../interface.ts';
import { statusOf } from '../lead/claims.ts';
import { ledBy, parseLead, withLead } from '../lead/lead.ts';
import { isAwaitingData } from '../stored/awaiting-data.ts';
import { parseList } from '../stored/blocks.ts';
import { isAsComplete } from '../stored/completeness.ts';
import { cover, readCovered, uncorrected, withCorrection } from '../stored/correction-overlay.ts';
import { isFinalOnImport, type MatchState } from '../stored/match-state.ts';
import { CORRECTION, type Provenance, toObservedAt } from '../stored/provenance.ts';
import { scoreOfIncidents } from '../stored/score.ts';
import { type StoredMatch, toState } from '../stored/stored-match.ts';
import { deriveScore } from './derived-score.ts';
import type { BlockChanges, BlockMerge } from './match-blocks.ts';
import type { UpdateChange } from './match-change.ts';
import { matchEvents } from './match-events.ts';
import { isBeforeFinality, mergeFields } from './match-fields.ts';
import { concernsFigures, mergeBesideFigures, mergeWithFigures } from './own-figures.ts';

/** A match with an update merged into it. */
interface MergedMatch {
  state: MatchState;
  provenance: Provenance;
  blocks: BlockChanges;
}

/** Sets the outcome of a change, and the match from now on. */
export function mergeMatch(precedence: Precedence, change: UpdateChange, options: MatchApplyOptions): void {
  const { before, sent } = change;
  const former = before && toState(before);
  const merged = mergedMatch(precedence, change, former, options);
  if (merged === null) return;
  const { state, provenance, blocks } = merged;
  if (!change.isReferenced) change.references = [{ provider: sent.provider, external_id: sent.match.id }];
  const hasSameFields = isDeepStrictEqual(former, state);
  const hasSameSources = before !== null && sources(before.provenance) === sources(provenance);
  if (before !== null && hasSameFields && hasSameSources && blocks.changed.size === 0) {
    keepUnchanged(change, before, merged, options);
    return;
  }
  const { update, storedBlocks } = change;
  const observedAt = wireTime(Date.parse(update.observed_at));
  change.outcome = 'accepted';
  change.effect = before === null ? 'insert' : 'update';
  change.after = {
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
  };
  change.blocks = blocks;
  change.occurredAt = observedAt;
  if (options.events)
    change.events = matchEvents({
      before: former,
      after: state,
      incidents: blocks.incidents,
      blocks: blocks.changed,
    });
  if (before === null || !hasSameFields) return;
  change.changedProvenance = changedGroups(before.provenance, provenance);
  change.hasSameCard =
    hasSameSources &&
    before.detail_at !== null &&
    // The weather is part of the list item.
    !blocks.changed.has('weather') &&
    isAsComplete(state.status, storedBlocks, blocks);
}

/**
 * Merges fields, blocks and score, and puts the corrections by hand over the result. Returns null if the update is rejected.
 * @param shown the match as it was shown until now
 */
function mergedMatch(
  base: Precedence,
  change: UpdateChange,
  shown: MatchState | null,
  options: MatchApplyOptions,
): MergedMatch | null {
  const { update, before, lead, refs, playerId, storedBlocks } = change;
  const former = before && toState(uncorrected(before));
  const precedence = ledBy(base, lead ?? (before && parseLead(before.provenance)));
  const observedAt = toObservedAt(update, change.times);
  const fields = mergeFields(precedence, former, before?.provenance ?? {}, update, refs, observedAt);
  if (fields.faults.length > 0) {
    change.outcome = 'rejected';
    change.faults = fields.faults;
    return null;
  }
  const isLeader = lead === null || lead.provider === update.provider;
  const merge: BlockMerge = {
    precedence,
    update: !isLeader && isAhead(update, fields.after) ? withoutIncidents(update) : update,
    playerId,
    isListedCoach: change.isListedCoach,
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
  // An update only ends the mark, which housekeeping makes; a fixture that is imported may be long past.
  const marks = before?.awaiting_data || (!options.events && merged.state.status === 'scheduled');
  const awaiting_data = marks && isAwaitingData(merged.state, provenance, options.now);
  return { ...merged, state: { ...merged.state, awaiting_data } };
}

/** Puts the corrections by hand over a merged match; the players of its incidents are corrected already. */
function withCorrections(merged: MergedMatch, shown: MatchState | null, { match }: MatchUpdate): MergedMatch {
  const { provenance } = merged;
  const correction = readCovered(provenance);
  if (correction === null) return merged;
  const { state, below } = cover(merged.state, shown, correction, match.finalized !== undefined);
  const [, at] = provenance[CORRECTION]!;
  return { ...merged, state, provenance: withCorrection(provenance, at, { ...correction, below }) };
}

/** Keeps differences that no client sees: time of observation, providers, and their ids. */
function keepUnchanged(
  change: UpdateChange,
  before: StoredMatch,
  { provenance, blocks }: MergedMatch,
  { events }: MatchApplyOptions,
): void {
  const withoutTimes = (groups: Provenance) =>
    Object.fromEntries(Object.entries(groups).map(([group, [owner, , hidden]]) => [group, [owner, hidden]]));
  const ownersDiffer = !isDeepStrictEqual(withoutTimes(before.provenance), withoutTimes(provenance));
  // An import has no order in time: the time of its file is not worth a write.
  const observedLater = events && !isDeepStrictEqual(before.provenance, provenance);
  change.after = { ...before, provenance };
  change.blocks = blocks;
  if (ownersDiffer || observedLater || blocks.rows.length > 0) change.effect = 'hidden';
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

/** Whether the provider of the status reports the match as live, and has not reported later that there is no score. */
const wasLive = ({ provider, match, observed_at }: MatchUpdate, { status, score }: Provenance): boolean =>
  status?.[0] === provider &&
  statusOf(match) === 'live' &&
  (score === undefined || score[1] <= Date.parse(observed_at));

/**
 * Whether the update has more goals than the match shows: the incidents of a provider that does not lead would be ahead of the
 * score.
 */
function isAhead({ match }: MatchUpdate, { sport, home_score, away_score }: MatchState): boolean {
  const score = (match.incidents && scoreOfIncidents(sport, match.incidents)) ?? match.score;
  return !!score && (score.home > (home_score ?? 0) || score.away > (away_score ?? 0));
}

const withoutIncidents = (update: MatchUpdate): MatchUpdate => ({
  ...update,
  match: { ...update.match, incidents: undefined },
});

/** Returns the groups that were written, each as a new entry; null if a group is gone. */
function changedGroups(before: Provenance, after: Provenance): Provenance | null {
  if (Object.keys(before).some((group) => !(group in after))) return null;
  return Object.fromEntries(Object.entries(after).filter(([group, owner]) => owner !== before[group]));
}

/** Returns the providers that `meta.sources` names, as one text. */
export const sources = (provenance: Provenance): string => {
  const shown = new Set<string>();
  for (const [group, [provider, , hidden]] of Object.entries(provenance))
    if (hidden === undefined || group === CORRECTION) shown.add(provider);
  return [...shown].sort().join();
};
