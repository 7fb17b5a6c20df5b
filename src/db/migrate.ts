/** Applies the numbered SQL files that a store has not seen yet, each in its own transaction, one process at a time. */
import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';

const FOLDER = new URL('./migrations/postgres/', import.meta.url);
/** Any fixed number: the advisory lock that lets one process migrate at a time. */
const LOCK = 7_345_112;

const migrationFiles = () =>
  readdirSync(FOLDER)
    .filter((file) => file.endsWith('.sql'))
    .sort();

/**
 * For a process that does not migrate. A newer database is fine: an upgrade first adds what the old processes do not know.
 * @throws {Error} with one clear line where the database lacks a migration
 */
export async function checkMigrated(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ known: boolean }>("SELECT to_regclass('schema_migration') IS NOT NULL AS known");
  const seen = rows[0]!.known
    ? new Set((await pool.query<{ file: string }>('SELECT file FROM schema_migration')).rows.map(({ file }) => file))
    : new Set<string>();
  const missing = migrationFiles().filter((file) => !seen.has(file));
  if (missing.length === 0) return;
  throw new Error(`the database lacks ${missing.join(', ')}: run touchline migrate first`);
}

/** @returns the names of the files applied now. */
export async function migratePostgres(pool: pg.Pool): Promise<string[]> {
  const files = migrationFiles();
  const client = await pool.connect();
  const applied: string[] = [];
  try {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
    await client.query(
      'CREATE TABLE IF NOT EXISTS schema_migration (file text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
    );
    const { rows } = await client.query<{ file: string }>('SELECT file FROM schema_migration');
    const seen = new Set(rows.map((row) => row.file));
    const unknown = [...seen].filter((file) => !files.includes(file));
    if (unknown.length > 0)
      throw new Error(`the database was migrated by a newer version: it has ${unknown.join(', ')}`);
    for (const file of files.filter((name) => !seen.has(name))) {
      await client.query('BEGIN');
      try {
        await client.query(readFileSync(new URL(file, FOLDER), 'utf8'));
        await client.query('INSERT INTO schema_migration (file) VALUES ($1)', [file]);
        await client.query('COMMIT');
      } catch (error) {
        await client.query('ROLLBACK');
        throw new Error(`migration ${file}: ${(error as Error).message}`);
      }
      applied.push(file);
    }
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [LOCK]).catch(() => {});
    client.release();
  }
  return applied;
}
