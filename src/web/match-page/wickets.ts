/** Counts the wickets of an innings for matches whose source does not give them with the runs. */
import { findSport } from '../../sports/sports.ts';
import type { Incident } from '../../wire/match.ts';

type Side = 'home' | 'away';

const isWicket = ({ kind, payload }: Incident) => kind === 'wicket' || payload.raw_kind === 'wicket';

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
  if (findSport(sport)?.wickets !== true || incidents === undefined || incidents.length === 0) return null;
  const counted = until === undefined ? incidents : incidents.slice(0, incidents.indexOf(until) + 1);
  return counted.filter((one) => isWicket(one) && one.period === period && one.side !== null && one.side !== batting)
    .length;
}
