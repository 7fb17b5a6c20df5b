/**
 * A ridge-penalised, weighted Poisson regression that explains goals by one side's attack, the opponent's defence, and
 * the venue (M. J. Maher, Statistica Neerlandica 36, 1982; weights by age: M. J. Dixon and S. G. Coles, Appl. Statist.
 * 46, 1997; ridge: A. E. Hoerl and R. W. Kennard, Technometrics 12, 1970). Pure.
 */
import type { Columns } from './columns.ts';
import type { Parameters } from './parameters.ts';

/** The fit ends when every logarithm changes by less than this in a sweep. Expected goals are then exact to 0.001 %. */
const TOLERANCE = 1e-6;
/** Maximum number of sweeps. A football league takes about 10. */
const MOST_SWEEPS = 100;
const NEWTON_STEPS = 2;
/** Maximum step for a logarithm, so that e^value stays within a double's range after a large first step. */
const LONGEST_STEP = 1;

/** Logarithms relative to the league's average. They are above 0 for a strong attack and for a weak defence. */
export interface LogStrength {
  attack: number;
  defence: number;
}

/** Parameters for the league as a whole. */
interface League {
  /** Logarithm of the goals that an average side scores against an average side at a neutral venue. */
  level: number;
  /** Logarithm of home goals ÷ away goals. */
  homeAdvantage: number;
}

export interface Regression extends League {
  /** Logarithmic strengths, indexed by side. */
  attack: Float64Array;
  defence: Float64Array;
}

/**
 * Strength that is expected before any of a side's matches are considered.
 * @param weight match weight; 0 for an unknown side
 */
export function priorStrength(weight: number, parameters: Parameters): LogStrength {
  const share = parameters.newcomer_matches / (parameters.newcomer_matches + weight);
  return { attack: -parameters.newcomer_attack * share, defence: parameters.newcomer_defence * share };
}

/**
 * Maximises the penalised likelihood by coordinate descent over the attacks, the defences and the league. If two of them are given, an
 * equation gives the third. After each step, the strengths are shifted so that their mean equals the mean prior, and the league's level
 * absorbs the shift. The descent starts at the priors, so that equal input gives equal output.
 */
export function regress(columns: Columns): Regression {
  const { parameters } = columns;
  const goals = weightedGoals(columns);
  const played = bySide(columns, columns.weight, columns.weight);
  const attack = toStrengths(
    played.map((weight) => priorStrength(weight, parameters).attack),
    bySide(columns, goals.home, goals.away),
  );
  const defence = toStrengths(
    played.map((weight) => priorStrength(weight, parameters).defence),
    bySide(columns, goals.away, goals.home),
  );
  const observed = byVenue(columns, goals.home, goals.away);
  let league: League = { level: Math.log(parameters.level_goals), homeAdvantage: parameters.level_home_advantage };
  let change = Number.POSITIVE_INFINITY;
  for (let sweep = 0; sweep < MOST_SWEEPS && change > TOLERANCE; sweep += 1) {
    const attacks = solve(attack, chances(columns, league, defence, 'attack'), parameters.ridge);
    const shifted = { ...league, level: league.level + attacks.mean };
    const defences = solve(defence, chances(columns, shifted, attack, 'defence'), parameters.ridge);
    const next = solveLeague(observed, expectedByVenue(columns, attack, defence), league.homeAdvantage, parameters);
    change = Math.max(attacks.change, defences.change, difference(league, next));
    league = next;
  }
  return { ...league, attack: attack.values, defence: defence.values };
}

/** The attacks or the defences during the fit, indexed by side. */
interface Strengths {
  values: Float64Array;
  /** Exponentials of the values. */
  factors: Float64Array;
  prior: Float64Array;
  /** Weighted goals. For attacks, the goals that the side scored; for defences, the goals that it conceded. */
  goals: Float64Array;
}

const toStrengths = (prior: Float64Array, goals: Float64Array): Strengths => ({
  values: prior.slice(),
  factors: prior.map(Math.exp),
  prior,
  goals,
});

function weightedGoals({ homeGoals, awayGoals, weight }: Columns): { home: Float64Array; away: Float64Array } {
  const weighted = (goals: Float64Array) => {
    const product = new Float64Array(goals.length);
    for (let row = 0; row < goals.length; row += 1) product[row] = goals[row]! * weight[row]!;
    return product;
  };
  return { home: weighted(homeGoals), away: weighted(awayGoals) };
}

/** @returns each side's total: the first column is summed over home matches, the second over away matches */
function bySide({ sides, home, away }: Columns, atHome: Float64Array, awayFrom: Float64Array): Float64Array {
  const sums = new Float64Array(sides.size);
  for (let row = 0; row < home.length; row += 1) {
    sums[home[row]!]! += atHome[row]!;
    sums[away[row]!]! += awayFrom[row]!;
  }
  return sums;
}

