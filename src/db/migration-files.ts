/** The numbered SQL files, and how each one is run. CONTRIBUTING.md explains how to write one. */
import { readdirSync, readFileSync } from 'node:fs';

export const MIGRATIONS = new URL('./migrations/postgres/', import.meta.url);

/**
 * First line of a file with one statement that cannot run in a transaction, because it builds or drops an index
 * CONCURRENTLY.
 */
export const NO_TRANSACTION = '-- no-transaction';

export interface Migration {
  file: string;
  sql: string;
  inTransaction: boolean;
}

export const migrationFiles = (folder = MIGRATIONS): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort();

export function readMigration(file: string, folder = MIGRATIONS): Migration {
  const sql = readFileSync(new URL(file, folder), 'utf8');
  return { file, sql, inTransaction: sql.replace(/\n.*/s, '').trim() !== NO_TRANSACTION };
}

/** Matches a comment at the head of a file that removes what older releases read. */
const CONTRACT = /^-- contract: no longer read since (\d+\.\d+\.\d+)$/;

/** @returns the oldest release that can use a database after this file; null if the file excludes no release */
export function oldestRelease({ sql }: Pick<Migration, 'sql'>): string | null {
  const header = /^(?:--.*\n)*/.exec(sql)![0].split('\n');
  return header.map((line) => CONTRACT.exec(line)?.[1]).find((release) => release !== undefined) ?? null;
}

/** @returns the index that a file builds concurrently; null if it builds none */
export function builtIndex({ sql, inTransaction }: Migration): string | null {
  if (inTransaction) return null;
  const statement = sql.replaceAll(/--.*$/gm, '');
  return /^\s*CREATE\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+IF\s+NOT\s+EXISTS\s+(\w+)/i.exec(statement)?.[1] ?? null;
}
