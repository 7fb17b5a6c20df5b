/**
 * Measures the roles' resident memory. Each role runs as in the image, with the chart's options. An idle role runs alone on an empty
 * database, and is measured a while after it is ready. For comparison, a Node process that does nothing is measured too. Under load, all
 * roles run together and are measured after MINUTES of soak load. IDLE_SECONDS=20, ROLES=role[,role]. MINUTES=60 measures under load, for
 * which ROLES must contain relay, ingest, api and stream. ROLES=operator also starts a control plane (make kube).
 */
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ROLES, type RoleName } from '../src/config/config.ts';
import { startClickHouseServer } from '../test/support/clickhouse-server.ts';
import { startKube } from '../test/support/kube.ts';
import { type Started, start } from '../test/support/process.ts';
import { line, printFigure } from './report.ts';
import { HOOKS, startEndpoint, startLoad, subscribe, watchAll } from './soak/load.ts';
import { memoryEnv, openStage } from './stream/stage.ts';

const IDLE_MS = Number(process.env.IDLE_SECONDS ?? 20) * 1_000;
const MINUTES = Number(process.env.MINUTES ?? 0);
const MINUTE_MS = 60_000;
const GOAL_MB = { idle: 120, underLoad: 250 };
/** Maximum size of the events that a stream process keeps in memory, as the process counts it. */
const RING_MB = 64;
const MB_KB = 1_024;
const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** A role's ready line, which contains the server's address if the role has a server. */
const READY = /is ready after [\d.]+ s: (http\S+)?/;
/** By default all roles except the operator, which needs a Kubernetes cluster. */
const MEASURED =
  (process.env.ROLES?.split(',') as RoleName[] | undefined) ??
  ROLES.filter((role) => role !== 'all' && role !== 'operator');

/** Returns a process's resident memory in MB: in total, and without mapped files, whose pages processes share. */
function resident(pid: number): { all: number; own: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)![1]) / MB_KB;
  return { all: read('VmRSS'), own: read('RssAnon') };
}

async function bareNode(): Promise<number> {
  const child = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1_000)'], { stdio: 'ignore' });
  await sleep(2_000);
  const { all } = resident(child.pid!);
  child.kill('SIGKILL');
  return all;
}

/** @returns a folder with the same files as the image: the launcher and the bundled sources */
function imageFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'touchline-image-'));
  cpSync(join(ROOT, 'bin'), join(folder, 'bin'), { recursive: true });
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  execFileSync(process.execPath, [join(ROOT, 'bin/bundle.js'), join(folder, 'dist')]);
  return folder;
}

const folder = imageFolder();
const clickhouse = await startClickHouseServer();
const stage = await openStage({ CLICKHOUSE_URL: clickhouse.url, WEBHOOK_ALLOW: HOOKS });
const kube = MEASURED.includes('operator') ? await startKube() : null;
await kube?.kubectl(['apply', '-f', join(ROOT, 'charts/touchline/files/webhooksubscriptions.yaml')]);
await kube?.kubectl(['wait', '--for=condition=Established', 'crd/webhooksubscriptions.touchline.dev']);
const operatorEnv = {
  KUBECONFIG: kube?.kubeconfig,
  OPERATOR_INSTALLATION: 'touchline',
  DISPATCHER_TEMPLATE: JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'touchline-dispatcher' },
    spec: { selector: { matchLabels: {} }, template: { metadata: {}, spec: { containers: [{ name: 'dispatcher' }] } } },
  }),
};

function startRole(role: RoleName): Started {
  const env = {
    ...stage.env,
    ...(role === 'operator' && operatorEnv),
    NODE_ENV: 'production',
    // The file system of a pod is read-only, so the compile cache stays empty.
    NODE_DISABLE_COMPILE_CACHE: '1',
    ...memoryEnv(role),
  };
  return start(['serve', '--role', role], { env, launcher: join(folder, 'bin/touchline.js') });
}

async function measureIdle(): Promise<void> {
  const bound = await bareNode();
  for (const role of MEASURED) {
    const service = startRole(role);
    await service.until(READY);
    await sleep(IDLE_MS);
    const { all, own } = resident(service.child.pid!);
    printFigure(
      `idle ${role}`,
      { value: all, goal: GOAL_MB.idle, unit: ' MB' },
      `${own.toFixed(0)} MB without files, bare Node ${bound.toFixed(0)} MB`,
    );
    await service.interrupt();
  }
}

async function measureUnderLoad(): Promise<void> {
  const endpoint = await startEndpoint();
  const services = new Map<RoleName, Started>();
  try {
    await subscribe(stage, endpoint.url);
    for (const role of MEASURED) {
      const service = startRole(role);
      services.set(role, service);
      await service.until(READY);
    }
    const addressOf = async (role: RoleName) => (await services.get(role)!.until(READY))[1]!;
    let updates = 0;
    const watching = await watchAll(stage, Number(new URL(await addressOf('stream')).port));
    const load = await startLoad(stage, addressOf, (accepted) => {
      updates += accepted;
    });
    for (let minute = 1; minute <= MINUTES; minute += 1) {
      await sleep(MINUTE_MS);
      const each = [...services].map(([role, { child }]) => `${role} ${resident(child.pid!).all.toFixed(0)}`);
      line(`minute ${minute}`, each.join('  '), 'MB');
    }
    line('load', `${(updates / MINUTES / 60).toFixed(0)} updates/s`, `${endpoint.received()} deliveries of webhooks`);
    for (const [role, { child }] of services) {
      const { all, own } = resident(child.pid!);
      const ring = role === 'stream' ? RING_MB : 0;
      printFigure(
        `${role} after ${MINUTES} minutes${ring > 0 ? ', without ring' : ''}`,
        { value: all - ring, goal: GOAL_MB.underLoad, unit: ' MB' },
        `${own.toFixed(0)} MB without files`,
      );
    }
    await load.stop();
    await watching.stop();
  } finally {
    for (const service of services.values()) await service.interrupt();
    endpoint.close();
  }
}

try {
  await (MINUTES > 0 ? measureUnderLoad() : measureIdle());
} finally {
  await stage.close();
  await clickhouse.stop();
  await kube?.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
