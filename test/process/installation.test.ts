import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/process.ts';

const ROOT = new URL('../../', import.meta.url).pathname;

describe('an installation from a fresh clone', function () {
  this.timeout(60_000);
  const clone = temporaryFolder();
  before(() => {
    for (const file of ['Makefile', 'package.json', 'package-lock.json'])
      copyFileSync(join(ROOT, file), join(clone.path, file));
  });
  after(() => clone.remove());

  function run(command: string, ...args: string[]): string {
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: clone.path, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    return stdout + stderr;
  }
  /** @returns the commands that `make` would run */
  const dryRun = (target: string) => run('make', '--dry-run', target);

  it('has only packages that accept this Node version, and CI runs the oldest and the newest accepted one', () => {
    const said = run('npm', 'ci', '--dry-run', '--omit=dev', '--engine-strict', '--ignore-scripts', '--no-audit');
    assert.doesNotMatch(said, /npm warn/);
  });

  it('needs no development packages to run the service and to import the open data', () => {
    for (const target of ['run', 'import-open-data']) {
      assert.match(dryRun(target), /npm ci --omit=dev/, target);
      assert.doesNotMatch(dryRun(target), /npm install/, target);
    }
    assert.match(dryRun('test'), /npm install/);
  });

  it('installs nothing more to import the open data after `make run`', () => {
    const modules = join(clone.path, 'node_modules');
    mkdirSync(modules);
    for (const file of ['.package-lock.json', '.touchline-run']) writeFileSync(join(modules, file), '{}');
    utimesSync(join(modules, '.package-lock.json'), 946_684_800, 946_684_800);
    assert.doesNotMatch(dryRun('import-open-data'), /npm/);
    assert.match(dryRun('import-open-data'), /import open-data/);
  });
});
