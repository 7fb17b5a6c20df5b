/** Derives table columns from wire objects. CSV replies and exports have the same columns. */
import { z } from 'zod';
import { timestamp } from './time.ts';

export type Row = Readonly<Record<string, unknown>>;

/** `json` stands for an object or list that is not split into columns. */
export type ColumnType = 'integer' | 'number' | 'boolean' | 'time' | 'text' | 'json';

export interface Column {
  name: string;
  type: ColumnType;
  /** Undefined or null if the row has no value. */
  read(row: Row): unknown;
}

const SIDES = ['home', 'away'] as const;

/** Returns the schema without `nullable`, `optional` and `default`. */
function bare(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return bare(schema.unwrap() as z.ZodType);
  return schema;
}

/** Returns the item schema for a list of objects. @throws {TypeError} if the schema is not such a list */
export function itemSchema(list: z.ZodType | undefined): z.ZodObject {
  const array = list === undefined ? null : bare(list);
  const item = array instanceof z.ZodArray ? bare(array.element as z.ZodType) : null;
  if (item instanceof z.ZodObject) return item;
  throw new TypeError('The schema is not a list of objects');
}

function typeOf(schema: z.ZodType): ColumnType {
  if (schema === timestamp) return 'time';
  if (schema instanceof z.ZodNumber) return schema.isInt ? 'integer' : 'number';
  if (schema instanceof z.ZodNumberFormat) return 'integer';
  if (schema instanceof z.ZodBoolean) return 'boolean';
  if (schema instanceof z.ZodString || schema instanceof z.ZodEnum || schema instanceof z.ZodStringFormat)
    return 'text';
  return 'json';
}

const member = (value: unknown, name: string): unknown => (value as Row | null | undefined)?.[name];
const hasSide = (schema: z.ZodType): schema is z.ZodObject => schema instanceof z.ZodObject && 'side' in schema.shape;
const hasMembers = (schema: z.ZodType): schema is z.ZodObject =>
  schema instanceof z.ZodObject && Object.keys(schema.shape).length > 0;

/**
 * Returns an object's columns. A nested object has a column for each member, named after both. A list with one item for each
 * side has both sides' columns. Any other value has one column.
 */
export function columnsOf(schema: z.ZodObject, prefix = '', read: (row: Row) => unknown = (row) => row): Column[] {
  return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([name, given]): Column[] => {
    const value = bare(given);
    const readMember = (row: Row) => member(read(row), name);
    const full = `${prefix}${name}`;
    if (hasMembers(value)) return columnsOf(value, `${full}_`, readMember);
    const item = value instanceof z.ZodArray ? bare(value.element as z.ZodType) : null;
    if (item === null || !hasSide(item)) return [{ name: full, type: typeOf(value), read: readMember }];
    return SIDES.flatMap((side) => {
      const find = (row: Row) => (readMember(row) as Row[] | undefined)?.find((one) => one.side === side);
      return columnsOf(item.omit({ side: true }), `${prefix}${side}_`, find);
    });
  });
}

/** Beginnings of text that a spreadsheet would run as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** Returns a value as text for a CSV cell. Text that looks like a formula gets an apostrophe in front. */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return FORMULA.test(value) ? `'${value}` : value;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
