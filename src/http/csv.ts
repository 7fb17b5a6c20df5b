/** Replies as CSV (RFC 4180), with one row for each list item. The columns do not depend on the items. */
import { stringify } from 'csv-stringify/sync';
import { z } from 'zod';
import { readMember } from '../runtime/unknown-values.ts';
import { columnsOf, csvCell, itemSchema, type Row } from '../wire/table-columns.ts';
import type { Reply } from './route.ts';

export type CsvWriter = (reply: Reply) => Reply;

/**
 * @param response schema for the JSON reply
 * @param list name of the member whose items become the rows
 * @throws {TypeError} if that member is not a list of objects
 */
export function csvWriter(response: z.ZodType, list: string): CsvWriter {
  const columns = columnsOf(itemSchema(response instanceof z.ZodObject ? response.shape[list] : undefined));
  const header = columns.map(({ name }) => name);
  return (reply) => {
    const { body, etag } = reply;
    const json: unknown = typeof body === 'string' || Buffer.isBuffer(body) ? JSON.parse(String(body)) : body;
    const items = readMember(json, list);
    if (!Array.isArray(items)) throw new TypeError(`${list} of the reply is not a list`);
    const rows = items.map((row: Row) => columns.map(({ read }) => csvCell(read(row))));
    return {
      ...reply,
      body: stringify([header, ...rows], { record_delimiter: 'windows' }),
      contentType: 'text/csv; charset=utf-8; header=present',
      headers: { ...reply.headers, 'Content-Disposition': `attachment; filename="${list}.csv"` },
      ...(etag !== undefined && { etag: `${etag}-csv` }),
    };
  };
}
