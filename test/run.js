// Runs mocha and prints, as the last line, what CI reads: `N passed, N failed`.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { killTree } from './support/process-tree.js';

/** With a third process, tests with deadlines in milliseconds would fail. */
const JOBS = Math.min(2, availableParallelism());
/**
 * The slowest files. Each of them is a separate share and starts first; for cluster tests it is the whole folder. At
 * the end, a run lists the files that took longest.
 */
const LONGEST = [
  'kube-service.test.ts',
  'relay-survival.test.ts',
  'serve.test.ts',
  'order.test.ts',
  'open-data.test.ts',
  'admission.test.ts',
  'kill.test.ts',
  'webhook.test.ts',
  'cli.test.ts',
  'browser.test.ts',
  'client-package.test.ts',
  'migrate-under-load.test.ts',
  'loader.test.ts',
  'naive.test.ts',
  'sync-follow.test.ts',
  'leases.test.ts',
  'sync.test.ts',
  'demo.test.ts',
];
/** Number of shares for all other files. Shares are small, so that both jobs end at about the same time. */
const SHARES = 16;

/** For long forms, `TEST_LIMIT_MINUTES=90 node test/run.js FILE…` sets a longer limit. */
const limitMs = (minutes) => Number(process.env.TEST_LIMIT_MINUTES ?? minutes) * 60_000;
/** The longest time between the starts of two tests or hooks, after which a share is killed. Mocha has shorter limits, but cannot end a loop. */
const STALL_LIMIT_MS = limitMs(6);
/** Cluster tests build and start servers. */
const CLUSTER_STALL_LIMIT_MS = limitMs(40);
const STALL_CHECK_MS = 1_000;
const RUN_LIMIT_MS = limitMs(40);

/** The check of the statements takes a few seconds. */
const STATEMENTS_LIMIT_MS = 120_000;

const SLOWEST_FILES = 10;
const SLOWEST_TESTS = 10;
/** With this cache, Node 24 starts in half the time. Node 20 has no such cache. */
const COMPILE_CACHE = resolve('node_modules/.cache/touchline/compiled');
/** Compares statements with their row types. It runs after all tests, or with `STATEMENTS=1` after the named files. */
const CHECK_STATEMENTS = 'test/support/statements/check.ts';
const RUNS_SOURCES = Boolean(process.features.typescript);
/** Arguments that load tsx, for a Node that cannot run TypeScript. */
const TSX = RUNS_SOURCES ? [] : ['--import', 'tsx'];

const MEMORY = '/dev/shm';
/** Free memory that the databases and data folders of a run need at most. They take some hundred megabytes. */
const MEMORY_BYTES = 4e9;

/**
 * Returns the folder for temporary files, which is in memory if there is space and programs may run from it. On ext4,
 * inodes that were just deleted are not reused, and the search for others checks them one by one. With 300 files in
 * each of hundreds of databases, that took up to half of the CPU time towards the end of a run.
 */
function temporaryRoot() {
  if (process.env.TMPDIR !== undefined) return process.env.TMPDIR;
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize < MEMORY_BYTES) return tmpdir();
    const probe = mkdtempSync(join(MEMORY, 'touchline-probe-'));
    writeFileSync(join(probe, 'program'), '#!/bin/sh\n', { mode: 0o700 });
    const { status } = spawnSync(join(probe, 'program'));
    rmSync(probe, { recursive: true });
    return status === 0 ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

const CLUSTER = join('test', 'cluster');
const isCluster = (file) => file.startsWith(CLUSTER);
const GENERATORS = join('test', 'generators');

/** Returns the test files in a folder, or the file itself. */
function testFiles(path) {
  if (!statSync(path).isDirectory()) return [relative('', path)];
  return readdirSync(path, { recursive: true })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(path, name))
    .sort();
}

const given = process.argv.slice(2);
const isWhole = given.length === 0;
/** `make test` leaves out files that need separate servers or compilers. */
const files = isWhole
  ? testFiles('test').filter((file) => !isCluster(file) && !file.startsWith(GENERATORS))
  : given.flatMap(testFiles);
