/** Tables from results: sums, points and tie-breakers. Pure. */
import type { TieBreak } from '../sports/table-defaults.ts';
import type { TableRules } from './rules.ts';

/** A match from the perspective of one side. */
export interface Result {
  team: number;
  opponent: number;
  away: boolean;
  scored: number;
  conceded: number;
  outcome: 'W' | 'D' | 'L';
  /** Decided after overtime, extra time or a shoot-out. */
  overtime: boolean;
}

export interface Team {
  id: number;
  name: string;
}

export interface TableRow {
  team: number;
  played: number;
  wins: number;
  draws: number;
  losses: number;
  scored: number;
  conceded: number;
  /** Including adjustments. */
  points: number;
  form: string;
}

/** Matches in the form table and in the form of each row. */
const FORM_MATCHES = 5;

interface Sums extends TableRow {
  awayGoals: number;
  awayWins: number;
}

/** A side's carry-over from the regular season into its group after the split. */
export interface Carried {
  /** Added to the points of its results. */
  points: number;
  /** Part of them that was added by rounding; negative if rounded down. */
  rounding: number;
  /** Place in the regular season. */
  place: number;
}

export interface TableExtras {
  /** Points by team, negative if deducted. */
  adjustments?: ReadonlyMap<number, number>;
  carried?: ReadonlyMap<number, Carried>;
  /** Results of play-offs between level sides, which the table itself does not count. */
  playOffs?: readonly Result[];
  /** Places that the organizer has assigned, from 1, by team. */
  placed?: ReadonlyMap<number, number>;
}

/**
 * @param teams all teams of the table, including those without a match.
 * @param results oldest first; results of other teams are ignored.
 * @returns best first.
 */
export function computeTable(
  teams: readonly Team[],
  results: readonly Result[],
  rules: TableRules,
  { adjustments = new Map(), carried = new Map(), playOffs = [], placed = new Map() }: TableExtras = {},
): TableRow[] {
  const ids = new Set(teams.map(({ id }) => id));
  const sums = sum(ids, results, rules);
  for (const [team, points] of adjustments) if (ids.has(team)) sums.get(team)!.points += points;
  for (const [team, { points }] of carried) if (ids.has(team)) sums.get(team)!.points += points;
  const byName = [...teams]
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id))
    .map(({ id }) => id);
  const ordered = order(byName, { results, playOffs, rules, sums, carried }, 0);
  return withPlaces(ordered, placed).map((team) => {
    const { awayGoals: _awayGoals, awayWins: _awayWins, ...row } = sums.get(team)!;
    return row;
  });
}

/** The points of a side at its place. */
export type Ranked = Pick<TableRow, 'team' | 'points'>;

/**
 * Prepares a table that is ordered many times, each time with the same results and some more.
 * @param teams ids of all sides
 * @returns a function of the further results, and of the sides in the order that decides if they stay level; best first
 */
export function createRanking(
  teams: readonly number[],
  results: readonly Result[],
  rules: TableRules,
  { adjustments = new Map(), playOffs = [], placed = new Map() }: Omit<TableExtras, 'carried'> = {},
): (further: readonly Result[], lots: readonly number[]) => Ranked[] {
  const base = sum(new Set(teams), results, rules);
  for (const [team, points] of adjustments) if (base.has(team)) base.get(team)!.points += points;
  return (further, lots) => {
    const sums = new Map<number, Sums>();
    for (const [team, row] of base) sums.set(team, { ...row });
    for (const result of further) add(sums.get(result.team)!, result, rules.points);
    let all: Result[] | undefined;
    const context: Context = {
      // Head-to-head steps alone read the results, and few orders need these steps.
      get results() {
        all ??= [...results, ...further];
        return all;
      },
      playOffs,
      rules,
      sums,
      carried: new Map(),
    };
    return withPlaces(order(lots, context, 0), placed).map((team) => ({ team, points: sums.get(team)!.points }));
  };
}

/** Moves sides to the places that the organizer has assigned; the others keep their order. */
function withPlaces(ordered: readonly number[], placed: ReadonlyMap<number, number>): number[] {
  const places = ordered.filter((team) => !placed.has(team));
  const given = ordered.filter((team) => placed.has(team)).sort((a, b) => placed.get(a)! - placed.get(b)!);
  for (const team of given) places.splice(placed.get(team)! - 1, 0, team);
  return places;
}

/** Returns the results of each side's last matches. */
export function lastResults(results: readonly Result[], count = FORM_MATCHES): Result[] {
  const taken = new Map<number, number>();
  return results
    .toReversed()
    .filter(({ team }) => {
      const already = taken.get(team) ?? 0;
      taken.set(team, already + 1);
      return already < count;
    })
    .toReversed();
}

function sum(teams: ReadonlySet<number>, results: readonly Result[], { points }: TableRules): Map<number, Sums> {
  const empty = {
    played: 0,
    wins: 0,
    draws: 0,
    losses: 0,
    scored: 0,
    conceded: 0,
    points: 0,
    form: '',
    awayGoals: 0,
    awayWins: 0,
  };
  const sums = new Map<number, Sums>([...teams].map((team) => [team, { team, ...empty }]));
  for (const result of results) {
    const row = sums.get(result.team);
    if (row === undefined) continue;
    add(row, result, points);
    row.form = (result.outcome + row.form).slice(0, FORM_MATCHES);
  }
  return sums;
}

