/**
 * A whole cluster on this machine: a Kubernetes control plane, a node whose pods are processes, Kafka, Postgres,
 * ClickHouse and an ingress.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Authority, makeAuthority } from './certificates.ts';
import { type ClickHouseServer, startClickHouseServer } from './clickhouse-server.ts';
import { startIngress, type TestIngress } from './ingress.ts';
import { canRunKafka, type Kafka, startKafka } from './kafka.ts';
import { PASSWORD, USER } from './kafka-listeners.ts';
import { type Kube, startKube } from './kube.ts';
import { type KubeApi, kubeApi, type Resource } from './kube-api.ts';
import { whyNoKube } from './kube-binaries.ts';
import { openPodNetwork, type PodNetwork, whyNoPodNetwork } from './pod-network.ts';
import { startProcessKubelet } from './process-kubelet.ts';
import { type RestorablePostgres, startRestorablePostgres } from './restorable-postgres.ts';
import { securePostgres } from './secured-postgres.ts';
import { startServiceProxy } from './service-proxy.ts';

const CHART = new URL('../../charts/touchline', import.meta.url).pathname;
export const NAMESPACE = 'touchline';
const INSTALL_TIMEOUT = '300s';

export interface KubeCluster {
  kube: Kube;
  api: KubeApi;
  network: PodNetwork;
  kafka: Kafka;
  postgres: Database;
  clickhouse: ClickHouseServer;
  /** Database URL for this machine. */
  databaseUrl: string;
  /** Database URL for pods, which uses files that the chart mounts. */
  podDatabaseUrl: string;
  secretKey: string;
  feedToken: string;
  ingress: TestIngress;
  /** Folder with a subfolder for each pod. */
  podLogs: string;
  /** All folders that the cluster uses. */
  folders: string[];
  /**
   * Installs or upgrades the chart, and waits until its pods are ready.
   * @param values in addition to those that every installation needs
   * @param chart a folder or an archive; by default, this version's chart
   */
  install(values?: object, chart?: string): Promise<void>;
  /** Returns a role's pods that are ready and not being deleted. */
  pods(role: string): Promise<Resource[]>;
  /** Changes a Secret, and gives running pods the new files. */
  changeSecret(name: string, entries: Record<string, string>): Promise<void>;
  /** Kills the pod's processes. */
  crash(pod: Resource): void;
  /**
   * Runs a command in the pod's namespaces, with its environment. This replaces `kubectl exec`, which needs a server on
   * the node.
   * @returns the output
   */
  exec(pod: Resource, command: readonly string[]): string;
  stop(): Promise<void>;
}

/** Returns why no cluster is available here; null if one is. */
export function whyNoKubeCluster(): string | null {
  return whyNoKube() ?? whyNoPodNetwork() ?? (canRunKafka() ? null : 'Java and Maven are needed for Kafka');
}

/** Skips the tests, and prints why, if no cluster is available here. @param more another reason; null for none */
export function needKubeCluster(context: Mocha.Context, more: string | null = null): void {
  const reason = whyNoKubeCluster() ?? more;
  if (reason === null) return;
  console.log(`      SKIPPED, no cluster: ${reason}`);
  context.skip();
}

interface Database extends RestorablePostgres {
  /** URL of the superuser, over the Unix socket. */
  adminUrl: string;
  /** Database URL for pods, which uses files that the chart mounts. */
  podUrl: string;
  stop(): Promise<void>;
}

async function startPostgresFor(network: PodNetwork, authority: Authority): Promise<Database> {
  // Uses the standard port, since nothing else listens on the bridge's address.
  const postgres = await startRestorablePostgres([
    `listen_addresses=${network.host}`,
    'max_connections=400',
    'shared_buffers=128MB',
  ]);
  const { folder } = postgres;
  const ca = join(folder, 'ca.crt');
  writeFileSync(ca, authority.ca);
  const place = { folder, host: network.host, network: `${network.host}/24`, authority, ca };
  const secured = await securePostgres(postgres.url, place);
  return {
    ...postgres,
    url: secured.url(),
    adminUrl: secured.admin,
    podUrl: secured.url({ sslmode: 'verify-full', sslrootcert: '/etc/touchline-stores/database/ca.crt' }),
    stop: postgres.close,
  };
}

