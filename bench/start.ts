/**
 * Measures how long a user waits for `make run` in a fresh clone, until the service is ready, with a warm npm cache. Then measures
 * `touchline key list`, once with the embedded Postgres and once with a Postgres that is already running. It clones the last commit, so
 * uncommitted changes are not measured. The command runs RUNS=5 times.
 */
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '../src/db/embedded-postgres.ts';
import { median, printFigure } from './report.ts';

const RUNS = Number(process.env.RUNS ?? 5);
const GOAL_READY_S = 35;
const GOAL_COMMAND_S = Number(process.versions.node.split('.')[0]) >= 24 ? 0.5 : 0.9;
const ROOT = fileURLToPath(new URL('..', import.meta.url));

const seconds = (begun: number) => (performance.now() - begun) / 1_000;

const report = (path: string, took: number, goal: number): void =>
  printFigure(path, { value: took, goal, unit: ' s', digits: 2 });

/** Runs `make run` until the service is ready, and stops it. @returns seconds */
async function firstStart(folder: string): Promise<number> {
  const begun = performance.now();
  const service = spawn('make', ['run'], {
    cwd: folder,
    env: { ...process.env, PORT: '0', ADMIN_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  let output = '';
  const ended = new Promise<void>((resolve) => service.once('close', () => resolve()));
  const ready = new Promise<void>((resolve) => {
    service.stdout.on('data', (chunk) => {
      output += chunk;
      if (/is ready after/.test(output)) resolve();
    });
  });
  await Promise.race([ready, ended.then(() => Promise.reject(new Error(`make run has ended: ${output}`)))]);
  const took = seconds(begun);
  process.kill(-service.pid!, 'SIGINT');
  await ended;
  return took;
}

/** Runs `touchline key list` several times. @returns the median in seconds */
function listKeys(folder: string, env: Record<string, string>): number {
  const once = () => {
    const begun = performance.now();
    execFileSync(process.execPath, ['bin/touchline.js', 'key', 'list'], {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return seconds(begun);
  };
  // The first run only fills caches.
  once();
  return median(Array.from({ length: RUNS }, once));
}

const folder = mkdtempSync(join(tmpdir(), 'touchline-clone-'));
try {
  // The embedded Postgres runs as another user, who has to enter the folder.
  chmodSync(folder, 0o755);
  execFileSync('git', ['clone', '--quiet', '--depth=1', `file://${ROOT}`, folder]);
  report('make run, fresh clone', await firstStart(folder), GOAL_READY_S);
  const dataDir = join(folder, '.data');
  report('key list, embedded Postgres', listKeys(folder, { DATA_DIR: dataDir }), GOAL_COMMAND_S);
  const postgres = await startPostgres(dataDir);
  const env = { DATABASE_URL: postgres.url, SECRET_KEY: 'a-secret-key-of-the-benchmark' };
  report('key list', listKeys(folder, env), GOAL_COMMAND_S);
  await postgres.stop();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
