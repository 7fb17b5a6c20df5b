/**
 * Retrosplits: a row for each side in a game, with totals (Chadwick Bureau, from Retrosheet's data). Most games appear
 * twice, from the play-by-play (`evt`) and from the box score (`box`). The play-by-play's rows are more complete.
 */

import { BASEBALL_ROUNDS, count, isBaseballPhase, isDay, present, type StatisticName } from '../../providers/index.ts';
import { grouped } from '../../wire/grouped.ts';
import { type CsvRow, eachRow, integer, type Row, scorePair } from '../csv.ts';
import type { InputFile } from '../files.ts';
import { type ImportItem, toItem } from '../importer.ts';
import { type Game, toUpdate } from './game.ts';

const COLUMNS = [
  'game.key',
  'game.source',
  'game.date',
  'game.number',
  'season.phase',
  'team.alignment',
  'team.key',
  'opponent.key',
  'B_R',
  'P_R',
];
/** A statistic, and the column with the side's figure. */
const STATISTICS: readonly (readonly [StatisticName, string])[] = [
  ['Runs', 'B_R'],
  ['Hits', 'B_H'],
  ['Errors', 'F_E'],
  ['Doubles', 'B_2B'],
  ['Triples', 'B_3B'],
  ['Home runs', 'B_HR'],
  ['Walks', 'B_BB'],
  ['Strikeouts', 'B_SO'],
  ['Stolen bases', 'B_SB'],
  ['Left on base', 'B_LOB'],
];
/** Parks in which both sides are guests, by Retrosheet's park codes. */
const NEUTRAL_PARKS = new Set([
  'BIR01',
  'DYE01',
  'LBV01',
  'LON01',
  'MEX02',
  'MNT01',
  'OMA01',
  'SEO01',
  'SJU01',
  'SYD01',
  'TOK01',
  'WIL02',
]);

export async function* readRetrosplits(file: InputFile): AsyncGenerator<ImportItem> {
  const lines: CsvRow[] = [];
  yield* eachRow(file, COLUMNS, (line) => {
    lines.push(line);
    return undefined;
  });
  for (const game of grouped(lines, ({ row }) => row['game.key'] ?? '').values()) yield readGame(game, file);
}

function readGame(lines: readonly [CsvRow, ...CsvRow[]], file: InputFile): ImportItem {
  const sources = grouped(lines, ({ row }) => row['game.source'] ?? '');
  const [first = lines] = sources.values();
  const best = sources.get('evt') ?? sources.get('box') ?? first;
  const game = toGame(best.map(({ row }) => row));
  return toItem(best[0].position, typeof game === 'string' ? game : toUpdate(game, file));
}

/** @param rows a game's rows from one source (`evt` or `box`) */
function toGame(rows: readonly Row[]): Game | string {
  if (rows.length < 2) return 'the row of the other side is missing';
  if (rows.length > 2) return `the game ${rows[0]?.['game.key']} has ${rows.length} rows of one source`;
  const home = rows.find((row) => row['team.alignment'] === '1');
  const away = rows.find((row) => row['team.alignment'] === '0');
  if (home === undefined || away === undefined)
    return 'one of the rows has to be the home side (team.alignment 1), the other 0';
  const day = home['game.date'] ?? '';
  if (!isDay(day)) return `${JSON.stringify(day)} is not a date`;
  const phase = home['season.phase'] ?? '';
  if (!isBaseballPhase(phase))
    return `the phase ${JSON.stringify(phase)} is not one of ${Object.keys(BASEBALL_ROUNDS).join(', ')}`;
  const score = scorePair(home.B_R, away.B_R);
  if (score === undefined) return `${JSON.stringify(home.B_R)}:${JSON.stringify(away.B_R)} is not a score`;
  if (integer(home.P_R) !== score.away || integer(away.P_R) !== score.home)
    return `the runs of one side are not the runs allowed of the other: ${score.home}:${score.away} and ${away.P_R}:${home.P_R}`;
  const statistics = STATISTICS.map(([name, column]) =>
    count('ALL', name, integer(home[column]), integer(away[column])),
  );
  return {
    home: home['team.key'] ?? '',
    away: away['team.key'] ?? '',
    day,
    number: home['game.number'] || '0',
    phase,
    neutral: NEUTRAL_PARKS.has(home['site.key'] ?? ''),
    score,
    details: { statistics: statistics.filter(present) },
  };
}