export async function startKubeCluster({
  port = 0,
  log = () => {},
}: {
  port?: number;
  log?: (line: string) => void;
} = {}): Promise<KubeCluster> {
  const undo: (() => Promise<unknown> | unknown)[] = [];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) {
      try {
        await step();
      } catch (error) {
        log(`a step of stopping failed: ${(error as Error).message}`);
      }
    }
  };
  async function kept<T extends { stop(): Promise<void> }>(starting: Promise<T>): Promise<T> {
    const started = await starting;
    undo.push(() => started.stop());
    return started;
  }
  try {
    const network = await openPodNetwork();
    undo.push(() => network.close());
    const authority = makeAuthority();
    undo.push(() => authority.remove());
    const starting = [
      kept(startKube({ address: network.host })),
      kept(startKafka({ host: network.host, secured: true })),
      kept(startPostgresFor(network, authority)),
      kept(startClickHouseServer(network.host, authority.sign(`IP:${network.host}`))),
    ] as const;
    // If one start fails, the rest finish starting first, so that all can be stopped.
    await Promise.allSettled(starting);
    const [kube, kafka, database, clickhouse] = await Promise.all(starting);
    const kubelet = await kept(startProcessKubelet(kube.server, { network, log }));
    const api = kubeApi(kube.server);
    undo.push(() => api.close());
    const services = startServiceProxy(api, NAMESPACE, network.bridge);
    undo.push(() => services.close());
    const secretKey = 'a-secret-key-of-the-test-cluster';
    const feedToken = 'a-feed-token-of-the-test-cluster';
    await kube.kubectl(['create', 'namespace', NAMESPACE]);
    // The namespace refuses pods that do not meet the restricted standard.
    await kube.kubectl(['label', 'namespace', NAMESPACE, 'pod-security.kubernetes.io/enforce=restricted']);
    const secret = (name: string, entries: Record<string, string>) =>
      kube.kubectl(
        ['apply', '-f', '-'],
        JSON.stringify({
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: { name, namespace: NAMESPACE },
          stringData: entries,
        }),
      );
    const { brokers, authority: kafkaAuthority } = kafka.secured!;
    await secret('touchline-postgres', { url: database.podUrl });
    await secret('touchline-kafka', { username: USER, password: PASSWORD });
    await secret('touchline-authorities', { 'stores.crt': authority.ca, 'kafka.crt': kafkaAuthority.ca });
    await secret('touchline-clickhouse', { url: clickhouse.url });
    await secret('touchline-secrets', { 'secret-key': secretKey, 'feed-token': feedToken });
    const ingress = await startIngress(api, NAMESPACE, port);
    undo.push(() => ingress.close());

    const needed = [
      `baseUrl: ${ingress.url}`,
      // As in a managed installation, all stores use TLS, and stores with users have passwords.
      'database: { secretName: touchline-postgres, caSecretName: touchline-authorities, caKey: stores.crt }',
      'clickhouse: { secretName: touchline-clickhouse, caSecretName: touchline-authorities, caKey: stores.crt }',
      'secrets: { secretName: touchline-secrets }',
      'kafka:',
      `  brokers: ["${brokers.sasl}"]`,
      '  tls: { enabled: true, caSecretName: touchline-authorities, caKey: kafka.crt }',
      '  sasl: { mechanism: scram-sha-512, secretName: touchline-kafka }',
      'ingress: { enabled: true, feed: true }',
      // Hides the relay's warning about a Kafka with a single node.
      `config: { logLevel: error, trustedProxies: ["${network.host}"] }`,
    ];
    const processesIn = (pod: Resource): number[] => {
      const namespace = `${network.bridge}-${pod.status.podIP.split('.')[3]}`;
      const { stdout } = spawnSync('ip', ['netns', 'pids', namespace], { encoding: 'utf8' });
      return stdout.trim().split('\n').map(Number);
    };
    const file = join(kube.folder, 'values.yaml');
    writeFileSync(file, needed.join('\n'));
    return {
      kube,
      api,
      network,
      kafka,
      postgres: database,
      clickhouse,
      databaseUrl: database.url,
      podDatabaseUrl: database.podUrl,
      secretKey,
      feedToken,
      ingress,
      podLogs: join(kubelet.folder, 'pods'),
      folders: [kube.folder, kafka.folder, database.folder, clickhouse.folder, kubelet.folder],
      async install(values = {}, path = CHART) {
        const wait = ['--wait', '--timeout', INSTALL_TIMEOUT];
        const from = ['--values', file, '--values', '-'];
        const chart = ['touchline', path, '--namespace', NAMESPACE];
        await kube.helm(['upgrade', '--install', ...chart, ...wait, ...from], JSON.stringify(values));
      },
      async pods(role) {
        const selector = encodeURIComponent(`app.kubernetes.io/component=${role}`);
        const { items } = await api('GET', `/api/v1/namespaces/${NAMESPACE}/pods?labelSelector=${selector}`);
        return items.filter(
          (pod: Resource) =>
            pod.metadata.deletionTimestamp === undefined &&
            pod.status.conditions?.some((one: Resource) => one.type === 'Ready' && one.status === 'True'),
        );
      },
      async changeSecret(name, entries) {
        await secret(name, entries);
        await kubelet.renewFiles();
      },
      crash(pod) {
        for (const pid of processesIn(pod)) process.kill(pid, 'SIGKILL');
      },
      exec(pod, command) {
        const pid = processesIn(pod).at(-1)!;
        const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean);
        const env = Object.fromEntries(environment.map((entry) => entry.split(/=(.*)/s).slice(0, 2)));
        const { uid, gid } = statSync(`/proc/${pid}`);
        const place = ['--target', `${pid}`, '--all', '--root', '--wd', '--setuid', `${uid}`, '--setgid', `${gid}`];
        return execFileSync('nsenter', [...place, '--', ...command], { env, encoding: 'utf8' });
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
