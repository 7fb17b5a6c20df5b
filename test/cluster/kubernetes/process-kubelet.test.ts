/** Tests that the node for cluster tests does what a kubelet does, as far as our chart needs it. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Kube, needKube, startKube } from '../../support/kube.ts';
import { type KubeApi, kubeApi, type Resource } from '../../support/kube-api.ts';
import { type KubeProxy, openKubeProxy } from '../../support/kube-proxy.ts';
import { openPodNetwork, type PodNetwork, whyNoPodNetwork } from '../../support/pod-network.ts';
import { type ProcessKubelet, startProcessKubelet } from '../../support/process-kubelet.ts';
import { until } from '../../support/until.ts';

const PATIENCE_MS = 60_000;
const GRACE_MS = 1_500;
/** A fifth of the default 50 s, to keep the outage short. */
const NODE_GRACE_SECONDS = 10;

describe('a node whose pods are processes', function () {
  // The programs may have to be built first, which takes minutes.
  this.timeout(2_400_000);
  let network: PodNetwork;
  let kube: Kube;
  let api: KubeApi;
  let kubelet: ProcessKubelet;
  /** A proxy through which only the node reaches the API server. */
  let proxy: KubeProxy;
  before(async function () {
    needKube(this);
    const reason = whyNoPodNetwork();
    if (reason !== null) {
      console.log(`      SKIPPED, no network of pods: ${reason}`);
      this.skip();
    }
    network = await openPodNetwork();
    kube = await startKube({ address: network.host, nodeGraceSeconds: NODE_GRACE_SECONDS });
    api = kubeApi(kube.server);
    proxy = await openKubeProxy(kube);
    kubelet = await startProcessKubelet({ ...kube.server, url: proxy.url }, { network });
  });
  after(async () => {
    await kubelet?.stop();
    await proxy?.close();
    await kube?.stop();
    await network?.close();
  });

  const apply = (resource: object) => kube.kubectl(['apply', '-f', '-'], JSON.stringify(resource));
  const pod = (name: string): Promise<Resource> => api('GET', `/api/v1/namespaces/default/pods/${name}`);
  const node = (source: string, more: object = {}) => ({
    name: 'main',
    image: 'none',
    command: ['node', '-e', source],
    ...more,
  });
  const makePod = (name: string, container: object, more: object = {}) =>
    apply({ apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { containers: [container], ...more } });
  const state = async (name: string) => (await pod(name)).status.containerStatuses?.[0];

  it('runs a Job’s init container and then its main container, with the given environment, files and rights', async () => {
    await apply({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'settings' },
      data: { colour: 'red', 'a.txt': 'text' },
    });
    await apply({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'hidden' },
      stringData: { word: 'it is "quoted" $HOME' },
    });
    const source = `const fs = require('fs'); const tried = (work) => { try { work(); return 'done'; } catch (error) { return error.code; } };
      console.log(JSON.stringify({
        env: [process.env.COLOUR, process.env.WORD, process.env.NAME, process.env.BOTH], uid: process.getuid(), pid: process.pid,
        files: [fs.readFileSync('/settings/a.txt', 'utf8'), fs.readFileSync('/hidden/word', 'utf8'), fs.readFileSync('/shared/from-init', 'utf8')],
        writes: [tried(() => fs.writeFileSync('/x', '')), tried(() => fs.writeFileSync('/settings/x', '')), tried(() => fs.writeFileSync('/shared/x', ''))],
      }))`;
    await apply({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'once' },
      spec: {
        template: {
          spec: {
            restartPolicy: 'Never',
            securityContext: { runAsUser: 1000, runAsGroup: 1000, fsGroup: 1000 },
            initContainers: [
              {
                ...node("require('fs').writeFileSync('/shared/from-init', 'first')"),
                name: 'init',
                volumeMounts: [{ name: 'shared', mountPath: '/shared' }],
              },
            ],
            containers: [
              node(source, {
                env: [
                  { name: 'COLOUR', valueFrom: { configMapKeyRef: { name: 'settings', key: 'colour' } } },
                  { name: 'WORD', valueFrom: { secretKeyRef: { name: 'hidden', key: 'word' } } },
                  { name: 'NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
                  { name: 'BOTH', value: '$(COLOUR) and $(NAME), $(NOTHING)' },
                ],
                volumeMounts: [
                  { name: 'shared', mountPath: '/shared' },
                  { name: 'settings', mountPath: '/settings', readOnly: true },
                  { name: 'hidden', mountPath: '/hidden', readOnly: true },
                ],
              }),
            ],
            volumes: [
              { name: 'shared', emptyDir: {} },
              { name: 'settings', configMap: { name: 'settings' } },
              { name: 'hidden', secret: { secretName: 'hidden' } },
            ],
          },
        },
      },
    });
    await kube.kubectl(['wait', '--for=condition=Complete', 'job/once', `--timeout=${PATIENCE_MS / 1_000}s`]);
    const folder = join(kubelet.folder, 'pods');
    const [name] = readdirSync(folder).filter((one) => one.startsWith('default_once-'));
    assert.deepEqual(JSON.parse(readFileSync(join(folder, name!, 'main', 'log'), 'utf8')), {
      env: ['red', 'it is "quoted" $HOME', 'default', 'red and default, $(NOTHING)'],
      uid: 1000,
      pid: 1,
      files: ['text', 'it is "quoted" $HOME', 'first'],
      writes: ['EROFS', 'EROFS', 'done'],
    });
  });

  it('reports a pod as ready when the probe succeeds, and restarts a container that fails the liveness probe', async () => {
    // A program that is ready half a second after its start, and becomes unhealthy on request.
    const source = `let ill = false; const begun = Date.now();
      require('http').createServer(({ url }, reply) => {
        if (url === '/ill') ill = true;
        reply.statusCode = url === '/ready' ? (Date.now() - begun > 500 ? 200 : 503) : ill ? 500 : 200;
        reply.end();
      }).listen(80)`;
    const probe = (path: string) => ({ httpGet: { path, port: 'web' }, periodSeconds: 1, failureThreshold: 2 });
    await makePod(
      'probed',
      node(source, {
        ports: [{ name: 'web', containerPort: 80 }],
        livenessProbe: probe('/alive'),
        readinessProbe: probe('/ready'),
      }),
      {
        terminationGracePeriodSeconds: 1,
      },
    );
    await kube.kubectl(['wait', '--for=condition=Ready', 'pod/probed', `--timeout=${PATIENCE_MS / 1_000}s`]);
    assert.equal((await state('probed')).restartCount, 0);
    await fetch(`http://${(await pod('probed')).status.podIP}/ill`);
    await until(
      'it was restarted and is ready',
      async () => {
        const { restartCount, ready } = await state('probed');
        return restartCount === 1 && ready;
      },
      PATIENCE_MS,
    );
  });

  it('ends a pod within the grace period and then removes it', async () => {
    await makePod(
      'slow',
      node(
        `process.on('SIGTERM', () => setTimeout(() => process.exit(0), ${GRACE_MS})); setInterval(() => {}, 1000); require('http').createServer((_, reply) => reply.end()).listen(80)`,
        {
          readinessProbe: { httpGet: { path: '/', port: 80 }, periodSeconds: 1 },
        },
      ),
    );
    await kube.kubectl(['wait', '--for=condition=Ready', 'pod/slow', `--timeout=${PATIENCE_MS / 1_000}s`]);
    const begun = performance.now();
    await kube.kubectl(['delete', 'pod', 'slow', '--wait']);
    assert.ok(performance.now() - begun >= GRACE_MS);
    await assert.rejects(pod('slow'), /404/);
  });

  it('keeps a pod waiting for a Secret that does not exist yet, and reports unsupported fields', async () => {
    const env = [{ name: 'WORD', valueFrom: { secretKeyRef: { name: 'later', key: 'word' } } }];
    await makePod('early', node('setInterval(() => {}, 1000)', { env }));
    const waits = async (name: string, message: RegExp) =>
      message.test((await state(name))?.state.waiting?.message ?? '');
    await until('it says what it lacks', () => waits('early', /secrets "later" not found/), PATIENCE_MS);
    await apply({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'later' }, stringData: { word: 'now' } });
    await until('it runs', async () => (await state('early')).state.running !== undefined, PATIENCE_MS);

    await makePod('unknown', node('', { lifecycle: { preStop: { exec: { command: ['true'] } } } }));
    await until(
      'it says what is not known',
      () => waits('unknown', /lifecycle of a container is not known here/),
      PATIENCE_MS,
    );
  });

  it('has ready pods again after an API server outage in which the cluster considered the node lost', async () => {
    const source = `require('http').createServer((_, reply) => reply.end()).listen(80)`;
    const readinessProbe = { httpGet: { path: '/', port: 80 }, periodSeconds: 1 };
    await makePod('steady', node(source, { readinessProbe }));
    await kube.kubectl(['wait', '--for=condition=Ready', 'pod/steady', `--timeout=${PATIENCE_MS / 1_000}s`]);
    const before = (await pod('steady')).status;
    const ready = async () => {
      const { conditions } = (await pod('steady')).status;
      return conditions.find((one: Resource) => one.type === 'Ready').status;
    };
    await kube.apiServer.kill();
    proxy.fault(() => ({ status: 503 }));
    await kube.apiServer.start();
    // Waits until the controller manager has noticed that the node is silent. Otherwise the node might come back in time.
    await until('its node was given up', async () => (await ready()) === 'False', PATIENCE_MS);
    proxy.fault(() => null);
    await until('it is ready', async () => (await ready()) === 'True', PATIENCE_MS);
    const after = (await pod('steady')).status;
    assert.deepEqual(after.containerStatuses, before.containerStatuses, 'it ran all the time');
    assert.equal((await fetch(`http://${after.podIP}/`)).status, 200);
  });
});
