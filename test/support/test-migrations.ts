/** Makes a folder with the service's migrations and additional ones for a test. */
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { MIGRATIONS, migrationFiles } from '../../src/db/migration-files.ts';

export interface TestMigrations {
  folder: URL;
  remove(): void;
}

/**
 * @param files SQL by file name, such as 9001_name.sql
 * @param last number of the service's last migration to include; by default all are
 */
export function testMigrations(files: Record<string, string>, last = '9999'): TestMigrations {
  const path = mkdtempSync(join(tmpdir(), 'touchline-migrations-'));
  for (const file of migrationFiles().filter((name) => name <= last))
    symlinkSync(join(fileURLToPath(MIGRATIONS), file), join(path, file));
  for (const [file, sql] of Object.entries(files)) writeFileSync(join(path, file), sql);
  return { folder: pathToFileURL(`${path}/`), remove: () => rmSync(path, { recursive: true, force: true }) };
}
