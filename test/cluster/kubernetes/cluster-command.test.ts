/** Tests `make cluster-down` on a cluster that does not stop by itself. kube-service.test.ts tests the cluster. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning, temporaryFolder } from '../../support/process.ts';
import { until } from '../../support/until.ts';

const COMMAND = new URL('../../support/kube-cluster-command.ts', import.meta.url).pathname;
const PATIENCE_MS = 60_000;

describe('the command that ends a cluster', function () {
  this.timeout(120_000);
  const cache = temporaryFolder();
  after(cache.remove);

  it('kills a cluster that ignores the request to stop, with all its processes and files, within a limited time', async () => {
    const kube = join(cache.path, 'touchline/kube');
    const data = join(cache.path, 'data');
    for (const folder of [kube, data]) mkdirSync(folder, { recursive: true });
    // A process that ignores the request to stop, and has started a store in a separate process group.
    const stubborn = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log(process.pid)`;
    const start = (...args: string[]) =>
      spawn(process.execPath, ['-e', stubborn, ...args], { detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
    const [holder, store] = [start(COMMAND), start(data)];
    await Promise.all([holder, store].map(({ stdout }) => once(stdout, 'data')));
    writeFileSync(join(kube, 'cluster.json'), JSON.stringify({ pid: holder.pid, folders: [data] }));

    const down = spawn(process.execPath, [...process.execArgv, COMMAND, 'down'], {
      env: { ...process.env, XDG_CACHE_HOME: cache.path, STOP_SECONDS: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    down.stdout.on('data', (text) => {
      said += text;
    });
    const [code] = await once(down, 'close');
    assert.equal(code, 0);
    assert.match(said, /has not stopped within 1 s, and is killed[\s\S]*The cluster is gone/);
    for (const child of [holder, store]) await until('it is gone', () => !isRunning(`${child.pid}`), PATIENCE_MS);
    assert.ok(!existsSync(data) && !existsSync(join(kube, 'cluster.json')));
  });
});
