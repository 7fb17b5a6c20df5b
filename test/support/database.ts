/** One embedded Postgres server for the whole test run; each caller gets a fresh migrated and seeded database of its own. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { pino } from 'pino';
import { type EmbeddedPostgres, startPostgres } from '../../src/db/embedded.ts';
import { migratePostgres } from '../../src/db/migrate.ts';
import { openPool } from '../../src/db/postgres.ts';
import { seedCatalogue } from '../../src/db/seed.ts';

export interface TestDatabase {
  pool: pg.Pool;
  url: string;
  drop(): Promise<void>;
}

const silent = pino({ level: 'silent' });
let server: Promise<{ postgres: EmbeddedPostgres; folder: string; admin: pg.Pool }> | null = null;
let count = 0;

async function start() {
  const folder = mkdtempSync(join(tmpdir(), 'touchline-test-'));
  chmodSync(folder, 0o755);
  const postgres = await startPostgres(folder, [
    'fsync=off',
    'synchronous_commit=off',
    'full_page_writes=off',
    'shared_buffers=128MB',
  ]);
  const template = openPool(postgres.url, silent);
  await migratePostgres(template);
  await seedCatalogue(template);
  await template.end();
  return { postgres, folder, admin: openPool(postgres.url.replace('/touchline?', '/postgres?'), silent, 1) };
}

/** @param template `template0`: a database that nobody has migrated */
export async function createTestDatabase(template: 'touchline' | 'template0' = 'touchline'): Promise<TestDatabase> {
  server ??= start();
  const { postgres, admin } = await server;
  count += 1;
  const name = `test_${count}`;
  await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = postgres.url.replace('/touchline?', `/${name}?`);
  const pool = openPool(url, silent);
  return {
    pool,
    url,
    drop: async () => {
      await pool.end();
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

after(async () => {
  if (server === null) return;
  const { postgres, folder, admin } = await server;
  server = null;
  await admin.end();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
});
