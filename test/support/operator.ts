/** A namespace with the operator in it: real processes on a real API server, with the rights of the chart's Role and no others. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import {
  DEPLOYMENTS,
  EVENTS,
  type Resource as KubeKind,
  LEASES,
  path,
  SECRETS,
} from '../../operators/webhook-subscription/api.ts';
import { type Status, SUBSCRIPTIONS, type WebhookSubscription } from '../../operators/webhook-subscription/crd.ts';
import { createKey } from '../../src/accounts/keys/keys.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { type Kube, sharedKube } from './kube.ts';
import { kubeApi, type Resource } from './kube-api.ts';
import { type KubeProxy, openKubeProxy } from './kube-proxy.ts';
import { type Started, start } from './process.ts';
import { until } from './until.ts';

const FILES = new URL('../../charts/touchline/files/', import.meta.url).pathname;
export const ACCOUNT = 'hooks@example.com';
export const SECRET_KEY = 'a-secret-key-of-the-tests';
const PATIENCE_MS = 60_000;

/** What the chart hands over. */
const TEMPLATE = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: touchline-dispatcher, labels: { app: touchline } }
spec:
  selector: { matchLabels: { app: touchline, role: dispatcher } }
  template:
    metadata: { labels: { app: touchline, role: dispatcher } }
    spec:
      containers:
        - { name: dispatcher, image: 'touchline:1', args: [serve, --role, dispatcher], resources: { requests: { cpu: 100m } } }
