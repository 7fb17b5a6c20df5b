/**
 * Prints an import's output: first a table, in which each format and path gets a line as soon as it has been read, and
 * then the rejections.
 */
import type { Queryable } from '../db/postgres.ts';
import { type ImportSummary, taken } from './run.ts';

const number = (value: number) => value.toLocaleString('en');

const COLUMNS = ['files', 'read', 'changed', 'unchanged', 'pending', 'rejected', 'seconds'] as const;
const FORMAT_WIDTH = 24;
const NUMBER_WIDTH = 11;

const line = (format: string, cells: readonly string[], path: string) =>
  `${format.padEnd(FORMAT_WIDTH)}${cells.map((cell) => cell.padStart(NUMBER_WIDTH)).join('')}  ${path}`.trimEnd();

export const tableHead = () => line('format', COLUMNS, 'path');

type Figures = Pick<ImportSummary, (typeof COLUMNS)[number]>;

export const tableLine = (format: string, figures: Figures, path = '') =>
  line(
    format,
    COLUMNS.map((column) => (column === 'seconds' ? figures.seconds.toFixed(1) : number(figures[column]))),
    path,
  );

export const totals = (summaries: readonly ImportSummary[]): Figures =>
  Object.fromEntries(
    COLUMNS.map((column) => [column, summaries.reduce((sum, summary) => sum + summary[column], 0)]),
  ) as Figures;

/**
 * Returns the details that the table lacks: the first rejections, the participants that a list has created, and the
 * files without a record.
 * @param rejections the file with all rejections
 */
export function detailLines(summary: ImportSummary, rejections: string | undefined): string[] {
  const { format, path, rejected, faults, created, withoutRecords } = summary;
  const more = rejected - faults.length;
  const moreFiles = withoutRecords.count - withoutRecords.files.length;
  return [
    ...(rejected > 0 ? [`${format} ${path}: ${number(rejected)} rejected`] : []),
    ...faults.map((fault) => `  ${fault}`),
    ...(more > 0
      ? [
          `  and ${number(more)} more: ${rejections === undefined ? 'write all of them to a file with --rejections FILE' : `see ${rejections}`}`,
        ]
      : []),
    ...(created.count > 0
      ? [
          `${format} ${path}: ${number(created.count)} ${created.count === 1 ? 'participant was' : 'participants were'} created: ${created.names.join(', ')}${created.count > created.names.length ? ', …' : ''}`,
        ]
      : []),
    ...(withoutRecords.count > 0 ? [`${format} ${path}: nothing was taken from these files`] : []),
    ...withoutRecords.files.map((file) => `  ${file}`),
    ...(moreFiles > 0 ? [`  and ${number(moreFiles)} more files`] : []),
  ];
}

const SPORT_COLUMNS = ['tournaments', 'seasons', 'matches', 'teams', 'players'] as const;

/**
 * Returns a table with the catalogue's content for each sport, whichever import it comes from. Sports without content
 * are left out.
 */
export async function sportLines(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ sport: string } & Record<(typeof SPORT_COLUMNS)[number], number>>(
    `WITH matches AS (SELECT sport, count(*) AS matches FROM match GROUP BY 1),
       tournaments AS (
         SELECT t.sport, count(DISTINCT t.id) AS tournaments, count(s.id) AS seasons FROM tournament t LEFT JOIN season s ON s.tournament_id = t.id GROUP BY 1),
       participants AS (
         SELECT sport, count(*) FILTER (WHERE type = 'team') AS teams, count(*) FILTER (WHERE type = 'player') AS players FROM participant GROUP BY 1)
     SELECT p.sport, coalesce(tournaments, 0) AS tournaments, coalesce(seasons, 0) AS seasons, coalesce(matches, 0) AS matches, teams, players
     FROM participants p LEFT JOIN tournaments USING (sport) LEFT JOIN matches USING (sport) ORDER BY 4 DESC, 1`,
  );
  const cells = (values: readonly string[]) => values.map((value) => value.padStart(NUMBER_WIDTH + 2)).join('');
  return [
    `${'sport'.padEnd(FORMAT_WIDTH)}${cells(SPORT_COLUMNS)}`,
    ...rows.map((row) => row.sport.padEnd(FORMAT_WIDTH) + cells(SPORT_COLUMNS.map((column) => number(row[column])))),
  ];
}

/** Returns why an import has failed, or undefined if it succeeded. */
export function describeFailure(summary: ImportSummary): string | undefined {
  const { path, endedEarly } = summary;
  if (taken(summary) === 0) return `nothing was taken from ${path}`;
  if (endedEarly === 0) return undefined;
  return `${number(endedEarly)} ${endedEarly === 1 ? 'file' : 'files'} of ${path} could not be read to the end`;
}
