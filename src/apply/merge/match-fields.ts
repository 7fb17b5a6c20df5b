/** Merges the fields of an update into the stored fields of its match, and holds them to the rules of a match's status. Pure. */
import { isDeepStrictEqual } from 'node:util';
import type { ResolvedRefs } from '../../identity/match-references.ts';
import type { Precedence } from '../../identity/precedence.ts';
import type { Fault } from '../../wire/fault.ts';
import type { MatchUpdate } from '../../wire/feed-update.ts';
import { STATUS_DETAILS, type StatusDetail } from '../../wire/match.ts';
import type { FieldGroup, MatchState } from '../match-state.ts';
import { mayWrite, type ObservedAt, type Provenance, toObservedAt } from '../provenance.ts';
import { BLOCK_OF, DEPENDS_ON, fieldGroups, type Group, mergeDependentGroups } from './field-groups.ts';

export interface MergedFields {
  after: MatchState;
  provenance: Provenance;
  faults: Fault[];
}

/**
 * Merges the fields that an update gives into the stored ones, as far as source precedence allows.
 * @param before null for a new match
 */
export function mergeFields(
  precedence: Precedence,
  before: MatchState | null,
  stored: Provenance,
  update: MatchUpdate,
  refs: ResolvedRefs,
  observedAtOfGroup: ObservedAt = toObservedAt(update),
): MergedFields {
  const { provider } = update;
  const owners = { ...stored };
  /** The fields that this update has written. */
  const taken: FieldGroup = {};
  const written = new Set<Group>();
  const merged = { ...(before ?? newMatch(update, refs)) };
  const given = fieldGroups(before, update, refs);
  for (const [group, fields] of Object.entries(given) as [Group, FieldGroup][]) {
    const observedAt = observedAtOfGroup(group);
    const owner = owners[group];
    const isOfOther = owner !== undefined && owner[0] !== provider;
    const isNews =
      mayWrite(precedence, owner, provider, observedAt, BLOCK_OF[group]) ||
      (group === 'status' && fields.status === 'finished' && isOfOther && isAhead(precedence, before, owner, provider));
    if (!isNews || (isOfOther && isBehind(before, group, fields, given.status_detail?.status_detail))) continue;
    const isStatusOfOther = owners.status !== undefined && owners.status[0] !== provider;
    const isCarried = !isStatusOfOther && CARRIED_GROUPS.includes(group) && carries(merged, given.status?.status);
    if (PHASE_GROUPS.includes(group) && !isCarried && isOfAnotherPhase(merged, given, isStatusOfOther)) continue;
    const hasNoScore = group === 'score' && fields.home_score === null;
    // Without a score before the start, the provider does not deny the score that followed.
    const isOver = hasNoScore && given.status !== undefined && given.status.status !== merged.status;
    if (!isOver) Object.assign(merged, fields);
    owners[group] = hasNoScore ? [provider, observedAt, 'none'] : [provider, observedAt];
    Object.assign(taken, fields);
    written.add(group);
    // The stored detail belongs to the former status.
    if (group === 'status' && !belongs(merged.status_detail, merged.status)) delete owners.status_detail;
  }
  const { state, provenance } = mergeDependentGroups(precedence, before, merged, owners, (group, owner) =>
    owner[0] === provider && written.has(group)
      ? { fields: given[group]!, beside: given[DEPENDS_ON[group]] ?? null }
      : null,
  );
  const after = settle(before, state, taken, isBeforeFinality(provenance, update));
  const faults = statusFaults(before, after, taken, given.status?.status as MatchState['status'] | undefined);
  if (before !== null && before.sport !== update.match.sport) {
    faults.push(fault('match.sport', 'other_sport', `this id already belongs to a match of ${before.sport}`));
  }
  if (before === null && update.match.scheduled_start === undefined) {
    faults.push(fault('match.scheduled_start', 'required', 'is required for a new match'));
  }
  return { after, provenance, faults };
}

/** Whether an update was observed before its provider declared the match final: it corrects nothing. */
export const isBeforeFinality = ({ finalized }: Provenance, { provider, observed_at }: MatchUpdate): boolean =>
  finalized !== undefined && finalized[0] === provider && Date.parse(observed_at) < finalized[1];

/** Returns the state of a match before its first update is merged. */
const newMatch = ({ match: { sport } }: MatchUpdate, refs: ResolvedRefs): MatchState => ({
  sport,
  ...refs,
  venue_id: null,
  scheduled_start: '',
  time_tbd: true,
  start_time: null,
  round_num: null,
  round_name: null,
  group_name: null,
  status: 'scheduled',
  status_detail: 'not_started',
  awaiting_data: false,
  minute: null,
  home_score: null,
  away_score: null,
  period_scores: [],
  shootout_winner: null,
  referee: null,
  attendance: null,
  neutral: null,
  importance: null,
  lineup_confirmed: null,
  finalized: false,
});

/** Groups that describe one phase of the match. */
const PHASE_GROUPS: readonly Group[] = [
  'status_detail',
  'minute',
  'score',
  'period_scores',
  'shootout_winner',
  'finalized',
];

/** Groups that stay as they are when the phase ends: the provider's earlier value counts until it gives another one. */
const CARRIED_GROUPS: readonly Group[] = ['score', 'period_scores', 'shootout_winner'];

/** Whether the present phase comes after one with the `given` status and begins with its score. */
const carries = ({ status, status_detail }: MatchState, given: MatchState['status'] | null | undefined) =>
  status !== 'scheduled' || (given === 'live' && TO_ANOTHER_DAY.includes(status_detail));

