/** Whether a table is known to lack results. Pure. */
import type { TableMatchRow } from './queries.ts';
import { sidesOf } from './season-tables.ts';

/** Longer than any break within a season. */
const OVER_AFTER_SECONDS = 120 * 86_400;
/** The part of its pairings that a round robin may lack and still be recognized as one; at least one pairing. */
const MISSING_SHARE = 0.1;

/**
 * Whether no match of a season has been played, or is to be played, for a long time.
 * @param now ms since 1970
 */
export function isOver(matches: readonly Pick<TableMatchRow, 'start'>[], now: number): boolean {
  return matches.every(({ start }) => start < now / 1000 - OVER_AFTER_SECONDS);
}

/**
 * A match without its result; and when the season is over, pairings without the match that nearly all others have.
 * @param over whether matches that are not there cannot come any more
 */
export function lacksResults(matches: readonly TableMatchRow[], over: boolean): boolean {
  if (matches.some(({ lacks_result }) => lacks_result)) return true;
  return over && (lacksPairings(matches) || lacksMatches(matches));
}

/** Nearly all pairs of sides have met equally often, the others less. */
function lacksPairings(matches: readonly TableMatchRow[]): boolean {
  const sides = sidesOf(matches).length;
  const pairs = (sides * (sides - 1)) / 2;
  const meetings = new Map<string, number>();
  for (const { home_id, away_id } of matches) {
    const pair = home_id < away_id ? `${home_id}-${away_id}` : `${away_id}-${home_id}`;
    meetings.set(pair, (meetings.get(pair) ?? 0) + 1);
  }
  const most = Math.max(...meetings.values());
  const fewer = pairs - [...meetings.values()].filter((count) => count === most).length;
  return fewer > 0 && fewer <= Math.max(1, pairs * MISSING_SHARE);
}

/** Not everyone meets everyone, but nearly all sides have equally many matches, the others fewer. */
function lacksMatches(matches: readonly TableMatchRow[]): boolean {
  const played = new Map<number, number>();
  for (const side of matches.flatMap(({ home_id, away_id }) => [home_id, away_id]))
    played.set(side, (played.get(side) ?? 0) + 1);
  const most = Math.max(...played.values());
  const fewer = [...played.values()].filter((count) => count < most).length;
  return fewer > 0 && fewer <= Math.max(1, played.size * MISSING_SHARE);
}
