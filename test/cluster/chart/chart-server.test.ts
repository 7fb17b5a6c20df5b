/** Tests that the real API server accepts the chart's objects. */
import assert from 'node:assert/strict';
import { deploymentFor, parseTemplate } from '../../../operators/webhook-subscription/dispatcher-deployment.ts';
import {
  CHART,
  CI_VALUES,
  dispatcherTemplate,
  EVERYTHING,
  listOf,
  MINIMAL,
  RELEASE_0_1_0,
  render,
  workloads,
} from '../../support/chart.ts';
import { chartNamespace } from '../../support/chart-namespace.ts';
import type { Resource } from '../../support/kube-api.ts';

const NAMESPACE = 'chart';

describe('an API server', function () {
  this.timeout(120_000);
  const server = chartNamespace(NAMESPACE);

  const inNamespace = (one: Resource) => ({ ...one, metadata: { ...one.metadata, namespace: NAMESPACE } });
  /** Applies objects, and returns them as the server stores them. */
  async function apply(resources: Resource[], ...more: string[]): Promise<Resource[]> {
    const args = ['apply', '--server-side', '--validate=strict', '-o', 'json', ...more, '-f', '-'];
    const text = await server.kube.kubectl(args, listOf(resources));
    const parsed = JSON.parse(text);
    return parsed.kind === 'List' ? parsed.items : [parsed];
  }
  /** Uninstalls a release without running its Job, since no node could run it here. */
  const uninstall = (release: string, namespace = NAMESPACE) =>
    server.kube.helm(['uninstall', release, '--no-hooks', '--namespace', namespace]);
  const namespaced = (resources: Resource[]) =>
    resources.filter(({ kind }) => kind !== 'CustomResourceDefinition').map(inNamespace);

  for (const file of CI_VALUES)
    it(`accepts every object with ${file.split('/').at(-1)}, and the pods under the restricted standard`, async () => {
      const resources = await render(file);
      // Leaves out the pod for `helm test`. Its service account does not exist here, and the pod is removed below.
      const objects = namespaced(resources).filter(({ kind }) => kind !== 'Pod');
      assert.equal((await apply(objects, '--dry-run=server')).length, objects.length);
      const crds = resources.filter(({ kind }) => kind === 'CustomResourceDefinition');
      if (crds.length > 0) await apply(crds, '--dry-run=server');
      // Makes pods from the templates, since the server checks the security standard only for pods.
      const templates = [
        ...workloads(resources).map(({ spec }) => spec.template),
        ...resources.filter(({ kind }) => kind === 'Pod'),
      ];
      const pods = templates.map(({ metadata, spec }, number) => {
        // Leaves these out, since the service accounts and priority classes do not exist on this server.
        const { serviceAccountName: _, priorityClassName: __, ...rest } = spec;
        return {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { ...metadata, name: `pod-${number}`, namespace: NAMESPACE },
          spec: rest,
        };
      });
      assert.equal((await apply(pods, '--dry-run=server')).length, templates.length);
    });

  it('accepts the operator’s dispatcher Deployment, also a second time and after an upgrade with new values', async () => {
    const env = Object.fromEntries(
      ['DATABASE_URL', 'POD_NAME', 'SECRET_KEY', 'LOG_LEVEL', 'DISPATCHER_GROUP'].map((name) => [
        name,
        `mine of ${name}`,
      ]),
    );
    const adversarial = { config: { env }, roles: { dispatcher: { env } } };
    const deployment = async (file: string, values = {}) => {
      const template = parseTemplate(dispatcherTemplate(await render(file, values)));
      return deploymentFor({ template, namespace: NAMESPACE, group: 'shared', replicas: 1 }) as Resource;
    };
    const first = await deployment(MINIMAL);
    const container = (one: Resource) => one.spec.template.spec.containers[0];
    const value = (one: Resource, name: string) => container(one).env.find((entry: Resource) => entry.name === name);
    const applied = async (one: Resource) => (await apply([one], '--field-manager=touchline-operator'))[0];
    for (let round = 0; round < 2; round += 1) await applied(first);
    const mine = await deployment(MINIMAL, adversarial);
    for (let round = 0; round < 2; round += 1) {
      const taken = await applied(mine);
      assert.deepEqual(value(taken, 'DATABASE_URL'), { name: 'DATABASE_URL', value: 'mine of DATABASE_URL' });
      assert.deepEqual(value(taken, 'DISPATCHER_GROUP'), { name: 'DISPATCHER_GROUP', value: 'shared' });
    }
    const nameOverride = '';
    const everything = await applied(await deployment(EVERYTHING, { nameOverride }));
    assert.equal(value(everything, 'SECRET_KEY').value, undefined);
    assert.equal(everything.metadata.annotations['reloader.stakater.com/auto'], 'true');
    // An annotation by a controller that restarts pods has to stay when the operator applies the Deployment again.
    const restarted = { metadata: { annotations: { 'reloader.stakater.com/last-reloaded-from': 'a Secret' } } };
    const patch = JSON.stringify({ spec: { template: restarted } });
    const target = ['deployment', first.metadata.name, '-n', NAMESPACE];
    await server.kube.kubectl(['patch', ...target, '--field-manager=reloader', '--patch', patch]);
    const again = await applied(first);
    assert.equal(container(again).env.length, container(first).env.length);
    assert.equal(again.spec.template.metadata.annotations['reloader.stakater.com/last-reloaded-from'], 'a Secret');
    assert.equal(again.spec.template.spec.containers.length, 1);
    await server.kube.kubectl(['delete', 'deployment', first.metadata.name, '-n', NAMESPACE]);
  });

  it('accepts an upgrade whose notes list the Secrets that the operator reads, and what has changed', async () => {
    const upgrade = (values: object) =>
      server.kube.helm(
        ['upgrade', '--install', 'noted', CHART, '--namespace', NAMESPACE, '--values', MINIMAL, '--values', '-'],
        JSON.stringify({ migrate: { enabled: false }, crd: { install: false }, ...values }),
      );
    const installed = await upgrade({});
    assert.match(installed, /reads these Secrets only: touchline-webhooks\./);
    assert.match(installed, /secretRef: \{ name: touchline-webhooks \}/);
    assert.doesNotMatch(installed, /Earlier versions/);
    assert.match(installed, /kubectl .* exec deploy\/noted-touchline-api -- node .* key create/);
    assert.doesNotMatch(await upgrade({ notes: { exec: false } }), /kubectl .* exec /);
    const upgraded = await upgrade({ operator: { secrets: { names: ['a', 'b'] } } });
    assert.match(upgraded, /reads these Secrets only: a, b\./);
    assert.match(
      upgraded,
      /Earlier versions .*any Secret[\s\S]*SecretNotListed\) until it is in operator\.secrets\.names/,
    );
    assert.match(await upgrade({ operator: { secrets: { names: [] } } }), /reads these Secrets only: none\./);
    assert.doesNotMatch(await upgrade({ operator: { secrets: { access: 'any' } } }), /Secrets only|Earlier versions/);
    await uninstall('noted');
  });

  it('gets policies that open the ports named in the stores’ addresses, which helm reads from Secrets', async () => {
    const secret = (name: string, url: string) => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace: NAMESPACE },
      stringData: { url },
    });
    const secrets = [
      secret('touchline-postgres', 'postgresql://touchline:a%40b:9@db.example.com:25060/touchline?sslmode=require'),
      secret('ports-clickhouse', 'https://default:pw@clickhouse.example.com:9440/touchline'),
      secret('ports-mail', 'smtps://mail.example.com'),
    ];
    await apply(secrets);
    const values = {
      migrate: { enabled: false },
      crd: { install: false },
      clickhouse: { secretName: 'ports-clickhouse' },
      accounts: { mail: { secretName: 'ports-mail' } },
    };
    const release = ['ports', CHART, '--namespace', NAMESPACE, '--values', MINIMAL, '--values', '-'];
    await server.kube.helm(['install', ...release], JSON.stringify(values));
    const read = ['get', 'networkpolicy', 'ports-touchline-api', '-n', NAMESPACE, '-o', 'json'];
    const { egress } = JSON.parse(await server.kube.kubectl(read)).spec;
    const ports = egress.slice(1, 4).map((rule: Resource) => rule.ports.map(({ port }: Resource) => port));
    assert.deepEqual(ports, [[25_060], [9440], [465]]);
    await uninstall('ports');
    await server.kube.kubectl(['delete', '-n', NAMESPACE, ...secrets.map(({ metadata }) => `secret/${metadata.name}`)]);
  });

  it('accepts a reinstall under a new name in a new namespace, and the new release takes over the CRD if asked to', async () => {
    const crd = ['crd', 'webhooksubscriptions.touchline.dev'];
    await server.kube.kubectl(['delete', ...crd, '--ignore-not-found']);
    const other = `${NAMESPACE}-other`;
    await server.kube.kubectl(['create', 'namespace', other]);
    const install = (release: string, namespace: string, values: object, ...more: string[]) =>
      server.kube.helm(
        [
          'upgrade',
          '--install',
          release,
          CHART,
          '--namespace',
          namespace,
          '--values',
          MINIMAL,
          '--values',
          '-',
          ...more,
        ],
        JSON.stringify({ migrate: { enabled: false }, ...values }),
      );
    const owner = async () => {
      const { annotations } = JSON.parse(await server.kube.kubectl(['get', ...crd, '-o', 'json'])).metadata;
      return `${annotations['meta.helm.sh/release-namespace']}/${annotations['meta.helm.sh/release-name']}`;
    };
    assert.doesNotMatch(await install('first', NAMESPACE, {}), /take-ownership/);
    await server.kube.kubectl(['wait', '--for=condition=Established', '--timeout=60s', crd.join('/')]);
    const kept = {
      apiVersion: 'touchline.dev/v1alpha1',
      kind: 'WebhookSubscription',
      metadata: { name: 'kept', namespace: NAMESPACE },
      spec: { url: 'https://93.184.216.34/kept', account: 'a@example.com' },
    };
    await apply([kept]);
    await uninstall('first');
    const notes = await install('second', other, {});
    assert.match(
      notes,
      /is that of the release chart\/first, and stays as it is[\s\S]*--set crd\.takeOver=true --take-ownership/,
    );
    assert.equal(await owner(), `${NAMESPACE}/first`);
    // Without the flag, helm refuses to take the kind over.
    await assert.rejects(install('second', other, { crd: { takeOver: true } }), /invalid ownership metadata/);
    const taken = await install('second', other, { crd: { takeOver: true } }, '--take-ownership');
    assert.doesNotMatch(taken, /stays as it is/);
    assert.equal(await owner(), `${other}/second`);
    // From now on the kind belongs to this release, even without the value, and stays after the release is uninstalled.
    assert.match(await install('second', other, {}), /STATUS: deployed/);
    const manifest = await server.kube.helm(['get', 'manifest', 'second', '--namespace', other]);
    assert.match(manifest, /kind: CustomResourceDefinition/);
    await server.kube.helm(['rollback', 'second', '1', '--namespace', other]);
    await uninstall('second', other);
    assert.match(await server.kube.kubectl(['get', 'whs', 'kept', '-n', NAMESPACE]), /^NAME/);
    // A kind that was applied with kubectl stays too.
    await server.kube.kubectl(['annotate', ...crd, 'meta.helm.sh/release-name-', 'meta.helm.sh/release-namespace-']);
    assert.match(await install('third', other, {}), /is not Helm's, and stays as it is/);
    await uninstall('third', other);
    await server.kube.kubectl(['delete', 'whs', 'kept', '-n', NAMESPACE]);
    await server.kube.kubectl(['delete', ...crd]);
    await server.kube.kubectl(['delete', 'namespace', other, '--wait=false']);
  });

  it('accepts the upgrade from 0.1.0 to this version, and the rollback', async () => {
    const run = (chart: string, ...more: string[]) => {
      const values = ['--values', MINIMAL, '--set', 'migrate.enabled=false,crd.install=false', ...more];
      return server.kube.helm(['upgrade', '--install', 'old', chart, '--namespace', NAMESPACE, ...values]);
    };
    const user = async () => {
      const read = ['get', 'deployment', 'old-touchline-api', '-n', NAMESPACE, '-o', 'json'];
      return JSON.parse(await server.kube.kubectl(read)).spec.template.spec.securityContext.runAsUser;
    };
    await run(RELEASE_0_1_0);
    assert.equal(await user(), 1_000);
    await run(CHART);
    assert.equal(await user(), 10_001);
    await server.kube.helm(['rollback', 'old', '1', '--namespace', NAMESPACE]);
    assert.equal(await user(), 1_000);
    await run(CHART);
    await uninstall('old');
  });

  it('accepts two releases in one namespace, each upgraded to every set of values and back', async () => {
    const off = { migrate: { enabled: false }, nameOverride: '' };
    const upgrade = (release: string, file: string, values: object) =>
      server.kube.helm(
        ['upgrade', '--install', release, CHART, '--namespace', NAMESPACE, '--values', file, '--values', '-'],
        JSON.stringify(values),
      );
    const second = { ...off, crd: { install: false } };
    // Both names have the maximum length, and differ only in the last character.
    const [one, two] = ['1', '2'].map((end) =>
      `a-very-long-name-of-a-release-in-a-namespace-of-tests-${end}`.slice(-53),
    ) as [string, string];
    await Promise.all([upgrade(one, MINIMAL, off), upgrade(two, MINIMAL, second)]);
    await Promise.all([
      upgrade(one, EVERYTHING, { ...off, serviceAccount: { migrate: { create: true, name: '' } } }),
      upgrade(two, EVERYTHING, { ...second, extraObjects: [] }),
    ]);
    const policies = async () =>
      JSON.parse(await server.kube.kubectl(['get', 'networkpolicies', '-n', NAMESPACE, '-o', 'json'])).items.length;
    // Each release has a policy for eight roles, for the test, and for the end of the operator.
    assert.equal(await policies(), 20);
    await Promise.all([
      upgrade(one, MINIMAL, { ...off, networkPolicy: { enabled: false } }),
      server.kube.helm(['rollback', two, '1', '--namespace', NAMESPACE]),
    ]);
    // The second release is back at minimal values. It has no ClickHouse, and therefore no loader.
    assert.equal(await policies(), 9);
    for (const release of [one, two]) await uninstall(release);
  });
});
