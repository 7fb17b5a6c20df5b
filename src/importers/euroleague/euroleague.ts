/**
 * The Euroleague: results (gameresults.csv), club names by season (teaminfo.csv), play-by-play (…pbp.csv) and shots
 * (…shots.csv), as published by github.com/solmos/eurolig, and saved replies from the live API. The CSV files have
 * three traps. Days have no year. Kick-offs follow summer time although they are marked "CET". A missing code is
 * written "NA".
 */
import { EUROLEAGUE } from '../../providers/euroleague/index.ts';
import type { Row } from '../csv.ts';
import { faultAt, type InputFile } from '../files.ts';
import { fileImporter, type ImportItem, toItem } from '../importer.ts';
import { JoinedTables } from '../joined-tables.ts';
import { readClubNames } from './club-names.ts';
import { PLAY_COLUMNS, playBlocks, playerIds, SHOT_COLUMNS } from './plays.ts';
import { isReply, readReplies } from './replies.ts';
import { readResults, toUpdate } from './results.ts';

const RESULTS = /gameresults.*\.csv$/u;
const NAMES = /teaminfo.*\.csv$/u;
const PLAYS = /pbp.*\.csv$/u;
const SHOTS = /shots.*\.csv$/u;
const TABLES = [RESULTS, NAMES, PLAYS, SHOTS];

export const euroleague = fileImporter({
  format: 'euroleague',
  provider: EUROLEAGUE,
  description:
    'Euroleague (basketball): gameresults.csv, teaminfo.csv, …pbp.csv, …shots.csv, and saved replies of its live API',
  expected: 'gameresults.csv, teaminfo.csv, …pbp.csv, …shots.csv, or replies such as Boxscore_E2024_1.json',
  accepts: (file) => isReply(file) || TABLES.some((pattern) => pattern.test(file.name)),
  async *readFiles(files) {
    const named = (pattern: RegExp) => files.filter(({ name }) => pattern.test(name));
    yield* readClubNames(named(NAMES));
    yield* readGames(named(RESULTS), named(PLAYS), named(SHOTS));
    yield* readReplies(files.filter(isReply));
  },
});

/** A row's game key, which is the same in all tables. */
const gameKey = ({ season, game_code }: Row) => `E${season}_${game_code}`;

async function* readGames(
  results: readonly InputFile[],
  plays: readonly InputFile[],
  shots: readonly InputFile[],
): AsyncGenerator<ImportItem> {
  const tables = new JoinedTables<string>();
  for (const file of plays) yield* tables.load(file.path, file, PLAY_COLUMNS, gameKey);
  for (const file of shots) yield* tables.load(file.path, file, SHOT_COLUMNS, gameKey);
  const listRows = (files: readonly InputFile[], id: string) => files.flatMap(({ path }) => tables.of(path, id));
  const { games, faults } = await readResults(results);
  yield* faults;
  const ids = playerIds(games.flatMap(({ id }) => listRows(shots, id)));
  for (const game of games) {
    const rows = listRows(plays, game.id);
    const read = rows.length > 0 ? playBlocks(rows, game, ids) : {};
    if (typeof read === 'string') yield faultAt(game.position, read);
    yield toItem(game.position, toUpdate(game, typeof read === 'string' ? {} : read));
  }
  const parts = [...plays, ...shots].map(({ path }) => path);
  const known = new Set(games.map(({ id }) => id));
  yield* tables.strays(parts, known, results[0] ?? { ...plays[0]!, name: 'a file of results' });
}
