/** Orders the sides in a table by tie-break steps. Pure. */
import type { TieBreak } from '../sports/table-defaults.ts';
import { grouped } from '../wire/grouped.ts';
import { netRunRate } from './net-run-rate.ts';
import type { TableRules } from './rules.ts';
import {
  type Carried,
  type Result,
  type ResultsBySide,
  type Sums,
  sideResults,
  sumResults,
  winPercentage,
} from './side-totals.ts';

/** A side's division and conference. */
export interface Alignment {
  /** Null if the conference has no divisions. */
  division: string | null;
  conference: string;
}

export interface TieBreakContext {
  /** All results in the season, including those of sides outside the table. */
  results: ResultsBySide;
  playOffs: ResultsBySide;
  rules: TableRules;
  /** The sums of all sides in the season, including those outside the table. */
  sums: ReadonlyMap<number, Sums>;
  carried: ReadonlyMap<number, Carried>;
  alignment: ReadonlyMap<number, Alignment>;
  /** Each side's place in its division, from 0. Absent while divisions are being ordered. */
  places?: ReadonlyMap<number, number>;
}

const UNBEATEN = 1e6;
/** A side that has conceded nothing has no quotient. Each of its goals or points then counts more than any real quotient. */
const quotient = (won: number, lost: number) => (lost === 0 ? won * UNBEATEN : won / lost);
type SumStep = (row: Sums, rules: TableRules, carried?: Carried) => number;
const SUM_STEPS: Readonly<Record<string, SumStep>> = {
  points: (row) => row.points,
  points_per_match: (row) => (row.played === 0 ? 0 : row.points / row.played),
  win_percentage: (row, rules) => winPercentage(row, rules) ?? 0,
  unrounded_points: (row, _rules, carried) => row.points - (carried?.rounding ?? 0),
  regular_season: (_row, _rules, carried) => -(carried?.place ?? 0),
  wins: (row) => row.wins,
  regulation_wins: (row) => row.wins - row.overtime_wins,
  regulation_overtime_wins: (row) => row.wins - row.shootOutWins,
  goal_difference: (row) => row.scored - row.conceded,
  goals_for: (row) => row.scored,
  goal_average: (row) => quotient(row.scored, row.conceded),
  set_points_average: (row) => quotient(row.setPointsWon, row.setPointsLost),
  away_goals: (row) => row.awayGoals,
  away_wins: (row) => row.awayWins,
  net_run_rate: (row) => netRunRate(row.rate),
} satisfies Partial<Record<TieBreak, SumStep>>;

/** Minimum number of matches that each side must have played against the common opponents. */
const COMMON_GAMES = 4;

/** Steps that read single results. The values have the same order as the sides, and higher is better. */
const RESULT_STEPS: Partial<Record<TieBreak, (tied: readonly number[], context: TieBreakContext) => number[]>> = {
  play_off: (tied, context) => {
    const decided = mutualSums(tied, context.playOffs, context.rules);
    return tied.map((team) => decided.get(team)!.points);
  },
  head_to_head_sweep: sweeps,
  division_leader: (tied, { places }) => tied.map((team) => Number(places?.get(team) === 0)),
  same_division_percentage: (tied, context) => {
    const divisions = new Set(tied.map((team) => context.alignment.get(team)?.division));
    if (divisions.size > 1) return tied.map(() => 0);
    return tied.map((team) => percentageAgainst(team, context, (own, other) => own.division === other.division));
  },
  play_off_side_percentage: (tied, context) => percentagesAgainstQualified(tied, context, true),
  other_play_off_side_percentage: (tied, context) => percentagesAgainstQualified(tied, context, false),
  winning_side_percentage: (tied, context) => {
    const isWinning = (side: number) => winShare(side, context) >= 0.5;
    return tied.map((side) =>
      percentage(
        sideResults(context.results, side).filter(({ opponent }) => isWinning(opponent)),
        context.rules,
      ),
    );
  },
  division_percentage: (tied, context) =>
    tied.map((team) =>
      percentageAgainst(team, context, (own, other) => own.division !== null && own.division === other.division),
    ),
  conference_percentage: (tied, context) =>
    tied.map((team) => percentageAgainst(team, context, (own, other) => own.conference === other.conference)),
  conference_goal_difference: (tied, context) =>
    tied.map((team) =>
      resultsAgainst(team, context, (own, other) => own.conference === other.conference).reduce(
        (sum, { scored, conceded }) => sum + scored - conceded,
        0,
      ),
    ),
  common_games_percentage: commonGames,
  strength_of_victory: (tied, context) => strengths(tied, context, ({ outcome }) => outcome === 'W'),
  strength_of_schedule: (tied, context) => strengths(tied, context, () => true),
};

