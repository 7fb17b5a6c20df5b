/** CSV files of the search: lists of aliases, and queries with their answers. Lines that begin with # are comments. */
import { parse } from 'csv-parse/sync';

export interface CsvRow {
  /** Values by column; a column that the header lacks is undefined. */
  record: Record<string, string>;
  info: { /** Line of the row's end, from 1. */ lines: number };
}

/** @throws an Error of csv-parse that names the line */
export const csvRows = (text: string): CsvRow[] =>
  parse<CsvRow>(text, {
    columns: true,
    comment: '#',
    comment_no_infix: true,
    trim: true,
    info: true,
    bom: true,
  });
