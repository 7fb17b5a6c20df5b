/**
 * The Postgres server for tests, either the embedded one or the one in the folder TEST_POSTGRES (which contains `bin`).
 * Its database `touchline` is migrated and seeded, and is the template for all others. As a process, this module prints
 * the URL and runs until standard input ends, so that it always ends with run.js.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { startPostgres } from '../../src/db/embedded-postgres.ts';
import { migratePostgres } from '../../src/db/migrate.ts';
import { openPool } from '../../src/db/postgres.ts';
import { seedCatalogue } from '../../src/db/seed.ts';

/** Id of the user for Postgres, which never runs as root. */
const NOBODY = 65_534;

export interface TestServer {
  /** URL of the database `touchline`. */
  url: string;
  stop(): Promise<void>;
}

export async function startTestServer(): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'touchline-test-'));
  chmodSync(folder, 0o755);
  const settings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'shared_buffers=128MB'];
  const native = process.env.TEST_POSTGRES;
  if (native !== undefined) initialise(native, folder);
  const { url, stop } = await startPostgres(folder, settings, native);
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

/** Initialises the data folder as the service does, except for the locale provider, which is a newer one. */
function initialise(native: string, folder: string): void {
  const data = join(folder, 'postgres');
  mkdirSync(data, { mode: 0o700 });
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  if (user.uid !== undefined) chownSync(data, NOBODY, NOBODY);
  const args = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync', '--locale=C.UTF-8'];
  execFileSync(join(native, 'bin/initdb'), args, { ...user, stdio: 'ignore' });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = await startTestServer();
  console.log(server.url);
  process.on('SIGINT', () => {});
  process.stdin.resume().once('end', () => void server.stop().then(() => process.exit()));
}
