/** The results of both sides of a match, as tables count them. Pure. */
import type { BonusRule } from '../sports/table-defaults.ts';
import type { TableMatchRow } from './queries.ts';
import type { TableRules } from './rules.ts';
import type { Result } from './sums.ts';

/** Names of the statistics that the rules give bonus points for. */
export const bonusFigures = ({ bonus }: TableRules): string[] =>
  bonus.flatMap((rule) => ('statistic' in rule ? rule.statistic : []));

/** Returns the bonus points of a side. @param figures of the match; a rule on a figure that is not known is not met */
function bonusPoints(
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

/** Returns the results of both sides; none if the match does not count. */
export function toResults(match: TableMatchRow, rules: Pick<TableRules, 'bonus'>): Result[] {
  if (!match.counted) return [];
  const { home_id, away_id, home_score, away_score, winner, overtime, shoot_out: shootOut, figures } = match;
  const toResult = (
    side: 'home' | 'away',
    team: number,
    opponent: number,
    scored: number,
    conceded: number,
  ): Result => ({
    team,
    opponent,
    away: side === 'away',
    scored,
    conceded,
    outcome: winner === 'draw' ? 'D' : winner === side ? 'W' : 'L',
    overtime,
    shootOut,
    bonus: bonusPoints(side, scored - conceded, figures, rules),
  });
  return [
    toResult('home', home_id, away_id, home_score, away_score),
    toResult('away', away_id, home_id, away_score, home_score),
  ];
}
