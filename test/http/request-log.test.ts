import assert from 'node:assert/strict';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { redactUrl } from '../../src/http/redacted-url.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startApp, type TestApp, testConfig } from '../support/http.ts';
import { fakeDeps, fakeRoutes } from './fake-routes.ts';

describe('the request log', () => {
  let db: TestDatabase;
  let app: TestApp;
  const lines: string[] = [];
  const registry = new Registry();
  const last = () => JSON.parse(lines.at(-1)!) as Record<string, unknown>;

  before(async () => {
    db = await createTestDatabase();
    const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
    const config = { ...testConfig, trustedProxies: ['127.0.0.1', '10.0.0.0/8'] };
    app = await startApp(fakeRoutes, fakeDeps(db.pool, { logger, config }), { registry });
  });
  after(async () => {
    await app.close();
    await db.drop();
  });

  it('has one line for each request, with route and key id', async () => {
    lines.length = 0;
    const { headers } = await app.ask('/v1/club/5');
    assert.equal(lines.length, 1);
    const { request_id, method, url, route, status, account_id, key_id, level } = last();
    assert.deepEqual(
      { request_id, method, url, route, status, level },
      {
        request_id: headers.get('x-request-id'),
        method: 'GET',
        url: '/v1/club/5',
        route: '/v1/club/{id}',
        status: 200,
        level: 30,
      },
    );
    assert.ok(Number(account_id) > 0 && Number(key_id) > 0);
    await app.ask('/nothing');
    assert.equal(last().route, null);
    assert.equal(lines.length, 2);
  });

  it('never contains a key, a token or a cookie', async () => {
    lines.length = 0;
    const headers = { Authorization: 'Bearer secret-token', Cookie: 'touchline_session=secret-cookie', 'X-Other': 'x' };
    await app.ask(`/v1/club/5/image?key=${app.key}&x=1`, { headers });
    await app.ask(`/v1/club/5/image?a=1&k%65y=${app.key}`, { headers });
    await app.ask(`/v1/club/5/image?x=${app.key}`, { headers });
    await app.ask(`/v1/${app.key}`, { headers });
    await app.ask('/v1/fail?code=bug', { headers });
    await app.ask('/feed/v1/updates', { method: 'POST', body: 'x', headers });
    assert.equal(lines.length, 6);
    for (const line of lines) {
      assert.ok(!line.includes(app.key.slice(8)), line);
      assert.doesNotMatch(line, /secret-(token|cookie)/);
    }
    assert.match(lines[0]!, /key=\*\*\*&x=1/);
  });

  it('never contains a key that a client sends as a request id or under another name, however it is encoded', async () => {
    lines.length = 0;
    const percent = [...app.key].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
    const bytes = Buffer.from(app.key);
    const forms = [
      app.key,
      percent,
      encodeURIComponent(percent),
      encodeURIComponent(encodeURIComponent(percent)),
      `_${app.key}`,
      `x${percent}`,
      app.key.replace('k_', '%6B%5F'),
      bytes.toString('base64url'),
      Buffer.from(`key=${app.key}`).toString('base64'),
      Buffer.from(`a:${app.key}`).toString('base64url'),
      bytes.toString('hex').toUpperCase(),
      encodeURIComponent(app.key.replace('s', '\\u0073')),
      encodeURIComponent(app.key.replace('s', '&#115;')),
    ];
    for (const form of forms) {
      for (const path of [
        `/v1/club/search?q=${form}`,
        `/v1/clubs?api%5Fkey=${form}&limit=5`,
        `/v1/club/${form}`,
        `/v1/clubs?${form}`,
      ])
        await app.ask(path);
      if (!/[%+/=]/.test(form)) {
        const answer = await app.ask('/v1/short', { headers: { 'X-Request-Id': form } });
        assert.match(answer.headers.get('x-request-id')!, /^[0-9a-f-]{36}$/);
        await app.ask('/v1/fail?code=bug', { headers: { 'X-Request-Id': form } });
      }
    }
    for (const line of lines) for (const form of forms) assert.ok(!line.includes(form.slice(-20)), line);
    assert.equal(lines.filter((line) => line.includes('"url":"/v1/clubs?***&limit=5"')).length, forms.length - 2);
    assert.equal(lines.filter((line) => line.includes('api%5Fkey=sk_live_***&limit=5"')).length, 1);
    // A text that only resembles a key is not hidden.
    await app.ask('/v1/clubs?name=desk_live&x=%F0%9F%98%80');
    assert.match(lines.at(-1)!, /name=desk_live&x=%F0%9F%98%80/);
  });

  it('has the cause of a 500, which is not sent to the client', async () => {
    await app.ask('/v1/fail?code=bug');
    const { level, err } = last() as { level: number; err: { message: string; stack: string } };
    assert.equal(level, 50);
    assert.equal(err.message, 'secret detail of the inside');
    assert.match(err.stack, /fake-routes/);
    await app.ask('/v1/fail?code=not_found');
    assert.equal(last().err, undefined);
  });

  it('has a one-line warning without a stack if a store is unavailable', async () => {
    lines.length = 0;
    await app.ask('/v1/fail?code=database');
    assert.equal(lines.length, 1);
    const { level, status, err } = last();
    assert.deepEqual([level, status], [40, 503]);
    assert.deepEqual(err, { type: 'Error', message: 'connect', code: 'ECONNREFUSED' });
    assert.match(
      await registry.metrics(),
      /touchline_http_refused_requests_total\{plan="visitor",reason="unavailable"\} 1/,
    );
  });

  it('has the client address from behind trusted proxies', async () => {
    const ip = async (forwarded: string) => {
      await app.ask('/v1/short', { headers: { 'X-Forwarded-For': forwarded } });
      return last().ip;
    };
    assert.equal(await ip('203.0.113.7'), '203.0.113.7');
    assert.equal(await ip('198.51.100.1, 203.0.113.7, 10.1.2.3'), '203.0.113.7');
    assert.equal(await ip('nonsense'), '127.0.0.1');
    assert.equal(await ip('203.0.113.7, nonsense'), '127.0.0.1');
    assert.equal(await ip('10.1.2.3'), '10.1.2.3');
  });

  it('never has a line break that a client has sent', async () => {
    lines.length = 0;
    await app.raw('GET /v1/short?x=%0a%0d{"a":1} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    assert.equal(lines.length, 1);
    assert.equal(lines[0]!.trimEnd().split('\n').length, 1);
  });

  it('is accompanied by a histogram whose label is the route, not the path', async () => {
    for (const id of [1, 2, 3]) await app.ask(`/v1/club/${id}0`);
    await app.ask('/a-path-of-a-scanner');
    const text = await registry.metrics();
    assert.match(
      text,
      /touchline_http_request_duration_seconds_count\{method="GET",route="\/v1\/club\/\{id\}",status="200"\} \d+/,
    );
    assert.match(text, /route="unmatched",status="404"/);
    assert.doesNotMatch(text, /club\/10|scanner/);
  });
});

describe('redactUrl', () => {
  it('redacts only the parameter `key`', () => {
    assert.equal(redactUrl('/v1/events?monkey=1&keys=2&key=3'), '/v1/events?monkey=1&keys=2&key=***');
    assert.equal(redactUrl('/v1/events'), '/v1/events');
    assert.equal(redactUrl('/x?key'), '/x?key=***');
    assert.equal(redactUrl('/x?%=1&k%zz=2'), '/x?%=***&k%zz=***');
    assert.equal(redactUrl('/x?a=pk_live_abc123'), '/x?a=pk_live_***');
  });
});
