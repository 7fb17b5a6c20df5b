/**
 * A real Kubernetes control plane without nodes: etcd, API server, controller manager and scheduler. All state is in a
 * temporary folder.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from './free-ports.ts';
import { kubePrograms, type Program, whyNoKube } from './kube-binaries.ts';
import { sharedServer } from './shared-server.ts';

const START_MS = 120_000;
const OUTPUT_BYTES = 64 * 1024 * 1024;

export interface Kube {
  /** Path of a kubeconfig for a user with all rights. */
  kubeconfig: string;
  /** The server's https://address:port, the certificate of its authority, and a bearer token for that user. */
  server: { url: string; ca: string; token: string };
  folder: string;
  pids(): number[];
  /**
   * Runs kubectl.
   * @returns standard output
   * @throws with standard error
   */
  kubectl(args: readonly string[], input?: string): Promise<string>;
  helm(args: readonly string[], input?: string): Promise<string>;
  /**
   * Runs commands from the documentation, which use kubectl and helm with their default namespace.
   * @returns standard output
   */
  shell(commands: string, namespace: string): Promise<string>;
  /** Kills only the API server, and starts it again on the same port with the same state. */
  apiServer: { kill(): Promise<void>; start(): Promise<void> };
  stop(): Promise<void>;
}

/** Starts a program that runs until it is killed. */
function daemon(name: string, path: string, args: readonly string[], log: string, detached: boolean) {
  let child: ChildProcess | null = null;
  return {
    name,
    pid: () => child?.pid,
    kill(): void {
      child?.kill('SIGKILL');
    },
    start(): void {
      const out = openSync(log, 'a');
      child = spawn(path, args, { stdio: ['ignore', out, out], detached });
      closeSync(out);
      if (detached) child.unref();
    },
    async end(): Promise<void> {
      const running = child;
      child = null;
      if (running === null || running.exitCode !== null || running.signalCode !== null) return;
      const gone = new Promise((resolve) => running.once('exit', resolve));
      running.kill('SIGKILL');
      await gone;
    },
    /** @throws with the last lines of the log if the program has ended by itself */
    assertRunning(): void {
      if (child === null || child.exitCode !== null)
        throw new Error(`${name} ended: ${readFileSync(log, 'utf8').slice(-2_000)}`);
    },
    log: () => readFileSync(log, 'utf8').slice(-2_000),
  };
}

function answers(host: string, port: number, path: string, token: string): Promise<boolean> {
  return new Promise((resolve) => {
    const ask = request(
      {
        host,
        port,
        path,
        // Does not verify the certificate, which the server makes for itself. This only checks whether the server is up.
        agent: new Agent({ rejectUnauthorized: false }),
        headers: { Authorization: `Bearer ${token}` },
      },
      (response) => {
        response.resume();
        resolve(response.statusCode === 200);
      },
    );
    ask.once('error', () => resolve(false));
    ask.end();
  });
}

const run = (path: string, args: readonly string[], env: NodeJS.ProcessEnv, input?: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = execFile(path, args, { env, maxBuffer: OUTPUT_BYTES }, (error, out, err) => {
      if (error === null) resolve(out);
      else reject(new Error(`${args.slice(0, 3).join(' ')}: ${err.trim() || error.message}`));
    });
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });

const kubeconfigOf = (url: string, ca: string, token: string, namespace = 'default') =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      { name: 'touchline', cluster: { server: url, 'certificate-authority-data': Buffer.from(ca).toString('base64') } },
    ],
    users: [{ name: 'admin', user: { token } }],
    contexts: [{ name: 'touchline', context: { cluster: 'touchline', user: 'admin', namespace } }],
    'current-context': 'touchline',
  });

export interface KubeOptions {
  /** Address on which the API server listens. For pods, it is this machine's address on their bridge. */
  address?: string;
  /** Whether the control plane keeps running after this process has ended. */
  detached?: boolean;
  /** Number of seconds without a sign of life from a node until its pods count as not ready. */
  nodeGraceSeconds?: number;
}

