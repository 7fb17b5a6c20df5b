/**
 * Checks which rooms write each table, from the recorded statements. Only one room may write a table, except for the
 * tables in src/table-writers.json, which lists the rooms and the reason. The room db does not count, because it sends
 * statements for other rooms, such as those for leases.
 */
import { parseSync } from 'libpg-query';

export type Exceptions = Readonly<Record<string, { rooms: readonly string[]; reason: string }>>;

const WRITES = new Set(['InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt', 'TruncateStmt']);

interface Relation {
  relname: string;
}

/** Returns the tables that a statement writes, including those written in a WITH clause. */
export function writtenTables(text: string): Set<string> {
  const tables = new Set<string>();
  JSON.stringify(parseSync(text), (key, node) => {
    if (WRITES.has(key) || (key === 'CopyStmt' && node.is_from)) {
      const relations: Relation[] = node.relation
        ? [node.relation]
        : node.relations.map((one: { RangeVar: Relation }) => one.RangeVar);
      for (const { relname } of relations) tables.add(relname);
    }
    return node;
  });
  return tables;
}

/** Returns the room of a place: `src/relay/relay.ts:1:2` -> relay. All files in operators are one room. */
const roomOf = (place: string): string => /^(?:src\/)?([^/:]+?)(?:\.ts)?[/:]/.exec(place)?.[1] ?? place;

/** @param statements by text, the places that send the statement */
export function writerFaults(statements: ReadonlyMap<string, ReadonlySet<string>>, exceptions: Exceptions): string[] {
  const writers = new Map<string, Set<string>>();
  for (const [text, places] of statements)
    for (const table of writtenTables(text)) {
      const rooms = writers.get(table) ?? new Set();
      writers.set(table, rooms);
      for (const place of places) if (roomOf(place) !== 'db') rooms.add(roomOf(place));
    }
  return [...writers].flatMap(([table, found]) => {
    const rooms = [...found].sort();
    const listed = exceptions[table]?.rooms ?? [];
    if (rooms.length < 2 || rooms.every((room) => listed.includes(room))) return [];
    return [`the table ${table} is written by ${rooms.join(', ')}: one of them must have the statements`];
  });
}
