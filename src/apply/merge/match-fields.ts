/** Merges an update's fields into the stored fields, and checks the result by the match status rules. Pure. */
import { isDeepStrictEqual } from 'node:util';
import type { ResolvedRefs } from '../../identity/index.ts';
import type { Block, Precedence } from '../../identity/precedence.ts';
import type { Fault } from '../../wire/fault.ts';
import type { MatchUpdate } from '../../wire/feed-update.ts';
import { STATUS_DETAILS, type StatusDetail } from '../../wire/match.ts';
import { wireTime } from '../../wire/time.ts';
import {
  belongs,
  DEFAULT_DETAIL,
  type FieldGroup,
  fault,
  type MatchState,
  statusFaults,
  TO_ANOTHER_DAY,
} from '../stored/match-state.ts';
import {
  type Entry,
  type HiddenValue,
  mayWrite,
  type ObservedAt,
  type Provenance,
  type ProvenanceDraft,
  toObservedAt,
} from '../stored/provenance.ts';

export interface MergedFields {
  after: MatchState;
  provenance: Provenance;
  faults: Fault[];
}

/**
 * Merges the fields that an update gives into the stored fields, as far as source precedence allows.
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
  const owners: ProvenanceDraft = { ...stored };
  /** The fields that this update has written. */
  const taken: FieldGroup = {};
  const written = new Set<Group>();
  const merged = { ...(before ?? newMatch(update, refs)) };
  const given = fieldGroups(before, update, refs);
  for (const [group, fields] of Object.entries(given) as [Group, FieldGroup][]) {
    const observedAt = observedAtOfGroup(group);
    const owner = owners[group];
    const isOfOther = owner !== undefined && owner.provider !== provider;
    const isNews =
      mayWrite(precedence, owner, provider, observedAt, BLOCK_OF[group]) ||
      (group === 'status' && fields.status === 'finished' && isOfOther && isAhead(precedence, before, owner, provider));
    if (!isNews || (isOfOther && isBehind(before, group, fields, given.status_detail?.status_detail))) continue;
    const isStatusOfOther = owners.status !== undefined && owners.status.provider !== provider;
    const isCarried = !isStatusOfOther && CARRIED_GROUPS.includes(group) && carries(merged, given.status?.status);
    if (PHASE_GROUPS.includes(group) && !isCarried && isOfAnotherPhase(merged, given, isStatusOfOther)) continue;
    const hasNoScore = group === 'score' && fields.home_score === null;
    // If a provider gave no score because the match had not started, a score that has been given since then stays.
    const isOver = hasNoScore && given.status !== undefined && given.status.status !== merged.status;
    if (!isOver) Object.assign(merged, fields);
    owners[group] = hasNoScore ? { provider, observedAt, hidden: 'none' } : { provider, observedAt };
    Object.assign(taken, fields);
    written.add(group);
    // A stored detail that does not fit the new status loses its owner.
    if (group === 'status' && !belongs(merged.status_detail, merged.status)) delete owners.status_detail;
  }
  const { state, provenance } = mergeDependentGroups(precedence, before, merged, owners, (group, owner) =>
    owner.provider === provider && written.has(group)
      ? { fields: given[group] ?? {}, beside: given[DEPENDS_ON[group]] ?? null }
      : null,
  );
  const after = settle(before, state, taken, isBeforeFinality(provenance, update));
  const faults = statusFaults(before, after, taken, given.status?.status);
  if (before !== null && before.sport !== update.match.sport) {
    faults.push(fault('match.sport', 'other_sport', `this id already belongs to a match of ${before.sport}`));
  }
  if (before === null && update.match.scheduled_start === undefined) {
    faults.push(fault('match.scheduled_start', 'required', 'is required for a new match'));
  }
  return { after, provenance, faults };
}

/** True if an update was observed before the same provider declared the match final. Such an update corrects nothing. */
export const isBeforeFinality = ({ finalized }: Provenance, { provider, observed_at }: MatchUpdate): boolean =>
  finalized?.provider === provider && Date.parse(observed_at) < finalized.observedAt;

/** Returns a match's state before the first update is merged. */
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
  given_winner: null,
  referee: null,
  attendance: null,
  neutral: null,
  importance: null,
  lineup_confirmed: null,
  finalized: false,
});

/** Groups that describe one match phase. */
const PHASE_GROUPS: readonly Group[] = [
  'status_detail',
  'minute',
  'score',
  'period_scores',
  'shootout_winner',
  'given_winner',
  'finalized',
];

