/** Detects tables that are known to lack results. Pure. */
import { DAY_SECONDS } from '../wire/time.ts';
import { countMatches, countMeetings, sidesOf } from './meetings.ts';
import type { TableMatchRow } from './queries.ts';

/** Longer than any break within a season. */
const OVER_AFTER_SECONDS = 120 * DAY_SECONDS;
/**
 * Share of the pairings, but at least one, that may be missing from a season that is still recognized as a round robin.
 */
const MISSING_SHARE = 0.1;

/**
 * Whether a season has had no match, and will have none, for a long time.
 * @param now ms since 1970
 */
export function isOver(matches: readonly Pick<TableMatchRow, 'start'>[], now: number): boolean {
  return matches.every(({ start }) => start < now / 1000 - OVER_AFTER_SECONDS);
}

/**
 * Whether a match lacks its result or, after the season's end, pairings lack a match that nearly all the rest have.
 * @param over true if missing matches can no longer appear
 */
export function lacksResults(matches: readonly TableMatchRow[], over: boolean): boolean {
  if (matches.some(({ lacks_result }) => lacks_result)) return true;
  return over && (lacksPairings(matches) || lacksMatches(matches));
}

/** Whether nearly all pairs have met equally often, and the rest less. */
function lacksPairings(matches: readonly TableMatchRow[]): boolean {
  const sides = sidesOf(matches).size;
  const pairs = (sides * (sides - 1)) / 2;
  const meetings = countMeetings(matches);
  const most = Math.max(...meetings.values());
  const fewer = pairs - [...meetings.values()].filter((count) => count === most).length;
  return fewer > 0 && fewer <= Math.max(1, pairs * MISSING_SHARE);
}

/** Not every pair meets, but nearly all sides have equally many matches, the rest fewer. */
function lacksMatches(matches: readonly TableMatchRow[]): boolean {
  const played = countMatches(matches);
  const most = Math.max(...played.values());
  const fewer = [...played.values()].filter((count) => count < most).length;
  return fewer > 0 && fewer <= Math.max(1, played.size * MISSING_SHARE);
}
