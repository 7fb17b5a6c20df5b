/**
 * The service as a cluster runs it: each role is a process, streams have several processes, and clients are behind a
 * load balancer.
 */
import type pg from 'pg';
import { systemClock } from '../../src/runtime/clock.ts';
import { createKey } from './accounts.ts';
import { type Balancer, openBalancer } from './balancer.ts';
import type { TestDatabase } from './database.ts';
import { freePorts } from './free-ports.ts';
import { killAll, type Pod, type PodRole, podEnv, startPod } from './pods.ts';
import { openPostgresProxy } from './postgres-proxy.ts';

export interface Front {
  port: number;
  close(): Promise<void>;
}

/** A store that a test can take away and bring back. */
export interface Store {
  down(): Promise<void>;
  up(): Promise<void>;
}

export interface Cluster {
  /** Stream URL for clients. */
  url: string;
  /** The balancer in front of all processes. */
  line: Balancer;
  /** Stream processes. Undefined if a process is not running. */
  streams: (Pod | undefined)[];
  /** Starts a stream process on the port with this index, to which the front leads. */
  startStream(index: number): Promise<Pod>;
  ingest: Pod;
  /** A publishable key on plan business, which allows any number of streams. */
  key: string;
  pool: pg.Pool;
  /** Stores that all processes share. Postgres is the first one. */
  shared: Store[];
  close(): Promise<void>;
}

export interface ClusterOptions {
  db: TestDatabase;
  /** Maximum number of stream processes. The last one is not started. */
  maxStreams?: number;
  env?: Record<string, string>;
  /** Stores to share besides Postgres. */
  stores?: Store[];
  /** Roles to start besides ingest, relay and stream. */
  roles?: PodRole[];
  /** Starts a proxy between the clients and the processes on these ports. */
  front?: (ports: Record<'api' | 'ingest' | 'stream', readonly number[]>) => Promise<Front>;
}

export async function openCluster({
  db,
  maxStreams = 4,
  env: over = {},
  stores = [],
  roles = [],
  front,
}: ClusterOptions): Promise<Cluster> {
  const postgres = await openPostgresProxy(db.url);
  const env = podEnv(postgres.url, over);
  const pods: Pod[] = [];
  const begin = async (...args: Parameters<typeof startPod>) => {
    const pod = await startPod(...args);
    pods.push(pod);
    return pod;
  };
  const ports = await freePorts(maxStreams);
  const streams: (Pod | undefined)[] = new Array(maxStreams).fill(undefined);
  const startStream = async (index: number) => {
    const pod = await begin('stream', { ...env, PORT: `${ports[index]}` });
    streams[index] = pod;
    return pod;
  };
  const started = await Promise.allSettled([
    begin('ingest', env),
    begin('relay', env),
    ...roles.map((role) => begin(role, env)),
    ...ports.slice(1).map((_, index) => startStream(index)),
  ]);
  const failed = started.find((one) => one.status === 'rejected');
  if (failed !== undefined) {
    await killAll(pods);
    await postgres.close();
    throw failed.reason;
  }
  const ingest = pods.find(({ role }) => role === 'ingest')!;
  const api = pods.filter(({ role }) => role === 'api').map(({ port }) => port);
  const proxy = await front?.({ api, ingest: [ingest.port], stream: ports });
  const line = await openBalancer(proxy === undefined ? ports : [proxy.port]);
  const { key } = await createKey(db.pool, systemClock, { email: 'cluster@example.com', plan: 'business', kind: 'pk' });
  return {
    url: line.url,
    line,
    streams,
    startStream,
    ingest,
    key,
    pool: db.pool,
    shared: [postgres, ...stores],
    async close() {
      await line.close();
      await proxy?.close();
      await killAll(pods);
      await postgres.close();
    },
  };
}
