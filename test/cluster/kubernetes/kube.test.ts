/** Tests the control plane that other tests use. No node runs pods, but everything else in a cluster works. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { type Kube, needKube, startKube } from '../../support/kube.ts';
import { until } from '../../support/until.ts';

const PATIENCE_MS = 30_000;

describe('a control plane', function () {
  this.timeout(1_800_000);
  let kube: Kube;
  before(async function () {
    needKube(this);
    kube = await startKube();
  });
  after(() => kube?.stop());

  it('runs controllers, checks pods against the security standard, and keeps its state when the API server crashes', async () => {
    await kube.kubectl(['create', 'namespace', 'one']);
    await kube.kubectl(['label', 'namespace', 'one', 'pod-security.kubernetes.io/enforce=restricted']);
    await kube.kubectl(['-n', 'one', 'create', 'deployment', 'web', '--image=web', '--replicas=2']);
    const created = () =>
      kube.kubectl(['-n', 'one', 'get', 'deployment', 'web', '-o', 'jsonpath={.status.conditions}']);
    await until(
      'a pod without a security context is refused',
      async () => /violates PodSecurity/.test(await created()),
      PATIENCE_MS,
    );
    await kube.kubectl(['label', 'namespace', 'one', 'pod-security.kubernetes.io/enforce-']);
    await kube.kubectl(['-n', 'one', 'scale', 'deployment', 'web', '--replicas=3']);
    const pods = async () => (await kube.kubectl(['-n', 'one', 'get', 'pods', '-o', 'name'])).trim().split('\n').length;
    await until('there are three pods', async () => (await pods()) === 3, PATIENCE_MS);

    await kube.apiServer.kill();
    await assert.rejects(kube.kubectl(['get', 'namespaces']), /refused/);
    await kube.apiServer.start();
    assert.equal(await pods(), 3);
  });

  it('leaves no process and no file when it stops', async () => {
    const other = await startKube();
    const pids = other.pids();
    assert.equal(pids.length, 4);
    assert.deepEqual(
      pids.filter((pid) => existsSync(`/proc/${pid}`)),
      pids,
    );
    await other.stop();
    assert.deepEqual(
      pids.filter((pid) => existsSync(`/proc/${pid}`)),
      [],
    );
    assert.equal(existsSync(other.folder), false);
  });
});
