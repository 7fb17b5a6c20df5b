/** Reads that can be sent together, as one statement. A page that sends one statement instead of ten takes half the processor time. */
import { hash } from 'node:crypto';
import { firstRow, type Queryable } from './postgres.ts';

export interface Statement {
  name: string;
  text: string;
  values: unknown[];
}

/** A statement, and the function that makes a value from its rows. */
export interface Read<T> {
  statement: Statement;
  /**
   * @param rows as JSON has them: ids and figures are numbers, and a column of type JSON is parsed. The statement has to write
   * times and days as text.
   */
  toValue(rows: never[]): T;
}

const NOTHING: Read<null> = {
  statement: { name: 'nothing', text: 'SELECT WHERE false', values: [] },
  toValue: () => null,
};

/** Returns the read if it is wanted. Otherwise returns one that reads nothing, and whose value is null. */
export const readIf = <T>(isWanted: boolean, read: Read<T>): Read<T | null> => (isWanted ? read : NOTHING);

/** Statements that have been put together, by their parts. */
const joined = new Map<string, Pick<Statement, 'name' | 'text'>>();

/** The name is made from the text, since a connection refuses a name that it knows for a different text. */
function join(columns: readonly (readonly [string, Statement])[]): Pick<Statement, 'name' | 'text'> {
  const key = columns.map(([column, { text }]) => `${column} ${text}`).join('|');
  const known = joined.get(key);
  if (known !== undefined) return known;
  let before = 0;
  const parts = columns.map(([column, { text, values }]) => {
    const first = before;
    before += values.length;
    const own = text.replaceAll(/\$(\d+)/g, (_, position) => `$${first + Number(position)}`);
    return `(SELECT coalesce(json_agg(r), '[]') FROM (${own}) r) AS "${column}"`;
  });
  const text = `SELECT ${parts.join(',\n')}`;
  const statement = { name: `reads ${hash('sha1', text, 'base64url')}`, text };
  joined.set(key, statement);
  return statement;
}

/**
 * Sends the reads as one statement. All reads see the same state of the database.
 * @param db connections that plan the statement once, see `openPlannedReads`
 */
export async function readAll<T extends object>(db: Queryable, reads: { [K in keyof T]: Read<T[K]> }): Promise<T> {
  const columns = Object.entries<Read<unknown>>(reads).map(([column, { statement }]) => [column, statement] as const);
  const statement = { ...join(columns), values: columns.flatMap(([, { values }]) => values) };
  const { rows } = await db.query<Record<keyof T, never[]>>(statement);
  const row = firstRow(rows);
  const values: Partial<T> = {};
  for (const column in reads) values[column] = reads[column].toValue(row[column]);
  return values as T;
}
