/** Reads a CSV text, and says on which line each row ends. A line that begins with # is a comment. */
import { parse } from 'csv-parse/sync';

export interface CsvRow {
  /** Values by column. A column that is not in the header is undefined. */
  record: Record<string, string>;
  info: { /** Line on which the row ends, from 1. */ lines: number };
}

/** @throws an Error from csv-parse that names the line */
export const csvRows = (text: string): CsvRow[] =>
  parse<CsvRow>(text, {
    columns: true,
    comment: '#',
    comment_no_infix: true,
    trim: true,
    info: true,
    bom: true,
  });
