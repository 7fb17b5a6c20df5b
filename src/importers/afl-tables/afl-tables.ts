/**
 * akareen/AFL-Data-Analysis: every match of the VFL and the AFL since 1897, taken from AFL Tables (CSV files like
 * "afl_matches_1980-2024.csv"). Goals and behinds are those from the start of the match to each break. Kick-offs are in the
 * ground's local time. Some seasons write "3.0" for 3, and finals with extra time lack the sides, which
 * data/identity/afl-finals.csv has.
 */
import { Meetings } from '../../providers/index.ts';
import { type CsvRow, eachRow } from '../csv.ts';
import { faultAt, type InputFile } from '../files.ts';
import { fileImporter, type ImportItem, toItem } from '../importer.ts';
import { readFinals } from './finals.ts';
import { COLUMNS, type Game, readGame } from './game.ts';
import { AFL_TABLES, toUpdate } from './update.ts';

export const aflTables = fileImporter({
  format: 'afl-tables-csv',
  provider: AFL_TABLES,
  description: 'Australian football: afl_matches_….csv of akareen/AFL-Data-Analysis, all VFL and AFL matches',
  expected: 'files like afl_matches_1980-2024.csv',
  accepts: ({ name }) => /^afl_matches.*\.csv$/u.test(name),
  readFiles,
});

/** Reads all files first, because a replay is known by the drawn final before it. */
async function* readFiles(files: readonly InputFile[]): AsyncGenerator<ImportItem> {
  const games = new Map<string, Game>();
  const repeated: Game[] = [];
  for (const file of files) yield* eachRow(file, COLUMNS, (row) => add(games, repeated, row, file.observedAt));
  const ordered = [...games.values()].sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0));
  const finals = readFinals(ordered);
  const meetings = new Meetings();
  const ids = new Map<string, string>();
  for (const game of ordered) {
    const pairing = [game.season, game.round, game.home.team.name, game.away.team.name].join('/');
    const id = pairing + meetings.suffix(pairing, game.start);
    ids.set(gameKey(game), id);
    const stage = finals.get(game);
    yield stage === null
      ? faultAt(game.position, `${game.home.team.name} and ${game.away.team.name} are in no section of ${game.season}`)
      : toItem(game.position, toUpdate(game, id, stage));
  }
  for (const game of repeated) {
    const stage = finals.get(games.get(gameKey(game))!);
    if (stage !== null) yield toItem(game.position, toUpdate(game, ids.get(gameKey(game))!, stage));
  }
}

/** A side plays at most once a day. */
const gameKey = ({ day, home, away }: Game) => [day, ...[home.team.name, away.team.name].sort()].join('|');

/** Returns why a row is refused. */
function add(games: Map<string, Game>, repeated: Game[], row: CsvRow, observedAt: string): string | undefined {
  const game = readGame(row, observedAt);
  if (typeof game === 'string') return game;
  const known = games.get(gameKey(game));
  if (known === undefined) games.set(gameKey(game), game);
  else if (known.home.team !== game.home.team) return `has the sides of ${known.position} the other way round`;
  else if (known.round !== game.round) return `contradicts the round ${known.round} of ${known.position}`;
  else if (scoreText(known) !== scoreText(game))
    return `contradicts the score ${scoreText(known)} of ${known.position}`;
  else repeated.push(game);
  return undefined;
}

const scoreText = ({ home, away }: Game) => `${home.points}:${away.points}`;
