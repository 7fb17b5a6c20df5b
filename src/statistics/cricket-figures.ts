/** A cricketer's figures: sums over matches without super overs, and the rates that follow from them. Pure. */
import type { z } from 'zod';
import type { CricketFigure } from '../sports/sport-words.ts';
import type { cricketFigures } from './schema.ts';

export type CricketFigures = z.infer<typeof cricketFigures>;

/** Figures that can be added up, by the names that `player_stats` has. */
const COUNTED = [
  'innings',
  'times_out',
  'runs',
  'balls_faced',
  'hundreds',
  'fifties',
  'fours',
  'sixes',
  'balls_bowled',
  'maidens',
  'runs_conceded',
  'wickets',
  'catches',
  'stumpings',
  'run_outs',
] as const;

export interface CricketSums extends Record<(typeof COUNTED)[number], number> {
  /** Highest score in an innings, and whether the player was not out. Null without an innings. */
  highest: { runs: number; not_out: boolean } | null;
  /** Most wickets in an innings, for the fewest runs. Null for a player who has not bowled. */
  best: { wickets: number; runs: number } | null;
}

const FIFTY = 50;
const HUNDRED = 100;

/** Reads a player's figures in a match. A figure that is not given is 0. */
export function matchSums(stats: Readonly<Record<string, unknown>>): CricketSums {
  const value = (name: string) => (typeof stats[name] === 'number' ? stats[name] : 0);
  const counts = Object.fromEntries(COUNTED.map((name) => [name, value(name)])) as Record<
    (typeof COUNTED)[number],
    number
  >;
  const highest = value('highest');
  return {
    ...counts,
    // Only matches with two innings for each side need the numbers, and a source of such matches may not give them.
    hundreds: typeof stats.hundreds === 'number' ? stats.hundreds : Number(highest >= HUNDRED),
    fifties: typeof stats.fifties === 'number' ? stats.fifties : Number(highest >= FIFTY && highest < HUNDRED),
    highest: counts.innings > 0 ? { runs: highest, not_out: stats.highest_not_out === true } : null,
    best: counts.balls_bowled > 0 ? { wickets: value('best_wickets'), runs: value('best_runs') } : null,
  };
}

/** Adds up matches, or seasons. */
export function addCricketSums(list: readonly CricketSums[]): CricketSums {
  const sum = (name: (typeof COUNTED)[number]) => list.reduce((total, one) => total + one[name], 0);
  const first = <T>(values: readonly (T | null)[], rank: (value: T) => number): T | null =>
    values.filter((value) => value !== null).sort((a, b) => rank(b) - rank(a))[0] ?? null;
  return {
    ...(Object.fromEntries(COUNTED.map((name) => [name, sum(name)])) as Record<(typeof COUNTED)[number], number>),
    highest: first(
      list.map(({ highest }) => highest),
      rankScore,
    ),
    best: first(
      list.map(({ best }) => best),
      rankBowling,
    ),
  };
}

/** Not out is better than out with as many runs. */
const rankScore = ({ runs, not_out }: NonNullable<CricketSums['highest']>) => runs + (not_out ? 0.5 : 0);
/** No innings has as many runs as the factor. */
const rankBowling = ({ wickets, runs }: NonNullable<CricketSums['best']>) => wickets * 10_000 - runs;

/** Returns the quotient with two decimals; null if the divisor is 0. */
const rate = (value: number, divisor: number): number | null =>
  divisor === 0 ? null : Math.round((value / divisor) * 100) / 100;

const BALLS_IN_OVER = 6;

export function toCricketFigures(sums: CricketSums): CricketFigures {
  const { highest, best, times_out, ...counts } = sums;
  return {
    ...counts,
    not_outs: counts.innings - times_out,
    highest_score: highest && `${highest.runs}${highest.not_out ? '*' : ''}`,
    batting_average: rate(counts.runs, times_out),
    strike_rate: rate(counts.runs * 100, counts.balls_faced),
    best_bowling: best && `${best.wickets}/${best.runs}`,
    bowling_average: rate(counts.runs_conceded, counts.wickets),
    economy: rate(counts.runs_conceded * BALLS_IN_OVER, counts.balls_bowled),
  };
}

/** Balls that a player must have faced, or bowled, for each match of the team in the season. */
const LEAST_FACED = { of: 'faced', balls: 8 } as const;
const LEAST_BOWLED = { of: 'bowled', balls: 6 } as const;

/**
 * Returns what a player needs for a place among the leaders by a rate; null for other figures. In a season with 14 matches, this
 * is 112 balls faced, or 14 overs bowled.
 */
export function leastBalls(figure: string): typeof LEAST_FACED | typeof LEAST_BOWLED | null {
  if (figure === 'batting_average' || figure === 'strike_rate') return LEAST_FACED;
  return figure === 'bowling_average' || figure === 'economy' ? LEAST_BOWLED : null;
}

interface Ranked {
  value: number;
  /** The value as cricket writes it, if it is not a plain number. */
  text: string | null;
  /** Players with a higher order come first. */
  order: number;
}

/**
 * Returns what ranks a player by a figure.
 * @param matches matches of the player's team in the season
 * @returns null for a player without such a value above 0, or with too few balls for a rate
 */
export function rankCricketer(figure: CricketFigure, sums: CricketSums, matches: number): Ranked | null {
  const least = leastBalls(figure);
  if (least !== null && sums[`balls_${least.of}`] < least.balls * matches) return null;
  const { highest, best } = sums;
  const figures = toCricketFigures(sums);
  if (figure === 'highest_score')
    return highest && highest.runs > 0
      ? { value: highest.runs, text: figures.highest_score, order: rankScore(highest) }
      : null;
  if (figure === 'best_bowling')
    return best && best.wickets > 0
      ? { value: best.wickets, text: figures.best_bowling, order: rankBowling(best) }
      : null;
  const value = figures[figure];
  if (value === null || value <= 0) return null;
  return { value, text: null, order: least?.of === 'bowled' ? -value : value };
}