`;

export interface Replica {
  process: Started;
  proxy: KubeProxy;
  leading(): Promise<boolean>;
  metrics(): Promise<string>;
  ready(): Promise<boolean>;
}

export interface OperatorFixture {
  kube: Kube;
  db: TestDatabase;
  namespace: string;
  /** Everything that processes of the operator have written. */
  output(): string;
  /** A replica that is ready. */
  start(env?: Record<string, string>): Promise<Replica>;
  /** The one that leads, when one does. */
  leader(replicas: readonly Replica[]): Promise<Replica>;
  /** In the namespace, unless the arguments name another. */
  kubectl(args: readonly string[], input?: string): Promise<string>;
  /** `whs goals`, or `whs` for all of them. */
  get(what: string, namespace?: string): Promise<Resource>;
  apply(name: string, spec?: Partial<WebhookSubscription['spec']> | object, namespace?: string): Promise<void>;
  /** Asks for the deletion of all resources of the namespace, in one request. */
  deleteAll(): Promise<void>;
  status(name: string): Promise<Status | undefined>;
  /** Resolves when the condition says so: `Accepted=True`, `Accepted=UnknownAccount`. */
  condition(name: string, wanted: string, patienceMs?: number): Promise<void>;
  /** A kubeconfig for the operator's service account. */
  kubeconfig(server: { url: string; ca?: string }): Promise<string>;
  serve(namespace: string): Promise<void>;
  close(): Promise<void>;
}

const KINDS: Record<string, KubeKind> = {
  whs: SUBSCRIPTIONS,
  secret: SECRETS,
  deployment: DEPLOYMENTS,
  event: EVENTS,
  lease: LEASES,
};
/** Between two looks at the cluster. */
const LOOK_MS = 100;

let count = 0;

export async function createOperatorFixture(): Promise<OperatorFixture> {
  const kube = await sharedKube();
  const db = await createTestDatabase();
  count += 1;
  const namespace = `operator-${count}`;
  const replicas: Replica[] = [];
  const template = join(kube.folder, 'dispatcher.yaml');
  writeFileSync(template, TEMPLATE);
  await createKey(db.pool, { now: () => Date.now() }, { email: ACCOUNT, plan: 'pro' });
  await kube.kubectl(['apply', '-f', join(FILES, 'webhooksubscriptions.yaml')]);
  await kube.kubectl(['wait', '--for=condition=Established', 'crd/webhooksubscriptions.touchline.dev']);

  /** A namespace, and the Role in it. */
  async function serve(name: string): Promise<void> {
    const rules = parse(readFileSync(join(FILES, 'operator-rules.yaml'), 'utf8'));
    const rbac = 'rbac.authorization.k8s.io';
    const objects = [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
      { apiVersion: `${rbac}/v1`, kind: 'Role', metadata: { name: 'operator', namespace: name }, rules },
      {
        apiVersion: `${rbac}/v1`,
        kind: 'RoleBinding',
        metadata: { name: 'operator', namespace: name },
        roleRef: { apiGroup: rbac, kind: 'Role', name: 'operator' },
        subjects: [{ kind: 'ServiceAccount', name: 'operator', namespace }],
      },
    ];
    for (const object of objects) await kube.kubectl(['apply', '-f', '-'], JSON.stringify(object));
  }
  await serve(namespace);
  await kube.kubectl(['-n', namespace, 'create', 'serviceaccount', 'operator']);
  const token = (await kube.kubectl(['-n', namespace, 'create', 'token', 'operator'])).trim();

  const kubectl = (args: readonly string[], input?: string) =>
    kube.kubectl(args.includes('-n') ? args : ['-n', namespace, ...args], input);
  const api = kubeApi(kube.server);
  const get = (what: string, place = namespace) => {
    const [kind, name] = what.split(' ');
    return api('GET', path(KINDS[kind!]!, place, name));
  };

  async function kubeconfig({ url, ca }: { url: string; ca?: string }): Promise<string> {
    const file = join(kube.folder, `operator-${namespace}-${new URL(url).port}`);
    const trust =
      ca === undefined
        ? { 'insecure-skip-tls-verify': true }
        : { 'certificate-authority-data': Buffer.from(ca).toString('base64') };
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'test', cluster: { server: url, ...trust } }],
      users: [{ name: 'operator', user: { token } }],
      contexts: [{ name: 'test', context: { cluster: 'test', user: 'operator', namespace } }],
      'current-context': 'test',
    };
    writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
    return file;
  }

  async function startReplica(env: Record<string, string> = {}): Promise<Replica> {
    const proxy = await openKubeProxy(kube);
    const process = start(['serve', '--role', 'operator'], {
      env: {
        DATABASE_URL: db.url,
        SECRET_KEY,
        DISPATCHER_TEMPLATE_FILE: template,
        SUBSCRIPTIONS_PER_DISPATCHER: '3',
        DISPATCHERS_MAX: '4',
        LOG_LEVEL: 'debug',
        KUBECONFIG: await kubeconfig(proxy),
        ...env,
      },
    });
    const [, admin] = await process.until(/health and metrics: (http:[^)\s]+)/);
    const ask = async (path: string) => (await fetch(`${admin}${path}`)).text();
    const replica: Replica = {
      process,
      proxy,
      metrics: () => ask('/metrics'),
      leading: async () => /^touchline_operator_leading 1$/m.test(await ask('/metrics')),
      ready: async () => JSON.parse(await ask('/readyz')).ready,
    };
    replicas.push(replica);
    await until('a replica is ready', replica.ready, PATIENCE_MS);
    return replica;
  }

  const status = async (name: string) => (await get(`whs ${name}`)).status as Status | undefined;

  return {
    kube,
    db,
    namespace,
    output: () => replicas.map(({ process }) => process.output() + process.errors()).join(''),
    start: startReplica,
    async leader(among) {
      let found: Replica | undefined;
      await until(
        'a replica leads',
        async () => {
          for (const one of among) if (await one.leading()) found = one;
          await sleep(LOOK_MS);
          return found !== undefined;
        },
        PATIENCE_MS,
      );
      return found!;
    },
    kubectl,
    get,
    async apply(name, spec = {}, place = namespace) {
      const resource = {
        apiVersion: 'touchline.dev/v1alpha1',
        kind: 'WebhookSubscription',
        metadata: { name, namespace: place },
        spec: { url: `https://93.184.216.34/${name}`, account: ACCOUNT, ...spec },
      };
      await kube.kubectl(['apply', '-f', '-'], JSON.stringify(resource));
    },
    async deleteAll() {
      await api('DELETE', path(SUBSCRIPTIONS, namespace));
    },
    status,
    async condition(name, wanted, patienceMs = PATIENCE_MS) {
      const [type, value] = wanted.split('=');
      let last: Status | undefined;
      const holds = async () => {
        const { metadata, status: said } = await get(`whs ${name}`);
        last = said;
        await sleep(LOOK_MS);
        const condition = last?.conditions?.find((one) => one.type === type);
        return (
          last?.observedGeneration === metadata.generation &&
          [condition?.status, condition?.reason].includes(value as never)
        );
      };
      await until(`${name} is ${wanted}`, holds, patienceMs).catch((error) => {
        throw new Error(`${error.message}: ${JSON.stringify(last)}`);
      });
    },
    kubeconfig,
    serve,
    async close() {
      for (const { process } of replicas) {
        process.child.kill('SIGCONT');
        process.child.kill('SIGKILL');
      }
      await Promise.all(replicas.map(({ process }) => process.finished));
      for (const { proxy } of replicas) await proxy.close();
      api.close();
      await db.drop();
    },
  };
}
