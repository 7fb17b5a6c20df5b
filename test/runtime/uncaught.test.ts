import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { TSX } from '../support/tsx.ts';

const modules = new URL('../../src/runtime/', import.meta.url).href;

/** Runs code in a process that serves. */
function run(code: string) {
  const script = `
    import { openLogger } from '${modules}logger.ts';
    import { logUncaught } from '${modules}uncaught.ts';
    logUncaught(openLogger('info'));
    setTimeout(() => console.log('goes on'), 50);
    ${code}`;
  const args = [...TSX, '--input-type=module', '-e', script];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { status, out: stdout.trim(), log: JSON.parse(stderr.trim().split('\n').at(-1)!) };
}

describe('uncaught faults', function () {
  this.timeout(20_000);

  it('are logged if a promise is rejected without a handler, and the process continues', () => {
    const { status, out, log } = run("void Promise.reject(new Error('the reason'));");
    assert.deepEqual([status, out], [0, 'goes on']);
    assert.deepEqual([log.level, log.err.message], [50, 'the reason']);
  });

  it('end the process with code 1 and are logged if they are exceptions', () => {
    const { status, out, log } = run("setTimeout(() => { throw new Error('the cause'); });");
    assert.deepEqual([status, out], [1, '']);
    assert.deepEqual([log.level, log.err.message], [60, 'the cause']);
  });
});
