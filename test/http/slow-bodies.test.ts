import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ListeningServer, listen, type ServerTimes } from '../../src/http/server.ts';
import { until } from '../support/until.ts';

const TIMES = { headersMs: 200, pauseMs: 200, restMs: 200 };
/** Longer than each of the limits. */
const LONG_MS = 700;
const STEP_MS = 50;

describe('slow clients', () => {
  let server: ListeningServer;
  const sockets: Socket[] = [];
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await server.close();
  });

  async function serve(
    handler: (request: IncomingMessage, response: ServerResponse) => void,
    times: ServerTimes = TIMES,
  ): Promise<void> {
    server = await listen(handler, { host: '127.0.0.1', port: 0, times });
  }
  /** Opens a connection. Returns the data received so far, and whether the server has closed it. */
  async function open() {
    const socket = connect(server.port, '127.0.0.1');
    const client = { socket, text: '', isClosed: false };
    sockets.push(socket);
    socket.setEncoding('utf8').on('data', (text) => {
      client.text += text;
    });
    socket.on('error', () => {});
    socket.once('close', () => {
      client.isClosed = true;
    });
    await new Promise((resolve) => socket.once('connect', resolve));
    return client;
  }
  type Client = Awaited<ReturnType<typeof open>>;
  /**
   * Writes byte by byte until the server closes the connection or the time is over.
   * @returns the number of bytes
   */
  async function trickle(client: Client, text: string, ms: number): Promise<number> {
    const end = performance.now() + ms;
    let at = 0;
    for (; !client.isClosed && performance.now() < end; at += 1) {
      client.socket.write(text[at % text.length]!);
      await sleep(STEP_MS);
    }
    return at;
  }
  const connections = () =>
    new Promise<number>((resolve) => server.server.getConnections((_, count) => resolve(count)));
  const readAll = async (request: IncomingMessage, response: ServerResponse) => {
    let bytes = 0;
    try {
      for await (const chunk of request) bytes += (chunk as Buffer).length;
      response.end(`read ${bytes}`);
    } catch {
      // The server replies to the broken request.
    }
  };

  it('have 15 s for request headers', async () => {
    server = await listen(() => {}, { host: '127.0.0.1', port: 0 });
    assert.equal(server.server.headersTimeout, 15_000);
    // A body may take any time to arrive.
    assert.equal(server.server.requestTimeout, 0);
  });

  it('are disconnected if headers arrive too slowly, even if the client continues to send', async () => {
    await serve((_request, response) => response.end('ok'));
    const client = await open();
    client.socket.write('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    await trickle(client, 'x', 5_000);
    assert.match(client.text, /^HTTP\/1\.1 408 [\s\S]*application\/problem\+json/);
    await until('the server has closed it', async () => (await connections()) === 0);
  });

  it('are disconnected if they send no data', async () => {
    await serve((_request, response) => response.end('ok'));
    const client = await open();
    await until('it is cut', () => client.isClosed);
    assert.match(client.text, /^HTTP\/1\.1 408 /);
  });

  it('may pause between two requests', async () => {
    await serve((_request, response) => response.end('ok'));
    const client = await open();
    for (const count of [1, 2]) {
      client.socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      await until('it is answered', () => client.text.split('HTTP/1.1 200').length === count + 1);
      if (count === 1) await sleep(LONG_MS);
    }
  });

  it('receive a long response completely', async () => {
    await serve((_request, response) => {
      response.write('first');
      setTimeout(() => response.end('last'), LONG_MS);
    });
    const client = await open();
    client.socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await until('the end has come', () => client.text.includes('last'));
  });

  it('may take any time to send a body if data keeps arriving', async () => {
    await serve(readAll);
    const client = await open();
    client.socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n');
    const sent = await trickle(client, 'x', LONG_MS);
    client.socket.write('x'.repeat(1_000 - sent));
    await until('it is answered', () => client.text.includes('read 1000'));
  });

  it('are disconnected if a body stops arriving', async () => {
    await serve(readAll);
    const client = await open();
    client.socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc');
    await until('it is cut', () => client.isClosed);
    assert.match(client.text, /^HTTP\/1\.1 408 /);
  });

  it('are not disconnected while the service itself does not read', async () => {
    const size = 5_000_000;
    const times = { ...TIMES, pauseMs: 500 };
    await serve((request, response) => void sleep(LONG_MS).then(() => readAll(request, response)), times);
    const client = await open();
    client.socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${size}\r\n\r\n`);
    client.socket.write('x'.repeat(size));
    await until('it is answered', () => client.text.includes(`read ${size}`));
  });

  it('are disconnected if the rest of a body arrives too slowly after the reply', async () => {
    await serve((_request, response) => response.writeHead(401).end('no'));
    const client = await open();
    client.socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n');
    await trickle(client, 'x', 5_000);
    assert.match(client.text, /^HTTP\/1\.1 401 /);
    await until('the server has closed it', async () => (await connections()) === 0);
  });
});
