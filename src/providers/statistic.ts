/** Names of statistics, the same for all sources. */
import type { z } from 'zod';
import type { statistic } from '../wire/match.ts';

export type Statistic = z.infer<typeof statistic>;

/** Statistic -> its group. */
const GROUPS = {
  'Total shots': 'Match overview',
  'Shots on target': 'Shots',
  'Blocked shots': 'Shots',
  'Hit woodwork': 'Shots',
  'Goalkeeper saves': 'Goalkeeping',
  'Goal kicks': 'Goalkeeping',
  'Corner kicks': 'Match overview',
  Offsides: 'Attack',
  Crosses: 'Attack',
  'Accurate crosses': 'Attack',
  'Key passes': 'Passes',
  Passes: 'Passes',
  'Accurate passes': 'Passes',
  'Throw-ins': 'Passes',
  Fouls: 'Discipline',
  'Yellow cards': 'Discipline',
  'Red cards': 'Discipline',
  Duels: 'Duels',
  'Duels won': 'Duels',
  Tackles: 'Defence',
  Interceptions: 'Defence',
  Clearances: 'Defence',
  Runs: 'Match overview',
  Hits: 'Match overview',
  Errors: 'Match overview',
  Doubles: 'Batting',
  Triples: 'Batting',
  'Home runs': 'Batting',
  Walks: 'Batting',
  Strikeouts: 'Batting',
  'Stolen bases': 'Batting',
  'Left on base': 'Batting',
  Aces: 'Service',
  'Double faults': 'Service',
  'Service points': 'Service',
  'First serves in': 'Service',
  'First serve points won': 'Service',
  'Second serve points won': 'Service',
  'Break points saved': 'Service',
  'Break points faced': 'Service',
  Goals: 'Match overview',
  Behinds: 'Match overview',
  Tries: 'Match overview',
  Conversions: 'Kicking',
  'Conversions attempted': 'Kicking',
  'Penalty goals': 'Kicking',
  'Penalties attempted': 'Kicking',
  'Drop goals': 'Kicking',
} as const;
export type StatisticName = keyof typeof GROUPS;

/** The value of a side, and how it is shown. */
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
  return statisticRow([period, GROUPS[name], name], shown(home), shown(away));
}

export const present = <T>(item: T | undefined): item is T => item !== undefined;
