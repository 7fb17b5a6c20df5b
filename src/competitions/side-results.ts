/** Both sides' results in a match, as tables count them. Pure. */
import { bonusPoints } from './bonus-points.ts';
import { runRate, turned } from './net-run-rate.ts';
import type { TableMatchRow } from './queries.ts';
import type { TableRules } from './rules.ts';
import type { Result } from './side-totals.ts';

/** Returns both sides' results; an empty list if the match does not count. */
export function toResults(
  match: TableMatchRow,
  rules: Pick<TableRules, 'bonus' | 'points' | 'shoot_out_goal'>,
): Result[] {
  if (!match.counted) return match.abandoned && rules.points.no_result !== undefined ? withoutResult(match) : [];
  const {
    home_id,
    away_id,
    home_score,
    away_score,
    winner,
    overtime,
    shoot_out: shootOut,
    set_points,
    figures,
  } = match;
  const rate = runRate(match.innings ?? null);
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
    ...(set_points && { setPoints: { won: set_points[side], lost: set_points[side === 'home' ? 'away' : 'home'] } }),
    bonus: bonusPoints(side, scored - conceded, figures, rules),
    ...(rate !== null && { rate: side === 'home' ? rate : turned(rate) }),
  });
  const counts = rules.shoot_out_goal === true && shootOut;
  const home = home_score + Number(counts && winner === 'home');
  const guest = away_score + Number(counts && winner === 'away');
  return [toResult('home', home_id, away_id, home, guest), toResult('away', away_id, home_id, guest, home)];
}

/** Returns the results of an abandoned match, which has no winner and no runs. */
function withoutResult({ home_id, away_id }: TableMatchRow): Result[] {
  const toResult = (team: number, opponent: number, away: boolean): Result => ({
    team,
    opponent,
    away,
    scored: 0,
    conceded: 0,
    outcome: 'D',
    overtime: false,
    noResult: true,
  });
  return [toResult(home_id, away_id, false), toResult(away_id, home_id, true)];
}
