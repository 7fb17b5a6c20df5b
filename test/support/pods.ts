/** Roles of the service as processes of their own on one database, as a cluster runs them. */
import { FEED_TOKEN } from './http.ts';
import { type Finished, type Started, start } from './process.ts';

export type PodRole = 'all' | 'api' | 'stream' | 'ingest' | 'relay' | 'loader';

export interface Pod {
  role: PodRole;
  /** http address; empty for a role that serves nothing. */
  url: string;
  port: number;
  adminUrl: string;
  started: Started;
  /** As a machine that loses its power does. */
  kill(): Promise<void>;
  /** As Kubernetes does. */
  stop(): Promise<Finished>;
}

/** The configuration that all of them share. */
export const podEnv = (databaseUrl: string, over: Record<string, string> = {}): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  SECRET_KEY: 'a-secret-key-of-the-tests',
  FEED_TOKEN,
  // Nobody of them may open the embedded stores.
  DATA_DIR: '/nowhere/touchline',
  CLICKHOUSE_URL: 'http://127.0.0.1:1',
  DRAIN_DELAY_SECONDS: '0',
  DRAIN_SPREAD_SECONDS: '0',
  ...over,
});

const READY = /is ready after [\d.]+ s: (?:(http:\S+) )?\(health and metrics: (http:[^)\s]+)\)/;

/** @param launcher that of another copy of the sources */
export async function startPod(role: PodRole, env: Record<string, string>, launcher?: string): Promise<Pod> {
  const started = start(['serve', '--role', role], { env, ...(launcher !== undefined && { launcher }) });
  const [, url = '', adminUrl] = await started.until(READY);
  return {
    role,
    url,
    port: url === '' ? 0 : Number(new URL(url).port),
    adminUrl: adminUrl!,
    started,
    async kill() {
      started.child.kill('SIGKILL');
      await started.finished;
    },
    stop() {
      started.child.kill('SIGTERM');
      return started.finished;
    },
  };
}

/** Whatever a test has left running. */
export async function killAll(pods: Iterable<Pod>): Promise<void> {
  await Promise.all([...pods].map((pod) => pod.kill()));
}
