/** Replies as CSV (RFC 4180), with one row for each list item. The columns do not depend on the items. */
import { stringify } from 'csv-stringify/sync';
import { z } from 'zod';
import { readMember } from '../runtime/unknown-values.ts';
import { columnsOf, csvCell, itemSchema, type Row } from '../wire/table-columns.ts';
import { readJson } from './fields.ts';
import type { Reply } from './route.ts';

/** @param fields the item's members that become columns; null for all */
export type CsvWriter = (reply: Reply, fields: readonly string[] | null) => Reply;

/**
 * @param response schema for the JSON reply
 * @param list name of the member whose items become the rows
 * @param item schema whose members become the columns; the schema of the items by default
 * @throws {TypeError} if that member is not a list of objects
 */
export function csvWriter(response: z.ZodType, list: string, item?: z.ZodObject): CsvWriter {
  const schema = item ?? itemSchema(response instanceof z.ZodObject ? response.shape[list] : undefined);
  const columns = columnsOf(schema);
  const members = Object.entries(schema.shape as Record<string, z.ZodType>);
  const columnsFor = (fields: readonly string[]) =>
    columnsOf(z.object(Object.fromEntries(members.filter(([name]) => fields.includes(name)))));
  return (reply, fields) => {
    const items = readMember(readJson(reply), list);
    if (!Array.isArray(items)) throw new TypeError(`${list} of the reply is not a list`);
    const shown = fields === null ? columns : columnsFor(fields);
    const rows = items.map((row: Row) => shown.map(({ read }) => csvCell(read(row))));
    const { etag } = reply;
    return {
      ...reply,
      body: stringify([shown.map(({ name }) => name), ...rows], { record_delimiter: 'windows' }),
      contentType: 'text/csv; charset=utf-8; header=present',
      headers: { ...reply.headers, 'Content-Disposition': `attachment; filename="${list}.csv"` },
      ...(etag !== undefined && { etag: `${etag}-csv` }),
    };
  };
}