const HEAD_TO_HEAD = 'head_to_head_';
const isMutual = (step: string) => step.startsWith(HEAD_TO_HEAD) && step !== 'head_to_head_sweep';

/** Orders all sides, best first. If sides are level on all steps, they keep the input order. */
export const orderSides = (sides: readonly number[], context: TieBreakContext): number[] =>
  context.rules.restart_tie_breaks ? orderRestarting(sides, context) : order(sides, context, 0);

/** Orders sides that are level on all steps before `from`. */
function order(tied: readonly number[], context: TieBreakContext, from: number): number[] {
  const step = context.rules.tie_breaks[from];
  if (tied.length < 2 || step === undefined || step === 'name') return [...tied];
  if (!isMutual(step))
    return split(tied, stepValues(step, tied, context)).flatMap((level) => order(level, context, from + 1));
  const steps = mutualSteps(context.rules.tie_breaks.slice(from));
  const levels = mutualLevels(tied, steps, context);
  if (levels.length === 1) return order(tied, context, from + steps.length);
  return levels.flatMap((level) => order(level, context, from));
}

/**
 * Orders sides from several divisions, best first. If the rules have steps of their own for this, usually only the best level
 * side from each division takes part. The rest take part in later turns.
 * @param rows in the order that applies to sides that are level on all steps
 */
export function orderAcrossDivisions<R extends { team: number }>(
  rows: readonly R[],
  context: TieBreakContext & { places: ReadonlyMap<number, number> },
): R[] {
  const { rules, alignment, places } = context;
  const steps = rules.conference_tie_breaks;
  if (steps === undefined) return [...rows];
  const byTeam = new Map(rows.map((row) => [row.team, row]));
  const sides = rows.map(({ team }) => team);
  const findDivision = (team: number) => alignment.get(team)?.division ?? null;
  const isBest = (team: number, among: readonly number[]) =>
    findDivision(team) === null ||
    among.every((other) => findDivision(other) !== findDivision(team) || places.get(team)! <= places.get(other)!);
  const findNext = (level: readonly number[]) => {
    const isOneDivision = new Set(level.map(findDivision)).size === 1;
    const takesBest = isOneDivision || rules.best_of_divisions !== false;
    return findBest(takesBest ? level.filter((team) => isBest(team, level)) : level, stepsFor, context);
  };
  const [leading, ...others] = steps;
  const several = rules.several_tie_breaks?.slice(1) ?? others;
  const stepsFor = (count: number) => (count > 2 ? several : others);
  return split(sides, stepValues(leading!, sides, context))
    .flatMap((level) => inTurns(level, findNext))
    .map((team) => byTeam.get(team)!);
}

/** Orders sides by repeatedly finding the best one of the rest. */
function inTurns(level: readonly number[], findNext: (rest: readonly number[]) => number | undefined): number[] {
  const ordered: number[] = [];
  let rest = level;
  while (rest.length > 1) {
    const next = findNext(rest);
    if (next === undefined) break;
    ordered.push(next);
    rest = rest.filter((team) => team !== next);
  }
  return [...ordered, ...rest];
}

/** Orders sides by the first step. Among level sides, the steps find the best one, and then start over for the rest. */
function orderRestarting(sides: readonly number[], context: TieBreakContext): number[] {
  const [leading, ...steps] = context.rules.tie_breaks;
  return split(sides, stepValues(leading!, sides, context)).flatMap((level) =>
    inTurns(level, (rest) => findBest(rest, () => steps, context)),
  );
}

/**
 * @param stepsFor returns the steps for a number of level sides
 * @returns the best side; the first side in the input if no step decides
 */
