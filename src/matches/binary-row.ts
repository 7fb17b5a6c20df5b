/**
 * Reads rows as bytes. Otherwise the driver would make a string from each value, which is most of the work for a page of
 * cards (measured for 4 MB: 28 of 34 ms CPU). COPY in binary format returns the raw bytes. It takes no parameters, so values
 * are written into the statement as literals.
 */
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { readOnConnection } from '../db/routed-reads.ts';
import { readTogether } from '../http/index.ts';
import type { Position } from '../wire/position.ts';

/** Formats a value as an SQL literal. @throws {TypeError} for a number that is not a safe integer */
export function literal(value: number | string | readonly string[] | null): string {
  if (value === null) return 'NULL';
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new TypeError(`${value} is not a safe integer`);
    return String(value);
  }
  return typeof value === 'string'
    ? pg.escapeLiteral(value)
    : `ARRAY[${value.map((one) => pg.escapeLiteral(one)).join()}]`;
}

/** Binary header: signature, flags, and the length of the header extension, which is empty. */
const HEADER_BYTES = 19;

/** A value's bytes, in the parts in which they arrived, so that a large value is copied only once, into the reply. */
export type Parts = readonly Buffer[];

/**
 * Returns the values of all rows as bytes. Postgres sends each row as soon as it is made, so that making and receiving overlap.
 * @param select a query that returns rows without nulls
 * @param at the position that the read needs; null for one that needs the primary
 * @returns the bytes of each row's values; text in UTF-8
 */
export async function readRows(
  pool: Pick<pg.Pool, 'connect'>,
  select: string,
  at?: Position | null,
): Promise<Parts[][]> {
  const copy = async (client: pg.PoolClient) => {
    const chunks: Buffer[] = [];
    for await (const chunk of client.query(copyTo(`COPY (${select}) TO STDOUT (FORMAT binary)`))) chunks.push(chunk);
    return splitRows(chunks);
  };
  return readTogether(pool, (shared) => readOnConnection(shared, copy, at));
}

/** Number of fields in the row that ends a copy. */
const END = -1;

function splitRows(chunks: Parts): Buffer[][][] {
  const take = taker(chunks);
  const readInteger = (bytes: number) => Buffer.concat(take(bytes)).readIntBE(0, bytes);
  take(HEADER_BYTES);
  const rows: Buffer[][][] = [];
  for (let fields = readInteger(2); fields !== END; fields = readInteger(2))
    rows.push(Array.from({ length: fields }, () => take(readInteger(4))));
  return rows;
}

/** Returns a function that takes the next bytes. */
function taker(chunks: Parts): (length: number) => Buffer[] {
  let nth = 0;
  let at = 0;
  return (length) => {
    const parts: Buffer[] = [];
    for (let left = length; left > 0; ) {
      const part = chunks[nth]!.subarray(at, at + left);
      if (part.length > 0) parts.push(part);
      left -= part.length;
      at += part.length;
      if (at === chunks[nth]!.length) {
        nth += 1;
        at = 0;
      }
    }
    return parts;
  };
}
