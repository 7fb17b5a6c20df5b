/**
 * The embedded Postgres of tests, whose database `touchline` is migrated and seeded: the template of all others. As a process it prints its
 * address and runs until its standard input ends, so that it ends with run.js, whatever happens to that.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { startPostgres } from '../../src/db/embedded.ts';
import { migratePostgres } from '../../src/db/migrate.ts';
import { openPool } from '../../src/db/postgres.ts';
import { seedCatalogue } from '../../src/db/seed.ts';

export interface TestServer {
  /** Of the database `touchline`. */
  url: string;
  stop(): Promise<void>;
}

export async function startTestServer(): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'touchline-test-'));
  chmodSync(folder, 0o755);
  const { url, stop } = await startPostgres(folder, [
    'fsync=off',
    'synchronous_commit=off',
    'full_page_writes=off',
    'shared_buffers=128MB',
  ]);
  const template = openPool(url, pino({ level: 'silent' }));
  await migratePostgres(template);
  await seedCatalogue(template);
  await template.end();
  return {
    url,
    async stop() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = await startTestServer();
  console.log(server.url);
  process.on('SIGINT', () => {});
  process.stdin.resume().once('end', () => void server.stop().then(() => process.exit()));
}