/** @returns the weighted goals that each side would score or concede with average strength */
function chances(columns: Columns, league: League, opponents: Strengths, kind: keyof LogStrength): Float64Array {
  const { home, away, weight, neutral } = columns;
  const sums = new Float64Array(columns.sides.size);
  const anywhere = Math.exp(league.level);
  const half = Math.exp(league.homeAdvantage / 2);
  const [atHome, awayFrom] = [anywhere * half, anywhere / half];
  const isAttack = kind === 'attack';
  for (let row = 0; row < home.length; row += 1) {
    const [h, a] = [home[row]!, away[row]!];
    const homeLevel = neutral[row] ? anywhere : atHome;
    const awayLevel = neutral[row] ? anywhere : awayFrom;
    sums[h]! += weight[row]! * (isAttack ? homeLevel : awayLevel) * opponents.factors[a]!;
    sums[a]! += weight[row]! * (isAttack ? awayLevel : homeLevel) * opponents.factors[h]!;
  }
  return sums;
}

/**
 * Solves goals = expected × e^value + ridge × (value − prior) for each side, by Newton's method, and shifts the values
 * to the mean prior.
 */
function solve(strengths: Strengths, expected: Float64Array, ridge: number): { mean: number; change: number } {
  const { values, factors, prior, goals } = strengths;
  const before = values.slice();
  let mean = 0;
  for (let side = 0; side < values.length; side += 1) {
    let value = values[side]!;
    for (let step = 0; step < NEWTON_STEPS; step += 1) {
      const scored = expected[side]! * Math.exp(value);
      value += Math.min(LONGEST_STEP, (goals[side]! - scored - ridge * (value - prior[side]!)) / (scored + ridge));
    }
    values[side] = value;
    mean += (value - prior[side]!) / values.length;
  }
  let change = 0;
  for (let side = 0; side < values.length; side += 1) {
    values[side]! -= mean;
    factors[side] = Math.exp(values[side]!);
    change = Math.max(change, Math.abs(values[side]! - before[side]!));
  }
  return { mean, change };
}

/** Sums over home sides, over away sides, and over both sides at neutral venues. */
interface ByVenue {
  home: number;
  away: number;
  neutral: number;
}

function byVenue({ neutral }: Columns, home: Float64Array, away: Float64Array): ByVenue {
  const sums = { home: 0, away: 0, neutral: 0 };
  for (let row = 0; row < home.length; row += 1) {
    if (neutral[row]) {
      sums.neutral += home[row]! + away[row]!;
    } else {
      sums.home += home[row]!;
      sums.away += away[row]!;
    }
  }
  return sums;
}

/** @returns the weighted expected goals if level and home advantage were 0 */
function expectedByVenue(columns: Columns, attack: Strengths, defence: Strengths): ByVenue {
  const { home, away, weight } = columns;
  const atHome = new Float64Array(home.length);
  const awayFrom = new Float64Array(home.length);
  for (let row = 0; row < home.length; row += 1) {
    const [h, a] = [home[row]!, away[row]!];
    atHome[row] = weight[row]! * attack.factors[h]! * defence.factors[a]!;
    awayFrom[row] = weight[row]! * attack.factors[a]! * defence.factors[h]!;
  }
  return byVenue(columns, atHome, awayFrom);
}

/**
 * With z = e^(advantage ÷ 2): home goals − away goals = e^level × (expected home × z − expected away ÷ z), a quadratic
 * equation in z, and all goals = e^level × (expected home × z + expected away ÷ z + expected at neutral venues). The
 * sport's average is added as a number of matches, so that both sides of the equations are always above 0.
 */
function solveLeague(observed: ByVenue, expected: ByVenue, homeAdvantage: number, parameters: Parameters): League {
  const { level_matches: matches, level_goals: average } = parameters;
  const half = Math.exp(parameters.level_home_advantage / 2);
  const goals = { home: observed.home + matches * average * half, away: observed.away + (matches * average) / half };
  const [home, away] = [expected.home + matches, expected.away + matches];
  const z = Math.exp(homeAdvantage / 2);
  const factor = (goals.home + goals.away + observed.neutral) / (home * z + away / z + expected.neutral);
  const surplus = (goals.home - goals.away) / factor;
  const root = (surplus + Math.sqrt(surplus ** 2 + 4 * home * away)) / (2 * home);
  return { level: Math.log(factor), homeAdvantage: 2 * Math.log(root) };
}

const difference = (a: League, b: League): number =>
  Math.max(Math.abs(a.level - b.level), Math.abs(a.homeAdvantage - b.homeAdvantage));
