/** Rules of a match's status: which detail belongs to it, and which changes are forbidden. */
import type { Fault } from '../../wire/fault.ts';
import { STATUS_DETAILS, type StatusDetail } from '../../wire/match.ts';
import type { FieldGroup, MatchState } from '../match-state.ts';

export const DEFAULT_DETAIL = { scheduled: 'not_started', live: 'in_play', finished: 'ended' } as const;
/** Details with which a match that has started is moved to another day. */
export const TO_ANOTHER_DAY: readonly StatusDetail[] = ['suspended', 'postponed'];

/** A match suspended to another day is `scheduled` again, and still `suspended`. */
export const belongs = (detail: StatusDetail, status: MatchState['status']) =>
  STATUS_DETAILS[detail].status === status || (detail === 'suspended' && status === 'scheduled');

export const fault = (path: string, code: string, detail: string): Fault => ({ path, code, detail });

/**
 * Validation errors of the change from `before` to `after`.
 * @param before null for a new match
 * @param taken the fields that the update has written
 * @param given the status that the update gives, written or not
 */
export function statusFaults(
  before: MatchState | null,
  after: MatchState,
  taken: FieldGroup,
  given: MatchState['status'] | undefined,
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
