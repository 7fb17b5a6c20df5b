/** Reads Euroleague results (gameresults.csv). Adds groups and rounds, which the file does not name. */
import {
  CLUBS,
  EUROLEAGUE,
  gameId,
  gameReference,
  isForfeit,
  namedRound,
  PHASES,
  type Phase,
  playOffRound,
  readPhase,
  tableRound,
} from '../../providers/euroleague/index.ts';
import { type CodedTeam, dateOnly, localToUtc } from '../../providers/index.ts';
import type { MatchInput, MatchUpdateInput } from '../../wire/feed-update.ts';
import { grouped } from '../../wire/grouped.ts';
import { eachRow, integer, type Row, scorePair } from '../csv.ts';
import { matchUpdate } from '../feed-updates.ts';
import type { FileError, InputFile } from '../files.ts';
import { nameGroups } from './groups.ts';

export interface Game {
  id: string;
  position: string;
  observedAt: string;
  season: number;
  code: number;
  phase: Phase;
  /** Round number in the season, and in the phase. Null if the round has only a name. */
  round: number;
  number: number | null;
  roundName: string;
  /** Codes as in the file; "NA" is replaced by the club's code. */
  codes: { home: string; away: string };
  home: CodedTeam;
  away: CodedTeam;
  score: { home: number; away: number };
  start: { scheduled_start: string; time_tbd: boolean };
}

const COLUMNS = [
  'season',
  'phase',
  'round_name',
  'team_home',
  'points_home',
  'team_away',
  'points_away',
  'game_code',
  'date',
  'round_code',
  'team_code_home',
  'team_code_away',
];

/**
 * Returns the games in file order. A game that has several lines is returned once for each line. The lines must agree.
 */
export async function readResults(files: readonly InputFile[]): Promise<{ games: GroupedGame[]; faults: FileError[] }> {
  const faults: FileError[] = [];
  const games: Game[] = [];
  const first = new Map<string, Game>();
  for (const file of files) {
    const wrong = eachRow(file, COLUMNS, ({ row, position }) => {
      const read = readGame(row, position, file);
      if (typeof read === 'string') return read;
      const other = first.get(read.id) ?? read;
      if (!isSame(other, read)) return `the game ${read.id} differs from the same game in ${other.position}`;
      games.push(read);
      first.set(read.id, other);
      return undefined;
    });
    for await (const fault of wrong) faults.push(fault);
  }
  return { games: withStages(games, [...first.values()]), faults };
}

const isSame = (a: Game, b: Game) =>
  JSON.stringify({ ...a, position: '', observedAt: '' }) === JSON.stringify({ ...b, position: '', observedAt: '' });

function readGame(row: Row, position: string, file: InputFile): Game | string {
  const [season, code, round] = [integer(row.season), integer(row.game_code), integer(row.round_code)];
  if (season === undefined || code === undefined || round === undefined)
    return 'season, game_code or round_code is not a number';
  const phase = readPhase(row.phase ?? '');
  if (!phase) return `the phase ${JSON.stringify(row.phase ?? '')} is not one of ${PHASES.join(', ')}`;
  const codes = { home: readCode(row, 'home'), away: readCode(row, 'away') };
  const [home, away] = [CLUBS.find(codes.home, season), CLUBS.find(codes.away, season)];
  if (!home) return CLUBS.unknown(codes.home);
  if (!away) return CLUBS.unknown(codes.away);
  if (codes.home === codes.away) return `${home.name} plays against itself`;
  const score = readScore(row);
  if (typeof score === 'string') return score;
  const start = readStart(row.date ?? '', season);
  if (!start) return `${JSON.stringify(row.date ?? '')} is not a day and a time such as "October 10 18:00 CET"`;
  const number = integer(/(?:Round|Game) (\d+)$/u.exec(row.round_name ?? '')?.[1]) ?? null;
  return {
    id: gameId(season, code),
    position,
    observedAt: file.observedAt,
    season,
    code,
    phase,
    round,
    number,
    roundName: row.round_name ?? '',
    codes,
    home,
    away,
    score,
    start,
  };
}

