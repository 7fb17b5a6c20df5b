/** Reads rows to resolve from the columns of a user's table. */
import { foldName } from '../db/fold-name.ts';
import { COUNTRIES } from '../wire/countries.ts';
import { type Row, row } from './schema.ts';
import type { UserRow } from './user-table.ts';

/** The fields of a row, each with the names that the column may have, in folded form. The first name is the documented one. */
const COLUMNS = {
  type: ['type'],
  provider: ['provider'],
  external_id: ['external id', 'id'],
  name: ['name', 'team', 'player', 'imya', 'nazvanie', 'komanda', 'igrok'],
  sport: ['sport'],
  gender: ['gender'],
  country: ['country', 'strana'],
  birth_date: ['birth date', 'date of birth', 'born', 'data rozhdeniya'],
  club: ['club', 'klub'],
} as const;
type Field = keyof typeof COLUMNS;

/** The position of each field's column. */
export type FieldColumns = ReadonlyMap<Field, number>;

export function findColumns(header: readonly string[]): FieldColumns {
  const folded = header.map((name) => foldName(name));
  const found = new Map<Field, number>();
  for (const [field, names] of Object.entries(COLUMNS) as [Field, readonly string[]][]) {
    const at = folded.findIndex((name) => names.includes(name));
    if (at >= 0) found.set(field, at);
  }
  return found;
}

/** Our codes by code, and by the name in English or Russian. */
const CODES = new Map(
  COUNTRIES.flatMap(({ iso, name, name_ru }) => [iso, name, name_ru].map((text) => [foldName(text), iso] as const)),
);

/** Values that apply to each row whose table has no such column. */
export type Defaults = Pick<Partial<Row>, 'type' | 'provider' | 'sport' | 'gender'>;

/** @returns an error text if the row cannot be resolved */
export function toRow({ cells }: UserRow, columns: FieldColumns, defaults: Defaults, today: string): Row | string {
  const given: Record<string, string> = { ...defaults };
  for (const [field, at] of columns) {
    const value = cells[at]?.trim();
    if (value) given[field] = value;
  }
  // A file with one provider in all rows names it in each row, also where the id is missing.
  if (given.external_id === undefined) delete given.provider;
  if (given.country !== undefined) {
    const code = CODES.get(foldName(given.country));
    if (code === undefined) return `the country ${JSON.stringify(given.country.slice(0, 50))} is not known`;
    given.country = code;
  }
  if (given.birth_date !== undefined) {
    given.birth_date = readDay(given.birth_date);
    if (given.birth_date > today) return `birth_date ${given.birth_date} is in the future`;
  }
  const parsed = row.safeParse(given);
  if (parsed.success) return parsed.data;
  return parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
}

/** Reads days such as 20.12.1998 and 20/12/1998, too. The schema refuses what is not a day. */
function readDay(text: string): string {
  const parts = /^(\d{1,2})[./](\d{1,2})[./](\d{4})$/u.exec(text);
  if (parts === null) return text;
  const [, day, month, year] = parts as unknown as [string, string, string, string];
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}
