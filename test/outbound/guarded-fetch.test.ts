import assert from 'node:assert/strict';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGuard } from '../../src/outbound/address-guard.ts';
import { guardedFetch } from '../../src/outbound/guarded-fetch.ts';
import { type NameServer, startNameServer } from '../support/name-server.ts';

describe('requests to addresses that users have chosen', () => {
  let names: NameServer;
  let server: Server;
  let port: number;
  let answer: (response: ServerResponse) => void;
  let asked: string[] = [];
  before(async () => {
    names = await startNameServer();
    server = createServer((request, response) => {
      asked.push(`${request.method} ${request.headers.host} ${request.url}`);
      answer(response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await names.close();
  });
  beforeEach(() => {
    asked = [];
  });

  const fetchFrom = (allow: readonly string[], timeoutMs?: number) =>
    guardedFetch(createGuard({ allow, nameServers: [names.address] }), timeoutMs === undefined ? {} : { timeoutMs });

  it('connect to the address that was checked, although the name means another one by then', async () => {
    answer = (response) => response.end('hello');
    let count = 0;
    names.answer('login.example.com', () => {
      count += 1;
      return { a: [count === 1 ? '127.0.0.1' : '10.0.0.1'] };
    });
    const reply = await fetchFrom([`http://127.0.0.0/8:${port}`])(`http://login.example.com:${port}/path?x=1`, {});
    assert.deepEqual([reply.status, await reply.text()], [200, 'hello']);
    assert.deepEqual(asked, [`GET login.example.com:${port} /path?x=1`]);
  });

  it('refuse names and literals that are not public', async () => {
    names.answer('private.example.com', { a: ['10.0.0.1'] });
    names.answer('both.example.com', { a: ['93.184.216.34', '127.0.0.1'] });
    names.answer('gone.example.com', 'nxdomain');
    const ask = fetchFrom([]);
    for (const url of [
      'https://private.example.com/',
      'https://both.example.com/',
      'https://127.0.0.1/',
      'http://example.com/',
    ])
      await assert.rejects(ask(url, {}), { code: 'address_refused' }, url);
    await assert.rejects(ask('https://gone.example.com/', {}), { code: 'not_resolved' });
    await assert.rejects(ask('file:///etc/passwd', {}), { code: 'invalid_url' });
    assert.deepEqual(asked, []);
  });

  it('refuse redirects, and replies that are too large, too slow or cut off', async () => {
    const ask = () =>
      fetchFrom([`http://127.0.0.1:${port}`], 300)(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'x' });
    for (const status of [301, 302, 303, 307, 308]) {
      answer = (response) => response.writeHead(status, { Location: '/elsewhere' }).end();
      await assert.rejects(ask(), { code: 'redirect' });
    }
    answer = (response) => response.end(Buffer.alloc(262_144));
    assert.equal((await (await ask()).arrayBuffer()).byteLength, 262_144);
    answer = (response) => response.end(Buffer.alloc(262_145));
    await assert.rejects(ask(), { code: 'too_large' });
    answer = () => {};
    await assert.rejects(ask(), { code: 'timeout' });
    answer = (response) => {
      const timer = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(timer));
    };
    await assert.rejects(ask(), { code: 'timeout' });
    answer = (response) => {
      response.writeHead(200, { 'Content-Length': '100' }).write('half');
      setTimeout(() => response.destroy(), 20);
    };
    await assert.rejects(ask(), { code: 'not_connected' });
    assert.ok(!asked.some((line) => line.includes('elsewhere')));
  });
});
