import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { type ListeningServer, listen } from '../../src/http/server.ts';

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

/** Takes over what asks for `echo`; answers the rest with what it has got. */
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

  it('are taken over with what was sent already', async () => {
    const got = await raw(
      server.port,
      'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\nhello',
      true,
    );
    assert.equal(got, 'HTTP/1.1 101 Switching Protocols\r\n\r\nhello');
  });

  it('get the ordinary answer where the protocol is not offered, their body included', async () => {
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

  it('do not outlive the server', async () => {
    const open = raw(server.port, 'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
    await new Promise((resolve) => setTimeout(resolve, 50));
    await server.close(10);
    assert.match(await open, /^HTTP\/1\.1 101 /);
  });
});
