/** Bonus points, for example for enough tries or for a narrow defeat. Pure. */
import type { BonusRule } from '../sports/table-defaults.ts';
import type { TableMatchRow } from './queries.ts';
import type { TableRules } from './rules.ts';

/** Returns the names of the statistics for which the rules give bonus points. */
export const bonusFigures = ({ bonus }: TableRules): string[] =>
  bonus.flatMap((rule) => ('statistic' in rule ? rule.statistic : []));

/**
 * Returns a side's bonus points.
 * @param figures match statistics by name; a rule whose statistic is unknown is not met
 */
export function bonusPoints(
  side: 'home' | 'away',
  margin: number,
  figures: TableMatchRow['figures'],
  rules: Pick<TableRules, 'bonus'>,
): number {
  const other = side === 'home' ? 'away' : 'home';
  const isMet = (rule: BonusRule): boolean => {
    if ('lost_by_at_most' in rule) return margin < 0 && -margin <= rule.lost_by_at_most;
    const figure = figures?.[rule.statistic];
    if (figure === undefined) return false;
    return 'at_least' in rule ? figure[side] >= rule.at_least : figure[side] - figure[other] >= rule.more_by;
  };
  return rules.bonus.reduce((sum, rule) => sum + (isMet(rule) ? rule.points : 0), 0);
}
