/** Counts the wickets that a batting side has lost, which cricket writes behind its runs. */
import { findSport } from '../../sports/sports.ts';
import type { Incident, MatchItem } from '../../wire/match.ts';

type Side = 'home' | 'away';

/**
 * Counts the wickets of an innings. An incident's side is the side that took the wicket.
 * @param until the last incident that counts; all incidents if absent
 * @returns null for a sport without wickets, and if no incident is known
 */
export function wicketsIn(
  period: string | null,
  batting: Side,
  sport: string,
  incidents: readonly Incident[] | undefined,
  until?: Incident,
): number | null {
  const term = findSport(sport)?.wickets;
  if (term === undefined || incidents === undefined || incidents.length === 0) return null;
  const counted = until === undefined ? incidents : incidents.slice(0, incidents.indexOf(until) + 1);
  return counted.filter(
    (one) => one.payload.raw_kind === term && one.period === period && one.side !== null && one.side !== batting,
  ).length;
}

/** Counts the wickets that a side has lost in its only innings. @returns null if it has batted more than once, or not yet */
export function wicketsLost(
  { sport, extra }: MatchItem,
  batting: Side,
  incidents: readonly Incident[] | undefined,
): number | null {
  const [first, second] = extra.period_scores.filter((period) => period[batting] > 0);
  return first === undefined || second !== undefined ? null : wicketsIn(first.period, batting, sport, incidents);
}
