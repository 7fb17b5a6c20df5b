/**
 * The spec reporter. It keeps a file up to date with the counts, the seconds of files and tests, and the running test,
 * so that run.js knows
 * them when it has to kill this process. A process that something keeps alive after its last test names the cause, and
 * fails.
 */
const { renameSync, writeFileSync } = require('node:fs');
const { relative } = require('node:path');
const { reporters } = require('mocha');

/** Grace period for closed handles that end by themselves: sockets, child processes. */
const LEFTOVERS_GRACE_MS = 10_000;
/** Faster tests are not listed. */
const SLOW_MS = 500;

/** Returns the path of a test's or hook's file, null for hooks outside of any suite. */
function fileOf(runnable) {
  for (let one = runnable; one; one = one.parent) if (one.file) return relative('.', one.file);
  return null;
}

module.exports = class Reporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const path = process.env.MOCHA_REPORT;
    const seconds = {};
    const tests = [];
    const failed = [];
    let running = { file: null, title: 'the files are being loaded' };
    let since = performance.now();

    const save = (state) => {
      const { passes, failures, pending } = this.stats;
      writeFileSync(
        `${path}.new`,
        JSON.stringify({ passes, failures, pending, seconds, tests, failed, running, state }),
      );
      renameSync(`${path}.new`, path);
    };
    const enter = (file, title) => {
      const now = performance.now();
      if (running.file !== null) seconds[running.file] = (seconds[running.file] ?? 0) + (now - since) / 1_000;
      since = now;
      running = { file, title };
    };
    for (const event of ['test', 'hook'])
      runner.on(event, (runnable) => {
        enter(fileOf(runnable), runnable.fullTitle());
        save('running');
      });
    runner.on('test end', (test) => {
      if (test.duration >= SLOW_MS) tests.push({ seconds: test.duration / 1_000, title: test.fullTitle() });
    });
    runner.on('fail', (runnable, error) => {
      failed.push(`${fileOf(runnable) ?? 'a hook'}: ${runnable.fullTitle()}: ${String(error?.message).split('\n')[0]}`);
    });
    runner.once('end', () => {
      enter(null, 'all tests have ended, but something is still open');
      save('ended');
      setTimeout(() => {
        const open = process.getActiveResourcesInfo().join(', ');
        console.error(`Still open ${LEFTOVERS_GRACE_MS / 1_000} s after the last test: ${open}`);
        // Not by the exit code, which belongs to mocha.
        save('leftovers');
        process.exit();
      }, LEFTOVERS_GRACE_MS).unref();
    });
  }
};
