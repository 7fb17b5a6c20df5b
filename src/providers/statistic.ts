/** Statistic names, the same for all sources. */
import type { z } from 'zod';
import type { statistic } from '../wire/match.ts';

export type Statistic = z.infer<typeof statistic>;

/** The statistics in each group. */
const GROUPS = {
  'Match overview': ['Total shots', 'Corner kicks', 'Runs', 'Hits', 'Errors', 'Goals', 'Behinds', 'Tries'],
  Shots: ['Shots on target', 'Blocked shots', 'Hit woodwork'],
  Goalkeeping: ['Goalkeeper saves', 'Goal kicks'],
  Attack: ['Offsides', 'Crosses', 'Accurate crosses'],
  Passes: ['Key passes', 'Passes', 'Accurate passes', 'Throw-ins'],
  Discipline: ['Fouls', 'Yellow cards', 'Red cards'],
  Duels: ['Duels', 'Duels won'],
  Defence: ['Tackles', 'Interceptions', 'Clearances'],
  Batting: ['Doubles', 'Triples', 'Home runs', 'Walks', 'Strikeouts', 'Stolen bases', 'Left on base'],
  Innings: ['Fours', 'Sixes', 'Dot balls', 'Extras'],
  Service: [
    'Aces',
    'Double faults',
    'Service points',
    'First serves in',
    'First serve points won',
    'Second serve points won',
    'Break points saved',
    'Break points faced',
  ],
  Kicking: ['Conversions', 'Conversions attempted', 'Penalty goals', 'Penalties attempted', 'Drop goals'],
} as const;
export type StatisticName = (typeof GROUPS)[keyof typeof GROUPS][number];

const GROUP_OF: ReadonlyMap<StatisticName, string> = new Map(
  Object.entries(GROUPS).flatMap(([group, names]) => names.map((name) => [name, group])),
);

/** A side's value, and how it is shown. */
interface Figure {
  value: number | null;
  text: string;
}

export const statisticRow = (
  [period, group_name, stat_name]: readonly [period: string, group: string, name: string],
  home: Figure,
  away: Figure,
): Statistic => ({
  period,
  group_name,
  stat_name,
  home_value: home.value,
  away_value: away.value,
  home_text: home.text,
  away_text: away.text,
});

/** Returns one statistic, or undefined if a side is unknown. */
export function count(
  period: string,
  name: StatisticName,
  home: number | undefined,
  away: number | undefined,
): Statistic | undefined {
  if (home === undefined || away === undefined) return undefined;
  const shown = (value: number) => ({ value, text: String(value) });
  return statisticRow([period, GROUP_OF.get(name) ?? '', name], shown(home), shown(away));
}

export const present = <T>(item: T | undefined): item is T => item !== undefined;
