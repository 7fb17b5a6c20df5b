/** Reads the reviewed CSV files in the folder `data`. A line that begins with `#` is a comment. */
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';

/**
 * Returns the named columns of each row. An empty cell is an empty text.
 * @param file path below `data`
 * @throws an Error if the file lacks a column
 */
export const dataRows = <Column extends string>(file: string, columns: readonly Column[]): Record<Column, string>[] =>
  parse<Record<string, string>>(readFileSync(new URL(`../../data/${file}`, import.meta.url)), {
    columns: (header) => {
      const missing = columns.find((column) => !header.includes(column));
      if (missing !== undefined) throw new Error(`data/${file} has no column ${missing}`);
      return header.map((name) => columns.find((column) => column === name));
    },
    comment: '#',
    comment_no_infix: true,
    trim: true,
  });
