/** Tests the Python client from its sources against the running service. `make test-clients` tests the wheel. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { run } from '../generators/toolbox.ts';
import { LONG_FORMS } from '../support/long-forms.ts';
import { pythonPackages } from '../support/python-packages.ts';
import { checkStreams } from './python-streams.ts';

const SOURCES = resolve('clients/python/src');
const hasPython = spawnSync('python3', ['-c', 'import sys; assert sys.version_info >= (3, 10)']).status === 0;

describe('the Python client', function () {
  this.timeout(60_000);
  const folder = mkdtempSync(join(tmpdir(), 'touchline-python-'));
  const env: Record<string, string> = {};
  before(function () {
    const packages = hasPython ? pythonPackages() : null;
    if (!hasPython) console.warn('      SKIPPED, because this machine has no Python 3.10: the Python client');
    if (packages === null) return this.skip();
    env.PYTHONPATH = [SOURCES, packages].join(':');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('passes the unit tests', async () => {
    const { all } = await run('python3', ['-m', 'unittest', 'discover', '-s', 'clients/python/tests'], { env });
    assert.match(all, /^Ran [1-9]\d* tests? in/m);
  });

  const [rounds, kills] = LONG_FORMS ? [300, 30] : [40, 3];
  checkStreams({ folder, python: () => ({ command: 'python3', env }), rounds, kills });
});
