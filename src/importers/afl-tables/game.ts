/** Reads a row of the file as a game. */
import { findZone, isDay, localToUtc } from '../../providers/index.ts';
import { dataRows } from '../../wire/data-file.ts';
import { type CsvRow, integer, type Row } from '../csv.ts';
import { type Club, findClub } from './clubs.ts';

const BREAKS = ['q1', 'q2', 'q3', 'final'] as const;
const sideColumns = (side: 1 | 2) => [
  `team_${side}_team_name`,
  ...BREAKS.flatMap((end) => [`team_${side}_${end}_goals`, `team_${side}_${end}_behinds`]),
];
export const COLUMNS = ['round_num', 'venue', 'date', 'year', ...sideColumns(1), ...sideColumns(2)];

/** Rounds after the home-and-away season, as the file names them. */
const FINALS = ['Elimination Final', 'Qualifying Final', 'Semi Final', 'Preliminary Final', 'Grand Final'] as const;
export type Final = (typeof FINALS)[number];

const GOAL_POINTS = 6;
const MOST_ROUNDS = 40;
const FIRST_SEASON = 1897;

export interface Quarter {
  goals: number;
  behinds: number;
}
export interface GameSide {
  team: Club;
  /** What the side scored in each quarter, and then in extra time. Empty if only the total is known. */
  quarters: readonly Quarter[];
  total: Quarter;
  points: number;
}
export interface Venue {
  name: string;
  city: string;
  country: string;
  zone: string;
}

export interface Game {
  position: string;
  observedAt: string;
  season: number;
  /** Matchday, or a final. */
  round: number | Final;
  /** The local day. */
  day: string;
  /** Kick-off in UTC. */
  start: string;
  venue: Omit<Venue, 'zone'>;
  home: GameSide;
  away: GameSide;
  hasExtraTime: boolean;
}

export const toPoints = ({ goals, behinds }: Quarter): number => GOAL_POINTS * goals + behinds;

const VENUES: ReadonlyMap<string, Venue> = new Map(
  dataRows('identity/afl-venues.csv', ['written', 'name', 'city', 'country', 'zone']).map(
    ({ written, name, ...venue }) => [written, { name: name || written, ...venue }],
  ),
);

interface ListedFinal {
  date: string;
  home: string;
  away: string;
  home_breaks: string;
  away_breaks: string;
}

/** Finals with extra time, by day, in which the file leaves out the sides. */
const LISTED_FINALS: ReadonlyMap<string, ListedFinal> = new Map(
  dataRows('identity/afl-finals.csv', ['date', 'home', 'away', 'home_breaks', 'away_breaks']).map((final) => [
    final.date,
    final,
  ]),
);

/** Returns the reason if a row is refused. */
export function readGame({ row, position }: CsvRow, observedAt: string): Game | string {
  const [day = '', time = '', ...rest] = (row.date ?? '').split(' ');
  if (!isDay(day) || rest.length > 0) return `${JSON.stringify(row.date ?? '')} is not a date`;
  const season = integer(row.year);
  if (season === undefined || season < FIRST_SEASON || !day.startsWith(`${season}-`))
    return `the day ${day} is not in the season ${JSON.stringify(row.year ?? '')}`;
  const round = readRound(row.round_num ?? '');
  if (round === undefined) return `${JSON.stringify(row.round_num ?? '')} is not a round`;
  const isUnnamed = row.team_1_team_name === '' && row.team_2_team_name === '';
  const listed = isUnnamed && typeof round !== 'number' ? LISTED_FINALS.get(day) : undefined;
  if (isUnnamed && listed === undefined) return 'the names of both sides are missing';
  const home = listed ? toSide(listed.home, readBreaks(listed.home_breaks), season) : readSide(row, 1, season);
  if (typeof home === 'string') return home;
  const away = listed ? toSide(listed.away, readBreaks(listed.away_breaks), season) : readSide(row, 2, season);
  if (typeof away === 'string') return away;
  if (home.team.name === away.team.name) return `${home.team.name} cannot play itself`;
  const written = row.venue ?? '';
  const { zone, ...venue } = VENUES.get(written) ?? { name: written, city: '', country: 'AU', zone: findZone('AU')! };
  const start = localToUtc(day, time, zone);
  if (start === undefined) return `${JSON.stringify(row.date)} is not a date`;
  return { position, observedAt, season, round, day, start, venue, home, away, hasExtraTime: listed !== undefined };
}

/** "5.5 8.9" -> what a side had scored at each break */
const readBreaks = (text: string): Quarter[] =>
  text.split(' ').map((written) => {
    const [goals = NaN, behinds = NaN] = written.split('.').map(Number);
    return { goals, behinds };
  });

function readRound(written: string): Game['round'] | undefined {
  const number = integer(written);
  if (number === undefined) return FINALS.find((name) => name === written);
  return number >= 1 && number <= MOST_ROUNDS ? number : undefined;
}

function readSide(row: Row, side: 1 | 2, season: number): GameSide | string {
  const [nameColumn, ...figures] = sideColumns(side);
  const name = row[nameColumn!] ?? '';
  const counts = figures.map((column) => integer(row[column]) ?? -1);
  if (counts.some((count) => count < 0)) return `the goals and behinds of ${name} are not whole numbers`;
  const sums = BREAKS.map((_, index) => ({ goals: counts[2 * index]!, behinds: counts[2 * index + 1]! }));
  return toSide(name, sums, season);
}

/** @param sums what the side had scored at each break, or only the total */
function toSide(name: string, sums: readonly Quarter[], season: number): GameSide | string {
  const team = findClub(name, season);
  if (team === undefined) return `the club ${JSON.stringify(name)} is not known in ${season}`;
  const quarters = sums.length === 1 ? [] : sums.map((sum, index) => difference(sum, sums[index - 1]));
  if (quarters.some(({ goals, behinds }) => goals < 0 || behinds < 0))
    return `the goals or the behinds of ${name} are fewer at a break than at the one before`;
  const total = sums.at(-1)!;
  return { team, quarters, total, points: toPoints(total) };
}

const difference = (sum: Quarter, before: Quarter = { goals: 0, behinds: 0 }): Quarter => ({
  goals: sum.goals - before.goals,
  behinds: sum.behinds - before.behinds,
});
