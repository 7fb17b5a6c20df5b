/**
 * Stands in for kube-proxy. It accepts connections to the cluster addresses of a namespace's Services, and passes each
 * one to a ready pod, in turn.
 */
import { execFile } from 'node:child_process';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { KubeApi, Resource } from './kube-api.ts';

const POLL_MS = 200;

interface Backend {
  host: string;
  port: number;
}
interface Listener {
  server: Server;
  backends: Backend[];
}

export interface ServiceProxy {
  close(): Promise<void>;
}

/**
 * @param device network device on this machine, which gets the Services' addresses; pods reach it by their default
 * route
 */
export function startServiceProxy(api: KubeApi, namespace: string, device: string): ServiceProxy {
  const ip = (...args: string[]) => promisify(execFile)('ip', args);
  /** Listeners by address:port. */
  const listeners = new Map<string, Listener>();
  const sockets = new Set<Socket>();
  const stopping = new AbortController();
  let turn = 0;

  function forward(socket: Socket, { backends }: Listener): void {
    const backend = backends[turn++ % Math.max(1, backends.length)];
    if (backend === undefined) return void socket.destroy();
    const other = connect(backend);
    for (const [one, two] of [
      [socket, other],
      [other, socket],
    ] as const) {
      sockets.add(one);
      one.on('error', () => two.destroy());
      one.on('close', () => {
        sockets.delete(one);
        two.destroy();
      });
      one.pipe(two);
    }
  }

  async function open(address: string, port: number): Promise<Listener> {
    // The address may already exist, because of a different port on the same Service.
    await ip('address', 'add', `${address}/32`, 'dev', device).catch(() => {});
    const listener: Listener = { server: createServer((socket) => forward(socket, listener)), backends: [] };
    await new Promise<void>((resolve, reject) => {
      listener.server.once('error', reject);
      listener.server.listen(port, address, resolve);
    });
    return listener;
  }

  async function poll(): Promise<void> {
    const [services, slices] = await Promise.all([
      api('GET', `/api/v1/namespaces/${namespace}/services`),
      api('GET', `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`),
    ]);
    for (const { metadata, spec } of services.items)
      for (const { name, port } of spec.ports) {
        const place = `${spec.clusterIP}:${port}`;
        if (!listeners.has(place)) listeners.set(place, await open(spec.clusterIP, port));
        listeners.get(place)!.backends = slices.items
          .filter((slice: Resource) => slice.metadata.labels['kubernetes.io/service-name'] === metadata.name)
          .flatMap(({ endpoints, ports }: Resource) => {
            const target = ports?.find((one: Resource) => one.name === name)?.port;
            const ready = (endpoints ?? []).filter((one: Resource) => one.conditions.ready);
            return ready.flatMap((one: Resource) => one.addresses.map((host: string) => ({ host, port: target })));
          });
      }
  }

  const loop = (async () => {
    while (!stopping.signal.aborted) {
      // The API server may be away, and the next poll tries again.
      await poll().catch(() => {});
      await sleep(POLL_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  })();
  return {
    async close() {
      stopping.abort();
      await loop;
      for (const socket of sockets) socket.destroy();
      for (const { server } of listeners.values()) await new Promise((resolve) => server.close(resolve));
    },
  };
}
