/** Rows as lines of text. Each writes one batch of rows at a time, so that a large table needs no more memory than a small one. */
import { stringify } from 'csv-stringify/sync';
import { type Column, csvCell, type Row } from './table-columns.ts';

export async function* csvLines(columns: readonly Column[], batches: AsyncIterable<Row[]>): AsyncGenerator<string> {
  const lines = (rows: string[][]) => stringify(rows, { record_delimiter: 'windows' });
  yield lines([columns.map(({ name }) => name)]);
  for await (const rows of batches) yield lines(rows.map((row) => columns.map(({ read }) => csvCell(read(row)))));
}

/** Writes whole wire objects, which are nested as in the API. */
export async function* ndjsonLines(_columns: readonly Column[], batches: AsyncIterable<Row[]>): AsyncGenerator<string> {
  for await (const rows of batches) yield rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}
