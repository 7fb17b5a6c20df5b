/** The fields of a match in groups: the fields of a group always come from the same provider. */

import { isDeepStrictEqual } from 'node:util';
import type { Block } from '../../identity/precedence.ts';
import type { MatchUpdate } from '../../wire/feed-update.ts';
import { STATUS_DETAILS, type StatusDetail } from '../../wire/match.ts';
import { wireTime } from '../../wire/time.ts';
import type { FieldGroup, MatchState, ResolvedRefs } from '../match-state.ts';

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
  finalized: 'state',
  venue: 'venue',
  referee: 'referee',
  attendance: 'attendance',
  neutral: 'venue',
  importance: 'importance',
  lineup_confirmed: 'lineup_confirmed',
} as const satisfies Record<string, Block>;
export type Group = keyof typeof BLOCK_OF;

/** The fields of an update by group; a group that the update does not mention is absent. */
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
    finalized: { finalized: match.finalized },
    venue: { venue_id: refs.venue_id },
    referee: { referee: match.referee },
    attendance: { attendance: match.attendance },
    neutral: { neutral: match.neutral },
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

/** The status that follows from a detail alone. A repeated detail changes nothing: a match suspended to another day stays scheduled. */
function impliedStatus(before: MatchState | null, detail: StatusDetail | undefined): MatchState['status'] | undefined {
  if (detail === undefined) return undefined;
  return before?.status_detail === detail ? before.status : STATUS_DETAILS[detail].status;
}

/** Whether the state has these values already. */
export const hasValues = (state: MatchState | null, fields: FieldGroup) =>
  Object.entries(fields).every(([field, value]) => isDeepStrictEqual(state?.[field as keyof MatchState], value));