/**
 * Whether an update of this group is behind: it gives a former state of the match. From the provider that owns the group that is a
 * forbidden change; from another provider it is not a reason to reject the rest of the update.
 */
function isBehind(
  before: MatchState | null,
  group: Group,
  fields: FieldGroup,
  detail: StatusDetail | undefined,
): boolean {
  if (group === 'lineup_confirmed') return before?.lineup_confirmed === true && fields.lineup_confirmed !== true;
  if (group !== 'status' || fields.status !== 'scheduled') return false;
  const toAnotherDay = detail !== undefined && TO_ANOTHER_DAY.includes(detail);
  return before?.status === 'finished' || (before?.status === 'live' && !toAnotherDay);
}

/**
 * Whether a source of history is ahead of another one because it knows the result, whatever their ranks: `isBehind` gives the
 * same for the other order.
 */
const isAhead = ({ isLive }: Precedence, before: MatchState | null, owner: Provenance[string], provider: string) =>
  before?.status === 'scheduled' && !isLive(provider) && !isLive(owner[0]);

/** Whether the update describes another phase of the match than the current one. */
function isOfAnotherPhase(
  merged: MatchState,
  given: Partial<Record<Group, FieldGroup>>,
  isStatusOfOther: boolean,
): boolean {
  if (given.status !== undefined) return given.status.status !== merged.status;
  const begun = merged.status !== 'scheduled' || merged.status_detail === 'suspended';
  return isStatusOfOther && !begun && (given.score?.home_score ?? null) !== null;
}

/**
 * Fills in fields that follow from others: the default detail, null scores of a cancelled match, finality cleared by a correction.
 * @param taken the fields that this update has written
 * @param isLate whether it was observed before its provider declared the match final
 */
function settle(before: MatchState | null, merged: MatchState, taken: FieldGroup, isLate: boolean): MatchState {
  const after = { ...merged };
  // A status without a detail keeps the stored one if it still belongs; a match suspended to another day is resumed.
  const begins = before?.status === 'scheduled' && after.status === 'live';
  if (taken.status_detail === undefined && (begins || !belongs(after.status_detail, after.status)))
    after.status_detail = DEFAULT_DETAIL[after.status];
  if (after.time_tbd) after.scheduled_start = `${after.scheduled_start.slice(0, 10)}T00:00:00Z`;
  if (after.status_detail === 'cancelled') {
    after.home_score = null;
    after.away_score = null;
    after.period_scores = [];
    after.shootout_winner = null;
  }
  if (after.status === 'live' && after.home_score === null) {
    after.home_score = 0;
    after.away_score = 0;
  }
  if (after.status !== 'live') after.minute = null;
  if (after.status !== 'finished') after.finalized = false;
  // A later correction clears finality, unless the same update says that it is final.
  if (before?.finalized && taken.finalized === undefined && !isLate && !isDeepStrictEqual(before, after))
    after.finalized = false;
  return after;
}

/** The detail of a status that is given without one. */
export const DEFAULT_DETAIL = { scheduled: 'not_started', live: 'in_play', finished: 'ended' } as const;
/** Details with which a match that has started is moved to another day. */
const TO_ANOTHER_DAY: readonly StatusDetail[] = ['suspended', 'postponed'];

/** Whether the detail fits the status. A match suspended to another day is `scheduled` again, and still `suspended`. */
export const belongs = (detail: StatusDetail, status: MatchState['status']) =>
  STATUS_DETAILS[detail].status === status || (detail === 'suspended' && status === 'scheduled');

const fault = (path: string, code: string, detail: string): Fault => ({ path, code, detail });

/**
 * Returns validation errors of the change from `before` to `after`.
 * @param before null for a new match
 * @param taken the fields that the update has written
 * @param given the status that the update gives, written or not
 */
export function statusFaults(
  before: MatchState | null,
  after: MatchState,
  taken: FieldGroup,
  given?: MatchState['status'],
): Fault[] {
  const faults: Fault[] = [];
  if (!belongs(after.status_detail, after.status)) {
    const detail = `${after.status_detail} does not belong to status ${after.status}`;
    faults.push(fault('match.status_detail', 'status_mismatch', detail));
  }
  if (before?.status === 'finished' && after.status === 'scheduled') {
    faults.push(fault('match.status', 'forbidden_move', 'a finished match cannot be scheduled again'));
  }
  if (before?.status === 'live' && after.status === 'scheduled' && !TO_ANOTHER_DAY.includes(after.status_detail)) {
    const detail = 'a live match goes back to scheduled only as suspended or postponed to another day';
    faults.push(fault('match.status', 'forbidden_move', detail));
  }
  if (before?.lineup_confirmed === true && after.lineup_confirmed !== true) {
    faults.push(fault('match.lineup_confirmed', 'forbidden_move', 'an official line-up stays official'));
  }
  if (taken.finalized === true && after.status !== 'finished') {
    faults.push(fault('match.finalized', 'not_finished', 'only a finished match can be final'));
  }
  if (after.home_id === after.away_id)
    faults.push(fault('match.away', 'same_sides', 'home and away are the same participant'));
  const begun =
    after.status !== 'scheduled' ||
    after.status_detail === 'suspended' ||
    before?.status === 'live' ||
    given === 'live';
  if (!begun && after.home_score !== null && (before?.home_score ?? null) === null) {
    faults.push(fault('match.score', 'not_started', 'a match has no score before its start'));
  }
  return faults;
}