function findBest(
  tied: readonly number[],
  stepsFor: (count: number) => readonly TieBreak[],
  context: TieBreakContext,
): number | undefined {
  const steps = stepsFor(tied.length);
  for (const [index, step] of steps.entries()) {
    if (step === 'name') break;
    const [best = []] = isMutual(step)
      ? mutualLevels(tied, mutualSteps(steps.slice(index)), context)
      : split(tied, stepValues(step, tied, context));
    if (best.length === 1) return best[0];
    if (best.length < tied.length) return findBest(best, stepsFor, context);
  }
  return tied[0];
}

function stepValues(step: TieBreak, tied: readonly number[], context: TieBreakContext): number[][] {
  const { sums, carried, rules } = context;
  const ofResults = RESULT_STEPS[step];
  if (ofResults) return ofResults(tied, context).map((value) => [value]);
  const ofSums = SUM_STEPS[step]!;
  return tied.map((team) => [ofSums(sums.get(team)!, rules, carried.get(team))]);
}

/** Returns the head-to-head steps at the start of the list. They share one table. */
function mutualSteps(steps: readonly TieBreak[]): TieBreak[] {
  const others = steps.findIndex((name) => !isMutual(name));
  return others === -1 ? [...steps] : steps.slice(0, others);
}

/** Groups sides that are level, best first. Returns one group if the sides have not met often enough. */
function mutualLevels(tied: readonly number[], steps: readonly TieBreak[], context: TieBreakContext): number[][] {
  if (!haveMet(tied, context)) return [[...tied]];
  const { rules, results } = context;
  const values = steps.flatMap((name) => SUM_STEPS[name.slice(HEAD_TO_HEAD.length)] ?? []);
  const sums = mutualSums(tied, results, rules);
  return split(
    tied,
    tied.map((team) => values.map((value) => value(sums.get(team)!, rules))),
  );
}

/** Returns true if each pair has met as often as the rules require for head-to-head steps. */
function haveMet(sides: readonly number[], { results, rules }: TieBreakContext): boolean {
  const least = rules.head_to_head_meetings;
  if (least === undefined) return true;
  const met = (side: number, other: number) =>
    sideResults(results, side).filter(({ opponent }) => opponent === other).length;
  return sides.every((side, index) => sides.slice(index + 1).every((other) => met(side, other) >= least));
}

/** Computes a table from the matches among some sides. */
function mutualSums(sides: readonly number[], results: ResultsBySide, rules: TableRules): Map<number, Sums> {
  const among = new Set(sides);
  const mutual = sides.flatMap((side) => sideResults(results, side).filter(({ opponent }) => among.has(opponent)));
  const counted = rules.head_to_head_even ? withEvenVenues(mutual) : mutual;
  return sumResults(
    sides,
    grouped(counted, ({ team }) => team),
    rules,
  );
}

/** Leaves out the first matches at the venue where two sides met more often. @param results each side's, oldest first */
function withEvenVenues(results: readonly Result[]): Result[] {
  const hosted = (host: number, guest: number) =>
    results.filter(({ team, opponent, away }) => team === host && opponent === guest && !away).length;
  const skipped = new Map<string, number>();
  return results.filter(({ team, opponent, away }) => {
    const [host, guest] = away ? [opponent, team] : [team, opponent];
    const surplus = hosted(host, guest) - hosted(guest, host);
    // Each match has a result for both sides.
    const key = `${host} ${guest} ${team}`;
    const already = skipped.get(key) ?? 0;
    if (already >= surplus) return true;
    skipped.set(key, already + 1);
    return false;
  });
}

/**
 * Returns 1 for a side that won every match against all other level sides, −1 for one that lost every such match, and 0 for
 * the rest.
 */
function sweeps(tied: readonly number[], { results }: TieBreakContext): number[] {
  return tied.map((side) => {
    const met = tied
      .filter((other) => other !== side)
      .map((other) => sideResults(results, side).filter(({ opponent }) => opponent === other));
    const all = (letter: string) =>
      met.every((list) => list.length > 0 && list.every(({ outcome }) => outcome === letter));
    return all('W') ? 1 : all('L') ? -1 : 0;
  });
}

/**
 * Returns each side's win percentage against the sides that have a place in the play-offs, or are level with such a side.
 * @param own true for sides in the same conference, false for those in the other
 */
