/**
 * Measures how long importing all open data into an empty database takes, from the start of the command to its end, and how long a match
 * takes in the formats with the largest cards. Then measures searches over the whole catalogue. DATA=../shared/datasets; without that
 * folder, nothing is measured.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { printFigure } from './report.ts';

/** The goals from the project's issue. */
const GOAL_S = 150;
const GOAL_MATCH_MS = 8;
/**
 * Number of searches. The slowest of the first 300 have to wait until Postgres has planned statements and read pages for the first time.
 */
const SEARCHES = '4000';
const FORMATS = ['wyscout', 'fjelstul'];
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DATA = process.env.DATA ?? join(ROOT, '../shared/datasets');

function run(command: string, args: readonly string[], env: Record<string, string>): string {
  const { status, stdout } = spawnSync(command, args, {
    env: { ...process.env, LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  process.stdout.write(stdout);
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`);
  return stdout;
}

if (!existsSync(DATA)) console.log(`THERE IS NO ${DATA}: the import of open data and the search are not measured`);
else {
  const folder = mkdtempSync(join(tmpdir(), 'touchline-bench-'));
  chmodSync(folder, 0o755);
  const env = { DATA_DIR: join(folder, 'data') };
  try {
    const begun = performance.now();
    const table = run(process.execPath, [join(ROOT, 'bin/touchline.js'), 'import', 'open-data', DATA], env);
    const took = (performance.now() - begun) / 1_000;
    printFigure('import of all open data', { value: took, goal: GOAL_S, unit: ' s' });
    for (const format of FORMATS) {
      // Columns: format, files, matches read, changed, unchanged, pending, rejected, seconds.
      const columns = table.match(new RegExp(`^${format} .*$`, 'm'))?.[0]?.split(/\s+/) ?? [];
      const [matches, seconds] = [columns[2], columns[7]].map((text) => Number(text?.replaceAll(',', '')));
      const ms = (seconds! * 1_000) / matches!;
      printFigure(`import of ${format}, a match`, { value: ms, goal: GOAL_MATCH_MS, unit: ' ms', digits: 1 });
    }
    run(process.execPath, [...process.execArgv, join(ROOT, 'bench/endpoints.ts')], {
      ...env,
      ONLY: '/v1/search',
      REQUESTS: SEARCHES,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
