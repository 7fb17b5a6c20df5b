/**
 * Tests the manifests in k8s/. The API server has to accept them, with the kinds from the operators that they need, and
 * their references to one another have to be right.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { RoleName } from '../../../src/config/config.ts';
import { checkTopic } from '../../../src/events/kafka-topic.ts';
import { readRoleConfig } from '../../../src/main.ts';
import { makeAuthority } from '../../support/certificates.ts';
import {
  environment,
  installCrds,
  K8S,
  listOf,
  objectsIn,
  podOf,
  podsOf,
  vendoredCrds,
  workloads,
} from '../../support/chart.ts';
import { type Kube, needKube, sharedKube, stopSharedKube } from '../../support/kube.ts';
import type { Resource } from '../../support/kube-api.ts';
import { kubePrograms } from '../../support/kube-binaries.ts';
import { staleOverlays } from '../../support/manifests.ts';

const OVERLAYS = ['development', 'production'] as const;
type Overlay = (typeof OVERLAYS)[number];
const NAMESPACE = 'touchline';

after(stopSharedKube);

describe('the manifests in k8s/', function () {
  this.timeout(120_000);
  let folder: string;
  const built = {} as Record<Overlay, Resource[]>;

  before(async function () {
    this.timeout(1_800_000);
    needKube(this);
    folder = mkdtempSync(join(tmpdir(), 'touchline-k8s-'));
    cpSync(K8S, folder, { recursive: true });
    // Writes the file with secrets, which everybody has to create for themselves.
    writeFileSync(
      join(folder, 'overlays/development/secrets.env'),
      'secret-key=a-secret-key-of-the-tests\nfeed-token=a-feed-token-of-the-tests\n',
    );
    for (const overlay of OVERLAYS) {
      const args = ['kustomize', join(folder, 'overlays', overlay)];
      const { stdout } = await promisify(execFile)(kubePrograms().kubectl, args, { maxBuffer: 1e8 });
      built[overlay] = objectsIn(stdout);
    }
  });
  after(() => {
    if (folder !== undefined) rmSync(folder, { recursive: true });
  });

  const ofKind = (resources: Resource[], kind: string) => resources.filter((one) => one.kind === kind);
  function only(resources: Resource[], kind: string, name?: string): Resource {
    const found = ofKind(resources, kind).filter(({ metadata }) => name === undefined || metadata.name === name);
    assert.equal(found.length, 1, `one ${kind} ${name ?? ''}`);
    return found[0]!;
  }

  it('are what the chart renders from its present state', async () => {
    assert.deepEqual(await staleOverlays(), [], 'run `make manifests`');
  });

  it('cannot be built into the development overlay without a secrets file', async () => {
    const copy = mkdtempSync(join(tmpdir(), 'touchline-k8s-'));
    cpSync(folder, copy, { recursive: true });
    rmSync(join(copy, 'overlays/development/secrets.env'));
    const building = promisify(execFile)(kubePrograms().kubectl, ['kustomize', join(copy, 'overlays/development')]);
    await assert.rejects(building, /secrets\.env/);
    rmSync(copy, { recursive: true });
  });

  it('contain no secret', () => {
    assert.deepEqual(ofKind(built.production, 'Secret'), []);
    const secrets = ofKind(built.development, 'Secret');
    assert.deepEqual(
      secrets.map(({ metadata }) => metadata.name),
      ['touchline-secrets'],
    );
  });

  describe('on the API server', () => {
    let kube: Kube;
    before(async () => {
      kube = await sharedKube();
      await installCrds(kube, [
        ...vendoredCrds('operator-crds/'),
        ...vendoredCrds('gateway-api/httproutes.yaml'),
        ...vendoredCrds('gateway-api/gateways.yaml'),
        ...ofKind(built.production, 'CustomResourceDefinition'),
      ]);
      // Creates the namespaces, since a dry run fails if the namespace does not exist.
      for (const name of [NAMESPACE, 'argocd']) await kube.kubectl(['create', 'namespace', name]);
    });
    after(async () => {
      for (const name of [NAMESPACE, 'argocd'])
        await kube?.kubectl(['delete', 'namespace', name, '--ignore-not-found', '--wait=false']);
    });

    const attempt = (resources: Resource[]) =>
      kube.kubectl(
        [
          'apply',
          '--server-side',
          '--dry-run=server',
          '--validate=strict',
          '--namespace',
          NAMESPACE,
          '-o',
          'name',
          '-f',
          '-',
        ],
        listOf(resources),
      );
    const namesIn = (text: string) => text.trim().split('\n').length;

    for (const overlay of OVERLAYS)
      it(`the overlay for ${overlay} is accepted`, async () => {
        assert.equal(namesIn(await attempt(built[overlay])), built[overlay].length);
      });

    for (const file of ['argocd/application.yaml', 'examples/webhook-subscriptions.yaml', 'examples/platform.yaml'])
      it(`${file} is accepted`, async () => {
        const objects = objectsIn(readFileSync(`${K8S}/${file}`, 'utf8'));
        const text = await kube.kubectl(
          ['apply', '--server-side', '--dry-run=server', '--validate=strict', '-o', 'name', '-f', '-'],
          listOf(objects),
        );
        assert.equal(namesIn(text), objects.length);
      });

    it('a misspelt field in any kind is refused', async () => {
      const everything = [
        ...built.production,
        ...objectsIn(readFileSync(`${K8S}/argocd/application.yaml`, 'utf8')).map((one) => ({
          ...one,
          metadata: { ...one.metadata, namespace: NAMESPACE },
        })),
      ];
      const kinds = new Map(everything.filter(({ spec }) => spec !== undefined).map((one) => [one.kind, one]));
      kinds.delete('CustomResourceDefinition');
      for (const kind of [
        'Cluster',
        'ObjectStore',
        'ScheduledBackup',
        'Kafka',
        'KafkaNodePool',
        'KafkaTopic',
        'KafkaUser',
      ])
        assert.ok(kinds.has(kind), kind);
      for (const kind of [
        'ClickHouseInstallation',
        'Certificate',
        'Issuer',
        'ExternalSecret',
        'SecretStore',
        'Gateway',
      ])
        assert.ok(kinds.has(kind), kind);
      for (const [kind, one] of kinds)
        await assert.rejects(attempt([{ ...one, spec: { ...one.spec, misspelt: 1 } }]), /misspelt/, kind);
    });

    it('a value out of range is refused', async () => {
      const cluster = structuredClone(only(built.production, 'Cluster'));
      cluster.spec.postgresql.synchronous.method = 'some';
      await assert.rejects(attempt([cluster]), /Unsupported value: "some"/);
      const topic = structuredClone(only(built.production, 'KafkaTopic'));
      topic.spec.replicas = '3';
      await assert.rejects(attempt([topic]), /spec\.replicas|expected numeric/);
    });
  });

  /** Returns the keys in every Secret and ConfigMap that an overlay's objects and their operators create, by name. */
  function produced(resources: Resource[]): Map<string, string[]> {
    const all = new Map<string, string[]>();
    for (const {
      kind,
      metadata: { name },
      spec,
      data,
      stringData,
    } of resources) {
      if (kind === 'Secret' || kind === 'ConfigMap') all.set(name, Object.keys({ ...data, ...stringData }));
      // The Secrets that CloudNativePG creates, from its docs/src/applications.md and certificates.md.
      if (kind === 'Cluster') {
        all.set(`${name}-app`, ['username', 'password', 'host', 'port', 'dbname', 'uri', 'fqdn-uri', 'pgpass']);
        all.set(`${name}-ca`, ['ca.crt', 'ca.key']);
      }
      // The Secrets that Strimzi creates, for a cluster's authority and for a user with TLS.
      if (kind === 'Kafka') all.set(`${name}-cluster-ca-cert`, ['ca.crt', 'ca.p12', 'ca.password']);
      if (kind === 'KafkaUser') all.set(name, ['ca.crt', 'user.crt', 'user.key', 'user.p12', 'user.password']);
      if (kind === 'Certificate') all.set(spec.secretName, ['ca.crt', 'tls.crt', 'tls.key']);
      if (kind === 'Issuer' && spec.acme) all.set(spec.acme.privateKeySecretRef.name, ['tls.key']);
      if (kind === 'ExternalSecret') {
        const keys = spec.data.map(({ secretKey }: Resource) => secretKey);
        all.set(spec.target.name, spec.target.template ? Object.keys(spec.target.template.data) : keys);
      }
    }
    return all;
  }

  /**
   * Returns all references to Secrets and ConfigMaps below a node, as `name/key`, or as `name/` if all keys are used.
   */
  function references(node: unknown): string[] {
    if (Array.isArray(node)) return node.flatMap(references);
    if (node === null || typeof node !== 'object') return [];
    return Object.entries<Resource>(node as Record<string, Resource>).flatMap(([field, value]) => {
      if (['secretKeyRef', 'configMapKeyRef', 'accessKeyId', 'secretAccessKey'].includes(field))
        return [`${value.name}/${value.key}`];
      if (['secret', 'configMap'].includes(field) && value?.items)
        return value.items.map(({ key }: Resource) => `${value.name ?? value.secretName}/${key}`);
      if (field === 'configMap' && value?.name) return [`${value.name}/`];
      if (field === 'certificateRefs') return value.map(({ name }: Resource) => `${name}/tls.crt`);
      if (field === 'ca' && value?.secretName) return [`${value.secretName}/tls.key`];
      return references(value);
    });
  }

  for (const overlay of OVERLAYS)
    it(`create each Secret and ConfigMap that the overlay for ${overlay} names`, () => {
      const sources = produced(built[overlay]);
      // Dispatchers' pod templates are in a ConfigMap.
      const wanted = [...new Set(references([...built[overlay], ...workloads(built[overlay])]))].filter(
        (one) => !one.startsWith('undefined/'),
      );
      assert.ok(wanted.length >= (overlay === 'production' ? 14 : 4), wanted.join());
      const missing = wanted.filter((one) => {
        const [name, key] = one.split('/') as [string, string];
        return !sources.has(name) || (key !== '' && !sources.get(name)!.includes(key));
      });
      assert.deepEqual(missing, []);
    });

  it('name only objects that exist', () => {
    const all = built.production;
    const cluster = only(all, 'Cluster');
    for (const { parameters } of cluster.spec.plugins) only(all, 'ObjectStore', parameters.barmanObjectName);
    const backup = only(all, 'ScheduledBackup');
    assert.equal(backup.spec.cluster.name, cluster.metadata.name);
    assert.equal(backup.spec.pluginConfiguration.name, cluster.spec.plugins[0].name);
    const kafka = only(all, 'Kafka').metadata.name;
    for (const kind of ['KafkaNodePool', 'KafkaTopic', 'KafkaUser'])
      for (const one of ofKind(all, kind)) assert.equal(one.metadata.labels['strimzi.io/cluster'], kafka);
    for (const { spec } of ofKind(all, 'ExternalSecret')) only(all, 'SecretStore', spec.secretStoreRef.name);
    only(all, 'ServiceAccount', only(all, 'SecretStore').spec.provider.vault.auth.kubernetes.serviceAccountRef.name);
    for (const { spec } of ofKind(all, 'Certificate')) only(all, 'Issuer', spec.issuerRef.name);
    for (const { spec } of ofKind(all, 'HTTPRoute')) {
      assert.ok(spec.parentRefs.length > 0);
      for (const { name, sectionName } of spec.parentRefs) {
        const listener = only(all, 'Gateway', name).spec.listeners.find((one: Resource) => one.name === sectionName);
        assert.deepEqual(spec.hostnames, [listener.hostname]);
        assert.ok(only(all, 'Certificate', 'touchline-public').spec.dnsNames.includes(listener.hostname));
      }
    }
    for (const one of podsOf(all)) only(all, 'ServiceAccount', one.serviceAccountName);
  });

  it('redirect every HTTP request to HTTPS, and serve no content over HTTP', () => {
    const all = built.production;
    const gateway = only(all, 'Gateway');
    const plain = gateway.spec.listeners.filter(({ protocol }: Resource) => protocol === 'HTTP');
    assert.equal(plain.length, 1);
    for (const { name, hostname } of plain) {
      const routes = ofKind(all, 'HTTPRoute').filter(({ spec }) =>
        spec.parentRefs.some((one: Resource) => one.name === gateway.metadata.name && one.sectionName === name),
      );
      assert.equal(routes.length, 1);
      const [{ spec }] = routes as [Resource];
      const filters = [{ type: 'RequestRedirect', requestRedirect: { scheme: 'https', statusCode: 301 } }];
      assert.deepEqual([spec.hostnames, spec.rules], [[hostname], [{ filters }]]);
    }
  });

  it('have a Postgres with synchronous replicas and an archive for backups and the log', () => {
    const { spec } = only(built.production, 'Cluster');
    assert.equal(spec.instances, 3);
    assert.deepEqual(spec.postgresql.synchronous, {
      method: 'any',
      number: 1,
      dataDurability: 'required',
      failoverQuorum: true,
    });
    assert.equal(spec.plugins[0].isWALArchiver, true);
    // The overlay keeps what the base sets.
    assert.deepEqual(spec.bootstrap.initdb, { database: 'touchline', owner: 'touchline', dataChecksums: true });
  });

  it('have a Kafka with the roles’ topic, and a user for each role, of which only the relay’s may write and delete', () => {
    const topic = only(built.production, 'KafkaTopic');
    const kafka = only(built.production, 'Kafka');
    const { partitions, replicas, config } = topic.spec;
    assert.equal(config['retention.ms'], 604_800_000);
    const settings = Object.fromEntries(Object.entries(config).map(([name, value]) => [name, String(value)]));
    // Throws if the service would refuse this topic.
    checkTopic({ partitions, replicas, settings }, { strict: true, logger: { warn: () => {} } });
    const [listener] = kafka.spec.kafka.listeners;
    assert.equal(listener.tls, true);
    for (const { metadata, spec } of ofKind(built.production, 'KafkaUser')) {
      assert.equal(spec.authentication.type, listener.authentication.type);
      const [{ resource, operations }, ...others] = spec.authorization.acls;
      assert.deepEqual(resource, { type: 'topic', name: topic.metadata.name, patternType: 'literal' });
      const writes = metadata.name === 'touchline-relay' ? ['Write', 'Delete'] : [];
      assert.deepEqual([operations, others], [['Describe', 'DescribeConfigs', 'Read', ...writes], []], metadata.name);
    }
    const userFor = (pod: Resource) =>
      pod.volumes
        .find(({ name }: Resource) => name === 'stores')
        .projected.sources.find(({ secret }: Resource) => JSON.stringify(secret).includes('kafka/tls.key')).secret.name;
    for (const role of ['relay', 'api', 'stream', 'dispatcher'])
      assert.equal(userFor(podOf(built.production, role)), `touchline-${role}`);
    for (const pod of podsOf(built.production).filter(({ containers }) => containers[0].name !== 'migrate')) {
      assert.equal(environment(pod).get('KAFKA_TOPIC')?.value, topic.metadata.name);
      const brokers = environment(pod).get('KAFKA_BROKERS')?.value;
      assert.equal(brokers, `${kafka.metadata.name}-kafka-bootstrap:${listener.port}`);
    }
  });

  it('have a ClickHouse at the address that the roles use, with a certificate for that address', () => {
    const all = built.production;
    const { metadata, spec } = only(all, 'ClickHouseInstallation');
    const template = only(all, 'ExternalSecret', 'touchline-clickhouse').spec.target.template.data.url as string;
    const url = new URL(template.replace(/\{\{.*?\}\}/, 'secret'));
    const [service] = spec.templates.serviceTemplates;
    const host = service.generateName.replace('{chi}', metadata.name);
    assert.equal(url.host, `${host}:${service.spec.ports[0].port}`);
    assert.equal(spec.configuration.settings.https_port, service.spec.ports[0].port);
    assert.ok(`${url.username}/password` in spec.configuration.users);
    const [container] = spec.templates.podTemplates[0].spec.containers;
    const database = container.env.find(({ name }: Resource) => name === 'CLICKHOUSE_DB').value;
    assert.equal(url.pathname, `/${database}`);
    assert.ok(only(all, 'Certificate', 'touchline-clickhouse').spec.dnsNames.includes(host));
  });

  it('start the migration after the stores and before the roles, without helm hooks', () => {
    const wave = (one: Resource) => Number(one.metadata.annotations?.['argocd.argoproj.io/sync-wave'] ?? 0);
    for (const overlay of OVERLAYS) {
      const all = built[overlay];
      assert.doesNotMatch(JSON.stringify(all), /helm\.sh\/hook/);
      const job = only(all, 'Job');
      assert.equal(job.metadata.annotations['argocd.argoproj.io/hook'], 'Sync');
      for (const kind of ['Cluster', 'Kafka', 'ClickHouseInstallation', 'ExternalSecret', 'Secret', 'ServiceAccount'])
        for (const one of ofKind(all, kind)) assert.ok(wave(one) < wave(job), `${kind} before the migration`);
      assert.ok(ofKind(all, 'Deployment').length >= 6);
      for (const one of ofKind(all, 'Deployment')) assert.ok(wave(one) > wave(job));
      const crds = ofKind(all, 'CustomResourceDefinition');
      assert.equal(crds.length, 6);
      for (const { metadata } of crds)
        assert.equal(metadata.annotations['argocd.argoproj.io/sync-options'], 'Prune=false,Delete=false');
    }
  });

  it('give each role a configuration that the role accepts, and files at the paths that it reads', async () => {
    const samples: Record<string, string> = {
      'touchline-postgres-app/uri': 'postgresql://touchline:secret@touchline-postgres-rw.touchline:5432/touchline',
      'touchline-postgres-app/password': 'secret',
      'touchline-clickhouse/url': 'https://touchline:secret@clickhouse-touchline:8443/touchline',
      'touchline-secrets/secret-key': 'a-secret-key-of-the-tests',
      'touchline-secrets/feed-token': 'a-feed-token-of-the-tests',
      'touchline-mail/url': 'smtps://touchline:secret@mail.example.com:465',
    };
    const authority = makeAuthority();
    const { cert, key } = authority.sign('DNS:touchline');
    for (const store of ['database', 'clickhouse', 'kafka']) {
      mkdirSync(join(folder, store));
      writeFileSync(join(folder, store, 'ca.crt'), authority.ca);
    }
    writeFileSync(join(folder, 'database/url'), samples['touchline-postgres-app/uri']!);
    writeFileSync(join(folder, 'clickhouse/url'), samples['touchline-clickhouse/url']!);
    writeFileSync(join(folder, 'kafka/tls.crt'), cert);
    writeFileSync(join(folder, 'kafka/tls.key'), key);
    authority.remove();
    for (const overlay of OVERLAYS) {
      const pods = podsOf(built[overlay]);
      assert.ok(pods.length >= 8);
      for (const pod of pods) {
        const env: Record<string, string> = {};
        for (const [name, { value, valueFrom }] of environment(pod)) {
          const key = valueFrom?.secretKeyRef && `${valueFrom.secretKeyRef.name}/${valueFrom.secretKeyRef.key}`;
          if (key !== undefined) assert.ok(key in samples, key);
          const text: string = key ? samples[key] : (value ?? 'a-field');
          env[name] = text.replace(/\$\((\w+)\)/g, (_, other: string) => env[other]!);
        }
        const files = (pod.volumes.find(({ name }: Resource) => name === 'stores')?.projected.sources ?? []).flatMap(
          ({ secret }: Resource) => secret.items.map(({ path }: Resource) => `/etc/touchline-stores/${path}`),
        );
        const named = [...JSON.stringify(env).matchAll(/\/etc\/touchline-stores\/[\w./-]+/g)].map(([path]) => path);
        assert.deepEqual(
          named.filter((path) => !files.includes(path)),
          [],
        );
        const role = pod.containers[0].name;
        if (role === 'migrate') continue;
        if (role === 'operator') {
          const path = join(folder, 'dispatcher.yaml');
          writeFileSync(path, only(built[overlay], 'ConfigMap', 'touchline-dispatcher').data['dispatcher.yaml']);
          env.DISPATCHER_TEMPLATE_FILE = path;
        }
        // Replaces the folder, since the real files exist only in pods.
        const here = JSON.parse(JSON.stringify(env).replaceAll('/etc/touchline-stores', folder));
        const config = await readRoleConfig(here, role as RoleName);
        assert.equal(config.databaseUrl?.includes('sslmode=verify-full'), overlay === 'production', role);
      }
    }
  });
});
