/** The fields of a match in groups: the fields of a group always come from the same provider. */
import { isDeepStrictEqual } from 'node:util';
import type { ResolvedRefs } from '../../identity/match-references.ts';
import type { Block, Precedence } from '../../identity/precedence.ts';
import type { MatchUpdate } from '../../wire/feed-update.ts';
import { STATUS_DETAILS, type StatusDetail } from '../../wire/match.ts';
import { wireTime } from '../../wire/time.ts';
import type { FieldGroup, MatchState } from '../match-state.ts';
import type { Hidden, Provenance } from '../provenance.ts';

/** The groups in the order in which they are merged, each with the block whose source precedence applies to it. */
export const BLOCK_OF = {
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
  finalized: 'state',
  venue: 'venue',
  referee: 'referee',
  attendance: 'attendance',
  neutral: 'venue',
  importance: 'importance',
  lineup_confirmed: 'lineup_confirmed',
} as const satisfies Record<string, Block>;
export type Group = keyof typeof BLOCK_OF;

/** Returns the fields of an update by group; a group that the update does not mention is absent. */
export function fieldGroups(
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

/** Returns the fields that have a value or null; null if there are none. Loops, since every update runs it for each group. */
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
 * Returns the status that follows from a detail alone. A repeated detail changes nothing: a match suspended to another day stays
 * scheduled.
 */
function impliedStatus(before: MatchState | null, detail: StatusDetail | undefined): MatchState['status'] | undefined {
  if (detail === undefined) return undefined;
  return before?.status_detail === detail ? before.status : STATUS_DETAILS[detail].status;
}

/** Whether the state has these values already. */
const hasValues = (state: MatchState | null, fields: FieldGroup) =>
  Object.entries(fields).every(([field, value]) => isDeepStrictEqual(state?.[field as keyof MatchState], value));

/**
 * Each dependent group with the group that it depends on. It makes sense only with the value that its provider has for the other
 * group: period scores with their score, a kick-off time as the source writes it with the same kick-off. If the other group is from
 * a provider of another rank, the dependent group is shown only while that provider has the same value.
 */
export const DEPENDS_ON = { start_time: 'start', period_scores: 'score' } as const;
type Dependent = keyof typeof DEPENDS_ON;

/** Values of a dependent group while it is hidden. */
const EMPTY = { start_time: { start_time: null }, period_scores: { period_scores: [] } };
const FIELDS = {
  start: ['scheduled_start', 'time_tbd'],
  start_time: ['start_time'],
  score: ['home_score', 'away_score'],
  period_scores: ['period_scores'],
} as const;

const part = (state: MatchState | null, group: keyof typeof FIELDS): FieldGroup =>
  Object.fromEntries(FIELDS[group].map((field) => [field, state?.[field]]));

/**
 * Shows and hides the dependent groups; the provenance keeps what is hidden.
 * @param givenNow returns the value of a dependent group if this update has just written it
 */
export function mergeDependentGroups(
  { rankOf }: Precedence,
  before: MatchState | null,
  merged: MatchState,
  owners: Provenance,
  givenNow: (group: Dependent, owner: Provenance[string]) => Hidden | null,
): { state: MatchState; provenance: Provenance } {
  let state = merged;
  const provenance = { ...owners };
  for (const [group, head] of Object.entries(DEPENDS_ON) as [Dependent, (typeof DEPENDS_ON)[Dependent]][]) {
    const owner = provenance[group];
    const headOwner = provenance[head];
    if (owner === undefined || headOwner === undefined) continue;
    const [provider, observedAt, hidden] = owner;
    const claim = givenNow(group, owner) ??
      (hidden as Hidden | undefined) ?? { fields: part(before, group), beside: part(before, head) };
    const haveOneRank = rankOf(provider, BLOCK_OF[group]) === rankOf(headOwner[0], BLOCK_OF[head]);
    if ((haveOneRank && hidden === undefined) || (claim.beside !== null && hasValues(state, claim.beside))) {
      state = { ...state, ...claim.fields };
      provenance[group] = [provider, observedAt];
    } else {
      state = { ...state, ...EMPTY[group] };
      provenance[group] = [provider, observedAt, claim];
    }
  }
  return { state, provenance };
}
