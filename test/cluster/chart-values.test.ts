/** What the values of the chart do, and which are refused. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import {
  CI_VALUES,
  EVERYTHING,
  environment,
  find,
  MINIMAL,
  podOf,
  podsOf,
  render,
  workloads,
} from '../support/chart.ts';
import { needKube } from '../support/kube.ts';
import type { Resource } from '../support/kube-api.ts';

const ROLES = ['api', 'stream', 'ingest', 'relay', 'loader', 'dispatcher', 'operator'];
const OPERATOR_OFF = { operator: { enabled: false } };

describe('the values of the chart', function () {
  this.timeout(60_000);
  before(function () {
    this.timeout(1_800_000);
    needKube(this);
  });

  const namesOf = (container: Resource): string[] => (container.env ?? []).map(({ name }: Resource) => name);
  function assertUnique(pods: Resource[]): void {
    for (const container of pods.flatMap((pod) => [...pod.containers, ...(pod.initContainers ?? [])])) {
      const names = namesOf(container);
      assert.deepEqual(names, [...new Set(names)], container.name);
    }
  }
  const texts = (values: object) => Object.fromEntries(Object.keys(values).map((name) => [name, `a ${name}`]));
  /** The chart reads these itself. */
  const NUMBERS = { PORT: '8081', ADMIN_PORT: '9091', DRAIN_DELAY_SECONDS: '1', DRAIN_SPREAD_SECONDS: '2' };

  it('gives no name of the environment twice, and the user has the last word on each', async () => {
    for (const file of CI_VALUES) {
      const resources = await render(file);
      const pods = podsOf(resources);
      assertUnique(pods);
      const byRole = new Map(pods.map((pod) => [pod.containers[0].name, pod]));
      const all = Object.fromEntries(pods.flatMap((pod) => namesOf(pod.containers[0])).map((name) => [name, '']));
      const given = parse(readFileSync(file, 'utf8'));
      const more = new Map(ROLES.map((role) => [role, Object.keys(given.roles?.[role]?.env ?? {})]));
      if (given.migrate?.database) more.set('migrate', ['DATABASE_URL', ...Object.keys(given.migrate.env ?? {})]);
      const common = { ...texts(all), ...NUMBERS, ONLY_COMMON: 'yes' };
      const once = await render(file, { config: { env: common } });
      const own = Object.fromEntries(
        ROLES.map((role) => [
          role,
          { env: { ...Object.fromEntries(Object.keys(all).map((name) => [name, `${role} ${name}`])), ...NUMBERS } },
        ]),
      );
      const twice = await render(file, { config: { env: common }, roles: own, migrate: { env: own.api!.env } });
      for (const [role] of byRole) {
        for (const [resources, prefix] of [
          [once, 'a'],
          [twice, role === 'migrate' ? 'api' : role],
        ] as const) {
          const pod = podOf(resources, role);
          assertUnique([pod]);
          for (const [name, entry] of environment(pod)) {
            if (name in NUMBERS || name === 'ONLY_COMMON') continue;
            // What the file gives to the role alone is more particular than what holds for all.
            if (prefix === 'a' && more.get(role)?.includes(name)) continue;
            assert.deepEqual(entry, { name, value: `${prefix} ${name}` }, `${role} ${file}`);
          }
          assert.equal(environment(pod).get('ONLY_COMMON')?.value, 'yes');
        }
      }
    }
  });

  it('takes numbers, flags and references in the environment, and null takes an entry of the chart away', async () => {
    const valueFrom = { secretKeyRef: { name: 'pg', key: 'password' } };
    const env = {
      NUMBER: 10_000_000,
      FRACTION: 1.5,
      FLAG: false,
      EMPTY: '',
      OBJECT: { value: 3 },
      DATABASE_PASSWORD: { valueFrom },
      DATABASE_URL: 'postgresql://app:$(DATABASE_PASSWORD)@pgbouncer:6432/touchline',
      NODE_OPTIONS: null,
      STRICT: null,
    };
    const resources = await render(MINIMAL, { config: { env }, roles: { relay: { env: { FLAG: null } } } });
    const stream = podOf(resources, 'stream').containers[0];
    const value = (name: string) => stream.env.find((one: Resource) => one.name === name);
    for (const [name, text] of Object.entries({
      NUMBER: '10000000',
      FRACTION: '1.5',
      FLAG: 'false',
      EMPTY: '',
      OBJECT: '3',
    }))
      assert.deepEqual(value(name), { name, value: text });
    assert.deepEqual(value('DATABASE_PASSWORD'), { name: 'DATABASE_PASSWORD', valueFrom });
    for (const name of ['NODE_OPTIONS', 'STRICT']) assert.equal(value(name), undefined);
    assert.equal(environment(podOf(resources, 'relay')).get('FLAG'), undefined);
    // Kubernetes replaces $(NAME) where NAME stands before.
    assert.equal(namesOf(stream).at(-1), 'DATABASE_URL');
  });

  it('gives the environment of Secrets and ConfigMaps to all roles and to one, before what is set by name', async () => {
    const all = { configMapRef: { name: 'common' } };
    const one = { prefix: 'X_', secretRef: { name: 'more', optional: true } };
    const resources = await render(MINIMAL, { config: { envFrom: [all] }, roles: { dispatcher: { envFrom: [one] } } });
    for (const pod of podsOf(resources)) {
      const wanted = pod.containers[0].name === 'dispatcher' ? [all, one] : [all];
      assert.deepEqual(pod.containers[0].envFrom, wanted, pod.containers[0].name);
    }
  });

  it('lets the migration reach another database than the roles, whatever holds for all', async () => {
    const address = { secretKeyRef: { name: 'direct', key: 'url' } };
    const url = (resources: Resource[], role: string) => environment(podOf(resources, role)).get('DATABASE_URL');
    const given = { config: { env: { DATABASE_URL: 'postgresql://pgbouncer/touchline' } } };
    const database = { secretName: 'direct' };
    const split = await render(MINIMAL, { ...given, migrate: { database } });
    assert.deepEqual(url(split, 'migrate').valueFrom, address);
    assert.equal(url(split, 'api').value, 'postgresql://pgbouncer/touchline');
    assert.equal(url(await render(MINIMAL, given), 'migrate').value, 'postgresql://pgbouncer/touchline');
    const own = await render(MINIMAL, { ...given, migrate: { database, env: { DATABASE_URL: 'postgresql://mine/' } } });
    assert.equal(url(own, 'migrate').value, 'postgresql://mine/');
  });

  it('gives pods the defaults, and those of one role its own over them', async () => {
    const resources = await render(EVERYTHING);
    const template = (kind: string, name: string) => find(resources, kind, name).spec.template;
    const api = template('Deployment', 'one-scores-api');
    assert.equal(api.metadata.labels['example.com/team'], 'sports');
    assert.equal(api.metadata.annotations['example.com/contact'], 'api-team');
    assert.equal(api.metadata.annotations['prometheus.io/scrape'], 'false');
    assert.equal(template('Deployment', 'one-scores-relay').metadata.annotations['example.com/contact'], 'on-call');
    assert.deepEqual(template('Deployment', 'one-scores-stream').spec.nodeSelector, { pool: 'streams' });
    const pods = podsOf(resources);
    assert.equal(pods.length, 8);
    for (const pod of pods) {
      const { name } = pod.containers[0];
      assert.equal(pod.priorityClassName, name === 'dispatcher' ? 'webhooks' : 'sports-critical');
      assert.equal(pod.tolerations[0].key, 'dedicated');
      assert.equal(pod.affinity[name === 'operator' ? 'podAntiAffinity' : 'nodeAffinity'] !== undefined, true);
      // On OpenShift it is the cluster that chooses ids.
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
      // A container beside it would keep the migration from ending.
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

  it('puts the common labels and annotations on every object, and the own names where they are given', async () => {
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

  it('uses accounts that are there already, and binds the Role to that of the operator', async () => {
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

  it('keeps the spread of a role when affinity alone is given', async () => {
    const affinity = { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } };
    const pod = podOf(await render(MINIMAL, { roles: { api: { affinity } } }), 'api');
    assert.deepEqual(pod.affinity, affinity);
    assert.equal(pod.topologySpreadConstraints[0].topologyKey, 'kubernetes.io/hostname');
  });

  it('leaves the number of pods to an autoscaler, and ids to the cluster, where they are null', async () => {
    const roles = { api: { replicas: null }, dispatcher: { replicas: null }, ...OPERATOR_OFF };
    const podSecurity = { runAsUser: null, runAsGroup: null };
    const resources = await render(MINIMAL, { roles, podSecurity });
    for (const role of ['api', 'dispatcher'])
      assert.ok(!('replicas' in find(resources, 'Deployment', `one-touchline-${role}`).spec));
    assert.equal(find(resources, 'Deployment', 'one-touchline-relay').spec.replicas, 2);
    for (const { securityContext } of podsOf(resources))
      assert.deepEqual(Object.keys(securityContext).sort(), ['runAsNonRoot', 'seccompProfile']);
    // The ids that OpenShift gives have ten digits.
    const large = await render(MINIMAL, { podSecurity: { runAsUser: 1_000_680_000 } });
    assert.equal(podOf(large, 'api').securityContext.runAsUser, 1_000_680_000);
  });

  it('gives a pod the time that its drain takes', async () => {
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

  it('names a port of a container as its process has it', async () => {
    const api = podOf(await render(MINIMAL, { config: { env: { PORT: 8081, ADMIN_PORT: '9191' } } }), 'api');
    const ports = api.containers[0].ports.map((one: Resource) => [one.name, one.containerPort]);
    assert.deepEqual(ports, [
      ['http', 8081],
      ['admin', 9191],
    ]);
  });

  it('gives long names of releases names that fit and differ, and others the same as ever', async () => {
    const names = async (release: string) => (await render(MINIMAL, {}, release)).map(({ metadata }) => metadata.name);
    const long = 'a-very-long-name-of-a-release-in-a-namespace-for-test';
    assert.equal(long.length, 53);
    const [one, two] = await Promise.all([names(`${long.slice(0, 52)}1`), names(`${long.slice(0, 52)}2`)]);
    const isShared = (name: string) => name === 'webhooksubscriptions.touchline.dev';
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
});
