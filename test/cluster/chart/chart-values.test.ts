/**
 * Tests what the chart's values do. chart-environment.test.ts tests the environment, and chart-refusals.test.ts the
 * refusals.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import {
  CHART,
  EVERYTHING,
  environment,
  find,
  MINIMAL,
  podOf,
  podsOf,
  render,
  workloads,
} from '../../support/chart.ts';
import { needKube } from '../../support/kube.ts';
import type { Resource } from '../../support/kube-api.ts';

const OPERATOR_OFF = { operator: { enabled: false } };

describe('the chart’s values', function () {
  this.timeout(60_000);
  before(function () {
    this.timeout(1_800_000);
    needKube(this);
  });

  it('give pods defaults, and values for one role override these defaults', async () => {
    const resources = await render(EVERYTHING);
    const template = (kind: string, name: string) => find(resources, kind, name).spec.template;
    const api = template('Deployment', 'one-scores-api');
    assert.equal(api.metadata.labels['example.com/team'], 'sports');
    assert.equal(api.metadata.annotations['example.com/contact'], 'api-team');
    assert.equal(api.metadata.annotations['prometheus.io/scrape'], 'false');
    assert.equal(template('Deployment', 'one-scores-relay').metadata.annotations['example.com/contact'], 'on-call');
    assert.deepEqual(template('Deployment', 'one-scores-stream').spec.nodeSelector, { pool: 'streams' });
    const pods = podsOf(resources);
    // Two of the pods are for the migration, since a check runs before a rollback.
    assert.equal(pods.length, 10);
    for (const pod of pods) {
      const { name } = pod.containers[0];
      assert.equal(pod.priorityClassName, name === 'dispatcher' ? 'webhooks' : 'sports-critical');
      assert.equal(pod.tolerations[0].key, 'dedicated');
      assert.equal(pod.affinity[name === 'operator' ? 'podAntiAffinity' : 'nodeAffinity'] !== undefined, true);
      // On OpenShift, the cluster chooses user and group ids.
      assert.deepEqual(pod.securityContext, {
        fsGroupChangePolicy: 'OnRootMismatch',
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
        supplementalGroups: [2000],
      });
      assert.deepEqual(
        pod.initContainers.map((one: Resource) => one.name),
        ['sql-proxy'],
      );
      // The migration has no sidecar, which would keep its pod from ending.
      assert.equal(pod.containers.length, name === 'migrate' ? 1 : 2);
      assert.ok(pod.volumes.some((one: Resource) => one.name === 'certificates'));
      assert.ok(pod.containers[0].volumeMounts.some((one: Resource) => one.mountPath === '/etc/certificates'));
    }
    for (const { kind, metadata, spec } of workloads(resources)) {
      if (kind !== 'Deployment') continue;
      assert.equal(metadata.annotations['reloader.stakater.com/auto'], 'true', metadata.name);
      assert.deepEqual([spec.revisionHistoryLimit, spec.minReadySeconds], [3, 5]);
      const [container] = spec.template.spec.containers;
      assert.deepEqual(
        [
          container.startupProbe.failureThreshold,
          container.livenessProbe.timeoutSeconds,
          container.readinessProbe.periodSeconds,
        ],
        [120, 10, 5],
      );
      const { labels } = spec.template.metadata;
      for (const { labelSelector, topologyKey } of spec.template.spec.topologySpreadConstraints) {
        assert.ok(['topology.kubernetes.io/zone', 'kubernetes.io/hostname'].includes(topologyKey));
        for (const [key, value] of Object.entries(labelSelector.matchLabels)) assert.equal(labels[key], value);
      }
    }
  });

  it('give every object the common labels and annotations, and can override the names of objects', async () => {
    const resources = await render(EVERYTHING);
    for (const { kind, metadata } of resources) {
      if (metadata.name === 'one-common' || ['CustomResourceDefinition', 'HorizontalPodAutoscaler'].includes(kind))
        continue;
      assert.equal(metadata.labels['example.com/cost-center'], '17', `${kind} ${metadata.name}`);
      assert.equal(metadata.annotations['example.com/owner'], 'sports@example.com', `${kind} ${metadata.name}`);
      assert.equal(metadata.labels['app.kubernetes.io/name'], 'scores');
    }
    find(resources, 'ConfigMap', 'one-common');
    find(resources, 'HorizontalPodAutoscaler', 'one-scores-api');
    const full = await render(MINIMAL, { fullnameOverride: 'sports' });
    find(full, 'Deployment', 'sports-api');
  });

  it("may name existing accounts, and the Role is then bound to the operator's account", async () => {
    const resources = await render(EVERYTHING);
    const accounts = resources.filter(({ kind }) => kind === 'ServiceAccount').map(({ metadata }) => metadata.name);
    assert.deepEqual(accounts, ['one-scores-operator']);
    assert.equal(podOf(resources, 'api').serviceAccountName, 'sports');
    assert.equal(podOf(resources, 'migrate').serviceAccountName, 'sports');
    const operator = { create: false, name: 'whs' };
    const other = await render(MINIMAL, { serviceAccount: { operator } });
    assert.equal(podOf(other, 'operator').serviceAccountName, 'whs');
    assert.equal(find(other, 'RoleBinding', 'one-touchline-operator').subjects[0].name, 'whs');
  });

  it('keep a role’s spread over nodes if only affinity is given', async () => {
    const affinity = { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } };
    const pod = podOf(await render(MINIMAL, { roles: { api: { affinity } } }), 'api');
    assert.deepEqual(pod.affinity, affinity);
    assert.equal(pod.topologySpreadConstraints[0].topologyKey, 'kubernetes.io/hostname');
  });

  it('leave the pod count to an autoscaler and the user ids to the cluster if they are null', async () => {
    const roles = { api: { replicas: null }, dispatcher: { replicas: null }, ...OPERATOR_OFF };
    const podSecurity = { runAsUser: null, runAsGroup: null };
    const resources = await render(MINIMAL, { roles, podSecurity });
    for (const role of ['api', 'dispatcher'])
      assert.ok(!('replicas' in find(resources, 'Deployment', `one-touchline-${role}`).spec));
    assert.equal(find(resources, 'Deployment', 'one-touchline-relay').spec.replicas, 2);
    for (const { securityContext } of podsOf(resources))
      assert.deepEqual(Object.keys(securityContext).sort(), ['runAsNonRoot', 'seccompProfile']);
    // On OpenShift, ids have ten digits.
    const large = await render(MINIMAL, { podSecurity: { runAsUser: 1_000_680_000 } });
    assert.equal(podOf(large, 'api').securityContext.runAsUser, 1_000_680_000);
  });

  it('give a pod as much time to stop as the drain takes', async () => {
    const grace = async (values: object) => {
      const resources = await render(MINIMAL, values);
      return ['api', 'stream', 'relay', 'dispatcher'].map(
        (role) => podOf(resources, role).terminationGracePeriodSeconds,
      );
    };
    assert.deepEqual(await grace({}), [45, 90, 30, 45]);
    assert.deepEqual(await grace({ drain: { delaySeconds: 20, spreadSeconds: 600 } }), [55, 655, 30, 45]);
    const env = { DRAIN_SPREAD_SECONDS: '600.5' };
    assert.deepEqual(await grace({ config: { env } }), [45, 646, 30, 45]);
    assert.deepEqual(await grace({ roles: { stream: { env: { DRAIN_DELAY_SECONDS: 0 } } } }), [45, 80, 30, 45]);
    const stream = podOf(await render(MINIMAL, { drain: { spreadSeconds: 7 } }), 'stream');
    assert.equal(environment(stream).get('DRAIN_SPREAD_SECONDS').value, '7');
  });

  it("give a container's port the name that the process uses", async () => {
    const api = podOf(await render(MINIMAL, { config: { env: { PORT: 8081, ADMIN_PORT: '9191' } } }), 'api');
    const ports = api.containers[0].ports.map((one: Resource) => [one.name, one.containerPort]);
    assert.deepEqual(ports, [
      ['http', 8081],
      ['admin', 9191],
    ]);
  });

  it('may contain names that YAML would read as another type', async () => {
    const image = { pullSecrets: ['9'] };
    const serviceAccount = { service: { create: false, name: '7' } };
    const dashboard = { enabled: true };
    const given = {
      nameOverride: 'y',
      fullnameOverride: 'on',
      image,
      serviceAccount,
      podMonitor: { enabled: true },
      dashboard,
    };
    const resources = await render(MINIMAL, given, '1e3');
    for (const { metadata } of resources.filter(({ kind }) => kind !== 'CustomResourceDefinition')) {
      assert.equal(typeof metadata.name, 'string');
      assert.deepEqual(
        [metadata.labels['app.kubernetes.io/name'], metadata.labels['app.kubernetes.io/instance']],
        ['y', '1e3'],
      );
    }
    assert.equal(podOf(resources, 'api').serviceAccountName, '7');
    assert.deepEqual(podOf(resources, 'api').imagePullSecrets, [{ name: '9' }]);
    find(resources, 'PodMonitor', 'on');
  });

  it('may give the release a long name, and object names are then cut to fit and stay distinct, while short names do not change', async () => {
    const names = async (release: string) => (await render(MINIMAL, {}, release)).map(({ metadata }) => metadata.name);
    const long = 'a-very-long-name-of-a-release-in-a-namespace-for-test';
    assert.equal(long.length, 53);
    const [one, two] = await Promise.all([names(`${long.slice(0, 52)}1`), names(`${long.slice(0, 52)}2`)]);
    // The resource definitions.
    const isShared = (name: string) => name.endsWith('.touchline.dev');
    assert.deepEqual(
      one!.filter((name) => two!.includes(name) && !isShared(name)),
      [],
    );
    for (const name of [...one!, ...two!])
      assert.ok(isShared(name) || /^[a-z]([-a-z0-9]{0,61}[a-z0-9])$/.test(name), name);
    assert.ok((await names('touchline')).includes('touchline-api'));
    assert.ok((await names('staging')).includes('staging-touchline-api'));
    const longest = `${'b'.repeat(30)}`;
    assert.ok((await names(longest)).includes(`${longest}-touchline-api`));
  });

  it('may switch off optional parts, which come from separate files', async () => {
    const resources = await render(EVERYTHING);
    const file = (name: string) => readFileSync(`${CHART}/files/${name}`, 'utf8');
    const disabled = 'TouchlineProviderSilent';
    const plain = await render(MINIMAL, { prometheusRule: { enabled: true, disabled: [disabled] } });
    const wanted = ['alerts.yaml', 'objectives.yaml']
      .flatMap((name) => parse(file(name)).groups)
      .map(({ name, rules }: Resource) => ({ name, rules: rules.filter(({ alert }: Resource) => alert !== disabled) }));
    assert.deepEqual(find(plain, 'PrometheusRule', 'one-touchline').spec.groups, wanted);
    const dashboard = find(resources, 'ConfigMap', 'one-scores-dashboard');
    assert.equal(dashboard.metadata.labels.grafana_dashboard, '1');
    assert.deepEqual(JSON.parse(dashboard.data['touchline.json']), JSON.parse(file('dashboard.json')));
    const monitor = find(resources, 'PodMonitor', 'one-scores');
    assert.equal(monitor.metadata.labels.release, 'prometheus');
    const [endpoint] = monitor.spec.podMetricsEndpoints;
    assert.deepEqual([endpoint.port, endpoint.path, endpoint.interval], ['admin', '/metrics', '30s']);
    for (const { spec } of workloads(resources).filter(({ kind }) => kind === 'Deployment')) {
      const { metadata, spec: pod } = spec.template;
      for (const [name, value] of Object.entries(monitor.spec.selector.matchLabels))
        assert.equal(metadata.labels[name], value);
      assert.ok(pod.containers[0].ports.some(({ name }: Resource) => name === endpoint.port));
      assert.equal(metadata.annotations['prometheus.io/port'], undefined);
    }
    const budgets = resources.filter(({ kind }) => kind === 'PodDisruptionBudget');
    const budget = (role: string) => budgets.find(({ metadata }) => metadata.name === `one-scores-${role}`)?.spec;
    assert.equal(budget('relay'), undefined);
    assert.equal(budget('api').maxUnavailable, '50%');
    assert.deepEqual([budget('stream').minAvailable, budget('stream').maxUnavailable], [1, undefined]);
    assert.equal(budget('ingest').maxUnavailable, 1);

    const kinds = (await render(MINIMAL)).map(({ kind }) => kind);
    for (const kind of ['PodMonitor', 'PrometheusRule', 'Ingress', 'HTTPRoute']) assert.ok(!kinds.includes(kind), kind);
  });

  it('include the objectives and the runbook’s address', async () => {
    const rulesOf = async (values: object): Promise<Resource[]> => {
      const { groups } = find(await render(EVERYTHING, values), 'PrometheusRule', 'one-scores').spec;
      return groups.flatMap(({ rules }: Resource) => rules);
    };
    const runbookUrl = 'https://wiki.example.com/touchline';
    const objectives = { streamLatency: { ratio: 0.999, seconds: 2 }, webhookLatency: { seconds: 30 } };
    const rules = await rulesOf({ prometheusRule: { runbookUrl, objectives } });
    const recorded = (record: string) =>
      Object.fromEntries(
        rules.filter((one) => one.record === record).map(({ labels, expr }) => [labels.objective, expr]),
      );
    assert.deepEqual(recorded('touchline:objective:ratio'), {
      'api-availability': 'vector(0.999)',
      'api-latency': 'vector(0.995)',
      'stream-latency': 'vector(0.999)',
      'webhook-latency': 'vector(0.99)',
      'live-freshness': 'vector(0.99)',
    });
    assert.deepEqual(recorded('touchline:objective:seconds'), {
      'api-latency': 'vector(0.5)',
      'stream-latency': 'vector(2)',
      'webhook-latency': 'vector(30)',
      'live-freshness': 'vector(120)',
    });
    const bounds = Object.entries(recorded('touchline:objective_bad:rate5m')).map(([objective, expr]) => [
      objective,
      /le="([0-9.]+)"/.exec(expr as string)?.[1],
    ]);
    assert.deepEqual(Object.fromEntries(bounds), {
      'api-availability': undefined,
      'api-latency': '0.5',
      'stream-latency': '2',
      'webhook-latency': '30',
      'live-freshness': '120',
    });
    const alerts = rules.filter(({ alert }) => alert !== undefined);
    assert.ok(alerts.length > 25);
    for (const { alert, annotations } of alerts)
      assert.equal(annotations.runbook_url, `${runbookUrl}#${alert.toLowerCase()}`);
    // The chart refuses both. A time within a bucket cannot be measured, and at such a low ratio errors never trigger a page.
    for (const [name, bad] of Object.entries({ streamLatency: { seconds: 3 }, apiAvailability: { ratio: 0.9 } }))
      await assert.rejects(rulesOf({ prometheusRule: { objectives: { [name]: bad } } }), new RegExp(name));
  });

  it('give every container storage requests and limits, and give a size to every volume that a container writes to', async () => {
    for (const pod of podsOf(await render(MINIMAL))) {
      const [{ name, resources }] = pod.containers;
      assert.equal(resources.requests['ephemeral-storage'], '64Mi', name);
      assert.equal(resources.limits['ephemeral-storage'], '1Gi', name);
      assert.deepEqual(
        pod.volumes.filter((one: Resource) => one.emptyDir),
        [{ name: 'tmp', emptyDir: { sizeLimit: '512Mi' } }],
      );
      assert.deepEqual(
        [pod.securityContext.runAsUser, pod.securityContext.runAsGroup, pod.securityContext.fsGroup],
        [10_001, 10_001, 10_001],
      );
    }
    const values = {
      defaults: { tmpSizeLimit: '1Gi' },
      roles: { api: { tmpSizeLimit: 123 } },
      migrate: { tmpSizeLimit: '9Mi' },
    };
    const resources = await render(MINIMAL, values);
    const size = (role: string) =>
      podOf(resources, role).volumes.find(({ name }: Resource) => name === 'tmp').emptyDir.sizeLimit;
    assert.deepEqual(['api', 'stream', 'dispatcher', 'migrate'].map(size), [123, '1Gi', '1Gi', '9Mi']);
  });

  it('determine the Services, the Ingresses and the migration Job', async () => {
    const resources = await render(EVERYTHING);
    for (const role of ['api', 'stream', 'ingest']) {
      const { metadata, spec } = find(resources, 'Service', `one-scores-${role}`);
      assert.deepEqual([spec.type, spec.ipFamilyPolicy, spec.ipFamilies], ['LoadBalancer', 'SingleStack', ['IPv4']]);
      assert.equal(metadata.labels['example.com/public'], 'true');
      assert.equal(metadata.annotations['example.com/balancer'], 'internal');
      const ingress = find(resources, 'Ingress', `one-scores-${role}`).spec;
      // Without a class name, the default class is used.
      assert.ok(!('ingressClassName' in ingress));
      assert.equal(ingress.rules[0].host, 'sports.example.com');
    }
    const job = find(resources, 'Job', 'one-scores-migrate');
    assert.equal(job.spec.ttlSecondsAfterFinished, 3600);
    assert.equal(job.metadata.annotations['example.com/kind'], 'migration');
    const { metadata, spec } = job.spec.template;
    assert.equal(metadata.annotations['sidecar.istio.io/inject'], 'false');
    assert.deepEqual(spec.nodeSelector, { 'kubernetes.io/arch': 'amd64' });
    assert.equal(spec.tolerations.length, 1);
    assert.equal(environment(spec).get('PGAPPNAME').value, 'migrate');
    const own = { nodeSelector: { pool: 'jobs' }, priorityClassName: 'jobs' };
    const pod = podOf(await render(EVERYTHING, { migrate: { ...own } }), 'migrate');
    assert.equal(pod.priorityClassName, 'jobs');
    assert.equal(pod.nodeSelector.pool, 'jobs');
  });
});
