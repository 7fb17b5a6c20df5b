import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { listen } from '../../src/http/server.ts';
import { until } from '../support/until.ts';

const raw = (port: number, text: string): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'));
    let got = '';
    socket.on('data', (chunk) => {
      got += chunk;
    });
    socket.on('close', () => resolve(got));
    socket.on('error', () => {});
  });

describe('the server', () => {
  it('chooses a free port for 0 and returns it', async () => {
    const server = await listen((_request, response) => response.end('ok'), { host: '127.0.0.1', port: 0 });
    assert.equal(await (await fetch(`http://127.0.0.1:${server.port}/`)).text(), 'ok');
    await server.close();
  });

  it('reports a port in use in one line', async () => {
    const first = await listen(() => {}, { host: '127.0.0.1', port: 0 });
    await assert.rejects(
      listen(() => {}, { host: '127.0.0.1', port: first.port }),
      {
        message: `port ${first.port} on 127.0.0.1 is in use`,
      },
    );
    await assert.rejects(
      listen(() => {}, { host: '203.0.113.1', port: 0 }),
      /^Error: cannot listen on 203\.0\.113\.1:0: /,
    );
    await first.close();
  });

  it('answers malformed requests and continues', async () => {
    const server = await listen((_request, response) => response.end('ok'), { host: '127.0.0.1', port: 0 });
    const huge = await raw(server.port, `GET / HTTP/1.1\r\nHost: x\r\nX-Huge: ${'x'.repeat(20_000)}\r\n\r\n`);
    assert.match(huge, /^HTTP\/1\.1 431 [\s\S]*application\/problem\+json[\s\S]*"code":"bad_request"/);
    for (const text of [
      'nonsense\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      'FOO / HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: x\r\nA\x00: b\r\n\r\n',
      'GET /\xff\x00 HTTP/1.1\r\nHost: x\r\n\r\n',
      'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n',
    ]) {
      assert.match(await raw(server.port, text), /^HTTP\/1\.1 400 /, JSON.stringify(text));
    }
    const smuggled = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n';
    assert.match(await raw(server.port, smuggled), /^HTTP\/1\.1 400 /);
    assert.equal(await (await fetch(`http://127.0.0.1:${server.port}/`)).text(), 'ok');
    await server.close();
  });

  it('answers a request with two Host headers, or an invalid one, with 400, even if it asks for an upgrade', async () => {
    let handled = 0;
    const server = await listen(
      (_request, response) => {
        handled += 1;
        response.end('ok');
      },
      {
        host: '127.0.0.1',
        port: 0,
        upgrade: ({ socket }) => {
          handled += 1;
          socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n');
          return true;
        },
      },
    );
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
    const lines = (count: number) => 'a:\r\n'.repeat(count);
    for (const headers of [
      'Host: a\r\nHost: b\r\n',
      'Host: a\r\nHost: a\r\n',
      'Host: a\r\nhOST: b\r\n',
      'Host: a\r\nX: y\r\nHost:\r\n',
      'Host:\r\nHost: a\r\n',
      `Host: a\r\n${lines(2_100)}Host: b\r\n`,
      'Host: a b\r\n',
      'Host: http://a/\r\n',
      'Host: a:80:80\r\n',
      'Host: user@a\r\n',
      'Host: [::1\r\n',
    ])
      for (const version of ['1.0', '1.1'])
        for (const more of ['', upgrade]) {
          const text = `GET / HTTP/${version}\r\n${headers}${more}\r\nGET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n`;
          const answer = await raw(server.port, text);
          assert.match(answer, /^HTTP\/1\.1 400 [\s\S]*\r\nConnection: close\r\n[\s\S]*"code":"bad_request"/, text);
        }
    assert.equal(handled, 0, 'neither these requests nor those that followed on their connections');
    for (const host of ['a', 'A.example:8080', '127.0.0.1', '[::1]:80', 'a_b.svc', ''])
      assert.match(await raw(server.port, `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`), /200/);
    assert.match(await raw(server.port, 'GET / HTTP/1.0\r\n\r\n'), /200/);
    await server.close();
  });

  it('answers a body with two lengths, or a length and chunks, with 400', async () => {
    let handled = 0;
    const server = await listen(
      (_request, response) => {
        handled += 1;
        response.end('ok');
      },
      { host: '127.0.0.1', port: 0 },
    );
    for (const headers of [
      'Content-Length: 4\r\nContent-Length: 5\r\n',
      'Content-Length: 5\r\nContent-Length: 5\r\n',
      'Content-Length: 5, 5\r\n',
      'Content-Length: +5\r\n',
      'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n',
      'Transfer-Encoding: identity\r\n',
      'Transfer-Encoding: xchunked\r\n',
      'Transfer-Encoding: chunked, identity\r\n',
      'Transfer-Encoding : chunked\r\n',
    ])
      assert.match(
        await raw(server.port, `POST / HTTP/1.1\r\nHost: a\r\n${headers}\r\n0\r\n\r\n`),
        /^HTTP\/1\.1 400 /,
        headers,
      );
    assert.equal(handled, 0);
    await server.close();
  });

  it('waits for running requests when it closes, but only for a limited time', async () => {
    const responses = new Map<string, ServerResponse>();
    const server = await listen((request, response) => void responses.set(request.url!, response), {
      host: '127.0.0.1',
      port: 0,
    });
    const slow = fetch(`http://127.0.0.1:${server.port}/slow`).then((response) => response.text());
    const stuck = fetch(`http://127.0.0.1:${server.port}/stuck`).then(
      () => 'answered',
      () => 'cut',
    );
    await until('both requests are running', () => responses.size === 2);
    const start = Date.now();
    const closed = server.close(400);
    responses.get('/slow')!.end('late');
    assert.equal(await slow, 'late');
    await closed;
    assert.equal(await stuck, 'cut');
    assert.ok(Date.now() - start < 2_000);
  });
});
