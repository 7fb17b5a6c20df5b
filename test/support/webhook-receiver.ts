/** A webhook receiver: a real HTTP server that stores requests and replies as the test configures it. */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

export interface Received {
  headers: IncomingMessage['headers'];
  body: string;
  path: string;
  /** Value of the header webhook-id. */
  id: string;
  type: string;
  attempt: number;
  at: number;
}

export type Answer = (request: Received, response: ServerResponse) => void;

export interface Receiver {
  url: string;
  port: number;
  received: Received[];
  /** Returns how many connections were opened. */
  connections(): number;
  /** Returns the received events, except pings and test events. */
  events(): Received[];
  answer: Answer;
  close(): Promise<void>;
}

export interface ReceiverOptions {
  tls?: { key: string; cert: string };
  host?: string;
}

export async function startReceiver(
  answer: Answer = (_request, response) => response.end(),
  { tls, host = '127.0.0.1' }: ReceiverOptions = {},
): Promise<Receiver> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('error', () => {});
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const got: Received = {
        headers: request.headers,
        body,
        path: request.url ?? '',
        id: String(request.headers['webhook-id']),
        type: (JSON.parse(body) as { type: string }).type,
        attempt: Number(request.headers['x-service-attempt']),
        at: performance.now(),
      };
      receiver.received.push(got);
      receiver.answer(got, response);
    });
  };
  const server = tls ? createSecureServer(tls, listener) : createServer(listener);
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}/hook`,
    port,
    received: [],
    connections: () => connections,
    events: () => receiver.received.filter(({ type }) => type.startsWith('match.')),
    answer,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
  return receiver;
}
