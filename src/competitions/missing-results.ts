/** Detects tables that are known to lack results. Pure. */
import { DAY_SECONDS } from '../wire/time.ts';
import { countMatches, countMeetings, type Meeting, sidesOf } from './meetings.ts';
import type { TableMatchRow } from './queries.ts';

/** A season is over after this many days without a match. No break within a season lasts that long. */
export const OVER_AFTER_DAYS = 120;
/**
 * Maximum share of pairings that may be missing in a season that is recognized as a round robin. One missing pairing is
 * always allowed.
 */
const MISSING_SHARE = 0.1;

/**
 * Returns true if the season's last match started a long time ago, and no match is scheduled.
 * @param now ms since 1970
 */
export function isOver(matches: readonly Pick<TableMatchRow, 'start'>[], now: number): boolean {
  return matches.every(({ start }) => start < now / 1000 - OVER_AFTER_DAYS * DAY_SECONDS);
}

/**
 * Returns true if a match lacks its result. After the end of the season, also returns true if a few pairings or sides have
 * fewer matches than all the others.
 * @param over true if missing matches can no longer appear
 */
export function lacksResults(matches: readonly TableMatchRow[], over: boolean): boolean {
  if (matches.some(({ lacks_result }) => lacks_result)) return true;
  return over && lacksMeetings(matches);
}

/** Returns true if a few pairings or sides have fewer matches than all the others. */
export const lacksMeetings = (matches: readonly Meeting[]): boolean => lacksPairings(matches) || lacksMatches(matches);

/** Returns true if nearly all pairs have met equally often, and a few pairs less often. */
function lacksPairings(matches: readonly Meeting[]): boolean {
  const sides = sidesOf(matches).size;
  const pairs = (sides * (sides - 1)) / 2;
  const meetings = countMeetings(matches);
  const most = Math.max(...meetings.values());
  const fewer = pairs - [...meetings.values()].filter((count) => count === most).length;
  return fewer > 0 && fewer <= Math.max(1, pairs * MISSING_SHARE);
}

/**
 * Returns true if nearly all sides have equally many matches, and a few sides fewer. Used where not every pair meets.
 */
function lacksMatches(matches: readonly Meeting[]): boolean {
  const played = countMatches(matches);
  const most = Math.max(...played.values());
  const fewer = [...played.values()].filter((count) => count < most).length;
  return fewer > 0 && fewer <= Math.max(1, played.size * MISSING_SHARE);
}
