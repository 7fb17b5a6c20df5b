/** A proxy between one client and the API server. It records requests, and answers with faults on demand. */
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Agent, createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Kube } from './kube.ts';

export interface Asked {
  method: string;
  /** Path with query. */
  path: string;
  status: number;
  /** Time of arrival, from `performance.now()`. */
  at: number;
}

export interface Fault {
  status: number;
  headers?: Record<string, string>;
}

export interface KubeProxy {
  url: string;
  /** All requests received so far. */
  asked: Asked[];
  /** Sets the fault for each request. If `choose` returns null, the API server answers. */
  fault(choose: (method: string, path: string) => Fault | null): void;
  close(): Promise<void>;
}

export async function openKubeProxy({ server: { url, ca }, folder }: Kube): Promise<KubeProxy> {
  const agent = new Agent({ ca, keepAlive: true });
  // The address for which the certificate was issued.
  const host = new URL(url).hostname;
  const asked: Asked[] = [];
  let choose: (method: string, path: string) => Fault | null = () => null;

  function refuse(response: ServerResponse, { status, headers }: Fault): void {
    const body = { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'a fault of the test', code: status };
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  }

  function forward(incoming: IncomingMessage, response: ServerResponse, entry: Asked): void {
    const { host: _, connection: __, ...headers } = incoming.headers;
    const ask = request(new URL(entry.path, url), { method: entry.method, agent, headers }, (reply) => {
      entry.status = reply.statusCode!;
      response.writeHead(entry.status, reply.headers);
      // Sends the head at once, so that the client knows that a watch without events has begun.
      response.flushHeaders();
      reply.pipe(response);
      reply.on('error', () => response.destroy());
    });
    ask.on('error', () => response.destroy());
    response.on('close', () => ask.destroy());
    incoming.pipe(ask);
  }

  // Uses TLS as the API server does, since tests also cover clients that wait for a handshake.
  const certificate = (kind: string) => readFileSync(join(folder, `certificates/apiserver.${kind}`));
  const tls = { key: certificate('key'), cert: certificate('crt') };
  const server = createServer(tls, (incoming, response) => {
    const entry = { method: incoming.method!, path: incoming.url!, status: 0, at: performance.now() };
    asked.push(entry);
    const fault = choose(entry.method, entry.path);
    if (fault === null) return forward(incoming, response, entry);
    entry.status = fault.status;
    incoming.resume();
    refuse(response, fault);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return {
    url: `https://${host}:${(server.address() as AddressInfo).port}`,
    asked,
    fault(next) {
      choose = next;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      agent.destroy();
    },
  };
}
