/**
 * `make cluster-up` and `make cluster-down`: the service, installed with its chart, in a cluster on this machine that
 * keeps running after the command has ended.
 */
import { spawn } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { openPool } from '../../src/db/postgres.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { createKey } from './accounts.ts';
import { KUBE_CACHE } from './go-programs.ts';
import { fetchKafka } from './kafka.ts';
import { kubePrograms } from './kube-binaries.ts';
import { type KubeCluster, NAMESPACE, startKubeCluster, whyNoKubeCluster } from './kube-cluster.ts';
import { startMetricsAdapter } from './metrics-adapter.ts';
import { startCollector } from './otlp-collector.ts';
import { clearPodNetwork } from './pod-network.ts';
import { startPrometheus, whyNoPrometheus } from './prometheus.ts';
import { exampleResource, receiverValues, startVerifyingReceiver } from './webhook-example.ts';

const STATE = join(KUBE_CACHE, 'cluster.json');
const LOG = join(KUBE_CACHE, 'cluster.log');
/** Log with the requests that the webhook receiver gets. */
const DELIVERIES = join(KUBE_CACHE, 'deliveries.log');
const ACCOUNT = 'demo@touchline.invalid';
const SELF = new URL(import.meta.url).pathname;
/**
 * Time within which the cluster stops by itself. A start in progress may wait for stores, or a store for this process.
 */
const STOP_MS = Number(process.env.STOP_SECONDS ?? 60) * 1_000;

interface State {
  /** Pid of the process that holds all other processes. */
  pid: number;
  bridge?: string;
  /** Folders with the cluster's data. */
  folders?: string[];
  /** Message to the user once everything is ready. */
  text?: string;
}

const read = (): State | null => (existsSync(STATE) ? (JSON.parse(readFileSync(STATE, 'utf8')) as State) : null);

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** Whether the process still runs. By now, a different process may have the pid. */
const runs = (pid: number) => commandOf(pid).includes(SELF);

/** Returns the processes that have the folder on their command line. */
const processesOf = (folder: string): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid && commandOf(pid).includes(folder));

/** The process may have ended already, together with one that was killed before. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function write(state: State): void {
  writeFileSync(`${STATE}.part`, JSON.stringify(state));
  renameSync(`${STATE}.part`, STATE);
}

/** A plan with enough streams to make the autoscaler work. */
const PLAN = { name: 'pro', title: 'Demonstration', stream: true, webhooks: true, connections: 1_000 };
/** Number of streams in a pod above which the autoscaler adds a pod. */
const STREAMS_PER_POD = 50;

interface Addresses {
  /** The address of the receiver that verifies deliveries. */
  receiver: string;
  /** The address of the trace collector. */
  collector: string;
  /** The address of Prometheus. Null if it is not available, in which case nothing scales automatically. */
  prometheus: string | null;
}

const autoscalingCommands = (url: string, key: string, prometheus: string): string => `
Autoscaling: 200 streams need four pods of \`stream\`, and within some minutes each has its share. \`kill $(jobs -p)\` ends them.

for n in $(seq 200); do (while curl -sN -H 'X-API-Key: ${key}' ${url}/v1/stream >/dev/null; do :; done) & done
kubectl --namespace ${NAMESPACE} get hpa --watch
curl -s '${prometheus}/api/v1/query?query=sum(touchline_stream_connections)by(pod)'
`;

/** Returns the commands that the user can run next. */
function commandsOf(
  { ingress: { url }, kube, podLogs }: KubeCluster,
  key: string,
  { receiver, collector, prometheus }: Addresses,
): string {
  return `Touchline runs in a cluster of this machine; open ${url}/ for the live matches, ${url}/docs for the documentation.

  The live list: curl -s -H 'X-API-Key: ${key}' ${url}/v1/events/live
  The stream:    curl -sN -H 'X-API-Key: ${key}' ${url}/v1/stream

  export KUBECONFIG=${kube.kubeconfig} PATH=${join(kubePrograms().helm, '..')}:$PATH
  kubectl --namespace ${NAMESPACE} get pods
  helm --namespace ${NAMESPACE} upgrade touchline charts/touchline --reuse-values --set config.env.ROUND=2
${prometheus === null ? '' : autoscalingCommands(url, key, prometheus)}
Webhooks: apply a resource. The receiver at its address verifies the signature of each delivery; a goal, a card or a
substitution of the demo comes within a minute or two.

kubectl --namespace ${NAMESPACE} apply -f - <<'EOF'
${exampleResource(receiver, ACCOUNT)}EOF
kubectl --namespace ${NAMESPACE} wait --for=condition=Ready whs/goals --timeout=60s
kubectl --namespace ${NAMESPACE} get whs
tail -n +1 -f ${DELIVERIES}

The trace of the newest goal, as a tree: curl -s ${collector}/goal
Logs of its pods: ${podLogs}
make cluster-down ends all of it.`;
}

