// Runs mocha and ends with the line that CI reads: `N passed, N failed`.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Most tests wait more than they work. */
const JOBS = Math.min(2, availableParallelism());
/** Small ones, so that both jobs end at about the same time; each has a Postgres of its own to start. */
const SHARES = 12;

const folder = mkdtempSync(join(tmpdir(), 'touchline-report-'));

/** All but what needs servers of its own, which runs by `make test-cluster`. */
const ownFiles = () =>
  readdirSync('test', { recursive: true })
    .map((name) => join('test', name))
    .filter((path) => path.endsWith('.test.ts') && !path.startsWith(join('test', 'cluster')))
    .sort();

/** What several shares write would mix: each is shown when it has ended. */
async function run(files, number, isAlone) {
  const report = join(folder, `${number}.json`);
  const mocha = spawn('npx', ['mocha', '--reporter', './test/support/reporter.cjs', ...files], {
    stdio: isAlone ? 'inherit' : ['ignore', 'pipe', 'pipe'],
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
  process.stdout.write(log);
  let counts = { passes: 0, failures: 1, pending: 0 };
  try {
    counts = JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    console.error('mocha ended without a report');
  }
  return { ...counts, failures: Math.max(counts.failures, status === 0 ? 0 : 1) };
}

async function runShares() {
  const files = ownFiles();
  // Files of one folder take about as long as each other: they are dealt out.
  const shares = Array.from({ length: SHARES }, (_, share) => files.filter((_file, index) => index % SHARES === share));
  const counts = [];
  const waiting = shares.entries();
  const job = async () => {
    for (const [number, share] of waiting) counts.push(await run(share, number, false));
  };
  await Promise.all(Array.from({ length: JOBS }, job));
  return counts;
}

const given = process.argv.slice(2);
const counts = given.length > 0 ? [await run(given, 0, true)] : await runShares();
rmSync(folder, { recursive: true, force: true });
const sum = (name) => counts.reduce((total, one) => total + one[name], 0);
const failed = sum('failures');
const skipped = sum('pending') > 0 ? `, ${sum('pending')} skipped` : '';
console.log(`${sum('passes')} passed, ${failed} failed${skipped}`);
process.exit(failed === 0 ? 0 : 1);
