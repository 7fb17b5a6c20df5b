// Runs mocha and ends with the line that CI reads: `N passed, N failed`.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'touchline-report-'));

/** All but what needs servers of its own, which runs by `make test-cluster`. */
const ownFiles = () =>
  readdirSync('test', { recursive: true })
    .map((name) => join('test', name))
    .filter((path) => path.endsWith('.test.ts') && !path.startsWith(join('test', 'cluster')))
    .sort();

/** Every so many-th file for each: files of one folder take about as long as each other. */
function shares(files) {
  const jobs = Math.min(2, availableParallelism());
  return Array.from({ length: jobs }, (_, job) => files.filter((_file, index) => index % jobs === job));
}

/** The first job writes as it goes, another one when the first has ended: lines of both would mix. */
async function run(files, job) {
  const report = join(folder, `${job}.json`);
  const mocha = spawn('npx', ['mocha', '--reporter', './test/support/reporter.cjs', ...files], {
    stdio: ['ignore', ...(job === 0 ? ['inherit', 'inherit'] : ['pipe', 'pipe'])],
    env: { UV_THREADPOOL_SIZE: '16', ...process.env, MOCHA_REPORT: report },
  });
  let log = '';
  for (const output of [mocha.stdout, mocha.stderr])
    output?.setEncoding('utf8').on('data', (text) => {
      log += text;
    });
  const status = await new Promise((resolve) => {
    mocha.once('close', resolve);
  });
  let counts = { passes: 0, failures: 1, pending: 0 };
  try {
    counts = JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    console.error('mocha ended without a report');
  }
  return { log, counts: { ...counts, failures: Math.max(counts.failures, status === 0 ? 0 : 1) } };
}

const runs = await Promise.all((process.argv.length > 2 ? [process.argv.slice(2)] : shares(ownFiles())).map(run));
for (const { log } of runs.slice(1)) process.stdout.write(log);
rmSync(folder, { recursive: true, force: true });
const sum = (name) => runs.reduce((total, { counts }) => total + counts[name], 0);
const failed = sum('failures');
const skipped = sum('pending') > 0 ? `, ${sum('pending')} skipped` : '';
console.log(`${sum('passes')} passed, ${failed} failed${skipped}`);
process.exit(failed === 0 ? 0 : 1);