/** Groups whose values stay when the phase ends. The provider's earlier value counts until the provider gives a new one. */
const CARRIED_GROUPS: readonly Group[] = ['score', 'period_scores', 'shootout_winner', 'given_winner'];

/** True if the present phase follows a phase with the `given` status and starts from that phase's score. */
const carries = ({ status, status_detail }: MatchState, given: MatchState['status'] | null | undefined) =>
  status !== 'scheduled' || (given === 'live' && TO_ANOTHER_DAY.includes(status_detail));

/**
 * True if an update would set this group back to an earlier state. The update is rejected if its provider owns the group.
 * Otherwise only the group is ignored.
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
 * True if a history source knows the result and the history source of the stored state does not. The result then counts,
 * whatever the ranks of the two sources. If the updates arrive in the opposite order, `isBehind` applies.
 */
const isAhead = ({ isLive }: Precedence, before: MatchState | null, owner: Entry, provider: string) =>
  before?.status === 'scheduled' && !isLive(provider) && !isLive(owner.provider);

/** True if the update describes a match phase that is not the current one. */
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
 * Fills in derived values: the default detail, null scores for a cancelled match, and finality, which a
 * correction clears.
 * @param taken the fields that this update has written
 * @param isLate true if the update was observed before the provider declared the match final
 */
function settle(before: MatchState | null, merged: MatchState, taken: FieldGroup, isLate: boolean): MatchState {
  const after = { ...merged };
  // A status without a detail keeps the stored detail if both fit together. When a match suspended to a later day becomes
  // live, it gets the default detail.
  const begins = before?.status === 'scheduled' && after.status === 'live';
  if (taken.status_detail === undefined && (begins || !belongs(after.status_detail, after.status)))
    after.status_detail = DEFAULT_DETAIL[after.status];
  if (after.time_tbd) after.scheduled_start = `${after.scheduled_start.slice(0, 10)}T00:00:00Z`;
  if (after.status_detail === 'cancelled') {
    after.home_score = null;
    after.away_score = null;
    after.period_scores = [];
    after.shootout_winner = null;
    after.given_winner = null;
  }
  if (after.status === 'live' && after.home_score === null) {
    after.home_score = 0;
    after.away_score = 0;
  }
  if (after.status !== 'live') after.minute = null;
  if (after.status !== 'finished') after.finalized = false;
  // A later correction clears finality. The match stays final if the update itself says so.
  if (before?.finalized && taken.finalized === undefined && !isLate && !isDeepStrictEqual(before, after))
    after.finalized = false;
  return after;
}

// ---- field groups: all fields in a group always come from the same provider

/** The groups in merge order, each with the block whose source precedence applies. */
const BLOCK_OF = {
  sides: 'sides',
  start: 'start',
  start_time: 'start',
  round_num: 'round',
  round_name: 'round',
  group_name: 'round',
  status: 'state',
  status_detail: 'state',
  minute: 'state',
  score: 'state',
  period_scores: 'state',
  shootout_winner: 'state',
  given_winner: 'state',
  finalized: 'state',
  venue: 'venue',
  referee: 'referee',
  attendance: 'attendance',
  neutral: 'venue',
  importance: 'importance',
  lineup_confirmed: 'lineup_confirmed',
} as const satisfies Record<string, Block>;
type Group = keyof typeof BLOCK_OF;

/** Returns an update's fields by group. A group that the update does not mention is absent. */
function fieldGroups(
  before: MatchState | null,
  { match }: MatchUpdate,
  refs: ResolvedRefs,
): Partial<Record<Group, FieldGroup>> {
  const start = match.scheduled_start;
  const detail = match.status_detail;
  const groups: Record<Group, FieldGroup> = {
    sides: {
      tournament_id: refs.tournament_id,
      season_id: refs.season_id,
      home_id: refs.home_id,
      away_id: refs.away_id,
    },
    start: {
      scheduled_start: start === undefined ? undefined : wireTime(Date.parse(start)),
      time_tbd: match.time_tbd ?? (start === undefined ? undefined : false),
    },
    start_time: { start_time: match.start_time },
    round_num: { round_num: match.round_num },
    round_name: { round_name: match.round_name },
    group_name: { group_name: match.group_name },
    status: { status: match.status ?? impliedStatus(before, detail) },
    status_detail: { status_detail: detail },
    minute: { minute: match.minute },
    score: {
      home_score: match.score === undefined ? undefined : (match.score?.home ?? null),
      away_score: match.score === undefined ? undefined : (match.score?.away ?? null),
    },
    period_scores: { period_scores: match.period_scores },
    shootout_winner: { shootout_winner: match.shootout_winner },
    given_winner: { given_winner: match.winner },
    finalized: { finalized: match.finalized },
    venue: { venue_id: refs.venue_id },
    referee: { referee: match.referee },
    attendance: { attendance: match.attendance },
    neutral: { neutral: match.neutral },
    importance: { importance: match.importance },
    lineup_confirmed: { lineup_confirmed: match.lineup_confirmed },
  };
  const mentioned: Partial<Record<Group, FieldGroup>> = {};
  for (const group of Object.keys(groups) as Group[]) {
    const fields = given(groups[group]);
    if (fields !== null) mentioned[group] = fields;
  }
  return mentioned;
}

