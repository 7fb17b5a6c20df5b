/** A push service (RFC 8030): a real HTTP server that decrypts what it gets, as a browser does (RFC 8291). */
import { createECDH, type ECDH, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo, Socket } from 'node:net';

/** The package of web-push that decrypts. It has no types. */
const ece = createRequire(createRequire(import.meta.url).resolve('web-push'))('http_ece') as {
  decrypt(body: Buffer, params: { version: 'aes128gcm'; privateKey: ECDH; authSecret: string }): Buffer;
};

/** A browser's subscription, with the private key that only the browser has. */
export interface TestBrowser {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

export interface Pushed {
  /** Path of the endpoint. */
  path: string;
  headers: IncomingMessage['headers'];
  /** The decrypted payload. */
  payload: { title: string; body: string; tag: string; renotify: boolean; path: string; lang: string };
  at: number;
}

export interface PushService {
  url: string;
  port: number;
  /** Everything that came, also what was refused. */
  received: Pushed[];
  /** Returns the status, or answers itself. By default, everything is accepted with 201. */
  answer: (pushed: Pushed, response: ServerResponse) => number | null;
  /** Makes a browser that has subscribed. */
  browser(name: string): TestBrowser;
  close(): Promise<void>;
}

export async function startPushService(): Promise<PushService> {
  const privateKeys = new Map<string, { curve: ECDH; auth: string }>();
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('error', () => {});
    request.on('end', () => {
      const path = request.url ?? '';
      const known = privateKeys.get(path);
      if (known === undefined) return response.writeHead(404).end();
      const text = ece.decrypt(Buffer.concat(chunks), {
        version: 'aes128gcm',
        privateKey: known.curve,
        authSecret: known.auth,
      });
      const pushed = { path, headers: request.headers, payload: JSON.parse(text.toString()), at: performance.now() };
      service.received.push(pushed);
      const status = service.answer(pushed, response);
      if (status !== null) response.writeHead(status).end();
    });
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const service: PushService = {
    url: `http://127.0.0.1:${port}`,
    port,
    received: [],
    answer: () => 201,
    browser(name) {
      const curve = createECDH('prime256v1');
      const p256dh = curve.generateKeys('base64url');
      const auth = randomBytes(16).toString('base64url');
      privateKeys.set(`/push/${name}`, { curve, auth });
      return { endpoint: `${service.url}/push/${name}`, keys: { p256dh, auth } };
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
  return service;
}