/**
 * Returns a side's code. The files were written by R, which uses "NA" for a missing code. The code is then found by the
 * team's name.
 */
function readCode(row: Row, side: 'home' | 'away'): string {
  const code = row[`team_code_${side}`] ?? '';
  return code === 'NA' || code === '' ? (CLUBS.findCode(row[`team_${side}`] ?? '') ?? code) : code;
}

function readScore({ points_home, points_away }: Row): Game['score'] | string {
  const score = scorePair(points_home, points_away);
  if (score === undefined) return `${JSON.stringify(`${points_home}:${points_away}`)} is not a score`;
  return score.home === score.away ? `${score.home}:${score.away} is a tie, which basketball does not have` : score;
}

/** The league office's time zone, in which all seasons' kick-offs are given, also in summer. */
const ZONE = 'Europe/Madrid';
const MONTHS = 'January February March April May June July August September October November December'.split(' ');
/** Month from which a day belongs to the season's first year. */
const FIRST_MONTH = 7;

function readStart(written: string, season: number): Game['start'] | undefined {
  const [, name = '', date = '', time = ''] = /^([A-Z][a-z]+) (\d{1,2}) (\d\d:\d\d) CE(?:S)?T$/u.exec(written) ?? [];
  const month = MONTHS.indexOf(name) + 1;
  if (month === 0) return undefined;
  const year = month >= FIRST_MONTH ? season : season + 1;
  const day = `${year}-${String(month).padStart(2, '0')}-${date.padStart(2, '0')}`;
  const start = localToUtc(day, time, ZONE);
  if (start === undefined) return undefined;
  // No game begins at midnight, so the time is unknown.
  return time === '00:00' ? dateOnly(day) : { scheduled_start: start, time_tbd: false };
}

export interface GroupedGame extends Game {
  group: string | null;
  stage: Required<Pick<MatchInput, 'round_num' | 'round_name'>>;
}

/** @param different the games without the repeated lines, because a game must not count twice */
function withStages(games: readonly Game[], different: readonly Game[]): GroupedGame[] {
  const bySeason = grouped(different, ({ season }) => season);
  const groups = new Map([...bySeason].flatMap(([, all]) => [...nameGroups(all)]));
  return games.map((game) => ({
    ...game,
    group: groups.get(game.id) ?? null,
    stage: findStage(game, bySeason.get(game.season) ?? []),
  }));
}

function findStage(game: Game, season: readonly Game[]): GroupedGame['stage'] {
  const { phase, round, number } = game;
  if (phase === 'RS' || phase === 'TS') return tableRound(phase, round, number ?? round);
  if (phase === 'PO') return playOffRound(number ?? undefined);
  return namedRound(phase === 'PI' ? 'Play-in' : finalFourRound(game, season));
}

/**
 * Returns semi-final, final or third place. The source calls the match for third place a final. In one season, it also
 * calls the semi-finals finals. In another season, the semi-finals are missing. The final is the last game.
 */
function finalFourRound(game: Game, season: readonly Game[]): string {
  const games = season.filter(({ phase }) => phase === 'FF');
  const last = Math.max(...games.map(({ round }) => round));
  if (game.round < last || /semi/iu.test(game.roundName)) return 'Semi-finals';
  const finals = games.filter(({ round }) => round === last);
  return finals.some(({ code }) => code > game.code) ? 'Third place' : 'Final';
}

/** @param blocks from the play-by-play */
export function toUpdate(game: GroupedGame, blocks: Partial<MatchInput>): MatchUpdateInput {
  const { season, code, home, away, group, stage, start, score } = game;
  return matchUpdate(EUROLEAGUE, game, {
    ...gameReference(season, code, home, away),
    ...start,
    ...stage,
    // A file with only a part of a season does not show the groups, and must not erase the stored ones.
    ...(group !== null && { group_name: group }),
    status: 'finished',
    status_detail: isForfeit(score) ? 'awarded' : 'ended',
    score,
    ...(game.phase === 'FF' && { neutral: true }),
    finalized: true,
    ...blocks,
  });
}
