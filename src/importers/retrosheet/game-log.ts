/**
 * Reads Retrosheet's game logs (retrosheet.org/gamelogs/glfields.txt). They have a line for each game, with the line
 * score, totals, line-ups, managers and the umpire. The files have no header. GL2024.TXT has a season's games, GLWS.TXT
 * has all World Series, and so on.
 */
import { parse } from 'csv-parse/sync';
import { type BaseballPhase, count, isDay, present, type StatisticName } from '../../providers/index.ts';
import type { MatchInput } from '../../wire/feed-update.ts';
import { integer, scorePair } from '../csv.ts';
import { faultAt, type InputFile, linesOrError, reason, textDamage } from '../files.ts';
import { type ImportItem, toItem } from '../importer.ts';
import { type Game, toUpdate } from './game.ts';

const FILE_PHASES: Readonly<Record<string, BaseballPhase>> = { AS: 'A', WC: 'F', DV: 'D', LC: 'L', WS: 'W' };
export const GAME_LOG = /^gl(?:\d{4}|as|wc|dv|lc|ws)\.txt$/iu;

/** Field numbers as in the documentation, counted from 1. */
const FIELD = {
  date: 1,
  number: 2,
  away: 4,
  home: 7,
  awayScore: 10,
  homeScore: 11,
  forfeit: 15,
  attendance: 18,
  awayInnings: 20,
  homeInnings: 21,
  umpire: 79,
  awayManager: 91,
  homeManager: 93,
  awayPitcher: 102,
  homePitcher: 104,
  awayPlayers: 106,
  homePlayers: 133,
} as const;
/** Minimum number of fields in a line, up to both sides' totals. */
const FEWEST_FIELDS = 77;
const STATISTICS: readonly (readonly [StatisticName, home: number, away: number])[] = [
  ['Hits', 51, 23],
  ['Errors', 74, 46],
  ['Doubles', 52, 24],
  ['Triples', 53, 25],
  ['Home runs', 54, 26],
  ['Walks', 59, 31],
  ['Strikeouts', 61, 33],
  ['Stolen bases', 62, 34],
  ['Left on base', 66, 38],
];
const POSITIONS = ['P', 'C', '1B', '2B', '3B', 'SS', 'LF', 'CF', 'RF', 'DH'];
/** Number of players in a side's batting order. Each has three fields. */
const BATTERS = 9;
/** The winner's runs in a forfeited game. The loser has no runs. */
const FORFEIT_RUNS = 9;

export async function* readGameLog(file: InputFile): AsyncGenerator<ImportItem> {
  const lines = await linesOrError(file);
  if (!Array.isArray(lines)) {
    yield lines;
    return;
  }
  const kind = /^gl(.{2})\./iu.exec(file.name)?.[1]?.toUpperCase();
  const phase = (kind && FILE_PHASES[kind]) || 'R';
  for (const [index, line] of lines.entries()) if (line.trim() !== '') yield* readLine(line, index + 1, phase, file);
}

function* readLine(line: string, number: number, phase: BaseballPhase, file: InputFile): Generator<ImportItem> {
  const position = `${file.path}:${number}`;
  const fields = readFields(line);
  if (typeof fields === 'string') {
    yield faultAt(position, fields);
    return;
  }
  const read = toGame(fields, phase);
  yield toItem(position, typeof read === 'string' ? read : toUpdate(read.game, file));
  if (typeof read !== 'string' && read.innings.fault !== undefined) yield faultAt(position, read.innings.fault);
}

type Fields = (field: number) => string;

function readFields(line: string): Fields | string {
  const damage = textDamage(line);
  if (damage !== undefined) return damage;
  try {
    const [cells] = parse(line, { relax_column_count: true });
    if (cells === undefined || cells.length < FEWEST_FIELDS)
      return `has ${cells?.length ?? 0} fields; a game log has at least ${FEWEST_FIELDS}`;
    return (field) => cells[field - 1] ?? '';
  } catch (error) {
    return `cannot be read: ${reason(error)}`;
  }
}

