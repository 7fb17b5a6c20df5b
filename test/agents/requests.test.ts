/** Sends a whole service the requests that careless and hostile clients of /mcp send. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { heapInUse } from '../support/heap.ts';
import { until } from '../support/until.ts';
import { type AgentService, message, startAgentService } from './agent-service.ts';

/** Returns the error codes in the reply to a call with several ids. */
const codes = (reply: { error?: { code: string } }[]) =>
  Array.isArray(reply) ? reply.map(({ error }) => error?.code) : ['rate_limited'];
/** Returns several calls to one tool, each with several ids, for a batch. */
const callsOf = (calls: number, ids: number) =>
  Array.from({ length: calls }, (_, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'event', arguments: { id: Array.from({ length: ids }, (_, n) => n + 1) } },
  }));

const MCP = '/.well-known/oauth-protected-resource/mcp';

describe('agent requests', function () {
  this.timeout(60_000);
  let db: TestDatabase;
  let service: AgentService;
  before(async () => {
    db = await createTestDatabase();
    service = await startAgentService(db, { TRUSTED_PROXIES: '127.0.0.1' });
    await service.feedMatches();
  });
  after(async () => {
    await service?.stop();
    await db?.drop();
  });

  it('need a key, and the error says where to read about keys', async () => {
    const missing = await service.list({ 'x-api-key': '' });
    assert.deepEqual([missing.status, missing.json.code], [401, 'key_missing']);
    const challenge = missing.headers.get('www-authenticate')!;
    assert.equal(challenge, `Bearer realm="touchline", resource_metadata="${service.url}${MCP}"`);
    const wrong = await service.list({ 'x-api-key': '', authorization: 'Bearer sk_live_wrong' });
    assert.deepEqual([wrong.status, wrong.json.code], [401, 'key_invalid']);
    assert.match(wrong.headers.get('www-authenticate')!, /error="invalid_token"/);
    assert.equal((await service.list({ 'x-api-key': '', authorization: `Bearer ${service.key}` })).status, 200);
    const metadata = await fetch(`${service.url}${MCP}`);
    assert.deepEqual(await metadata.json(), {
      resource: `${service.url}/mcp`,
      resource_name: 'Touchline sports data',
      bearer_methods_supported: ['header'],
      resource_documentation: `${service.url}/docs/guides/agents`,
    });
    const root = await fetch(`${service.url}/.well-known/oauth-protected-resource`);
    assert.equal(((await root.json()) as { resource: string }).resource, service.url);
    // Only here may a key be sent as a bearer token.
    const elsewhere = await fetch(`${service.url}/v1/sports`, { headers: { authorization: `Bearer ${service.key}` } });
    assert.equal(elsewhere.status, 401);
  });

  it('have the key checked each time, and are refused if it expires or is revoked in between', async () => {
    const short = await service.makeKey({ expiresAt: new Date(service.clock.now() + 60_000) });
    const revoked = await service.makeKey();
    for (const { key } of [short, revoked]) assert.equal((await service.list({ 'x-api-key': key })).status, 200);
    service.clock.advance(60_000);
    await service.running.deps.pool.query('UPDATE api_key SET revoked_at = $1 WHERE id = $2', [
      new Date(service.clock.now()),
      revoked.keyId,
    ]);
    for (const [{ key }, code] of [
      [short, 'key_expired'],
      [revoked, 'key_revoked'],
    ] as const) {
      const answer = await service.call('sports', {}, { 'x-api-key': key });
      assert.deepEqual([answer.status, answer.json.code], [401, code]);
    }
  });

  it('are refused with a secret key from a page on another site, and with a Host that is not this service', async () => {
    assert.equal((await service.list({ origin: service.url })).status, 200);
    for (const origin of ['https://evil.example', 'null']) {
      const answer = await service.list({ origin });
      assert.deepEqual([answer.status, answer.json.code], [403, 'origin_not_allowed']);
    }
    const status = await new Promise((resolve, reject) => {
      const headers = { host: 'evil.example', 'content-type': 'application/json', 'x-api-key': service.key };
      const sent = request(`${service.url}/mcp`, { method: 'POST', headers }, (answer) =>
        resolve(answer.resume().statusCode),
      );
      sent.on('error', reject).end(JSON.stringify(message('tools/list')));
    });
    assert.equal(status, 400);
  });

  it('are accepted with a publishable key only from sites that the key lists', async () => {
    const { key } = await service.makeKey({ kind: 'pk', origins: ['https://fans.example'] });
    const fans = { 'x-api-key': key, origin: 'https://fans.example' };
    assert.equal((await service.call('sports', {}, fans)).isError, false);
    for (const headers of [{ origin: 'https://evil.example' }, {}] as Record<string, string>[]) {
      const answer = await service.list({ 'x-api-key': key, ...headers });
      assert.deepEqual([answer.status, answer.json.code], [403, 'origin_not_allowed']);
    }
  });

  it('show only what the plan includes, as the REST API does', async () => {
    const { key } = await service.makeKey({ plan: 'tennis' });
    const mine = await service.call('events_live', {}, { 'x-api-key': key });
    const all = await service.call('events_live', {});
    assert.deepEqual(
      mine.reply.events.map(({ sport }: { sport: string }) => sport),
      ['tennis'],
    );
    assert.equal(all.reply.events.length, 2);
    const other = all.reply.events.find(({ sport }: { sport: string }) => sport === 'football');
    const hidden = await service.call('event', { id: other.id }, { 'x-api-key': key });
    assert.deepEqual([hidden.isError, hidden.reply.code], [true, 'not_found']);
  });

  it('are charged like REST requests, and the error for a refused request says when to try again', async () => {
    const { key } = await service.makeKey({ plan: 'once' });
    const headers = { 'x-api-key': key };
    for (let i = 0; i < 5; i += 1) assert.equal((await service.list(headers)).status, 200);
    const before = await service.requests();
    // Each id is charged as a request, and so is a call with wrong arguments.
    const several = await service.call('event', { id: [1, 2, 3] }, headers);
    assert.deepEqual(codes(several.reply), [undefined, undefined, 'quota_exceeded']);
    const refused = await service.call('sports', {}, headers);
    assert.equal(refused.isError, true);
    const { status, code, retry_after_seconds } = refused.reply;
    assert.deepEqual([status, code], [429, 'quota_exceeded']);
    assert.ok(retry_after_seconds > 3_600);
    assert.equal((await service.requests()) - before, 2);
    const { headers: limits } = await service.list(headers);
    assert.match(limits.get('ratelimit')!, /"day";r=0;/);
    const wrong = await service.makeKey({ plan: 'few', email: 'wrong@example.com' });
    await service.call('sports', { no: 1 }, { 'x-api-key': wrong.key });
    assert.match((await service.list({ 'x-api-key': wrong.key })).headers.get('ratelimit')!, /"day";r=999;/);
  });

  it('wait at most 5 s for each POST if they exceed the burst, and get 429 if that is not enough', async () => {
    const before = await service.requests();
    const { key } = await service.makeKey({ plan: 'few', email: 'waits@example.com' });
    const headers = { 'x-api-key': key };
    const three = await service.meanwhile(service.call('event', { id: [1, 2, 1_000] }, headers));
    assert.deepEqual(codes(three.reply), [undefined, undefined, 'not_found']);
    assert.equal((await service.requests()) - before, 3);
    service.clock.advance(60_000);
    const { results: batch } = await service.meanwhile(service.batch(callsOf(4, 5), headers));
    const made = batch.flatMap(({ reply }) => codes(reply)).filter((code) => code !== 'rate_limited').length;
    // The burst admits two requests, and each of the next 5 s two more. On a busy machine, waiting requests wake up late.
    assert.ok(made > 3 && made <= 12, `${made} were made`);
    assert.equal((await service.requests()) - before, 3 + made);
    const { status, retry_after_seconds } = batch.at(-1)!.reply;
    assert.deepEqual([batch.at(-1)!.isError, status, retry_after_seconds], [true, 429, 1]);
  });

  it('make at most 20 REST requests for one POST, each charged before it begins', async () => {
    const { key } = await service.makeKey({ email: 'twenty@example.com' });
    const before = await service.requests();
    const { results: answers } = await service.batch(callsOf(20, 10), { 'x-api-key': key });
    assert.equal(answers.length, 20);
    assert.equal((await service.requests()) - before, 20);
    const { headers } = await service.list({ 'x-api-key': key });
    assert.match(headers.get('ratelimit')!, /"day";r=99980;/);
    const { status, code, detail, retry_after_seconds } = answers.at(-1)!.reply;
    assert.deepEqual([status, code, retry_after_seconds], [429, 'rate_limited', 1]);
    assert.match(detail, /at most 20 requests/);
  });

  it('with a publishable key are counted apart from those with a secret key, and separately for each address', async () => {
    const { key } = await service.makeKey({ plan: 'few', kind: 'pk', email: 'both@example.com' });
    const secret = await service.makeKey({ plan: 'few', email: 'both@example.com' });
    const from = (address: string, to: string) => ({ 'x-api-key': to, 'x-forwarded-for': address });
    const calls = (to: string) => service.call('event', { id: [1, 2] }, from('192.0.2.1', to));
    // One address may use half of the burst, so the second request waits for a second.
    const begun = service.clock.now();
    assert.deepEqual(codes((await service.meanwhile(calls(key))).reply), [undefined, undefined]);
    assert.ok(service.clock.now() - begun >= 1_000);
    assert.deepEqual(codes((await calls(secret.key)).reply), [undefined, undefined]);
  });

  it('get an error that names ten of 20,000 unknown arguments, and lists the known arguments only once', async () => {
    const args = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`a${n}`, 1]));
    const { text, reply, isError } = await service.call('events', args);
    assert.equal(isError, true);
    assert.ok(text.length < 3_000, `${text.length}`);
    assert.deepEqual(
      reply.errors.map(({ parameter }: { parameter: string }) => parameter),
      Array.from({ length: 10 }, (_, n) => `a${n}`),
    );
    assert.equal(reply.detail.split('updated_since').length, 2);
    // An object with very many members is cut before it is parsed.
    const some = Object.fromEntries(Object.entries(args).slice(0, 100));
    const nested = { a: Array.from({ length: 200 }, () => some) };
    const answer = await service.post(JSON.stringify(message('tools/list', nested)), { 'mcp-method': 'tools/list' });
    assert.deepEqual([answer.status, answer.json.error?.code], [400, -32_700]);
  });

  it('get at most 256 KB in reply to one POST', async () => {
    const { key } = await service.makeKey({ email: 'bytes@example.com' });
    const headers = { 'x-api-key': key };
    const lists = Array.from({ length: 20 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list' }));
    const full = { name: 'events', arguments: { full_reply: true, limit: 100 } };
    for (const bodies of [lists, lists.map(({ id }) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: full }))]) {
      const { text, results } = await service.batch(bodies, headers);
      assert.ok(Buffer.byteLength(text) <= 262_144, `${text.length}`);
      assert.equal(results.length, 20);
    }
  });

  it('are refused when too many with one key, or from one address, are in progress', async () => {
    const { key } = await service.makeKey({ plan: 'few', email: 'many@example.com' });
    const post = () => service.call('event', { id: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] }, { 'x-api-key': key });
    const answers = await service.meanwhile(Promise.all(Array.from({ length: 30 }, post)));
    const refused = answers.filter(({ status }) => status === 429);
    assert.equal(refused.length, 10);
    for (const { headers, json } of refused)
      assert.deepEqual([headers.get('retry-after'), json.code], ['1', 'rate_limited']);
    // When those POSTs have ended, the key may send requests again.
    assert.equal((await service.list({ 'x-api-key': key })).status, 200);
  });

  it('get a clear error for impossible arguments', async () => {
    for (const [name, args, detail] of [
      ['events', { ids: Array.from({ length: 101 }, (_, index) => index + 1) }, /ids: must have at most 100 values/],
      ['events', { limit: 101 }, /limit: must be at most 100/],
      ['events', { limit: -1 }, /limit: must be an integer from 1 to 1000/],
      ['events', { limit: 'many' }, /limit: must be an integer/],
      [
        'events',
        { team: 'Arsenal', key: 'x', format: 'csv' },
        /team: is unknown here; .*key: is unknown.*format: is unknown/,
      ],
      ['events', { tz: 'Mars/Olympus', date: '2026-03-01' }, /tz: must be the name of a time zone/],
      ['events', { sport: { eq: 'football' } }, /sport: must be a text/],
      ['events', { round: 'a\0b' }, /round: must not contain NUL/],
      ['event', {}, /id: is required/],
      ['event', { id: [] }, /id: must have 1 to 10 values/],
      ['event', { id: Array.from({ length: 11 }, (_, index) => index + 1) }, /id: must have 1 to 10 values/],
      ['event', { id: '..' }, /id: must be an integer/],
      ['event', { id: '1/../../account/keys' }, /id: must be an integer/],
      ['event', { id: 1, fields: [] }, /fields: must be a list of names/],
      ['event', { id: 1, fields: ['home', 'no'] }, /fields: has unknown names/],
      ['event', { id: 1, full_reply: 'yes' }, /full_reply: must be true or false/],
    ] as const) {
      const { status, isError, reply } = await service.call(name, args);
      assert.deepEqual(
        [status, isError, reply?.status, reply?.code],
        [200, true, 422, 'invalid_parameter'],
        JSON.stringify(args),
      );
      assert.match(reply.detail, detail);
    }
    const unknown = await service.call('accounts', {});
    assert.deepEqual([unknown.json.error!.code, unknown.json.error!.message], [-32_602, 'Unknown tool: accounts']);
    const ignored = await service.call('sports', { lang: null });
    assert.equal(ignored.isError, false);
  });

  it('get an error for bodies that are not messages, and the connection continues', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    for (const [body, status, code] of [
      ['', 400, -32_700],
      ['{"jsonrpc":', 400, -32_700],
      ['\xff\xfe', 400, -32_700],
      [deep, 400, -32_700],
      ['null', 400, -32_600],
      ['5', 400, -32_600],
      ['[]', 400, -32_600],
      ['{"a":1}', 400, -32_600],
      [JSON.stringify(Array(21).fill({ jsonrpc: '2.0', id: 1, method: 'ping' })), 400, -32_600],
    ] as const) {
      const answer = await service.post(Buffer.from(body, 'latin1'), { 'mcp-protocol-version': '2025-06-18' });
      assert.deepEqual([answer.status, answer.json.error?.code], [status, code], body.slice(0, 40));
    }
    const text = await service.post('{}', { 'content-type': 'text/plain' });
    assert.deepEqual([text.status, text.json.code], [415, 'unsupported_media_type']);
    const listen = await service.post(JSON.stringify(message('subscriptions/listen', { notifications: {} }, 'a')), {
      'mcp-method': 'subscriptions/listen',
    });
    assert.deepEqual([listen.status, listen.json.id, listen.json.error!.code], [404, 'a', -32_601]);
    for (const method of ['GET', 'DELETE']) {
      const answer = await fetch(`${service.url}/mcp`, { method, headers: { 'x-api-key': service.key } });
      assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'POST, OPTIONS']);
    }
    assert.equal((await service.list()).status, 200);
  });

  it('of 10 MB are refused without being stored, and a body that never ends delays no client', async () => {
    const declared = await service.post(new Uint8Array(10_000_000).fill(32));
    assert.deepEqual([declared.status, declared.json.code], [413, 'payload_too_large']);
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    let got = '';
    socket
      .setEncoding('utf8')
      .on('data', (text) => (got += text))
      .on('error', () => {});
    socket.write(
      `POST /mcp HTTP/1.1\r\nHost: ${hostname}\r\nX-API-Key: ${service.key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    const chunk = Buffer.from(`10000\r\n${' '.repeat(65_536)}\r\n`);
    const held = () => {
      heapInUse();
      return process.memoryUsage().arrayBuffers;
    };
    const before = held();
    for (let sent = 0; sent < 160; sent += 1) {
      if (!socket.write(chunk)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
    }
    await until('the service has answered while the body is not over', async () => got.includes('payload_too_large'));
    assert.match(got, /^HTTP\/1.1 413 /);
    // Freed buffers still count until the garbage collector's threads have swept them.
    await until('the service holds less than 2 MB more', () => held() - before < 2_000_000);
    assert.equal((await service.list()).status, 200);
    socket.destroy();
  });

  it('are served for 20 clients at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0 ? service.call('events', { limit: 1 + index }) : service.call('event', { id: [1, 2] }),
      ),
    );
    for (const { status, isError } of answers) assert.deepEqual([status, isError], [200, false]);
  });
});
