/** Computes tables with sums and points from results. The order of sides comes from tie-breaks.ts. Pure. */

import { grouped } from '../wire/grouped.ts';
import { adjustPoints } from './deductions.ts';
import type { TableRules } from './rules.ts';
import {
  addResult,
  type Carried,
  type Result,
  type ResultsBySide,
  type Sums,
  sumResults,
  type TableRow,
} from './side-totals.ts';
import { type Alignment, orderSides, type TieBreakContext } from './tie-breaks.ts';

export interface Team {
  id: number;
  name: string;
}

export interface TableExtras {
  /** Points that the organizer added, by team; negative if deducted. */
  adjustments?: ReadonlyMap<number, number>;
  carried?: ReadonlyMap<number, Carried>;
  /** Results of play-offs between level sides. They decide the order, but do not count in the sums. */
  playOffs?: readonly Result[];
  /** Places that the organizer has assigned, from 1, by team. */
  placed?: ReadonlyMap<number, number>;
  /** Divisions and conferences by team, for the steps that need them. */
  alignment?: ReadonlyMap<number, Alignment>;
}

/**
 * @param teams all teams in the table, including those without a match
 * @param results oldest first; results of teams that are not in the table are ignored
 * @returns best first
 */
export function computeTable(
  teams: readonly Team[],
  results: readonly Result[],
  rules: TableRules,
  {
    adjustments = new Map(),
    carried = new Map(),
    playOffs = [],
    placed = new Map(),
    alignment = new Map(),
  }: TableExtras = {},
): TableRow[] {
  const totals = totalResults(teams, results, rules, adjustments);
  for (const [team, { points }] of carried) {
    const side = totals.sums.get(team);
    if (side !== undefined) side.points += points;
  }
  const context = { ...totals, playOffs: bySide(playOffs), rules, carried, alignment };
  return rankSides(teams, context, placed);
}

/** All results of a season, and each side's sums. */
export interface Totals {
  results: ResultsBySide;
  sums: Map<number, Sums>;
}

const bySide = (results: readonly Result[]): ResultsBySide => grouped(results, ({ team }) => team);

/**
 * @param teams all teams, including those without a match
 * @param all oldest first
 * @param adjustments points that the organizer added, by team
 */
export function totalResults(
  teams: readonly Team[],
  all: readonly Result[],
  rules: TableRules,
  adjustments: ReadonlyMap<number, number>,
): Totals {
  const results = bySide(all);
  const sums = sumResults(new Set([...teams.map(({ id }) => id), ...results.keys()]), results, rules);
  adjustPoints(sums, adjustments);
  return { results, sums };
}

/** Returns the rows of some of the season's teams, best first. @param placed places that the organizer has assigned */
export function rankSides(
  teams: readonly Team[],
  context: TieBreakContext,
  placed: ReadonlyMap<number, number> = new Map(),
): TableRow[] {
  const byName = [...teams]
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id))
    .map(({ id }) => id);
  return withPlaces(orderSides(byName, context), placed).map((team) => {
    const { awayGoals: _awayGoals, awayWins: _awayWins, shootOutWins: _shootOutWins, ...row } = context.sums.get(team)!;
    return row;
  });
}

/** A ranked side with its points. */
export type Ranked = Pick<TableRow, 'team' | 'points'>;

/**
 * Prepares a table that is ordered many times. Some results are always the same, and some are added each time.
 * @param teams all side ids
 * @returns a function that returns the sides, best first. Its arguments are the added results, and all sides in the order
 * that applies to those that stay level.
 */
export function createRanking(
  teams: readonly number[],
  results: readonly Result[],
  rules: TableRules,
  { adjustments = new Map(), playOffs = [], placed = new Map() }: Omit<TableExtras, 'carried' | 'alignment'> = {},
): (further: readonly Result[], lots: readonly number[]) => Ranked[] {
  const base = sumResults(teams, bySide(results), rules);
  adjustPoints(base, adjustments);
  const deciding = bySide(playOffs);
  return (further, lots) => {
    const sums = new Map<number, Sums>();
    for (const [team, row] of base) sums.set(team, { ...row });
    for (const result of further) addResult(sums.get(result.team)!, result, rules.points);
    let all: ResultsBySide | undefined;
    const context: TieBreakContext = {
      // Only head-to-head steps read the results, and these steps are rarely needed.
      get results() {
        all ??= bySide([...results, ...further]);
        return all;
      },
      playOffs: deciding,
      rules,
      sums,
      carried: new Map(),
      alignment: new Map(),
    };
    return withPlaces(orderSides(lots, context), placed).map((team) => ({ team, points: sums.get(team)!.points }));
  };
}

/** Moves sides to the places that the organizer has assigned. The rest keep their order. */
function withPlaces(ordered: readonly number[], placed: ReadonlyMap<number, number>): number[] {
  const places = ordered.filter((team) => !placed.has(team));
  const given = ordered.filter((team) => placed.has(team)).sort((a, b) => placed.get(a)! - placed.get(b)!);
  for (const team of given) places.splice(placed.get(team)! - 1, 0, team);
  return places;
}
