/** Reads from a piece of SQL which tables it reads and writes, and from the migrations what tables, functions and triggers there are. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Right } from '../../../src/db/grants.ts';

/** Rights by table. */
export type Rights = Map<string, Set<Right>>;

export function addRight(rights: Rights, table: string, ...given: Right[]): void {
  const all = rights.get(table) ?? new Set();
  for (const one of given) all.add(one);
  rights.set(table, all);
}

export interface Schema {
  relations: Map<string, 'table' | 'view'>;
  /** Bodies of functions that are not triggers. */
  functions: Map<string, string>;
  triggers: { table: string; event: Right; body: string }[];
  /** Sequences of column defaults, by table. */
  sequences: Map<string, string>;
}

const MIGRATIONS = new URL('../../../src/db/migrations/postgres/', import.meta.url);

/** Reads the schema that all migrations make together. */
export function readSchema(): Schema {
  const files = readdirSync(MIGRATIONS).sort();
  const sql = files
    .map((file) => readFileSync(new URL(file, MIGRATIONS), 'utf8'))
    .join('\n')
    .replaceAll(/--.*$/gm, '');
  const relations = new Map<string, 'table' | 'view'>();
  for (const [, table] of sql.matchAll(/^CREATE (?:UNLOGGED )?TABLE (\w+)/gm)) relations.set(table!, 'table');
  for (const [, view] of sql.matchAll(/^CREATE VIEW (\w+)/gm)) relations.set(view!, 'view');
  for (const [, table] of sql.matchAll(/^DROP (?:TABLE|VIEW) (?:IF EXISTS )?(\w+)/gm)) relations.delete(table!);
  const bodies = new Map<string, string>();
  for (const [body, name] of sql.matchAll(
    /^CREATE (?:OR REPLACE )?FUNCTION (\w+)[\s\S]*?(?:\$\$;|\n\n|(?=^CREATE ))/gm,
  ))
    bodies.set(name!, body);
  const triggers = Array.from(
    sql.matchAll(
      /^CREATE TRIGGER \w+ (?:AFTER|BEFORE) (INSERT|UPDATE|DELETE)[\s\S]*? ON (\w+)[\s\S]*?EXECUTE FUNCTION (\w+)/gm,
    ),
    ([, event, table, name]) => ({ table: table!, event: event!.toLowerCase() as Right, body: bodies.get(name!)! }),
  );
  const sequences = new Map(
    Array.from(sql.matchAll(/^CREATE SEQUENCE (\w+) OWNED BY (\w+)/gm), ([, name, table]) => [table!, name!]),
  );
  const functions = new Map([...bodies].filter(([, body]) => !body.includes('RETURNS trigger')));
  return { relations, functions, triggers, sequences };
}

const NO_TABLES = new Set(['set', 'of', 'skip', 'nowait']);
/** Words before the name of a table that is read. */
const READ = /(?:\b(?:FROM|JOIN|USING|INTO|UPDATE|ONLY)\s+|,\s*|\(\s*|^\s*)(\w+)\b(?!\s*[(.])/g;
const WRITE = /\b(INSERT INTO|DELETE FROM|MERGE INTO|UPDATE(?! SET\b))\s+(\w+)/g;
const LOCK = /\bFOR (?:NO KEY UPDATE|UPDATE|KEY SHARE|SHARE)\b(?:\s+OF\s+(\w+(?:\s*,\s*\w+)*))?/g;

/** Whether a statement locks rows that it reads. */
export const isLocking = (sql: string) => sql.search(LOCK) !== -1;

/** Adds what a piece of SQL needs. Names that are no table are left out. */
export function addSqlRights(rights: Rights, sql: string, { relations, functions }: Schema): void {
  const isTable = (name: string) => relations.has(name) && !NO_TABLES.has(name);
  const read = Array.from(sql.matchAll(READ), ([, name]) => name!).filter(isTable);
  for (const table of read) addRight(rights, table, 'select');
  for (const [, verb, table] of sql.matchAll(WRITE)) {
    if (!isTable(table!)) continue;
    addRight(rights, table!, 'select', verb!.split(' ')[0]!.toLowerCase() as Right);
    if (verb === 'INSERT INTO' && /\bDO UPDATE\b/.test(sql)) addRight(rights, table!, 'update');
  }
  for (const [, aliases] of sql.matchAll(LOCK)) {
    const named = aliases
      ?.split(/\s*,\s*/)
      .map((alias) => new RegExp(`\\b(\\w+)(?: AS)? ${alias}\\b`).exec(sql)?.[1] ?? alias);
    for (const table of (named ?? read).filter((name) => relations.get(name) === 'table'))
      addRight(rights, table, 'lock');
  }
  for (const [name, body] of functions)
    if (new RegExp(`\\b${name}\\(`).test(sql) && body !== sql)
      addSqlRights(rights, body, { relations, functions } as Schema);
}
