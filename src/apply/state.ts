/** The state of one match as apply holds it, and the pure step from what is stored and what a provider says to what is true now. */
import { isDeepStrictEqual } from 'node:util';
import type { Block, Precedence } from '../identity/precedence.ts';
import type { Fault } from '../wire/fault.ts';
import type { MatchUpdate } from '../wire/feed-update.ts';
import { STATUS_DETAILS, type StatusDetail } from '../wire/match.ts';
import { wireTime } from '../wire/time.ts';
import type { FieldGroup, MatchState, ResolvedRefs } from './match-state.ts';
import { type Hidden, mayWrite, noteOwner, type Provenance } from './provenance.ts';

/** The status that a detail without one means; a repeated detail changes nothing, `suspended` to another day above all. */
function impliedStatus(before: MatchState | null, detail: StatusDetail | undefined): MatchState['status'] | undefined {
  if (detail === undefined) return undefined;
  return before?.status_detail === detail ? before.status : STATUS_DETAILS[detail].status;
}

/** What is won or lost as a whole, with the block whose order of providers decides; in the order in which they are laid. */
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
  finalized: 'state',
  venue: 'venue',
  referee: 'referee',
  attendance: 'attendance',
  importance: 'importance',
  lineup_confirmed: 'lineup_confirmed',
} as const satisfies Record<string, Block>;
type Group = keyof typeof BLOCK_OF;

/** Groups that belong to a phase of the match. */
const OF_PHASE: readonly Group[] = ['status_detail', 'minute', 'score', 'period_scores', 'finalized'];

/** The fields of an update by group; a group that is absent is no news. */
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
    finalized: { finalized: match.finalized },
    venue: { venue_id: refs.venue_id },
    referee: { referee: match.referee },
    attendance: { attendance: match.attendance },
    importance: { importance: match.importance },
    lineup_confirmed: { lineup_confirmed: match.lineup_confirmed },
  };
  return Object.fromEntries(
    (Object.entries(groups) as [Group, FieldGroup][])
      .map(([group, fields]) => [group, given(fields)] as const)
      .filter(([, fields]) => Object.keys(fields).length > 0),
  );
}

const given = (fields: FieldGroup): FieldGroup =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

const says = (state: MatchState | null, fields: FieldGroup) =>
  Object.entries(fields).every(([field, value]) => isDeepStrictEqual(state?.[field as keyof MatchState], value));

const DEFAULT_DETAIL = { scheduled: 'not_started', live: 'in_play', finished: 'ended' } as const;
/** Details with which a match that has begun goes to another day. */
const TO_ANOTHER_DAY: readonly StatusDetail[] = ['suspended', 'postponed'];

/** A match suspended to another day is `scheduled` again, and still `suspended`. */
const belongs = (detail: StatusDetail, status: MatchState['status']) =>
  STATUS_DETAILS[detail].status === status || (detail === 'suspended' && status === 'scheduled');

const fault = (path: string, code: string, detail: string): Fault => ({ path, code, detail });

/** Faults of the move from `before` to `after`; null before: a new match. */
function moveFaults(before: MatchState | null, after: MatchState, taken: FieldGroup): Fault[] {
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
  const begun = after.status !== 'scheduled' || after.status_detail === 'suspended' || before?.status === 'live';
  if (!begun && after.home_score !== null && (before?.home_score ?? null) === null) {
    faults.push(fault('match.score', 'not_started', 'a match has no score before its start'));
  }
  return faults;
}

/**
 * Whether a provider that has not given this group is behind: it says what was true before. From the one who gave it that is a
 * forbidden move; from another it is no reason to refuse all else that it says.
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

/** Of two sources of history the one that knows the end is ahead, whatever their ranks; so `isBehind` has it for the other order. */
const isAhead = ({ isLive }: Precedence, before: MatchState | null, owner: Provenance[string], provider: string) =>
  before?.status === 'scheduled' && !isLive(provider) && !isLive(owner[0]);

/** Whether what is said of a match is said of another phase of it than the one that it is in. */
function isOfAnotherPhase(
  merged: MatchState,
  said: Partial<Record<Group, FieldGroup>>,
  isStatusOthers: boolean,
): boolean {
  if (said.status !== undefined) return said.status.status !== merged.status;
  const begun = merged.status !== 'scheduled' || merged.status_detail === 'suspended';
  return isStatusOthers && !begun && (said.score?.home_score ?? null) !== null;
}

/**
 * What makes sense only beside the value that its provider had of another group: halves beside their score, a kick-off as the
 * source writes it beside the same kick-off. From a provider of another rank they are shown only while it says the same.
 */
const BESIDE = { start_time: 'start', period_scores: 'score' } as const;
const NONE = { start_time: { start_time: null }, period_scores: { period_scores: [] } };
const FIELDS = {
  start: ['scheduled_start', 'time_tbd'],
  start_time: ['start_time'],
  score: ['home_score', 'away_score'],
  period_scores: ['period_scores'],
} as const;

const part = (state: MatchState | null, group: keyof typeof FIELDS): FieldGroup =>
  Object.fromEntries(FIELDS[group].map((field) => [field, state?.[field]]));

