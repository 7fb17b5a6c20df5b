/** Replies as CSV (RFC 4180): one row for each item of a list, with the same columns whatever the list has. */
import { stringify } from 'csv-stringify/sync';
import { z } from 'zod';
import type { Reply } from './route.ts';

type Row = Readonly<Record<string, unknown>>;
interface Column {
  name: string;
  read(row: Row): unknown;
}

const SIDES = ['home', 'away'] as const;

/** Returns the schema without `nullable`, `optional` and `default`. */
function bare(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return bare(schema.unwrap() as z.ZodType);
  return schema;
}

const member = (value: unknown, name: string): unknown => (value as Row | null | undefined)?.[name];
const hasSide = (schema: z.ZodType): schema is z.ZodObject => schema instanceof z.ZodObject && 'side' in schema.shape;

/**
 * Returns the columns of an object: of a nested object those of its members, with its name before theirs; of a list
 * with one item for each side those of both sides; of other values one.
 */
function columnsOf(schema: z.ZodObject, prefix: string, read: (row: Row) => unknown): Column[] {
  return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([name, given]): Column[] => {
    const value = bare(given);
    const readMember = (row: Row) => member(read(row), name);
    const full = `${prefix}${name}`;
    if (value instanceof z.ZodObject) return columnsOf(value, `${full}_`, readMember);
    const item = value instanceof z.ZodArray ? bare(value.element as z.ZodType) : null;
    if (item === null || !hasSide(item)) return [{ name: full, read: readMember }];
    return SIDES.flatMap((side) => {
      const find = (row: Row) => (readMember(row) as Row[] | undefined)?.find((one) => one.side === side);
      return columnsOf(item.omit({ side: true }), `${prefix}${side}_`, find);
    });
  });
}

/** A spreadsheet runs text that begins like a formula. */
const FORMULA = /^[=+\-@\t\r]/;

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return FORMULA.test(value) ? `'${value}` : value;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

export type CsvWriter = (reply: Reply) => Reply;

/**
 * @param response schema of the JSON reply
 * @param list name of its member that has the rows
 * @throws {TypeError} if that is not a list of objects
 */
export function csvWriter(response: z.ZodType, list: string): CsvWriter {
  const array = response instanceof z.ZodObject ? bare(response.shape[list] as z.ZodType) : null;
  const item = array instanceof z.ZodArray ? bare(array.element as z.ZodType) : null;
  if (!(item instanceof z.ZodObject)) throw new TypeError(`${list} is not a list of objects`);
  const columns = columnsOf(item, '', (row) => row);
  const header = columns.map(({ name }) => name);
  return (reply) => {
    const { body, etag } = reply;
    const json = typeof body === 'string' || Buffer.isBuffer(body) ? (JSON.parse(String(body)) as Row) : (body as Row);
    const rows = (json[list] as Row[]).map((row) => columns.map(({ read }) => cell(read(row))));
    return {
      ...reply,
      body: stringify([header, ...rows], { record_delimiter: 'windows' }),
      contentType: 'text/csv; charset=utf-8; header=present',
      headers: { ...reply.headers, 'Content-Disposition': `attachment; filename="${list}.csv"` },
      ...(etag !== undefined && { etag: `${etag}-csv` }),
    };
  };
}
