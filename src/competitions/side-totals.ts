/** Totals over a side's results: wins, scores and points. Pure. */
import { addRates, NO_RATE, type RunRate } from './net-run-rate.ts';
import type { TableRules } from './rules.ts';

/** A match from one side's perspective. */
export interface Result {
  team: number;
  opponent: number;
  away: boolean;
  scored: number;
  conceded: number;
  outcome: 'W' | 'D' | 'L';
  /** True if the match was decided after overtime, extra time or a shoot-out. */
  overtime: boolean;
  /** True if a shoot-out decided the match. */
  shootOut?: boolean;
  /** Points that the side won and lost in the sets of a match, in sports whose tables count them. */
  setPoints?: { won: number; lost: number };
  /** Bonus points, which are added to the points for the outcome. */
  bonus?: number;
  /** True if the match was abandoned, and the rules give points for that. Such a match has no outcome. */
  noResult?: boolean;
  /** In cricket: what the match adds to the run rate. */
  rate?: RunRate;
}

/** Number of matches in the form table and in each row's form. */
const FORM_MATCHES = 5;

export interface TableRow {
  team: number;
  played: number;
  wins: number;
  draws: number;
  losses: number;
  /** Wins and losses after overtime. They are included in `wins` and `losses`. */
  overtime_wins: number;
  overtime_losses: number;
  scored: number;
  conceded: number;
  /** Matches without a result that have points. They are included in `played`. */
  no_results: number;
  rate: RunRate;
  /** Points won and lost in all sets. */
  setPointsWon: number;
  setPointsLost: number;
  /** Bonus points. They are included in `points`. */
  bonus: number;
  /** Points, including adjustments. */
  points: number;
  form: string;
}

export interface Sums extends TableRow {
  awayGoals: number;
  awayWins: number;
  shootOutWins: number;
}

/** Results that a side carries over from the regular season into its group after a split. */
export interface Carried {
  /** Added to the points from the group's results. */
  points: number;
  /** The part of `points` that comes from rounding; negative if rounded down. */
  rounding: number;
  /** Place in the regular season. */
  place: number;
}

/** Returns the results from each side's last matches. */
export function lastResults<R extends Result>(results: readonly R[], count = FORM_MATCHES): R[] {
  const taken = new Map<number, number>();
  return results
    .toReversed()
    .filter(({ team, noResult }) => {
      if (noResult) return false;
      const already = taken.get(team) ?? 0;
      taken.set(team, already + 1);
      return already < count;
    })
    .toReversed();
}

/** Results by side, oldest first. */
export type ResultsBySide = ReadonlyMap<number, readonly Result[]>;

/** Returns a side's results, oldest first. */
export const sideResults = (results: ResultsBySide, team: number): readonly Result[] => results.get(team) ?? [];

/** Sums the results for each of the given teams. */
export const sumResults = (
  teams: Iterable<number>,
  results: ResultsBySide,
  rules: Pick<TableRules, 'points'>,
): Map<number, Sums> => new Map([...teams].map((team) => [team, sumSide(team, sideResults(results, team), rules)]));

/** @param results the side's results, oldest first */
function sumSide(team: number, results: readonly Result[], { points }: Pick<TableRules, 'points'>): Sums {
  const row: Sums = {
    team,
    played: 0,
    wins: 0,
    draws: 0,
    losses: 0,
    overtime_wins: 0,
    overtime_losses: 0,
    scored: 0,
    conceded: 0,
    no_results: 0,
    rate: NO_RATE,
    setPointsWon: 0,
    setPointsLost: 0,
    bonus: 0,
    points: 0,
    form: '',
    awayGoals: 0,
    awayWins: 0,
    shootOutWins: 0,
  };
  for (const result of results) addResult(row, result, points);
  row.form = newest(results)
    .map(({ outcome }) => outcome)
    .join('');
  return row;
}

/** Returns a side's last results that have an outcome, newest first. @param results the side's results, oldest first */
export function newest<R extends Result>(results: readonly R[], count = FORM_MATCHES): R[] {
  const last: R[] = [];
  for (let index = results.length - 1; index >= 0 && last.length < count; index -= 1)
    if (!results[index]!.noResult) last.push(results[index]!);
  return last;
}

/** Adds a result to a side's sums, except to the form. */
export function addResult(
  row: Sums,
  { away, scored, conceded, outcome, overtime, shootOut, setPoints, bonus = 0, noResult, rate }: Result,
  points: TableRules['points'],
): void {
  row.played += 1;
  if (noResult) {
    row.no_results += 1;
    row.points += points.no_result ?? 0;
    return;
  }
  if (rate !== undefined) row.rate = addRates(row.rate, rate);
  row.scored += scored;
  row.conceded += conceded;
  if (away) row.awayGoals += scored;
  if (away && outcome === 'W') row.awayWins += 1;
  if (outcome === 'W') row.wins += 1;
  else if (outcome === 'D') row.draws += 1;
  else row.losses += 1;
  if (overtime && outcome === 'W') row.overtime_wins += 1;
  if (overtime && outcome === 'L') row.overtime_losses += 1;
  if (shootOut && outcome === 'W') row.shootOutWins += 1;
  row.setPointsWon += setPoints?.won ?? 0;
  row.setPointsLost += setPoints?.lost ?? 0;
  row.bonus += bonus;
  row.points += pointsFor(outcome, overtime, points) + bonus;
}

/**
 * Returns the share of matches won, from 0 to 1; null without a match. A draw counts as half a win, or is ignored if the
 * rules say so.
 */
export function winPercentage(
  { wins, draws, losses }: Pick<TableRow, 'wins' | 'draws' | 'losses'>,
  { draws_in_percentage = true }: Pick<TableRules, 'draws_in_percentage'>,
): number | null {
  const half = draws_in_percentage ? draws : 0;
  const matches = wins + losses + half;
  return matches === 0 ? null : (wins + half / 2) / matches;
}

/**
 * Returns how many games a side is behind a leader; negative if it is ahead. As usual in North American leagues, this is the
 * mean of the differences in wins and in losses.
 */
export const gamesBehind = (
  leader: Pick<TableRow, 'wins' | 'draws' | 'losses'>,
  side: Pick<TableRow, 'wins' | 'draws' | 'losses'>,
): number => (leader.wins - side.wins + side.losses - leader.losses) / 2;

/** @param overtime true if the match was decided after overtime, extra time or a shoot-out */
export function pointsFor(outcome: 'W' | 'D' | 'L', overtime: boolean, points: TableRules['points']): number {
  if (outcome === 'D') return points.draw;
  if (outcome === 'W') return overtime ? (points.overtime_win ?? points.win) : points.win;
  return overtime ? (points.overtime_loss ?? points.loss) : points.loss;
}
