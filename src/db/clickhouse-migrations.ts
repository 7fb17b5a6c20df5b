/** Applies the numbered SQL files that the analytical store lacks. Every statement in them can be repeated. */
import { readdirSync, readFileSync } from 'node:fs';
import type { ClickHouse } from './clickhouse.ts';

const FOLDER = new URL('./migrations/clickhouse/', import.meta.url);

/** Matches a semicolon at a line end. None of our statements has one inside. */
const END_OF_STATEMENT = /;\s*\n/;

/**
 * Applies the missing files. Callers have the loader's lease, so only one process does this at a time.
 * @returns names of the files applied now
 * @throws {Error} if a newer version has migrated the store
 */
export async function migrateClickHouse(clickhouse: ClickHouse): Promise<string[]> {
  await clickhouse.command(
    'CREATE TABLE IF NOT EXISTS schema_migration (file String, applied_at DateTime DEFAULT now()) ENGINE = MergeTree ORDER BY file',
  );
  const seen = new Set(
    (await clickhouse.query<{ file: string }>('SELECT DISTINCT file FROM schema_migration')).map(({ file }) => file),
  );
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.sql'));
  const unknown = [...seen].filter((file) => !files.includes(file));
  if (unknown.length > 0) throw new Error(`ClickHouse was migrated by a newer version: it has ${unknown.join(', ')}`);
  const missing = files.filter((file) => !seen.has(file)).sort();
  for (const file of missing) {
    const statements = readFileSync(new URL(file, FOLDER), 'utf8')
      .split(END_OF_STATEMENT)
      .filter((statement) => statement.trim() !== '');
    for (const statement of statements) await clickhouse.command(statement);
    await clickhouse.command('INSERT INTO schema_migration (file) VALUES ({file: String})', { file });
  }
  return missing;
}
