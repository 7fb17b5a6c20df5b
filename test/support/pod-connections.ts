/** Records the connections that a network's pods open. They are read from the kernel's tables while they exist. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeApi, Resource } from './kube-api.ts';

const POLL_MS = 100;
const NAMESPACES = '/var/run/netns';
const LISTENING = '0A';

export interface Connection {
  from: string;
  to: string;
  port: number;
}

/** Parses `0100007F:1F90`, which is in the machine's byte order, to 127.0.0.1 and 8080. */
function endpoint(text: string): [address: string, port: number] {
  const [hex = '', port = ''] = text.split(':');
  // An IPv4 address that is mapped to IPv6 is in the last four bytes.
  const bytes = Buffer.from(hex.slice(-8), 'hex').reverse();
  return [[...bytes].join('.'), Number.parseInt(port, 16)];
}

/**
 * Returns the connections that processes in this process's network have opened. Accepted connections are left out.
 * @param listening ports that have had a listener, since a closed listener may still have connections; the function
 * adds to this set
 */
function openedIn(pid: number, listening: Set<number>): Connection[] {
  const rows = ['tcp', 'tcp6'].flatMap((name) =>
    readFileSync(`/proc/${pid}/net/${name}`, 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => {
        const [, local, remote, state] = line.trim().split(/\s+/);
        return { local: endpoint(local!), remote: endpoint(remote!), isListening: state === LISTENING };
      }),
  );
  for (const { local, isListening } of rows) if (isListening) listening.add(local[1]);
  return rows
    .filter(
      ({ local, remote, isListening }) => !isListening && !listening.has(local[1]) && !remote[0].startsWith('127.'),
    )
    .map(({ local, remote }) => ({ from: local[0], to: remote[0], port: remote[1] }));
}

/** Pods by IP address. */
type Pods = ReadonlyMap<string, { labels: Record<string, string>; namespace: string }>;

/** Replaces a connection to a Service by one to a pod behind it, which is what network policies check. */
export function behindService(connection: Connection, services: readonly Resource[], pods: Pods): Connection {
  const service = services.find(({ spec }) => spec.clusterIP === connection.to);
  if (service === undefined) return connection;
  const selector = Object.entries<string>(service.spec.selector);
  const found = [...pods].find(([, { labels }]) => selector.every(([name, value]) => labels[name] === value));
  if (found === undefined) throw new Error(`no pod is behind ${service.metadata.name}`);
  return { ...connection, to: found[0], port: 8080 };
}

export interface ConnectionWatch {
  /** Returns all connections seen so far, each once. */
  seen(): Connection[];
  /** Returns all pods seen so far, by IP address. */
  pods(): Pods;
  stop(): Promise<void>;
}

/** @param bridge the network's bridge, whose name is a prefix of its namespaces' names */
export function watchConnections(bridge: string, api: KubeApi): ConnectionWatch {
  const seen = new Map<string, Connection>();
  /** For each namespace: a process in it, and the ports on which it has listened. */
  const pids = new Map<string, number>();
  const listening = new Map<string, Set<number>>();
  const pods = new Map<string, { labels: Record<string, string>; namespace: string }>();
  const stopping = new AbortController();

  async function list(): Promise<void> {
    const { items } = await api('GET', '/api/v1/pods');
    for (const { metadata, status } of items)
      if (status.podIP !== undefined)
        pods.set(status.podIP, { labels: metadata.labels, namespace: metadata.namespace });
  }
  function look(): void {
    for (const namespace of readdirSync(NAMESPACES).filter((name) => name.startsWith(`${bridge}-`))) {
      if (!pids.has(namespace)) {
        const { stdout } = spawnSync('ip', ['netns', 'pids', namespace], { encoding: 'utf8' });
        const pid = Number(stdout.trim().split('\n')[0]);
        if (pid > 0) pids.set(namespace, pid);
      }
      const pid = pids.get(namespace);
      if (pid === undefined) continue;
      try {
        const ports = listening.get(namespace) ?? new Set();
        listening.set(namespace, ports);
        for (const connection of openedIn(pid, ports)) seen.set(Object.values(connection).join(' '), connection);
      } catch {
        // The process has ended. The next poll finds a different one in the namespace, if any.
        pids.delete(namespace);
      }
    }
  }
  const loop = (async () => {
    while (!stopping.signal.aborted) {
      look();
      // The API server may be away, and the next poll tries again.
      await list().catch(() => {});
      await sleep(POLL_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  })();
  return {
    seen: () => [...seen.values()],
    pods: () => pods,
    async stop() {
      stopping.abort();
      await loop;
    },
  };
}
