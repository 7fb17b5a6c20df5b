/** CSV files: rows by column name, with their line numbers. A bad row or a truncated file is reported as a fault; reading continues. */
import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { type InputFile, readText, reason } from './files.ts';
import type { ImportItem } from './importer.ts';

export type Row = Record<string, string>;
export interface CsvRow {
  row: Row;
  line: number;
  position: string;
}
type Fault = Extract<ImportItem, { kind: 'fault' }>;

const MAX_RECORD_BYTES = 1_000_000;

/** Whether an item of `csvRows` is a row. */
export const isRow = (item: CsvRow | Fault): item is CsvRow => 'row' in item;

/**
 * The rows of a file that has a header. A last row that is shorter than the one before and has no line end is truncated.
 * @param required columns without which the file has another format: one fault, and nothing is read
 */
export async function* csvRows(file: InputFile, required: readonly string[]): AsyncGenerator<CsvRow | Fault> {
  const fault = (line: number, detail: string): Fault => ({ kind: 'fault', position: `${file.path}:${line}`, detail });
  let header: string[] | undefined;
  let last: { record: string[]; line: number } | undefined;
  let before = 0;
  let line = 1;
  const read = ({ record, line }: { record: string[]; line: number }): CsvRow | Fault =>
    record.some((cell) => cell.includes('\0'))
      ? fault(line, 'contains NUL')
      : { row: toRow(header!, record), line, position: `${file.path}:${line}` };
  const text = withEnd(readText(file));
  try {
    for await (const { info, record } of records(text.pieces)) {
      line = info.lines;
      if (header === undefined) {
        header = record.map((name) => name.trim());
        const missing = required.filter((name) => !header!.includes(name));
        if (missing.length > 0) {
          yield fault(1, `not the expected columns: ${missing.join(', ')} missing`);
          return;
        }
        continue;
      }
      if (last) yield read(last);
      before = last?.record.length ?? record.length;
      last = record.every((cell) => cell.trim() === '') ? undefined : { record, line };
    }
    if (header === undefined) yield fault(1, 'is empty');
    if (!last) return;
    const cut = last.record.length < before && !text.endsWithNewline();
    yield cut ? fault(last.line, 'the row is cut: the file ends in the middle') : read(last);
  } catch (error) {
    if (last) yield read(last);
    yield fault(line, `cannot be read any further: ${reason(error)}`);
  }
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

/** A whole number, or undefined for an empty cell or anything else. */
export function integer(cell: string | undefined): number | undefined {
  return cell !== undefined && /^-?\d+(\.0+)?$/u.test(cell) ? Number.parseInt(cell, 10) : undefined;
}

/** A number, or undefined for an empty cell or anything else. */
export function decimal(cell: string | undefined): number | undefined {
  return cell !== undefined && /^-?\d+(\.\d+)?(e-?\d+)?$/iu.test(cell) ? Number(cell) : undefined;
}
