import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { type ListeningServer, listen } from '../../src/http/server.ts';
import { leaveHttp } from '../../src/http/upgrade.ts';
import { heapInUse } from '../support/heap.ts';
import { until } from '../support/until.ts';

const raw = (port: number, text: string, end = false): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => (end ? socket.end(text, 'latin1') : socket.write(text, 'latin1')));
    let got = '';
    socket.on('data', (chunk) => {
      got += chunk;
    });
    socket.on('close', () => resolve(got));
    socket.on('error', () => {});
  });

/** Starts a server that accepts upgrades to `echo`, and answers all other requests with the data it received. */
const start = (): Promise<ListeningServer> =>
  listen(
    async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const { method, url, headers } = request;
      response.end(JSON.stringify({ method, url, headers, body: Buffer.concat(chunks).toString('latin1') }));
    },
    {
      host: '127.0.0.1',
      port: 0,
      upgrade: ({ request, socket, head }) => {
        if (request.headers.upgrade !== 'echo') return false;
        socket.write(`HTTP/1.1 101 Switching Protocols\r\n\r\n${head}`);
        socket.pipe(socket);
        return true;
      },
    },
  );
const bodyOf = (answer: string) => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));

describe('connections that leave HTTP', () => {
  let server: ListeningServer;
  beforeEach(async () => {
    server = await start();
  });
  afterEach(() => server.close());

  it('get the bytes that arrived before the upgrade', async () => {
    const got = await raw(
      server.port,
      'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\nhello',
      true,
    );
    assert.equal(got, 'HTTP/1.1 101 Switching Protocols\r\n\r\nhello');
  });

  it('are not made for a protocol that the service does not offer, and such a request, even with a body, gets an HTTP reply', async () => {
    const get = await raw(
      server.port,
      'GET /a?b HTTP/1.1\r\nHost: x\r\nX-Name: J\xf6rg\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n\r\n',
    );
    assert.match(get, /^HTTP\/1\.1 200 OK\r\n[\s\S]*Connection: close\r\n/);
    assert.deepEqual(bodyOf(get), {
      method: 'GET',
      url: '/a?b',
      headers: { host: 'x', 'x-name': 'J\xf6rg', connection: 'close' },
      body: '',
    });
    for (const [headers, body] of [
      ['Content-Length: 5', 'hello'],
      ['Transfer-Encoding: chunked', '5\r\nhello\r\n0\r\n\r\n'],
    ]) {
      const post = await raw(
        server.port,
        `POST / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${headers}\r\n\r\n${body}`,
      );
      const { method, body: received } = bodyOf(post);
      assert.deepEqual([method, received], ['POST', 'hello']);
    }
  });

  describe('in the middle of a reply', () => {
    const answers: WeakRef<ServerResponse>[] = [];
    const left: Writable[] = [];
    let own: ListeningServer;
    const get = (path = '/') => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
    beforeEach(async () => {
      answers.length = 0;
      left.length = 0;
      own = await listen(
        async (request, response) => {
          if (request.url === '/slow') await new Promise((resolve) => setTimeout(resolve, 100));
          else await new Promise(setImmediate);
          if (request.url === '/slow') {
            response.end('first');
            return;
          }
          response.useChunkedEncodingByDefault = false;
          response.shouldKeepAlive = false;
          answers.push(new WeakRef(response));
          left.push(leaveHttp(response));
        },
        { host: '127.0.0.1', port: 0, upgrade: () => false },
      );
    });
    afterEach(() => own.close());

    it('a response that leaves HTTP sends its head, and then raw bytes until it ends', async () => {
      const got = raw(own.port, get());
      await until('it has left', () => left.length === 1);
      left[0]!.write('one\n');
      left[0]!.end('two\n');
      assert.match(await got, /^HTTP\/1\.1 200 OK\r\n[\s\S]*Connection: close\r\n\r\none\ntwo\n$/);
      await until('it is closed', () => left[0]!.destroyed);
    });

    it('a response that has left HTTP is freed after its end', async () => {
      const got = raw(own.port, get());
      await until('it has left', () => left.length === 1);
      await new Promise(setImmediate);
      heapInUse();
      assert.equal(answers[0]!.deref(), undefined);
      left[0]!.end('x');
      assert.match(await got, /x$/);
    });

    it('a client’s second request is ignored until the client closes the connection', async () => {
      const socket = connect(own.port, '127.0.0.1', () => socket.write(get()));
      await until('it has left', () => left.length === 1);
      socket.write(get('/again'));
      left[0]!.write('x');
      socket.resume();
      const sent = get().length + get('/again').length;
      await until('the server has received it', () => (left[0] as Socket).bytesRead === sent);
      assert.equal(left.length, 1);
      socket.end();
      await until('it is gone', () => left[0]!.destroyed);
    });

    it('a response leaves HTTP only after the previous response', async () => {
      const got = raw(own.port, get('/slow') + get());
      await until('it has left', () => left.length === 1);
      left[0]!.end('second');
      assert.match(await got, /first[\s\S]*HTTP\/1\.1 200 OK[\s\S]*second$/);
    });

    it('a connection that has left HTTP ends with the server', async () => {
      const got = raw(own.port, get());
      await until('it has left', () => left.length === 1);
      left[0]!.write('x');
      await own.close(10);
      assert.match(await got, /x$/);
    });
  });

  it('end with the server', async () => {
    const socket = connect(server.port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    assert.match(String(answer), /^HTTP\/1\.1 101 /);
    const closed = once(socket, 'close');
    await server.close(10);
    await closed;
  });
});