/** Runs in the process that keeps running. */
async function run(): Promise<void> {
  const starting = startKubeCluster({ port: Number(process.env.PORT ?? 8080), log: console.log });
  let ending = false;
  const end = async (code: number) => {
    if (ending) return;
    ending = true;
    await (await starting.catch(() => null))?.stop();
    rmSync(STATE, { force: true });
    process.exit(code);
  };
  process.once('SIGTERM', () => end(0));
  try {
    const cluster = await starting;
    const { bridge } = cluster.network;
    const state: State = { pid: process.pid, bridge, folders: cluster.folders };
    write(state);
    const collector = await startCollector(cluster.network.host);
    const prometheus = whyNoPrometheus() === null ? await startPrometheus(cluster.api, NAMESPACE) : null;
    if (prometheus !== null) {
      await startMetricsAdapter(cluster.api, prometheus, cluster.network.host);
      state.folders = [...cluster.folders, prometheus.folder];
      write(state);
    }
    const autoscaling = { enabled: prometheus !== null, maxReplicas: 4, targets: { connections: STREAMS_PER_POD } };
    await cluster.install({
      config: { publicSite: true },
      plans: { default: PLAN.name, plans: [PLAN] },
      tracing: { endpoint: collector.url },
      // The node's pods are processes, and it does not support exec, so the key is created below.
      notes: { exec: false },
      webhooks: receiverValues(cluster.network.host),
      // One pod replays the recorded matches.
      roles: { ingest: { replicas: 1, env: { DEMO: '1' } }, stream: { autoscaling } },
    });
    const pool = openPool(cluster.databaseUrl, pino({ level: 'silent' }));
    const { key } = await createKey(pool, systemClock, { email: ACCOUNT, plan: PLAN.name });
    await pool.end();
    writeFileSync(DELIVERIES, '');
    const receiver = await startVerifyingReceiver(cluster, (line) =>
      appendFileSync(DELIVERIES, `${new Date().toISOString()} ${line}\n`),
    );
    const addresses = { receiver: receiver.url, collector: collector.url, prometheus: prometheus?.url ?? null };
    state.text = commandsOf(cluster, key, addresses);
    write(state);
  } catch (error) {
    console.error(error);
    await end(1);
  }
}

async function up(): Promise<void> {
  const reason = whyNoKubeCluster();
  if (reason !== null) throw new Error(reason);
  const before = read();
  if (before !== null && !runs(before.pid)) await down();
  if (read() === null) {
    // Builds the programs here, so that the user sees that it takes minutes. Otherwise only a log would show it.
    kubePrograms();
    fetchKafka();
    mkdirSync(KUBE_CACHE, { recursive: true });
    console.log(`Starting the cluster; what it does: ${LOG}`);
    const log = openSync(LOG, 'w');
    const child = spawn(process.execPath, [...process.execArgv, SELF, 'run'], {
      detached: true,
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    write({ pid: child.pid! });
    child.unref();
  }
  for (let state = read(); state?.text === undefined; state = read()) {
    if (state === null || !runs(state.pid))
      throw new Error(`the cluster did not start:\n${readFileSync(LOG, 'utf8').slice(-2_000)}`);
    await sleep(200);
  }
  console.log(read()!.text);
}

async function down(): Promise<void> {
  const state = read();
  if (state === null) {
    console.log('No cluster of `make cluster-up` is running');
    return;
  }
  if (runs(state.pid)) process.kill(state.pid, 'SIGTERM');
  for (const end = Date.now() + STOP_MS; runs(state.pid) && Date.now() < end; ) await sleep(100);
  if (runs(state.pid)) {
    console.log(`The cluster has not stopped within ${STOP_MS / 1_000} s, and is killed; what it did: ${LOG}`);
    // The process was started detached, so it leads a process group.
    process.kill(-state.pid, 'SIGKILL');
    while (runs(state.pid)) await sleep(10);
  }
  if (read() !== null) {
    // The process was killed, so this removes the processes, network and files that it has left.
    if (state.bridge !== undefined) clearPodNetwork(state.bridge);
    for (const folder of state.folders ?? []) {
      for (const pid of processesOf(folder)) kill(pid);
      rmSync(folder, { recursive: true, force: true });
    }
    rmSync(STATE, { force: true });
  }
  console.log('The cluster is gone');
}

const commands: Record<string, () => Promise<void>> = { up, down, run };
try {
  await commands[process.argv[2]!]!();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
