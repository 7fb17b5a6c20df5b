/** Both sides' results in a match, as tables count them. Pure. */
import { bonusPoints } from './bonus-points.ts';
import type { TableMatchRow } from './queries.ts';
import type { TableRules } from './rules.ts';
import type { Result } from './side-totals.ts';

/** Returns both sides' results; an empty list if the match does not count. */
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