/**
 * Returns the fields whose value is not undefined. Null if all are undefined. Uses a loop, since every update calls this for
 * each group.
 */
function given(fields: FieldGroup): FieldGroup | null {
  let found: Record<string, unknown> | null = null;
  for (const field of Object.keys(fields) as (keyof MatchState)[]) {
    if (fields[field] === undefined) continue;
    found ??= {};
    found[field] = fields[field];
  }
  return found;
}

/**
 * Returns the status that a detail implies if no status is given. A repeated detail implies none, so a match suspended to
 * a later day stays scheduled.
 */
function impliedStatus(before: MatchState | null, detail: StatusDetail | undefined): MatchState['status'] | undefined {
  if (detail === undefined) return undefined;
  return before?.status_detail === detail ? before.status : STATUS_DETAILS[detail].status;
}

/** True if the state already has these values. */
const hasValues = (state: MatchState | null, fields: FieldGroup) =>
  Object.entries(fields).every(([field, value]) => isDeepStrictEqual(state?.[field as keyof MatchState], value));

/**
 * Each dependent group, with the main group that it depends on. A dependent value makes sense only together with the same
 * provider's main value: period scores with the score, and the written kick-off time with the kick-off. If a provider of
 * another rank gives the main group, the dependent group is shown only while both providers agree on the main value.
 */
const DEPENDS_ON = { start_time: 'start', period_scores: 'score', given_winner: 'score' } as const;
type Dependent = keyof typeof DEPENDS_ON;

/** The values that clients see for a hidden dependent group. */
const EMPTY = {
  start_time: { start_time: null },
  period_scores: { period_scores: [] },
  given_winner: { given_winner: null },
};
const FIELDS = {
  start: ['scheduled_start', 'time_tbd'],
  start_time: ['start_time'],
  score: ['home_score', 'away_score'],
  period_scores: ['period_scores'],
  given_winner: ['given_winner'],
} as const;

const part = (state: MatchState | null, group: keyof typeof FIELDS): FieldGroup =>
  Object.fromEntries(FIELDS[group].map((field) => [field, state?.[field]]));

/**
 * Shows or hides each dependent group. A hidden group's values stay in the provenance.
 * @param givenNow returns a dependent group's value if this update has just written it
 */
function mergeDependentGroups(
  { rankOf }: Precedence,
  before: MatchState | null,
  merged: MatchState,
  owners: Provenance,
  givenNow: (group: Dependent, owner: Entry) => HiddenValue | null,
): { state: MatchState; provenance: Provenance } {
  let state = merged;
  const provenance: ProvenanceDraft = { ...owners };
  for (const [group, head] of Object.entries(DEPENDS_ON) as [Dependent, (typeof DEPENDS_ON)[Dependent]][]) {
    const owner = provenance[group];
    const headOwner = provenance[head];
    if (owner === undefined || headOwner === undefined) continue;
    const { provider, observedAt, hidden } = owner;
    const kept = typeof hidden === 'object' ? hidden : { fields: part(before, group), beside: part(before, head) };
    const claim = givenNow(group, owner) ?? kept;
    const haveOneRank = rankOf(provider, BLOCK_OF[group]) === rankOf(headOwner.provider, BLOCK_OF[head]);
    if ((haveOneRank && hidden === undefined) || (claim.beside !== null && hasValues(state, claim.beside))) {
      state = { ...state, ...claim.fields };
      provenance[group] = { provider, observedAt };
    } else {
      state = { ...state, ...EMPTY[group] };
      provenance[group] = { provider, observedAt, hidden: claim };
    }
  }
  return { state, provenance };
}