// Cluster tests keep the default folder, since their pods have separate temporary folders.
if (!files.some(isCluster)) process.env.TMPDIR = temporaryRoot();
const folder = mkdtempSync(join(tmpdir(), 'touchline-run-'));
const begun = performance.now();
const secondsSince = (start) => Math.round((performance.now() - start) / 1_000);

/** Returns the report that was saved last; null if there is none. */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/**
 * Runs mocha.
 * @returns the counts in the closing line, the failures, and how many seconds files and tests took. Output is printed
 * at the end, because the output of several runs would mix.
 */
async function run(files, name, { env = {}, isAlone = false }) {
  const limit = isAlone || files.some(isCluster) ? CLUSTER_STALL_LIMIT_MS : STALL_LIMIT_MS;

  const file = join(folder, `${name}.json`);
  const args = [...TSX, 'node_modules/mocha/bin/mocha.js', '--reporter', './test/support/reporter.cjs', ...files];
  const mocha = spawn(process.execPath, args, {
    stdio: isAlone ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    env: {
      UV_THREADPOOL_SIZE: '16',
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      ...process.env,
      ...env,
      MOCHA_REPORT: file,
      ...(RUNS_SOURCES && { STATEMENTS_FILE: join(folder, `${name}.statements.json`) }),
    },
  });
  const log = [];
  for (const output of [mocha.stdout, mocha.stderr]) output?.setEncoding('utf8').on('data', (text) => log.push(text));
  let isKilled = false;
  const started = Date.now();
  const timer = setInterval(() => {
    const since = Math.max(started, statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (Date.now() - since < limit && performance.now() - begun < RUN_LIMIT_MS) return;
    isKilled = true;
    killTree(mocha.pid);
  }, STALL_CHECK_MS);
  const status = await new Promise((resolve) => {
    mocha.once('exit', (code) => {
      // A process that was left behind may keep the output open.
      setTimeout(() => resolve(code), 1_000).unref();
      mocha.once('close', () => resolve(code));
    });
  });
  clearInterval(timer);
  process.stdout.write(log.join(''));
  const report = readReport(file);
  const { passes = 0, failures = 0, pending = 0, seconds = {}, tests = [], failed = [], running, state } = report ?? {};
  const isCutOff = state === undefined || state === 'running';
  if (isKilled) {
    const what = running === undefined ? files.join(' ') : `${running.file ?? files.join(' ')}: ${running.title}`;
    failed.push(`killed after ${Math.round((Date.now() - started) / 1_000)} s, while this was running: ${what}`);
  } else if (isCutOff) failed.push(`mocha ended before its tests: ${files.join(' ')}`);
  const isOpen = state === 'leftovers';
  if (isOpen) failed.push(`something stayed open after ${files.join(' ')}`);
  const all = isKilled || isCutOff ? failures + 1 : Math.max(failures, status !== 0 || isOpen ? 1 : 0);
  return { passes, failures: all, pending, seconds, tests, failed };
}

/**
 * Starts a Postgres server that all shares use.
 * @returns its address, and a function that stops it
 */
async function startPostgres() {
  const server = spawn(process.execPath, [...TSX, 'test/support/postgres-server.ts'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  const url = await new Promise((resolve, reject) => {
    server.stdout.setEncoding('utf8').once('data', (line) => resolve(line.trim()));
    void ended.then(() => reject(new Error('the Postgres server of the tests does not start')));
  });
  return {
    url,
    async stop() {
      server.stdin.end();
      await ended;
    },
  };
}

/**
 * Checks the statements, and returns the counts as for one more test. The check is skipped if stacks do not show the
 * positions in the sources.
 */
function checkStatements(flags, env = {}) {
  if (!RUNS_SOURCES) {
    console.log(
      `Statements are not compared with row types: Node ${process.version} does not run the sources as they are`,
    );
    return { passes: 0, failures: 0, pending: 1, seconds: {}, tests: [], failed: [] };
  }
  const args = [...TSX, CHECK_STATEMENTS, folder, ...flags];
  const { status, stdout } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: STATEMENTS_LIMIT_MS,
  });
  process.stdout.write(stdout);
  const faults = stdout.split('\n').filter((line) => line.startsWith('FAULT '));
  const failed =
    status === 0
      ? []
      : [
          `row types do not fit their statements, or were not compared: ${faults.length} faults`,
          ...faults.slice(0, 20).map((fault) => `  ${fault}`),
        ];
  const failures = status === 0 ? 0 : 1;
  return { passes: 1 - failures, failures, pending: 0, seconds: {}, tests: [], failed };
}

function shares() {
  const rank = (file) => LONGEST.indexOf(basename(file));
  const own = files.filter((file) => !isCluster(file));
  const long = own.filter((file) => rank(file) >= 0).sort((one, other) => rank(one) - rank(other));
  const others = own.filter((file) => rank(file) < 0);
  // Files in one folder take about the same time, so they are spread over all shares.
  const dealt = Array.from({ length: Math.min(SHARES, others.length) }, (_, share) =>
    others.filter((_file, index) => index % SHARES === share),
  );
  // Cluster tests in one folder share servers, so they form one share.
  const cluster = files.filter(isCluster);
  const folders = [...new Set(cluster.map((file) => dirname(file)))]
    .map((name) => cluster.filter((file) => dirname(file) === name))
    .sort(
      (one, other) => other.filter((file) => rank(file) >= 0).length - one.filter((file) => rank(file) >= 0).length,
    );
  return [...folders, ...long.map((file) => [file]), ...dealt];
}

async function runShares() {
  const postgres = await startPostgres();
  const results = [];
  const waiting = shares().entries();
  const job = async () => {
    for (const [number, share] of waiting) {
      if (performance.now() - begun < RUN_LIMIT_MS)
        results.push(await run(share, number, { env: { TEST_POSTGRES_URL: postgres.url } }));
      else {
        const failed = [`not begun within ${RUN_LIMIT_MS / 1_000} s: ${share.join(' ')}`];
        results.push({ passes: 0, failures: 1, pending: 0, seconds: {}, tests: [], failed });
      }
    }
  };
  await Promise.all(Array.from({ length: JOBS }, job));
  if (isWhole) results.push(checkStatements(['--all'], { TEST_POSTGRES_URL: postgres.url }));
  await postgres.stop();
  return results;
}

function showSlowest(results) {
  const files = results.flatMap(({ seconds }) => Object.entries(seconds)).sort(([, one], [, other]) => other - one);
  const tests = results.flatMap((one) => one.tests).sort((one, other) => other.seconds - one.seconds);
  const line = (seconds, text) => `${seconds.toFixed(1).padStart(6)} s  ${text}`;
  console.log('Slowest files');
  for (const [file, seconds] of files.slice(0, SLOWEST_FILES)) console.log(line(seconds, file));
  console.log('Slowest tests');
  for (const { seconds, title } of tests.slice(0, SLOWEST_TESTS)) console.log(line(seconds, title));
}

const results = files.length === 1 ? [await run(files, 'alone', { isAlone: true })] : await runShares();
if (!isWhole && process.env.STATEMENTS) results.push(checkStatements([]));
rmSync(folder, { recursive: true, force: true });
if (files.length > 1) showSlowest(results);
const sum = (name) => results.reduce((total, one) => total + one[name], 0);
const failed = sum('failures');
const skipped = sum('pending') > 0 ? `, ${sum('pending')} skipped` : '';
for (const what of results.flatMap((one) => one.failed)) console.log(`FAILED ${what}`);
console.log(`Took ${secondsSince(begun)} s`);
console.log(`${sum('passes')} passed, ${failed} failed${skipped}`);
process.exit(failed === 0 ? 0 : 1);
