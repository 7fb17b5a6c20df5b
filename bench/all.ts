/**
 * Runs the benchmarks of the hot paths one by one, in shorter forms, and prints all results in one table. It also writes them to
 * `bench/build/results.json`, with the commit and the machine.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { columns, type Row } from './report.ts';

const HEADINGS = ['Path', 'Ours', 'Bound', 'Ratio', 'Goal', ''];
const root = fileURLToPath(new URL('..', import.meta.url));
const build = `${root}bench/build`;
const results = `${build}/rows.jsonl`;

interface Run {
  file: string;
  env?: Record<string, string>;
}

const RUNS: readonly Run[] = [
  { file: 'rest.ts' },
  { file: 'stream.ts', env: { ONLY: 'fanout,ingest', ROUNDS: '3', NCHAN: '0' } },
  { file: 'agents.ts', env: { SECONDS: '4', ROUNDS: '3' } },
  { file: 'edge.ts' },
  { file: 'sync.ts', env: { CARDS: '20000' } },
  { file: 'webhooks.ts', env: { EVENTS: '100000', SECONDS: '5' } },
  { file: 'import.ts' },
  { file: 'open-data.ts' },
  { file: 'start.ts', env: { RUNS: '3' } },
  { file: 'memory.ts', env: { IDLE_SECONDS: '5' } },
];

function run({ file, env = {} }: Run): boolean {
  console.log(`\n# ${file}`);
  const { status } = spawnSync(process.execPath, [...process.execArgv, `${root}bench/${file}`], {
    env: { ...process.env, ...env, RESULTS: results },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return status === 0;
}

const table = (rows: readonly (readonly string[])[]): string =>
  [HEADINGS, HEADINGS.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

mkdirSync(build, { recursive: true });
rmSync(results, { force: true });
const begun = Date.now();
const failed = RUNS.filter((one) => !run(one)).map(({ file }) => file);
const rows = existsSync(results)
  ? readFileSync(results, 'utf8')
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text) as Row)
  : [];
const commit = execFileSync('git', ['-C', root, 'rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
const machine = `${cpus().length} cores ${cpus()[0]?.model.trim()}, Node ${process.version}`;
const minutes = ((Date.now() - begun) / 60_000).toFixed(1);
console.log(`\n${new Date(begun).toISOString().slice(0, 10)}, ${commit}, ${machine}, ${minutes} minutes\n`);
console.log(table(rows.map(columns)));
writeFileSync(
  `${build}/results.json`,
  `${JSON.stringify({ at: new Date(begun).toISOString(), commit, machine, load: loadavg()[0], rows })}\n`,
);
if (failed.length > 0) {
  console.error(`\nThese have failed: ${failed.join(', ')}`);
  process.exit(1);
}
