/** A score with its parts, such as goals and behinds, for sports whose parts are worth different numbers of points. */
import { findSport } from '../../sports/sports.ts';
import type { MatchView } from './match-view.ts';

/**
 * Returns the parts and their value, summed over the periods, as `12.8 (80)`.
 * @returns null if the sport shows no parts, if they are not known for each of the periods, or if they contradict the score
 */
export function scorePartsText(
  sport: string,
  statistics: MatchView['blocks']['statistics'],
  { side, periods, score }: { side: 'home' | 'away'; periods: readonly string[]; score: number | null },
): string | null {
  const parts = findSport(sport)?.scoreParts;
  if (parts === undefined || statistics === undefined) return null;
  const sums = parts.names.map((name) => {
    const values = periods.map(
      (period) => statistics.find((one) => one.period === period && one.stat_name === name)?.[`${side}_value`] ?? NaN,
    );
    return values.reduce((sum, value) => sum + value, 0);
  });
  const total = sums.reduce((sum, count, index) => sum + count * parts.values[index]!, 0);
  return total === score ? `${sums.join('.')} (${total})` : null;
}
