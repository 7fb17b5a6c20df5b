/** A real Prometheus that scrapes a namespace's pods, with the labels that a PodMonitor adds. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from './free-ports.ts';
import type { KubeApi, Resource } from './kube-api.ts';
import { until } from './until.ts';

const PATIENCE_MS = 30_000;
const ADMIN_PORT = 9090;

export interface Sample {
  metric: Record<string, string>;
  value: number;
}

export interface Prometheus {
  url: string;
  folder: string;
  /**
   * Evaluates a PromQL expression now.
   * @throws with Prometheus's message about the expression
   */
  query(expression: string): Promise<Sample[]>;
  stop(): Promise<void>;
}

/** Returns why Prometheus is not available here; null if it is. */
export const whyNoPrometheus = (): string | null =>
  spawnSync('prometheus', ['--version']).status === 0 ? null : 'the program prometheus is needed';

export async function startPrometheus(api: KubeApi, namespace: string): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'touchline-prometheus-'));
  const file = (name: string) => join(folder, name);
  const [port] = (await freePorts(1)) as [number];
  const url = `http://127.0.0.1:${port}`;
  const targets = file('targets.json');
  writeFileSync(targets, '[]');
  const scrape = { job_name: 'pods', file_sd_configs: [{ files: [targets], refresh_interval: '1s' }] };
  const config = { global: { scrape_interval: '1s', scrape_timeout: '1s' }, scrape_configs: [scrape] };
  // Writes JSON, which is also YAML.
  writeFileSync(file('prometheus.yml'), JSON.stringify(config));
  const child: ChildProcess = spawn(
    'prometheus',
    [
      `--config.file=${file('prometheus.yml')}`,
      `--storage.tsdb.path=${file('data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    { stdio: 'ignore' },
  );
  const atExit = () => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', atExit);
  const stopping = new AbortController();

  async function findTargets(): Promise<void> {
    const { items } = await api('GET', `/api/v1/namespaces/${namespace}/pods`);
    const running = items.filter(({ status }: Resource) => status.podIP !== undefined && status.phase === 'Running');
    const groups = running.map(({ metadata, status }: Resource) => ({
      targets: [`${status.podIP}:${ADMIN_PORT}`],
      labels: { namespace, pod: metadata.name },
    }));
    writeFileSync(`${targets}.part`, JSON.stringify(groups));
    renameSync(`${targets}.part`, targets);
  }
  const finding = (async () => {
    while (!stopping.signal.aborted) {
      await findTargets().catch(() => {});
      await sleep(500, undefined, { signal: stopping.signal }).catch(() => {});
    }
  })();
  async function stop(): Promise<void> {
    stopping.abort();
    await finding;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    if (child.exitCode === null && child.kill('SIGKILL')) await gone;
    process.off('exit', atExit);
    rmSync(folder, { recursive: true, force: true });
  }
  try {
    const isReady = () =>
      fetch(`${url}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    await until('Prometheus is ready', isReady, PATIENCE_MS);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url,
    folder,
    async query(expression) {
      const reply = await fetch(`${url}/api/v1/query?${new URLSearchParams({ query: expression })}`);
      const { status, data, error } = (await reply.json()) as Resource;
      if (status !== 'success') throw new Error(`${expression}: ${error}`);
      return data.result.map(({ metric, value }: Resource) => ({ metric, value: Number(value[1]) }));
    },
    stop,
  };
}
