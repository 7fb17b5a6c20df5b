/**
 * Decides whether a match without news is shown as `awaiting_data`. This is the case if a scheduled match should have started
 * long ago, or if there is no news about a live match. The stored `status_detail` stays as providers have reported it, and is
 * shown again when news arrives.
 */
import { SPORTS } from '../../sports/sports.ts';
import { AWAITING_DATA } from '../../wire/match.ts';
import { DAY_MS, MINUTE_MS } from '../../wire/time.ts';
import type { MatchState } from './match-state.ts';
import { CORRECTION, type Provenance } from './provenance.ts';

/** A match that was postponed without a date usually gets a new date within this time. */
const NEW_DATE_MS = 180 * DAY_MS;
/** A stopped match is usually resumed within this time, on the next day. */
const RESUMED_MS = 2 * DAY_MS;

const LIMITS = new Map(
  SPORTS.map(({ slug, awaitingAfterStart, awaitingAfterSilence }) => [
    slug,
    { start: awaitingAfterStart * MINUTE_MS, silence: awaitingAfterSilence * MINUTE_MS },
  ]),
);
/** The earliest time after the start at which a match can await data, in ms. */
export const SOONEST_MS = Math.min(...[...LIMITS.values()].flatMap(({ start, silence }) => [start, silence]));

/**
 * Groups and blocks that count as news about a match. Corrections by hand count, too. Odds and weather do not show that a match
 * is going on.
 */
const NEWS = ['status', 'status_detail', 'minute', 'score', 'period_scores', 'incidents', CORRECTION] as const;

type Judged = Pick<MatchState, 'sport' | 'status' | 'status_detail' | 'scheduled_start' | 'time_tbd'>;

/** True if the match has had no news for longer than the sport allows. @param now ms */
export function isAwaitingData(match: Judged, provenance: Provenance, now: number): boolean {
  const limits = LIMITS.get(match.sport);
  if (match.status === 'finished' || limits === undefined) return false;
  if (match.status === 'live') {
    const latest = Math.max(0, ...NEWS.map((group) => provenance[group]?.observedAt ?? 0));
    const limit = match.status_detail === 'suspended' ? Math.max(limits.silence, RESUMED_MS) : limits.silence;
    return now - latest > limit;
  }
  const start = Date.parse(match.scheduled_start) + (match.time_tbd ? DAY_MS : 0);
  const withoutDate = match.status_detail === 'postponed' || match.status_detail === 'suspended';
  return now - start > (withoutDate ? NEW_DATE_MS : limits.start);
}

/** Returns the SQL for the shown `status_detail`. @param match table alias */
export const shownDetailSql = (match: string) =>
  `CASE WHEN ${match}.awaiting_data THEN '${AWAITING_DATA}' ELSE ${match}.status_detail END`;
