// Runs mocha and ends with the line that CI reads: `N passed, N failed`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'touchline-report-'));
const report = join(folder, 'report.json');
// What needs servers of its own runs by `make test-cluster`.
const files = process.argv.length > 2 ? process.argv.slice(2) : ['--ignore', 'test/cluster/**', 'test/**/*.test.ts'];
const run = spawnSync('npx', ['mocha', '--reporter', './test/support/reporter.cjs', ...files], {
  stdio: 'inherit',
  env: { UV_THREADPOOL_SIZE: '16', ...process.env, MOCHA_REPORT: report },
});
let counts = { passes: 0, failures: 1, pending: 0 };
try {
  counts = JSON.parse(readFileSync(report, 'utf8'));
} catch {
  console.error('mocha ended without a report');
}
rmSync(folder, { recursive: true, force: true });
const failed = Math.max(counts.failures, run.status === 0 ? 0 : 1);
const skipped = counts.pending > 0 ? `, ${counts.pending} skipped` : '';
console.log(`${counts.passes} passed, ${failed} failed${skipped}`);
process.exit(failed === 0 ? 0 : 1);
