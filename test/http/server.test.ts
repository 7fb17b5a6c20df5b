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
  it('the server chooses a free port for 0 and returns it', async () => {
    const server = await listen((_request, response) => response.end('ok'), { host: '127.0.0.1', port: 0 });
    assert.equal(await (await fetch(`http://127.0.0.1:${server.port}/`)).text(), 'ok');
    await server.close();
  });

  it('a port in use is reported in one line', async () => {
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

  it('the server answers malformed requests and continues', async () => {
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

  it('a closing server waits for running requests, but not for ever', async () => {
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
