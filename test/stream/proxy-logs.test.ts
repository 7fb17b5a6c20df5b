/**
 * Tests what nginx logs, with the configuration in k8s/nginx/touchline.conf, if keys are in queries, headers and
 * subprotocols.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { pino } from 'pino';
import { WebSocket } from 'ws';
import { routes as catalogueRoutes } from '../../src/catalogue/routes.ts';
import { openStream as openClient } from '../../src/client/stream.ts';
import { routes as streamRoutes } from '../../src/stream/routes.ts';
import { createKey } from '../support/accounts.ts';
import { type CuttingProxy, startCuttingProxy } from '../support/cutting-proxy.ts';
import { canRunNginx, type Nginx, startNginx } from '../support/nginx.ts';
import { type Service, startService } from '../support/service.ts';
import { openStream } from '../support/stream-client.ts';
import { until } from '../support/until.ts';
import { openWebSocket } from '../support/websocket-client.ts';

const LOGS = ['access.log', 'error.log', 'main.log'] as const;
const PATIENCE_MS = 20_000;

describe('nginx logs', function () {
  this.timeout(60_000);
  let service: Service;
  let upstream: CuttingProxy;
  let nginx: Nginx;
  let key: string;
  /** Lines that the service logs. */
  const own: string[] = [];
  before(async function () {
    if (!canRunNginx()) {
      console.warn('      skipped: nginx is not installed (Debian: apt-get install nginx), its logs are not checked');
      this.skip();
    }
    const logger = pino({ level: 'debug' }, { write: (line: string) => void own.push(line) });
    service = await startService({ routes: [...streamRoutes, ...catalogueRoutes], logger });
    ({ key } = await createKey(service.db.pool, service.clock, {
      email: 'logs@example.com',
      plan: 'business',
      kind: 'pk',
    }));
    upstream = await startCuttingProxy(service.app.port);
    const ports = [Number(new URL(upstream.url).port)];
    nginx = await startNginx({ api: ports, ingest: ports, stream: ports });
  });
  after(async () => {
    await nginx?.close();
    await upstream?.close();
    await service?.close();
  });

  const ask = (path: string, headers: Record<string, string> = {}) => fetch(nginx.url + path, { headers });
  const percent = (text: string) => [...text].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
  const encoded = () => Buffer.from(key).toString('base64url');

  /** Opens a stream of each kind. */
  async function openAll() {
    const sse = await openStream(`${nginx.url}/v1/stream?sport=football&key=${key}&client=a-browser-tab`);
    const byQuery = openWebSocket(`${nginx.url}/v1/stream/ws?key=${key}`);
    const byProtocol = openWebSocket(`${nginx.url}/v1/stream/ws`, {
      'Sec-WebSocket-Protocol': `touchline.v1, key.${encoded()}`,
    });
    await Promise.all([sse.until('id: '), byQuery.next('connected'), byProtocol.next('connected')]);
    return { ended: () => Promise.all([sse.ended, byQuery.closed, byProtocol.closed]), sse, byQuery, byProtocol };
  }

  async function postWithKey(): Promise<void> {
    const sent = request(`${nginx.url}/v1/nothing?key=${key}`, { method: 'POST' });
    // The body is too large for nginx's memory, so nginx logs a warning about a temporary file.
    sent.end('x'.repeat(1_000_000));
    const [response] = await once(sent, 'response');
    response.resume();
  }

  it('never contain a key, whether in normal use, after truncated requests, or while no process runs behind nginx', async () => {
    const clients = (['sse', 'websocket'] as const).map((transport) =>
      openClient({ url: nginx.url, key, transport, WebSocket, onEvent: () => {} }),
    );
    for (let round = 0; round < 3; round += 1) {
      const open = await openAll();
      upstream.cut();
      await open.ended();
    }
    const left = await openAll();
    left.sse.close();
    left.byQuery.cut();
    left.byProtocol.cut();
    assert.equal((await ask(`/v1/participant/1/image?key=${key}`)).status, 404);
    assert.equal((await ask(`/v1/stream/replay?since=0&key=${key}`)).status, 200);
    assert.equal((await ask('/v1/sports', { 'X-API-Key': service.app.key })).status, 200);
    // Requests that careless clients may send.
    for (const path of [
      `/v1/sports?key=${service.app.key}`,
      `/v1/sports?k%65y=${key}`,
      `/v1/sports?KEY=${key}&x=1`,
      `/v1/stream?key=${key}&key=${key}`,
      `/v1/stream?api_key=${key}`,
      `/v1/matches?q=${percent(key)}`,
      `/v1/matches?q=${percent(percent(key))}`,
      `/v1/matches?q=${encoded()}`,
      `/v1/${percent(key)}`,
      `/v1/key/${key}`,
      `/v1/sports?token=${key}&invitation=${key}&lang=en`,
    ])
      await (await ask(path, { Referer: `https://fans.example/widget?key=${key}` })).arrayBuffer();
    const basic = { Authorization: `Basic ${Buffer.from(`${service.app.key}:`).toString('base64')}` };
    const careless: Record<string, string>[] = [
      basic,
      { 'User-Agent': `poller ${key}` },
      { Referer: `https://fans.example/${key}` },
    ];
    for (const headers of careless) await (await ask('/v1/sports', headers)).arrayBuffer();
    await postWithKey();
    await upstream.close();
    assert.equal((await ask(`/feed/v1/updates?key=${key}`)).status, 502);
    assert.equal((await ask(`/v1/participant/1/image?key=${key}`)).status, 502);
    assert.equal((await ask(`/v1/stream/replay?since=0&key=${key}`)).status, 502);
    assert.equal(await (await ask(`/v1/stream?key=${key}`)).text(), 'retry: 1000\n\n');
    const refused = openWebSocket(`${nginx.url}/v1/stream/ws?key=${key}`);
    await refused.closed;
    for (const client of clients) client.close();
    await Promise.all(clients.map(({ done }) => done));

    const lines = () => nginx.log('access.log').trim().split('\n');
    await until(
      'all is logged',
      () => lines().filter((line) => line.includes('/v1/stream/ws')).length >= 9,
      PATIENCE_MS,
    );
    assert.ok(own.filter((line) => line.includes('/v1/stream/ws')).length >= 9);
    for (const text of [...LOGS.map((name) => nginx.log(name)), own.join('')]) {
      for (const secret of [key, service.app.key].flatMap((one) => [
        one,
        Buffer.from(one).toString('base64url'),
        percent(one),
        percent(percent(one)),
      ]))
        assert.ok(
          !text.includes(secret.slice(0, 24)),
          text.split('\n').find((line) => line.includes(secret.slice(0, 24))),
        );
    }
    const logged = (what: string) => lines().filter((line) => line.includes(what)).length;
    assert.equal(logged('"GET /v1/stream?sport=football&key=***&client=a-browser-tab HTTP/1.1" 200'), 4);
    assert.equal(logged('"GET /v1/stream/ws?key=*** HTTP/1.1" 101'), 4);
    assert.equal(logged('"GET /v1/sports?key=*** HTTP/1.1" 401'), 1);
    assert.equal(logged('"GET /v1/sports HTTP/1.1" 200'), 1);
    assert.equal(logged('"GET /v1/sports?*** HTTP/1.1"'), 2);
    assert.equal(logged('"GET /v1/sports?KEY=***&x=1 HTTP/1.1"'), 1);
    assert.equal(logged('"GET /v1/stream?*** HTTP/1.1"'), 2);
    assert.equal(logged('"GET /v1/matches?*** HTTP/1.1"'), 3);
    assert.equal(logged('"https://fans.example/widget?***"'), 11);
    // Parts of a request that the error log leaves out.
    assert.match(lines().find((line) => line.includes('image?key=*** HTTP/1.1" 502'))!, / 127\.0\.0\.1:\d+ 502 /);
  });
});
