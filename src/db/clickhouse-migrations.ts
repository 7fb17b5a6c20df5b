/**
 * Applies the numbered SQL files that are missing in the analytical store. Each statement of a file can be repeated.
 */
import { readdirSync, readFileSync } from 'node:fs';
import type { ClickHouse } from './clickhouse.ts';

const FOLDER = new URL('./migrations/clickhouse/', import.meta.url);

/** Only at line ends, where no statement here contains it. */
const END_OF_STATEMENT = /;\s*\n/;

/**
 * The loader's lease ensures that only one process runs it at a time.
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
