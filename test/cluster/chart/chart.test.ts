/** Tests the chart as helm renders it. kube-service.test.ts runs it, and chart-values.test.ts tests its values. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { plansText } from '../../../src/accounts/plans/plan-file.ts';
import { ROLES } from '../../../src/config/config.ts';
import {
  CHART,
  CI_VALUES,
  dispatcherTemplate,
  environment,
  find,
  helm,
  MINIMAL,
  podOf,
  podsOf,
  render,
} from '../../support/chart.ts';
import { documents, values } from '../../support/generated-docs.ts';
import { needKube } from '../../support/kube.ts';
import type { Resource } from '../../support/kube-api.ts';

const FULL = `${CHART}/ci/full-values.yaml`;
/** Values files that add no containers. */
const PLAIN_VALUES = CI_VALUES.filter((file) => !file.includes('everything'));

describe('the chart', function () {
  this.timeout(60_000);
  before(function () {
    // The programs may have to be built first, which takes minutes.
    this.timeout(1_800_000);
    needKube(this);
  });

  for (const file of CI_VALUES) {
    it(`is valid with ${file.split('/').at(-1)}`, async () => {
      assert.match(await helm(['lint', '--strict', CHART, '--values', file]), /0 chart\(s\) failed/);
      const resources = await render(file);
      const names = resources.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
      assert.deepEqual(names, [...new Set(names)]);
      assert.ok(names.length > 10);
    });
  }

  it('gives every pod the restricted security standard and probes, and an API token to the operator alone', async () => {
    for (const file of PLAIN_VALUES) {
      const pods = podsOf(await render(file));
      assert.ok(pods.length >= 5);
      for (const pod of pods) {
        const [container, ...others] = pod.containers;
        assert.deepEqual(others, []);
        assert.equal(pod.securityContext.runAsNonRoot, true);
        assert.equal(pod.securityContext.seccompProfile.type, 'RuntimeDefault');
        assert.deepEqual(container.securityContext, {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        assert.equal(pod.automountServiceAccountToken, container.name === 'operator');
        if (container.name === 'migrate') continue;
        assert.equal(container.readinessProbe.httpGet.path, '/readyz');
        assert.equal(container.livenessProbe.httpGet.path, '/livez');
        assert.deepEqual(container.args, ['serve', '--role', container.name]);
        assert.ok((ROLES as readonly string[]).includes(container.name));
      }
    }
  });

  it('gives the plans to every pod except the migration’s, in the format that pods read', async () => {
    const resources = await render(FULL);
    const { data } = find(resources, 'ConfigMap', 'one-touchline-plans');
    const [plan] = plansText.parse(data['plans.yaml']).list;
    assert.deepEqual(plan!.windows, [
      { name: 'burst', quota: 10 },
      { name: 'month', quota: 3_000_000 },
    ]);
    for (const pod of podsOf(resources)) {
      const file = environment(pod).get('PLANS_FILE')?.value;
      assert.equal(file, pod.containers[0].name === 'migrate' ? undefined : '/etc/touchline-plans/plans.yaml');
    }
    const windows = { hour: 5 };
    await assert.rejects(
      render(FULL, { plans: { default: 'a', plans: [{ name: 'a', title: 'A', windows }] } }),
      /hour/,
    );
  });

  it('replaces pods one by one, but starts all new stream pods first, so that each client moves only once', async () => {
    const surge = new Map(
      (await render(FULL))
        .filter(({ kind }) => kind === 'Deployment')
        .map(({ spec }) => [spec.template.spec.containers[0].name, spec.strategy.rollingUpdate]),
    );
    assert.deepEqual(surge.get('stream'), { maxUnavailable: 0, maxSurge: '100%' });
    assert.deepEqual(surge.get('api'), { maxUnavailable: 0, maxSurge: 1 });
  });

  it('contains no secrets, because they come from the Secrets that the values name', async () => {
    const resources = await render(FULL, { secrets: { storesAsFiles: false } });
    const secrets = (role: string) => {
      return [...environment(podOf(resources, role)).values()]
        .filter((one) => one.valueFrom?.secretKeyRef)
        .map((one) => [one.name, one.valueFrom.secretKeyRef.name, one.valueFrom.secretKeyRef.key].join(' '));
    };
    const database = 'DATABASE_URL touchline-postgres uri';
    const key = 'SECRET_KEY touchline-secrets secret-key';
    assert.deepEqual(secrets('api'), ['CLICKHOUSE_URL touchline-clickhouse url', database, key, 'SMTP_URL mail url']);
    assert.deepEqual(secrets('stream'), [database]);
    assert.deepEqual(secrets('ingest'), [database, 'FEED_TOKEN touchline-secrets feed-token', key]);
    assert.deepEqual(secrets('jobs'), [
      'CLICKHOUSE_URL touchline-clickhouse url',
      database,
      'WEATHER_API_KEY open-meteo api-key',
    ]);
    assert.deepEqual(secrets('relay'), [database]);
    assert.deepEqual(secrets('loader'), ['CLICKHOUSE_URL touchline-clickhouse url', database]);
    assert.deepEqual(secrets('dispatcher'), [database, key]);
    assert.deepEqual(secrets('operator'), [database, key]);
    assert.deepEqual(secrets('migrate'), [database]);
  });

  it('loads matches into ClickHouse if a ClickHouse is configured', async () => {
    const loaders = async (given: object) =>
      podsOf(await render(MINIMAL, given)).filter((pod) => pod.containers[0].name === 'loader').length;
    const clickhouse = { secretName: 'one' };
    assert.equal(await loaders({}), 0);
    assert.equal(await loaders({ clickhouse }), 1);
    assert.equal(await loaders({ clickhouse, roles: { loader: { enabled: false } } }), 0);
  });

  it("lets a role's environment override the common environment, which overrides the chart's values", async () => {
    const option = (of: Resource[], role: string) => environment(podOf(of, role)).get('NODE_OPTIONS')?.value;
    const plain = await render(MINIMAL);
    for (const role of ['api', 'relay']) assert.equal(option(plain, role), undefined, role);
    for (const role of ['stream', 'ingest']) assert.equal(option(plain, role), '--max-semi-space-size=8', role);
    const common = await render(MINIMAL, { config: { env: { NODE_OPTIONS: '--trace-warnings' } } });
    assert.equal(option(common, 'stream'), '--trace-warnings');
    const resources = await render(FULL);
    assert.equal(option(resources, 'api'), '--max-old-space-size=768');
    assert.equal(option(resources, 'stream'), '--max-old-space-size=1536');
    const env = environment(podsOf(resources)[0]!);
    assert.equal(env.get('ALLOWED_HOSTS').value, 'sports.internal,sports.example.com');
    assert.equal(env.get('KAFKA_BROKERS').value, 'kafka-0.kafka:9092,kafka-1.kafka:9092,kafka-2.kafka:9092');
  });

  it('runs the migration before an install and an upgrade, and the migration needs no object from the release', async () => {
    const resources = await render(MINIMAL);
    const job = find(resources, 'Job', 'one-touchline-migrate');
    assert.equal(job.metadata.annotations['helm.sh/hook'], 'pre-install,pre-upgrade');
    const account = find(resources, 'ServiceAccount', job.spec.template.spec.serviceAccountName);
    assert.equal(account.metadata.annotations['helm.sh/hook'], 'pre-install,pre-upgrade,pre-rollback');
    assert.ok(
      Number(account.metadata.annotations['helm.sh/hook-weight']) <
        Number(job.metadata.annotations['helm.sh/hook-weight']),
    );
    assert.deepEqual(job.spec.template.spec.containers[0].envFrom, undefined);
    const { volumes } = job.spec.template.spec;
    assert.deepEqual(volumes.map(({ name }: Resource) => name).sort(), ['stores', 'tmp']);
    const [{ secret }] = volumes.find(({ name }: Resource) => name === 'stores').projected.sources;
    assert.equal(secret.name, 'touchline-postgres');
  });

  it('checks before a rollback whether the older version can use the database, and prints the answer', async () => {
    const resources = await render(MINIMAL);
    const [job, migration] = ['rollback', 'migrate'].map((name) => find(resources, 'Job', `one-touchline-${name}`));
    assert.equal(job!.metadata.annotations['helm.sh/hook'], 'pre-rollback');
    for (const { metadata } of [job!, migration!])
      assert.equal(metadata.annotations['helm.sh/hook-output-log-policy'], 'hook-failed');
    const { containers, ...pod } = job!.spec.template.spec;
    assert.deepEqual(containers[0].args, ['migrate', '--check']);
    const { containers: others, ...rest } = migration!.spec.template.spec;
    assert.deepEqual([pod, containers[0].env], [rest, others[0].env]);
    assert.equal(job!.spec.backoffLimit, 0);
    const { metadata } = find(resources, 'NetworkPolicy', 'one-touchline-migrate');
    assert.equal(metadata.annotations['helm.sh/hook'], 'pre-install,pre-upgrade,pre-rollback');
  });

  it('withdraws the operator before an uninstall, under the operator’s account and within a limited time', async () => {
    const resources = await render(MINIMAL, { operator: { namespaces: ['a', 'b'] } });
    const { metadata, spec } = find(resources, 'Job', 'one-touchline-withdraw');
    assert.equal(metadata.annotations['helm.sh/hook'], 'pre-delete');
    assert.equal(metadata.annotations['helm.sh/hook-output-log-policy'], 'hook-succeeded,hook-failed');
    assert.deepEqual([spec.backoffLimit, spec.activeDeadlineSeconds], [0, 120]);
    const pod = spec.template.spec;
    assert.deepEqual([pod.serviceAccountName, pod.automountServiceAccountToken], ['one-touchline-operator', true]);
    assert.deepEqual(pod.containers[0].args, ['withdraw']);
    // The pod must not use a Secret, which may have been deleted by then.
    const env = pod.containers[0].env.map(({ name, value }: Resource) => `${name}=${value}`);
    assert.deepEqual(env, [
      'LOG_LEVEL=info',
      'OPERATOR_DEPLOYMENT=one-touchline-operator',
      'OPERATOR_INSTALLATION=one-touchline',
      'OPERATOR_NAMESPACES=a,b',
    ]);
    assert.notEqual(spec.template.metadata.labels['app.kubernetes.io/component'], 'operator');
    const rules = resources.filter(({ kind }) => kind === 'Role').flatMap((role) => role.rules);
    const deleting = rules.filter(({ resources: kinds, verbs }) => kinds[0] === 'leases' && verbs.includes('delete'));
    assert.deepEqual(
      deleting.map(({ resourceNames }) => resourceNames[0]),
      ['one-touchline-operator', 'webhooksubscriptions.touchline.dev', 'webhooksubscriptions.touchline.dev'],
    );
    for (const off of [{ operator: { withdraw: false } }, { roles: { operator: { enabled: false } } }]) {
      const names = (await render(MINIMAL, off)).map((one) => one.metadata.name);
      assert.ok(!names.includes('one-touchline-withdraw'));
    }
  });

  it('passes the dispatcher template to the operator, and restarts the operator when the template changes', async () => {
    const checksum = async (given = {}) => {
      const resources = await render(MINIMAL, given);
      const manifest = dispatcherTemplate(resources);
      assert.equal(manifest.kind, 'Deployment');
      assert.equal(manifest.metadata.name, 'one-touchline-dispatcher');
      assert.equal(manifest.spec.replicas, undefined);
      assert.deepEqual(
        manifest.spec.selector.matchLabels,
        Object.fromEntries(
          Object.keys(manifest.spec.selector.matchLabels).map((name) => [
            name,
            manifest.spec.template.metadata.labels[name],
          ]),
        ),
      );
      assert.ok(
        !resources.some((one) => one.kind === 'Deployment' && one.metadata.name === 'one-touchline-dispatcher'),
      );
      const { template: pod } = find(resources, 'Deployment', 'one-touchline-operator').spec;
      const env = environment(pod.spec);
      const [mount] = pod.spec.containers[0].volumeMounts.filter((one: Resource) => one.name === 'dispatcher');
      assert.equal(env.get('DISPATCHER_TEMPLATE_FILE').value, `${mount.mountPath}/dispatcher.yaml`);
      return pod.metadata.annotations['checksum/dispatcher'];
    };
    assert.equal(await checksum(), await checksum());
    assert.notEqual(await checksum(), await checksum({ image: { tag: 'v2' } }));
  });

  it('creates dispatchers itself if the operator is off, and then creates no Role and no CRD', async () => {
    const resources = await render(`${CHART}/ci/no-operator-values.yaml`);
    assert.equal(find(resources, 'Deployment', 'one-touchline-dispatcher').spec.replicas, 3);
    const kinds = new Set(resources.map((one) => one.kind));
    for (const kind of ['Role', 'RoleBinding', 'CustomResourceDefinition', 'Job']) assert.ok(!kinds.has(kind), kind);
  });

  it('has no dispatchers if they are disabled, even with the operator', async () => {
    for (const operator of [true, false]) {
      const roles = { dispatcher: { enabled: false }, operator: { enabled: operator } };
      const resources = await render(MINIMAL, { roles });
      assert.ok(!resources.some((one) => one.kind === 'Deployment' && one.metadata.name.endsWith('-dispatcher')));
      if (operator) assert.ok(!environment(podOf(resources, 'operator')).has('DISPATCHER_TEMPLATE_FILE'));
    }
    assert.ok(environment(podOf(await render(MINIMAL), 'operator')).has('DISPATCHER_TEMPLATE_FILE'));
  });

  it('keeps the CRD after an uninstall', async () => {
    const resources = await render(MINIMAL);
    const crd = find(resources, 'CustomResourceDefinition', 'webhooksubscriptions.touchline.dev');
    assert.equal(crd.metadata.annotations['helm.sh/resource-policy'], 'keep');
  });

  it('gives the operator no wildcard rights, and rights on Secrets only in the namespaces that it serves', async () => {
    for (const namespaces of [[], ['a', 'b', 'a']]) {
      const resources = await render(MINIMAL, { operator: { namespaces } });
      const roles = resources.filter((one) => /Role$/.test(one.kind));
      for (const rule of roles.flatMap((one) => one.rules))
        assert.ok(![...rule.verbs, ...rule.resources, ...rule.apiGroups].includes('*'));
      const rights = roles.flatMap(({ metadata, rules }) =>
        rules
          .filter((rule: Resource) => rule.resources.includes('secrets'))
          .map((rule: Resource) => `${metadata.namespace} ${rule.verbs} ${rule.resourceNames ?? 'any'}`),
      );
      const served = namespaces.length > 0 ? ['a', 'b'] : ['sports'];
      assert.deepEqual(
        rights,
        served.flatMap((namespace) => [`${namespace} get,patch,delete touchline-webhooks`, `${namespace} create any`]),
      );
      const ofCluster = roles.filter((one) => one.kind === 'ClusterRole').map(({ rules }) => rules);
      assert.deepEqual(ofCluster, [[{ apiGroups: [''], resources: ['namespaces'], verbs: ['get'] }]]);
    }
    const without = await render(MINIMAL, { operator: { readNamespaces: false } });
    assert.ok(!without.some((one) => /^ClusterRole/.test(one.kind)));
    const none = await render(MINIMAL, { rbac: { create: false } });
    assert.ok(!none.some((one) => /Role/.test(one.kind)));
  });

  it('lets the operator read only the Secrets that the values name, and all Secrets only if the values ask for that', async () => {
    const rights = async (secrets: object, tenancy = { enabled: false }) => {
      const resources = await render(MINIMAL, { operator: { secrets, tenancy } });
      const rules = resources.filter(({ kind }) => kind === 'Role').flatMap((one) => one.rules);
      const { value } = podOf(resources, 'operator').containers[0].env.find(
        ({ name }: Resource) => name === 'OPERATOR_SECRETS',
      );
      const shown = rules
        .filter((rule: Resource) => rule.resources.includes('secrets'))
        .map((rule: Resource) => `${rule.verbs} ${rule.resourceNames ?? 'any'}`);
      return [value, ...shown];
    };
    assert.deepEqual(await rights({}), ['touchline-webhooks', 'get touchline-webhooks', 'create any']);
    assert.deepEqual(await rights({ names: ['a', 'b', 'a'], create: false }), ['a,b', 'get a,b']);
    assert.deepEqual(await rights({ names: [] }), ['', 'create any'], 'no name is not any name');
    assert.deepEqual(await rights({ access: 'any' }), ['', 'get any', 'create any']);
    const changing = ['', 'get,patch,delete any', 'create any'];
    assert.deepEqual(await rights({ access: 'any' }, { enabled: true }), changing);
  });

  it('gives the operator the same rights in all namespaces, if it serves them all', async () => {
    const rights = async (namespaces: string[], kind: string) =>
      (await render(MINIMAL, { operator: { namespaces } })).find(
        (one) => one.kind === kind && one.rules.some((rule: Resource) => rule.resources.includes('apikeys')),
      );
    const [own, all] = [await rights([], 'Role'), await rights(['*'], 'ClusterRole')];
    assert.deepEqual(all!.rules, own!.rules);
    assert.equal(all!.metadata.namespace, undefined);
    assert.equal(await rights(['*'], 'Role'), undefined);
  });

  it('lets the Ingress pass streams unbuffered for longer than a stream lasts, and gives pods more time to stop than a drain takes', async () => {
    const resources = await render(FULL);
    const stream = find(resources, 'Ingress', 'one-touchline-stream');
    const nginx = (name: string) => stream.metadata.annotations[`nginx.ingress.kubernetes.io/${name}`];
    assert.equal(nginx('proxy-buffering'), 'off');
    assert.equal(nginx('affinity'), 'cookie');
    // A stream lasts for 60 minutes plus up to one more, and then sends its last frames.
    for (const name of ['proxy-read-timeout', 'proxy-send-timeout']) assert.ok(Number(nginx(name)) > 61 * 60);
    assert.equal(stream.metadata.annotations['cert-manager.io/cluster-issuer'], 'letsencrypt');
    const paths = ['api', 'stream', 'ingest'].flatMap((role) => {
      const { rules, tls } = find(resources, 'Ingress', `one-touchline-${role}`).spec;
      assert.deepEqual(tls, [{ hosts: ['sports.example.com'], secretName: 'sports-tls' }]);
      return rules[0].http.paths.map((one: Resource) => [rules[0].host, one.path, one.backend.service.name].join(' '));
    });
    assert.deepEqual(paths, [
      'sports.example.com / one-touchline-api',
      'sports.example.com /v1/stream one-touchline-stream',
      'sports.example.com /live one-touchline-stream',
      'sports.example.com /feed one-touchline-ingest',
    ]);
    assert.ok(
      find(resources, 'Deployment', 'one-touchline-stream').spec.template.spec.terminationGracePeriodSeconds >= 90,
    );
  });

  it('names only existing files in comments', () => {
    const named = readdirSync(`${CHART}/templates`, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(tpl|yaml|txt)$/.test(file))
      .flatMap((file) => [
        ...readFileSync(`${CHART}/templates/${file}`, 'utf8').matchAll(
          /\b(?:src|test|docs|operators|files)\/[\w./-]*\.\w+/g,
        ),
      ])
      .map(([path]) => path);
    assert.ok(named.length > 3, named.join());
    assert.deepEqual(
      named.filter((path) => ![CHART, `${CHART}/../..`].some((root) => existsSync(`${root}/${path}`))),
      [],
    );
  });

  it('explains every value in values.yaml and in the README', () => {
    assert.deepEqual(
      values().filter(({ comment }) => comment === ''),
      [],
    );
    for (const [file, text] of documents()) assert.equal(readFileSync(file, 'utf8'), text);
  });
});