/**
 * Shows and hides what stands beside something else; `provenance` keeps what is hidden.
 * @param claimed what this update says of such a group, where it has just been laid
 * @returns the merged state
 */
function layBeside(
  { rankOf }: Precedence,
  before: MatchState | null,
  merged: MatchState,
  provenance: Provenance,
  claimed: (group: keyof typeof BESIDE, owner: Provenance[string]) => Hidden | null,
): MatchState {
  let shown = merged;
  for (const [group, head] of Object.entries(BESIDE) as ['start_time' | 'period_scores', 'start' | 'score'][]) {
    const owner = provenance[group];
    const headOwner = provenance[head];
    if (owner === undefined || headOwner === undefined) continue;
    const [provider, observedAt, hidden] = owner;
    const claim = claimed(group, owner) ??
      (hidden as Hidden | undefined) ?? { fields: part(before, group), beside: part(before, head) };
    const isOfOne = rankOf(provider, BLOCK_OF[group]) === rankOf(headOwner[0], BLOCK_OF[head]);
    if ((isOfOne && hidden === undefined) || (claim.beside !== null && says(shown, claim.beside))) {
      shown = { ...shown, ...claim.fields };
      provenance[group] = [provider, observedAt];
    } else {
      shown = { ...shown, ...NONE[group] };
      provenance[group] = [provider, observedAt, claim];
    }
  }
  return shown;
}

export interface Step {
  after: MatchState;
  provenance: Provenance;
  faults: Fault[];
}

/**
 * Lays what an update says of the match's fields over what is stored.
 * @param before null for a match that is not there yet.
 */
export function stepFields(
  precedence: Precedence,
  before: MatchState | null,
  held: Provenance,
  update: MatchUpdate,
  refs: ResolvedRefs,
): Step {
  const { provider } = update;
  const observedAt = Date.parse(update.observed_at);
  const provenance = { ...held };
  /** The fields that this update has written. */
  const taken: FieldGroup = {};
  const laid = new Set<Group>();
  let merged: MatchState = before ?? {
    sport: update.match.sport,
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
    minute: null,
    home_score: null,
    away_score: null,
    period_scores: [],
    referee: null,
    attendance: null,
    importance: null,
    lineup_confirmed: null,
    finalized: false,
  };
  const said = fieldGroups(before, update, refs);
  for (const [group, fields] of Object.entries(said) as [Group, FieldGroup][]) {
    const owner = provenance[group];
    const isOthers = owner !== undefined && owner[0] !== provider;
    const isNews =
      mayWrite(precedence, owner, provider, observedAt, BLOCK_OF[group]) ||
      (group === 'status' && fields.status === 'finished' && isOthers && isAhead(precedence, before, owner, provider));
    if (!isNews || (isOthers && isBehind(before, group, fields, said.status_detail?.status_detail))) continue;
    const isStatusOthers = provenance.status !== undefined && provenance.status[0] !== provider;
    if (OF_PHASE.includes(group) && isOfAnotherPhase(merged, said, isStatusOthers)) continue;
    merged = { ...merged, ...fields };
    noteOwner(precedence, provenance, group, BLOCK_OF[group], [provider, observedAt], says(before, fields));
    Object.assign(taken, fields);
    laid.add(group);
    // A detail of the former status was another phase's.
    if (group === 'status' && !belongs(merged.status_detail, merged.status)) delete provenance.status_detail;
  }
  merged = layBeside(precedence, before, merged, provenance, (group, owner) =>
    owner[0] === provider && laid.has(group) ? { fields: said[group]!, beside: said[BESIDE[group]] ?? null } : null,
  );
  const after = settle(before, merged, taken);
  const faults = moveFaults(before, after, taken);
  if (before !== null && before.sport !== update.match.sport) {
    faults.push(fault('match.sport', 'other_sport', `this id is already that of a match of ${before.sport}`));
  }
  if (before === null && update.match.scheduled_start === undefined) {
    faults.push(fault('match.scheduled_start', 'required', 'a new match needs its start'));
  }
  return { after, provenance, faults };
}

/**
 * Fills in what follows from the rest: the default detail, a cancelled match's null scores, a correction's cleared finality.
 * @param taken the fields that this update has written
 */
function settle(before: MatchState | null, merged: MatchState, taken: FieldGroup): MatchState {
  const after = { ...merged };
  // A status without its detail keeps the stored one where it still fits; one that was suspended to another day is played again.
  const begins = before?.status === 'scheduled' && after.status === 'live';
  if (taken.status_detail === undefined && (begins || !belongs(after.status_detail, after.status)))
    after.status_detail = DEFAULT_DETAIL[after.status];
  if (after.time_tbd) after.scheduled_start = `${after.scheduled_start.slice(0, 10)}T00:00:00Z`;
  if (after.status_detail === 'cancelled') {
    after.home_score = null;
    after.away_score = null;
    after.period_scores = [];
  }
  if (after.status === 'live' && after.home_score === null) {
    after.home_score = 0;
    after.away_score = 0;
  }
  if (after.status !== 'live') after.minute = null;
  if (after.status !== 'finished') after.finalized = false;
  // A later correction clears finality, unless the same update says that it is final.
  if (before?.finalized && taken.finalized === undefined && !isDeepStrictEqual(before, after)) after.finalized = false;
  return after;
}
