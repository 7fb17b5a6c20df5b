/** Runs the service's roles as separate processes on one database, as in a cluster. */
import { FEED_TOKEN } from './http.ts';
import { type Finished, type Started, start } from './process.ts';

export type PodRole = 'all' | 'api' | 'stream' | 'ingest' | 'relay' | 'loader' | 'dispatcher' | 'jobs';

export interface Pod {
  role: PodRole;
  /** HTTP address; empty for a role without a server. */
  url: string;
  port: number;
  adminUrl: string;
  started: Started;
  /** Kills the process, as a power failure does. */
  kill(): Promise<void>;
  /** Stops the process, as Kubernetes does. */
  stop(): Promise<Finished>;
}

/** Returns the environment that all these processes share. */
export const podEnv = (databaseUrl: string, over: Record<string, string> = {}): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  SECRET_KEY: 'a-secret-key-of-the-tests',
  FEED_TOKEN,
  // A folder that cannot be created, since these processes must not open the embedded stores.
  DATA_DIR: '/nowhere/touchline',
  CLICKHOUSE_URL: 'http://127.0.0.1:1',
  DRAIN_DELAY_SECONDS: '0',
  DRAIN_SPREAD_SECONDS: '0',
  ...over,
});

const READY = /is ready after [\d.]+ s: (?:(http:\S+) )?\(health and metrics: (http:[^)\s]+)\)/;

/** @param launcher the launcher in a different copy of the sources */
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

/** Kills all processes that a test has left running. */
export async function killAll(pods: Iterable<Pod>): Promise<void> {
  await Promise.all([...pods].map((pod) => pod.kill()));
}