/** Adds a result to the sums of its side, except to its form. */
function add(row: Sums, { away, scored, conceded, outcome, overtime }: Result, points: TableRules['points']): void {
  row.played += 1;
  row.scored += scored;
  row.conceded += conceded;
  if (away) row.awayGoals += scored;
  if (away && outcome === 'W') row.awayWins += 1;
  if (outcome === 'W') row.wins += 1;
  else if (outcome === 'D') row.draws += 1;
  else row.losses += 1;
  row.points += pointsFor(outcome, overtime, points);
}

/** @param overtime whether the match was decided after overtime, extra time or a shoot-out */
export function pointsFor(outcome: 'W' | 'D' | 'L', overtime: boolean, points: TableRules['points']): number {
  if (outcome === 'D') return points.draw;
  if (outcome === 'W') return overtime ? (points.overtime_win ?? points.win) : points.win;
  return overtime ? (points.overtime_loss ?? points.loss) : points.loss;
}

const UNBEATEN = 1e6;
const VALUES: Record<
  Exclude<TieBreak, 'name' | 'play_off' | `head_to_head_${string}`>,
  (row: Sums, carried?: Carried) => number
> = {
  points: (row) => row.points,
  points_per_match: (row) => (row.played === 0 ? 0 : row.points / row.played),
  unrounded_points: (row, carried) => row.points - (carried?.rounding ?? 0),
  regular_season: (_row, carried) => -(carried?.place ?? 0),
  wins: (row) => row.wins,
  goal_difference: (row) => row.scored - row.conceded,
  goals_for: (row) => row.scored,
  // Without goals against, more goals are better.
  goal_average: (row) => (row.conceded === 0 ? row.scored * UNBEATEN : row.scored / row.conceded),
  away_goals: (row) => row.awayGoals,
  away_wins: (row) => row.awayWins,
};
const HEAD_TO_HEAD = 'head_to_head_';
const stepValue = (step: string) => VALUES[step as keyof typeof VALUES];

interface Context {
  results: readonly Result[];
  playOffs: readonly Result[];
  rules: TableRules;
  sums: ReadonlyMap<number, Sums>;
  carried: ReadonlyMap<number, Carried>;
}

/** Orders sides that are level on all steps before `from`; the order of the input decides if they stay level. */
function order(tied: readonly number[], context: Context, from: number): number[] {
  const step = context.rules.tie_breaks[from];
  if (tied.length < 2 || step === undefined || step === 'name') return [...tied];
  if (step === 'play_off') {
    const decided = mutualSums(tied, context.playOffs, context.rules);
    return split(tied, (team) => [decided.get(team)!.points]).flatMap((level) => order(level, context, from + 1));
  }
  if (!step.startsWith(HEAD_TO_HEAD)) {
    const value = stepValue(step);
    const { sums, carried } = context;
    return split(tied, (team) => [value(sums.get(team)!, carried.get(team))]).flatMap((level) =>
      order(level, context, from + 1),
    );
  }
  const rest = context.rules.tie_breaks.slice(from);
  const others = rest.findIndex((name) => !name.startsWith(HEAD_TO_HEAD));
  const steps = others === -1 ? rest : rest.slice(0, others);
  if (!haveMet(tied, context)) return order(tied, context, from + steps.length);
  const values = steps.map((name) => stepValue(name.slice(HEAD_TO_HEAD.length)));
  const sums = mutualSums(tied, context.results, context.rules);
  const levels = split(tied, (team) => values.map((value) => value(sums.get(team)!)));
  if (levels.length === 1) return order(tied, context, from + steps.length);
  return levels.flatMap((level) => order(level, context, from));
}

/** Whether each pair of the sides has met as often as the rules demand for head-to-head steps. */
function haveMet(sides: readonly number[], { results, rules }: Context): boolean {
  const least = rules.head_to_head_meetings;
  if (least === undefined) return true;
  const met = (side: number, other: number) =>
    results.filter(({ team, opponent }) => team === side && opponent === other).length;
  return sides.every((side, index) => sides.slice(index + 1).every((other) => met(side, other) >= least));
}

/** Computes a table of the matches among some sides. */
function mutualSums(sides: readonly number[], results: readonly Result[], rules: TableRules): Map<number, Sums> {
  const among = new Set(sides);
  const mutual = results.filter(({ team, opponent }) => among.has(team) && among.has(opponent));
  return sum(among, mutual, rules);
}

/** Groups sides with equal values, higher values first. */
function split(teams: readonly number[], valuesOf: (team: number) => number[]): number[][] {
  const valued = teams.map((team) => ({ team, values: valuesOf(team) }));
  const compare = (a: number[], b: number[]) => {
    const index = a.findIndex((value, at) => value !== b[at]);
    return index === -1 ? 0 : a[index]! > b[index]! ? -1 : 1;
  };
  valued.sort((a, b) => compare(a.values, b.values));
  const levels: number[][] = [];
  for (const [index, { team, values }] of valued.entries()) {
    if (index > 0 && compare(valued[index - 1]!.values, values) === 0) levels.at(-1)!.push(team);
    else levels.push([team]);
  }
  return levels;
}
