/**
 * An ingress controller for tests: an HTTP server that passes requests to ready pods in turn, unbuffered, by a
 * namespace's Ingress objects.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeApi, Resource } from './kube-api.ts';

const POLL_MS = 100;

interface Route {
  path: string;
  backends: { host: string; port: number }[];
}

export interface TestIngress {
  /** URL with a host name, since an Ingress has no rule for an IP address. */
  url: string;
  close(): void;
}

/** Reads routes, longest path first, as Kubernetes orders them. */
async function readRoutes(api: KubeApi, namespace: string): Promise<Route[]> {
  const [ingresses, services, slices] = await Promise.all([
    api('GET', `/apis/networking.k8s.io/v1/namespaces/${namespace}/ingresses`),
    api('GET', `/api/v1/namespaces/${namespace}/services`),
    api('GET', `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`),
  ]);
  const backends = (name: string, port: string) => {
    const service = services.items.find((one: Resource) => one.metadata.name === name);
    if (!service?.spec.ports.some((one: Resource) => one.name === port)) return [];
    return slices.items
      .filter((slice: Resource) => slice.metadata.labels['kubernetes.io/service-name'] === name)
      .flatMap((slice: Resource) => {
        const target = slice.ports?.find((one: Resource) => one.name === port)?.port;
        const ready = (slice.endpoints ?? []).filter((one: Resource) => one.conditions.ready);
        return ready.flatMap((one: Resource) => one.addresses.map((host: string) => ({ host, port: target })));
      });
  };
  const paths: Resource[] = ingresses.items.flatMap((one: Resource) =>
    one.spec.rules.flatMap((rule: Resource) => rule.http.paths),
  );
  return paths
    .map(({ path, backend }) => ({ path, backends: backends(backend.service.name, backend.service.port.name) }))
    .sort((a, b) => b.path.length - a.path.length);
}

export async function startIngress(api: KubeApi, namespace: string, port = 0): Promise<TestIngress> {
  let routes: Route[] = [];
  let closed = false;
  let turn = 0;
  const poll = async () => {
    while (!closed) {
      // While the API server is away, the endpoints that were read last stay in use.
      routes = await readRoutes(api, namespace).catch(() => routes);
      await sleep(POLL_MS);
    }
  };
  function backend(url: string) {
    const path = url.split('?')[0]!;
    const found = routes.find((one) => one.path === '/' || path === one.path || path.startsWith(`${one.path}/`));
    if (found === undefined || found.backends.length === 0) return null;
    turn += 1;
    return found.backends[turn % found.backends.length]!;
  }
  function forward(from: IncomingMessage, to: ServerResponse): void {
    const target = backend(from.url!);
    if (target === null) {
      to.writeHead(503).end('no pod is ready\n');
      return;
    }
    const { method, url: path, headers } = from;
    const forwarded = request({ ...target, method, path, headers, agent: false }, (answer) => {
      to.writeHead(answer.statusCode!, answer.headers);
      to.flushHeaders();
      answer.pipe(to);
      answer.once('error', () => to.destroy());
      answer.once('close', () => answer.complete || to.destroy());
    });
    forwarded.once('error', () => (to.headersSent ? to.destroy() : to.writeHead(502).end('the pod is gone\n')));
    to.once('close', () => forwarded.destroy());
    from.pipe(forwarded);
  }
  function upgrade(from: IncomingMessage, socket: Duplex, head: Buffer): void {
    const target = backend(from.url!);
    if (target === null) {
      socket.end('HTTP/1.1 503 Service Unavailable\r\n\r\n');
      return;
    }
    const forwarded = request({ ...target, method: from.method, path: from.url, headers: from.headers, agent: false });
    forwarded.once('error', () => socket.destroy());
    forwarded.once('upgrade', (answer, pod, rest) => {
      const lines = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`);
      socket.write(rest);
      pod.write(head);
      pod.pipe(socket).pipe(pod);
      pod.once('error', () => socket.destroy());
      socket.once('error', () => pod.destroy());
      socket.once('close', () => pod.destroy());
    });
    forwarded.end();
  }
  void poll();
  const server = createServer(forward).on('upgrade', upgrade);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    close() {
      closed = true;
      server.close();
      server.closeAllConnections();
    },
  };
}
