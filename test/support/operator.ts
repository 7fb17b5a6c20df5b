/**
 * A namespace with the Kubernetes operator in it. The operator runs as real processes on a real API server, with
 * exactly the rights in the chart's Role.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseAllDocuments } from 'yaml';
import {
  DEPLOYMENTS,
  EVENTS,
  type Resource as KubeKind,
  LEASES,
  path,
  SECRETS,
} from '../../operators/runtime/kube-api.ts';
import { KINDS } from '../../operators/tenancy/kinds.ts';
import { type Status, SUBSCRIPTIONS, type WebhookSubscription } from '../../operators/webhook-subscription/crd.ts';
import { createKey } from './accounts.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { type Kube, sharedKube } from './kube.ts';
import { kubeApi, type Resource } from './kube-api.ts';
import { type KubeProxy, openKubeProxy } from './kube-proxy.ts';
import { type Started, start } from './process.ts';
import { until } from './until.ts';

const CHART = new URL('../../charts/touchline', import.meta.url).pathname;
export const ACCOUNT = 'hooks@example.com';
export const SECRET_KEY = 'a-secret-key-of-the-tests';
const PATIENCE_MS = 60_000;

/** Returns the dispatcher template that the chart passes to the operator. */
const template = (release: string) => `
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${release}-dispatcher, labels: { app: ${release} } }
spec:
  selector: { matchLabels: { app: ${release}, role: dispatcher } }
  template:
    metadata: { labels: { app: ${release}, role: dispatcher } }
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
  /** Returns everything that the operator's processes have printed. */
  output(): string;
  /** Starts a replica and waits until it is ready. */
  start(env?: Record<string, string>): Promise<Replica>;
  /** Starts a replica that may fail before it becomes ready. */
  spawn(env?: Record<string, string>): Promise<Pick<Replica, 'process' | 'proxy'>>;
  /** Waits until a replica leads, and returns it. */
  leader(replicas: readonly Replica[]): Promise<Replica>;
  /** Runs kubectl in the namespace, unless the arguments name a different one. */
  kubectl(args: readonly string[], input?: string): Promise<string>;
  /** Returns resources by kind and name, such as `whs goals`, or all of a kind, such as `whs`. */
  get(what: string, namespace?: string): Promise<Resource>;
  apply(name: string, spec?: Partial<WebhookSubscription['spec']> | object, namespace?: string): Promise<void>;
  /** Requests the deletion of all resources in the namespace at once. */
  deleteAll(): Promise<void>;
  status(name: string): Promise<Status | undefined>;
  /** Resolves when a resource has the condition in this state, such as `Accepted=True` or `Accepted=UnknownAccount`. */
  condition(name: string, wanted: string, patienceMs?: number): Promise<void>;
  /** Returns a kubeconfig for the operator's service account. */
  kubeconfig(server: { url: string; ca?: string }): Promise<string>;
  /**
   * Grants the operator the rights that the chart grants with these values, and creates the namespaces in them. Without
   * `secrets`, the operator may read all secrets.
   */
  grant(values?: OperatorValues): Promise<void>;
  /** Sets whether shared dispatchers' pods are ready, since there is no kubelet to do so. */
  podsAreReady(ready: boolean): void;
  close(): Promise<void>;
}

/** The chart values that concern the operator. */
export interface OperatorValues {
  namespaces?: string[];
  dedicated?: boolean;
  readNamespaces?: boolean;
  tenancy?: { enabled?: boolean; requireAccounts?: boolean };
  secrets?: { access?: 'named' | 'any'; create?: boolean; names?: string[] };
}

const KIND_NAMES: Record<string, KubeKind> = {
  ...Object.fromEntries(KINDS.map(({ resource }) => [resource.kind, resource])),
  whs: SUBSCRIPTIONS,
  secret: SECRETS,
  deployment: DEPLOYMENTS,
  event: EVENTS,
  lease: LEASES,
};
/** Milliseconds between two polls of the cluster. */
const LOOK_MS = 100;

let count = 0;

/**
 * @param release the release name, which contains touchline
 * @param beside a fixture whose namespace this release shares
 */
export async function createOperatorFixture({
  release = 'touchline',
  beside,
  database,
}: {
  release?: string;
  beside?: OperatorFixture;
  database?: TestDatabase;
} = {}): Promise<OperatorFixture> {
  const kube = await sharedKube();
  const db = database ?? (await createTestDatabase());
  count += 1;
  const namespace = beside?.namespace ?? `operator-${count}`;
  const account = `${release}-operator`;
  const file = join(kube.folder, `dispatcher-${release}.yaml`);
  writeFileSync(file, template(release));
  if (database === undefined) await createKey(db.pool, { now: () => Date.now() }, { email: ACCOUNT, plan: 'pro' });
  await kube.kubectl(['apply', '-f', join(CHART, 'files/webhooksubscriptions.yaml'), '-f', join(CHART, 'files/crds')]);
  const crds = ['webhooksubscriptions', ...KINDS.map(({ resource }) => resource.plural)];
  await kube.kubectl(['wait', '--for=condition=Established', ...crds.map((plural) => `crd/${plural}.touchline.dev`)]);

  async function grant(values: OperatorValues = {}): Promise<void> {
    for (const name of [namespace, ...(values.namespaces ?? [])].filter((one) => one !== '*')) {
      const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
      await kube.kubectl(['apply', '-f', '-'], JSON.stringify(object));
    }
    const shown = ['operator-rights', 'service-accounts'].flatMap((one) => ['--show-only', `templates/${one}.yaml`]);
    const minimal = ['--values', join(CHART, 'ci/minimal-values.yaml'), '--values', '-'];
    const args = ['template', release, CHART, '--namespace', namespace, ...minimal, ...shown];
    const text = await kube.helm(args, JSON.stringify({ operator: { secrets: { access: 'any' }, ...values } }));
    for (const document of parseAllDocuments(text)) {
      const object = document.toJS();
      // Sets the namespace, as `helm install` does.
      if (!object.kind.startsWith('Cluster')) object.metadata.namespace ??= namespace;
      await kube.kubectl(['apply', '-f', '-'], JSON.stringify(object));
    }
  }
  await grant();
  const token = (await kube.kubectl(['-n', namespace, 'create', 'token', account])).trim();

  const kubectl = (args: readonly string[], input?: string) =>
    kube.kubectl(args.includes('-n') ? args : ['-n', namespace, ...args], input);
  const api = kubeApi(kube.server);
  const get = (what: string, place = namespace) => {
    const [kind, name] = what.split(' ');
    return api('GET', path(KIND_NAMES[kind!]!, place, name));
  };

  async function kubeconfig({ url, ca }: { url: string; ca?: string }): Promise<string> {
    const file = join(kube.folder, `${account}-${namespace}-${new URL(url).port}`);
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

  const spawned: Pick<Replica, 'process' | 'proxy'>[] = [];

  async function spawnReplica(env: Record<string, string> = {}): Promise<Pick<Replica, 'process' | 'proxy'>> {
    const proxy = await openKubeProxy(kube);
    const process = start(['serve', '--role', 'operator'], {
      env: {
        DATABASE_URL: db.url,
        SECRET_KEY,
        DISPATCHER_TEMPLATE_FILE: file,
        OPERATOR_INSTALLATION: release,
        SUBSCRIPTIONS_PER_DISPATCHER: '3',
        DISPATCHERS_MAX: '4',
        LOG_LEVEL: 'debug',
        KUBECONFIG: await kubeconfig(proxy),
        ...env,
      },
    });
    spawned.push({ process, proxy });
    return { process, proxy };
  }

  async function startReplica(env: Record<string, string> = {}): Promise<Replica> {
    const { process, proxy } = await spawnReplica(env);
    const [, admin] = await process.until(/health and metrics: (http:[^)\s]+)/);
    const ask = async (path: string) => (await fetch(`${admin}${path}`)).text();
    const replica: Replica = {
      process,
      proxy,
      metrics: () => ask('/metrics'),
      leading: async () => /^touchline_operator_leading 1$/m.test(await ask('/metrics')),
      ready: async () => JSON.parse(await ask('/readyz')).ready,
    };
    await until('a replica is ready', replica.ready, PATIENCE_MS);
    return replica;
  }

  let ready = true;
  const stopped = new AbortController();
  const kubelet = (async () => {
    const pods = `/api/v1/namespaces/${namespace}/pods`;
    const selector = encodeURIComponent(`app=${release},touchline.dev/dispatcher-group=shared`);
    while (!stopped.signal.aborted) {
      await sleep(LOOK_MS, undefined, { signal: stopped.signal }).catch(() => {});
      const { items } = await api('GET', `${pods}?labelSelector=${selector}`).catch(() => ({ items: [] }));
      for (const { metadata, status: said } of items) {
        const isReady =
          said.conditions?.some((one: Resource) => one.type === 'Ready' && one.status === 'True') ?? false;
        if (isReady === ready || metadata.deletionTimestamp !== undefined) continue;
        const conditions = [{ type: 'Ready', status: ready ? 'True' : 'False' }];
        const to = { status: { phase: 'Running', conditions } };
        await api('PATCH', `${pods}/${metadata.name}/status`, to).catch(() => {});
      }
    }
  })();

  const status = async (name: string) => (await get(`whs ${name}`)).status as Status | undefined;

  return {
    kube,
    db,
    namespace,
    output: () => spawned.map(({ process }) => process.output() + process.errors()).join(''),
    start: startReplica,
    spawn: spawnReplica,
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
    grant,
    podsAreReady(are) {
      ready = are;
    },
    async close() {
      stopped.abort();
      await kubelet;
      for (const { process } of spawned) {
        process.child.kill('SIGCONT');
        process.child.kill('SIGKILL');
      }
      await Promise.all(spawned.map(({ process }) => process.finished));
      for (const { proxy } of spawned) await proxy.close();
      api.close();
      if (database === undefined) await db.drop();
    },
  };
}