function toGame(field: Fields, phase: BaseballPhase): { game: Game; innings: Innings } | string {
  const written = field(FIELD.date);
  const day = /^\d{8}$/u.test(written) ? `${written.slice(0, 4)}-${written.slice(4, 6)}-${written.slice(6)}` : written;
  if (!isDay(day)) return `${JSON.stringify(written)} is not a date`;
  const played = scorePair(field(FIELD.homeScore), field(FIELD.awayScore));
  if (played === undefined)
    return `${JSON.stringify(field(FIELD.homeScore))}:${JSON.stringify(field(FIELD.awayScore))} is not a score`;
  const innings = readInnings(field(FIELD.homeInnings), field(FIELD.awayInnings), played);
  const forfeit = field(FIELD.forfeit);
  const awarded = forfeit === 'V' || forfeit === 'H';
  const attendance = integer(field(FIELD.attendance));
  const statistics = STATISTICS.map(([name, home, away]) =>
    count('ALL', name, integer(field(home)), integer(field(away))),
  );
  const lineups = [
    ...readLineup('home', field, FIELD.homePlayers, FIELD.homePitcher),
    ...readLineup('away', field, FIELD.awayPlayers, FIELD.awayPitcher),
  ];
  const coaches = (['home', 'away'] as const).flatMap((side) => {
    const name = field(FIELD[`${side}Manager`]);
    return isName(name) ? [{ side, coach_name: name }] : [];
  });
  return {
    innings,
    game: {
      home: field(FIELD.home),
      away: field(FIELD.away),
      day,
      number: /^\d$/u.test(field(FIELD.number)) ? field(FIELD.number) : '0',
      phase,
      neutral: false,
      score: awarded ? { home: forfeit === 'H' ? FORFEIT_RUNS : 0, away: forfeit === 'V' ? FORFEIT_RUNS : 0 } : played,
      awarded,
      details: {
        ...(!awarded && innings.periods && { period_scores: innings.periods }),
        statistics: [count('ALL', 'Runs', played.home, played.away), ...statistics].filter(present),
        ...(isName(field(FIELD.umpire)) && { referee: field(FIELD.umpire) }),
        ...(attendance !== undefined && attendance > 0 && { attendance }),
        ...(lineups.length > 0 && { lineups }),
        ...(coaches.length > 0 && { coaches }),
      },
    },
  };
}

const isName = (text: string) => text !== '' && text !== '(none)';

interface Innings {
  periods?: { period: string; home: number; away: number }[];
  fault?: string;
}

/**
 * Reads line scores like "010000(10)0x": the runs in an inning are one digit or a number in brackets, and x means that
 * the side did not bat.
 * @returns no periods if the line scores are missing or do not add up to the score
 */
function readInnings(home: string, away: string, score: { home: number; away: number }): Innings {
  if (home === '' || away === '') return {};
  const [own, guest] = [home, away].map(parseRuns);
  if (own === undefined || guest === undefined || Math.abs(own.length - guest.length) > 1)
    return { fault: `${away} and ${home} are not line scores; the score is taken without them` };
  const sums = [own, guest].map((runs) => runs.reduce((sum, value) => sum + value, 0));
  if (sums[0] !== score.home || sums[1] !== score.away)
    return {
      fault: `the line scores ${away} and ${home} add up to ${sums[1]}:${sums[0]}, not to ${score.away}:${score.home}; the score is taken without them`,
    };
  return {
    periods: Array.from({ length: Math.max(own.length, guest.length) }, (_, index) => ({
      period: `I${index + 1}`,
      home: own[index] ?? 0,
      away: guest[index] ?? 0,
    })),
  };
}

function parseRuns(text: string): number[] | undefined {
  if (!/^(?:\d|\(\d{1,2}\))+x?$/u.test(text)) return undefined;
  return [...text.matchAll(/\d|\((\d{1,2})\)|x/gu)].map(([token, two]) => (token === 'x' ? 0 : Number(two ?? token)));
}

type Lineup = NonNullable<MatchInput['lineups']>;

/** Returns the starters, including the starting pitcher if somebody bats in his place. */
function readLineup(side: 'home' | 'away', field: Fields, first: number, pitcher: number): Lineup {
  const entry = (id: string, name: string, position: string | null): Lineup[number] => ({
    side,
    player: { id, name },
    position,
    is_substitute: false,
  });
  const batters = Array.from({ length: BATTERS }, (_, index) => first + 3 * index)
    .filter((at) => isName(field(at)) && isName(field(at + 1)))
    .map((at) => entry(field(at), field(at + 1), POSITIONS[Number(field(at + 2)) - 1] ?? null));
  const id = field(pitcher);
  const isAbsent = isName(id) && isName(field(pitcher + 1)) && !batters.some(({ player }) => player.id === id);
  return isAbsent && batters.length > 0 ? [...batters, entry(id, field(pitcher + 1), 'P')] : batters;
}