export async function startKube({
  address = '127.0.0.1',
  detached = false,
  nodeGraceSeconds = 50,
}: KubeOptions = {}): Promise<Kube> {
  const programs = kubePrograms();
  const folder = mkdtempSync(join(tmpdir(), 'touchline-kube-'));
  const file = (name: string) => join(folder, name);
  const [etcd, peer, api, manager, scheduler] = (await freePorts(5)) as [number, number, number, number, number];
  const keys = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  writeFileSync(file('service-account.pub'), keys.publicKey);
  writeFileSync(file('service-account.key'), keys.privateKey, { mode: 0o600 });
  const token = randomBytes(24).toString('hex');
  writeFileSync(file('tokens.csv'), `${token},admin,admin,system:masters\n`, { mode: 0o600 });
  const kubeconfig = file('kubeconfig');
  const url = `https://${address}:${api}`;

  const make = (program: Program, args: readonly string[]) =>
    daemon(program, programs[program], args, file(`${program}.log`), detached);
  const store = make('etcd', [
    `--data-dir=${file('etcd')}`,
    `--listen-client-urls=http://127.0.0.1:${etcd}`,
    `--advertise-client-urls=http://127.0.0.1:${etcd}`,
    `--listen-peer-urls=http://127.0.0.1:${peer}`,
    `--initial-advertise-peer-urls=http://127.0.0.1:${peer}`,
    `--initial-cluster=default=http://127.0.0.1:${peer}`,
    // State does not have to outlive a crash of the machine.
    '--unsafe-no-fsync',
    '--log-level=warn',
  ]);
  const apiServer = make('kube-apiserver', [
    `--etcd-servers=http://127.0.0.1:${etcd}`,
    `--secure-port=${api}`,
    `--bind-address=${address}`,
    // The address for which the server makes its certificate.
    `--advertise-address=${address}`,
    '--endpoint-reconciler-type=none',
    `--cert-dir=${file('certificates')}`,
    `--token-auth-file=${file('tokens.csv')}`,
    '--authorization-mode=RBAC',
    '--service-cluster-ip-range=10.96.0.0/16',
    '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
    `--service-account-key-file=${file('service-account.pub')}`,
    `--service-account-signing-key-file=${file('service-account.key')}`,
    '--watch-cache=true',
  ]);
  const client = [`--kubeconfig=${kubeconfig}`, '--leader-elect=false', '--bind-address=127.0.0.1'];
  const managers = [
    make('kube-controller-manager', [
      ...client,
      `--secure-port=${manager}`,
      `--cert-dir=${file('manager-certificates')}`,
      `--root-ca-file=${file('certificates/apiserver.crt')}`,
      `--service-account-private-key-file=${file('service-account.key')}`,
      `--node-monitor-grace-period=${nodeGraceSeconds}s`,
      '--horizontal-pod-autoscaler-sync-period=2s',
    ]),
    make('kube-scheduler', [...client, `--secure-port=${scheduler}`, `--cert-dir=${file('scheduler-certificates')}`]),
  ];
  const all = [...managers, apiServer, store];

  async function ready(one: (typeof all)[number], host: string, port: number, path: string): Promise<void> {
    for (const end = Date.now() + START_MS; !(await answers(host, port, path, token)); await sleep(50)) {
      one.assertRunning();
      if (Date.now() > end) throw new Error(`${one.name} is not ready: ${one.log()}`);
    }
  }
  async function startApiServer(): Promise<void> {
    apiServer.start();
    await ready(apiServer, address, api, '/readyz');
  }
  // Ends the programs if the run is aborted.
  const atExit = () => {
    for (const one of all) one.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  async function stop(): Promise<void> {
    for (const one of all) await one.end();
    process.off('exit', atExit);
    rmSync(folder, { recursive: true, force: true });
  }
  process.once('exit', atExit);
  try {
    store.start();
    await startApiServer();
    const ca = readFileSync(file('certificates/apiserver.crt'), 'utf8');
    writeFileSync(kubeconfig, kubeconfigOf(url, ca, token), { mode: 0o600 });
    for (const one of managers) one.start();
    await Promise.all([
      ready(managers[0]!, '127.0.0.1', manager, '/healthz'),
      ready(managers[1]!, '127.0.0.1', scheduler, '/healthz'),
    ]);
    if (detached) process.off('exit', atExit);
    // Helm's files stay in the folder as well.
    const env = { ...process.env, KUBECONFIG: kubeconfig, HOME: folder };
    return {
      kubeconfig,
      server: { url, ca, token },
      folder,
      pids: () => all.map((one) => one.pid()!).filter((pid) => pid !== undefined),
      kubectl: (args, input) => run(programs.kubectl, args, env, input),
      helm: (args, input) => run(programs.helm, args, env, input),
      shell: (commands, namespace) => {
        const file = join(folder, `kubeconfig-${namespace}`);
        writeFileSync(file, kubeconfigOf(url, ca, token, namespace), { mode: 0o600 });
        const path = [...[programs.kubectl, programs.helm].map(dirname), process.env.PATH].join(':');
        return run('bash', ['-euo', 'pipefail', '-c', commands], { ...env, KUBECONFIG: file, PATH: path });
      },
      apiServer: { kill: () => apiServer.end(), start: startApiServer },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** One control plane for the whole test run, with a namespace for each test. It stops at the end of the run. */
export const { get: sharedKube, stop: stopSharedKube } = sharedServer(() => startKube());

/** Skips a suite in its `before`, with a message, if no control plane is available. */
export function needKube(context: Mocha.Context): void {
  const reason = whyNoKube();
  if (reason === null) return;
  console.log(`      SKIPPED, no Kubernetes: ${reason}`);
  context.skip();
}
