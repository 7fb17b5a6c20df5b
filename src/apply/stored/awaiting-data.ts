/**
 * Decides whether a match without news is shown as `awaiting_data`: a scheduled match long past the start, or a live match that is
 * silent. The stored `status_detail` stays as providers have reported it, and is shown again when the match has news.
 */
import { SPORTS } from '../../sports/sports.ts';
import { AWAITING_DATA } from '../../wire/match.ts';
import { DAY_MS, MINUTE_MS } from '../../wire/time.ts';
import type { MatchState } from './match-state.ts';
import { CORRECTION, type Provenance } from './provenance.ts';

/** A match that was postponed without a date gets a new one within the season. */
const NEW_DATE_MS = 180 * DAY_MS;
/** A match that was stopped is usually resumed on the next day. */
const RESUMED_MS = 2 * DAY_MS;

const LIMITS = new Map(
  SPORTS.map(({ slug, awaitingAfterStart, awaitingAfterSilence }) => [
    slug,
    { start: awaitingAfterStart * MINUTE_MS, silence: awaitingAfterSilence * MINUTE_MS },
  ]),
);
/** No match awaits data sooner than this after the start, in ms. */
export const SOONEST_MS = Math.min(...[...LIMITS.values()].flatMap(({ start, silence }) => [start, silence]));

/** Groups and blocks whose updates show that a match is going on, and corrections by hand. Odds and weather do not. */
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
