/** A match's stored fields that updates change, and the match status rules: details, forbidden moves, finality. */
import type { Fault } from '../../wire/fault.ts';
import { STATUS_DETAILS, type StatusDetail } from '../../wire/match.ts';
import { DAY_MS } from '../../wire/time.ts';

export interface PeriodScore {
  period: string;
  home: number;
  away: number;
  /** In cricket: who bats, and what stands behind the runs. */
  innings?: { batting: 'home' | 'away'; wickets: number; overs: string; declared?: boolean | undefined } | undefined;
}

/** The `match` columns that updates change. Ids are ours. */
export interface MatchState {
  sport: string;
  tournament_id: number;
  season_id: number;
  home_id: number;
  away_id: number;
  /** YYYY-MM-DDTHH:MM:SSZ */
  scheduled_start: string;
  time_tbd: boolean;
  start_time: string | null;
  round_num: number | null;
  round_name: string | null;
  group_name: string | null;
  status: 'scheduled' | 'live' | 'finished';
  status_detail: StatusDetail;
  /** True if `awaiting_data` is shown instead of `status_detail`; see awaiting-data.ts. */
  awaiting_data: boolean;
  minute: number | null;
  home_score: number | null;
  away_score: number | null;
  period_scores: PeriodScore[];
  /** The shoot-out winner. The source may lack the shoot-out's score. */
  shootout_winner: 'home' | 'away' | null;
  /** The result, if the score does not show it. */
  given_winner: 'home' | 'away' | 'draw' | null;
  venue_id: number | null;
  referee: string | null;
  attendance: number | null;
  /** True if neither side plays at home. Null if not known. */
  neutral: boolean | null;
  importance: number | null;
  lineup_confirmed: boolean | null;
  finalized: boolean;
}

/** A subset of the columns. */
export type FieldGroup = { [K in keyof MatchState]?: MatchState[K] | undefined };

/** The default detail for each status. */
export const DEFAULT_DETAIL = { scheduled: 'not_started', live: 'in_play', finished: 'ended' } as const;
/** Details of a match that has started and then been moved to a later day. */
export const TO_ANOTHER_DAY: readonly StatusDetail[] = ['suspended', 'postponed'];

/**
 * True if the detail fits the status. A match suspended to a later day has the status `scheduled` again, and keeps the detail
 * `suspended`.
 */
export const belongs = (detail: StatusDetail, status: MatchState['status']) =>
  STATUS_DETAILS[detail].status === status || (detail === 'suspended' && status === 'scheduled');

/**
 * Returns the faults in the change from `before` to `after`.
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
    const detail = 'a live match can go back to scheduled only if it is suspended or postponed to another day';
    faults.push(fault('match.status', 'forbidden_move', detail));
  }
  if (before?.lineup_confirmed === true && after.lineup_confirmed !== true) {
    faults.push(fault('match.lineup_confirmed', 'forbidden_move', 'an official line-up cannot become unofficial'));
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

export const fault = (path: string, code: string, detail: string): Fault => ({ path, code, detail });

/** A finished match becomes final if it does not change for this long (spec: 24 h). */
export const FINAL_AFTER_MS = DAY_MS;
/** Assumed length of a match, including breaks. */
const MATCH_LENGTH_MS = 3 * 3_600_000;

/** True if a match is final `now`. @param at the time of the match's last change, ms */
export const isFinalSince = (at: number, now: number): boolean => at <= now - FINAL_AFTER_MS;

/**
 * True if an imported match is final. The time of its last change is not known, so it counts from the assumed end of the
 * match.
 */
export const isFinalOnImport = (scheduledStart: string, now: number): boolean =>
  Date.parse(scheduledStart) + MATCH_LENGTH_MS + FINAL_AFTER_MS < now;
