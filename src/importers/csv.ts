/**
 * Reads CSV files as rows by column name, with line numbers. A bad row or a truncated file is reported as a fault, and
 * reading continues.
 */
import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import type { FeedUpdateInput } from '../wire/feed-update.ts';
import { type FileError, faultAt, fileFault, type InputFile, readText, reason, textDamage } from './files.ts';
import { type ImportItem, toItem } from './importer.ts';

export type Row = Record<string, string>;
/** Columns that each file must have. If an entry is a list, one of its columns is enough. */
export type RequiredColumns = readonly (string | readonly string[])[];
export interface CsvRow {
  row: Row;
  line: number;
  position: string;
}

const MAX_RECORD_BYTES = 1_000_000;

/** Whether an item from `csvRows` is a row. */
export const isRow = (item: CsvRow | FileError): item is CsvRow => 'row' in item;

/**
 * Yields the rows in a file with a header. If the last row is shorter than the one before it and has no line end, it is
 * truncated, which is a fault.
 * @param required columns that the file must have. If any is missing, the file gives one fault and no rows. If an entry
 *   is a list, one of its columns is enough
 */
export async function* csvRows(file: InputFile, required: RequiredColumns): AsyncGenerator<CsvRow | FileError> {
  const fault = (line: number, detail: string): FileError => faultAt(`${file.path}:${line}`, detail);
  const end = (line: number, detail: string): FileError => fileFault(`${file.path}:${line}`, detail);
  let header: string[] | undefined;
  let last: { record: string[]; line: number } | undefined;
  let before = 0;
  let line = 1;
  const read = ({ record, line }: { record: string[]; line: number }): CsvRow | FileError => {
    const damage = findDamage(record);
    return damage === undefined
      ? { row: toRow(header!, record), line, position: `${file.path}:${line}` }
      : fault(line, damage);
  };
  const text = withEnd(readText(file));
  try {
    for await (const { info, record } of records(text.pieces)) {
      line = info.lines;
      if (header === undefined) {
        header = record.map((name) => name.trim());
        const missing = missingColumns(header, required);
        if (missing.length > 0) {
          yield end(1, `not the expected columns: ${missing.join(', ')} missing`);
          return;
        }
        continue;
      }
      if (last) yield read(last);
      before = last?.record.length ?? record.length;
      last = record.every((cell) => cell.trim() === '') ? undefined : { record, line };
    }
    if (header === undefined) yield end(1, 'is empty');
    if (!last) return;
    const isCut = last.record.length < before && !text.endsWithNewline();
    yield isCut ? end(last.line, 'the row is cut: the file ends in the middle') : read(last);
  } catch (error) {
    if (last) yield read(last);
    yield end(line, `cannot be read any further: ${reason(error)}`);
  }
}

/**
 * Yields the updates in a file's rows.
 * @param required see `csvRows`
 * @param readRow returns the row's update or updates, or the reason why the row or a part of it is refused; undefined
 *   if the row does not give an update by itself
 */
export async function* csvUpdates(
  file: InputFile,
  required: RequiredColumns,
  readRow: (row: CsvRow) => FeedUpdateInput | string | readonly (FeedUpdateInput | string)[] | undefined,
): AsyncGenerator<ImportItem> {
  for await (const item of csvRows(file, required)) {
    if (!isRow(item)) {
      yield item;
      continue;
    }
    for (const read of [readRow(item) ?? []].flat()) yield toItem(item.position, read);
  }
}

/**
 * Reads a file whose rows do not give updates by themselves. Yields the faults.
 * @param required see `csvRows`
 * @param take returns why a row is refused
 */
export async function* eachRow(
  file: InputFile,
  required: RequiredColumns,
  take: (row: CsvRow) => string | undefined,
): AsyncGenerator<FileError> {
  for await (const item of csvRows(file, required)) {
    const detail = isRow(item) ? take(item) : undefined;
    if (!isRow(item)) yield item;
    else if (detail !== undefined) yield faultAt(item.position, detail);
  }
}

const missingColumns = (header: readonly string[], required: RequiredColumns): string[] =>
  required
    .map((names) => (typeof names === 'string' ? [names] : names))
    .filter((names) => !names.some((name) => header.includes(name)))
    .map((names) => names.join(' or '));

/** Returns why a record is damaged, or undefined. A quote that is not closed swallows all rows up to the next quote. */
function findDamage(record: readonly string[]): string | undefined {
  for (const cell of record) {
    const damage = textDamage(cell);
    if (damage !== undefined) return damage;
    const lines = cell.includes('\n') ? cell.split('\n').length : 1;
    if (lines > 1) return `a quoted cell goes over ${lines} lines, which end here: is a quote not closed?`;
  }
  return undefined;
}

type ParsedRecord = { info: { lines: number }; record: string[] };

function records(pieces: AsyncIterable<string>): AsyncIterable<ParsedRecord> {
  const parser = parse({
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MAX_RECORD_BYTES,
  });
  const source = Readable.from(pieces).on('error', (error) => parser.destroy(error));
  return source.pipe(parser);
}

function withEnd(source: AsyncIterable<string>) {
  let last = '';
  async function* watched() {
    for await (const piece of source) {
      last = piece.at(-1) ?? last;
      yield piece;
    }
  }
  return { pieces: watched(), endsWithNewline: () => last === '\n' || last === '\r' };
}

/** Columns without a name are dropped; columns beyond the end of a short row are absent. */
function toRow(header: readonly string[], record: readonly string[]): Row {
  const row: Row = {};
  for (let column = 0; column < Math.min(header.length, record.length); column++) {
    const name = header[column]!;
    if (name !== '') row[name] = record[column]!.trim();
  }
  return row;
}

/** Parses a whole number; undefined for an empty cell or anything else. */
export function integer(cell: string | undefined): number | undefined {
  return cell !== undefined && /^-?\d+(\.0+)?$/u.test(cell) ? Number.parseInt(cell, 10) : undefined;
}

/** Parses the score for two sides. Returns undefined if a cell is not a whole number from 0. */
export function scorePair(
  home: string | undefined,
  away: string | undefined,
): { home: number; away: number } | undefined {
  const score = { home: integer(home) ?? -1, away: integer(away) ?? -1 };
  return score.home < 0 || score.away < 0 ? undefined : score;
}

/** Parses a number; undefined for an empty cell or anything else. */
export function decimal(cell: string | undefined): number | undefined {
  return cell !== undefined && /^-?\d+(\.\d+)?(e-?\d+)?$/iu.test(cell) ? Number(cell) : undefined;
}