function percentagesAgainstQualified(tied: readonly number[], context: TieBreakContext, own: boolean): number[] {
  const { alignment, results, rules } = context;
  const { wild_cards = 0, play_in = 0 } = rules.qualification ?? {};
  const won = new Map([...alignment.keys()].map((side) => [side, winShare(side, context)]));
  const isQualified = (side: number) => {
    const sides = [...alignment].filter(([, { conference }]) => conference === alignment.get(side)?.conference);
    const better = sides.filter(([other]) => won.get(other)! > won.get(side)!);
    return better.length < wild_cards + play_in;
  };
  const qualified = new Set([...alignment.keys()].filter(isQualified));
  return tied.map((side) =>
    percentage(
      sideResults(results, side).filter(
        ({ opponent }) =>
          qualified.has(opponent) && (alignment.get(opponent)?.conference === alignment.get(side)?.conference) === own,
      ),
      rules,
    ),
  );
}

type IsAgainst = (own: Alignment, other: Alignment) => boolean;

const percentageAgainst = (side: number, context: TieBreakContext, isAgainst: IsAgainst): number =>
  percentage(resultsAgainst(side, context, isAgainst), context.rules);

/** Returns a side's results against the sides in some divisions or conferences. */
function resultsAgainst(side: number, { results, alignment }: TieBreakContext, isAgainst: IsAgainst): Result[] {
  const own = alignment.get(side);
  if (own === undefined) return [];
  return sideResults(results, side).filter(({ opponent }) => {
    const other = alignment.get(opponent);
    return other !== undefined && isAgainst(own, other);
  });
}

/** @param results of one side */
function percentage(results: readonly Result[], rules: TableRules): number {
  const played = results.filter(({ noResult }) => !noResult);
  const count = (letter: Result['outcome']) => played.filter(({ outcome }) => outcome === letter).length;
  return winPercentage({ wins: count('W'), draws: count('D'), losses: count('L') }, rules) ?? 0;
}

/** Returns a side's win percentage over the season; 0 without a result. */
function winShare(side: number, { sums, rules }: TieBreakContext): number {
  const row = sums.get(side);
  return (row && winPercentage(row, rules)) ?? 0;
}

/**
 * Returns each side's win percentage against the opponents that all level sides have met. If a side has too few such
 * matches, all values are 0.
 */
function commonGames(tied: readonly number[], { results, rules }: TieBreakContext): number[] {
  const opponents = tied.map((side) => new Set(sideResults(results, side).map(({ opponent }) => opponent)));
  const [first = new Set<number>(), ...others] = opponents;
  const common = new Set([...first].filter((opponent) => others.every((met) => met.has(opponent))));
  const games = tied.map((side) => ({
    played: sideResults(results, side).filter(({ opponent }) => common.has(opponent)),
  }));
  if (games.some(({ played }) => played.length < COMMON_GAMES)) return tied.map(() => 0);
  return games.map(({ played }) => percentage(played, rules));
}

/**
 * Returns the opponents' combined win percentages over the selected matches. An opponent counts once for each match.
 */
function strengths(
  tied: readonly number[],
  { results, sums, rules }: TieBreakContext,
  isTaken: (result: Result) => boolean,
): number[] {
  return tied.map((side) => {
    const total = { wins: 0, draws: 0, losses: 0 };
    for (const { opponent } of sideResults(results, side).filter(isTaken)) {
      const row = sums.get(opponent);
      if (row === undefined) continue;
      total.wins += row.wins;
      total.draws += row.draws;
      total.losses += row.losses;
    }
    return winPercentage(total, rules) ?? 0;
  });
}

/**
 * Groups sides with equal values, highest values first.
 * @param values each side's values, in the same order as the sides
 */
function split(teams: readonly number[], values: readonly number[][]): number[][] {
  const valued = teams.map((team, index) => ({ team, values: values[index]! }));
  const compare = (a: number[], b: number[]) => {
    const index = a.findIndex((value, at) => value !== b[at]);
    return index === -1 ? 0 : a[index]! > b[index]! ? -1 : 1;
  };
  valued.sort((a, b) => compare(a.values, b.values));
  const levels: number[][] = [];
  let last: { values: number[]; level: number[] } | undefined;
  for (const { team, values: own } of valued) {
    if (last !== undefined && compare(last.values, own) === 0) last.level.push(team);
    else {
      last = { values: own, level: [team] };
      levels.push(last.level);
    }
  }
  return levels;
}
