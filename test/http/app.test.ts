import assert from 'node:assert/strict';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { createApp } from '../../src/http/app.ts';
import { PROBLEMS } from '../../src/http/errors.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startApp, type TestApp } from '../support/http.ts';
import { club1, fakeDeps, fakeRoutes, LONG_TEXT } from './fake-routes.ts';

describe('the application', () => {
  let db: TestDatabase;
  let app: TestApp;
  before(async () => {
    db = await createTestDatabase();
    app = await startApp(fakeRoutes, fakeDeps(db.pool));
  });
  after(async () => {
    await app.close();
    await db.drop();
  });

  describe('routing', () => {
    it('a path without placeholders takes precedence over one with placeholders', async () => {
      assert.deepEqual((await app.ask('/v1/club/search?q=ab')).json, { q: 'ab' });
      assert.deepEqual((await app.ask('/v1/club/5')).json, { id: 5, name: 'Клуб', extra: { stadium: 'x' } });
    });

    it('unknown paths are 404, and so are known paths in a different letter case or with a trailing slash', async () => {
      for (const path of [
        '/v1/nothing',
        '/V1/clubs',
        '/v1/clubs/',
        '/v1//clubs',
        '//v1/clubs',
        '/v1/club/5/x',
        '/v1/club/',
      ]) {
        const { status, json } = await app.ask(path);
        assert.equal(status, 404, path);
        assert.equal(json.code, 'not_found');
      }
    });

    it('a raw non-ASCII character in the address gets 400, and the reply says how to send it', async () => {
      const answer = await app.raw('GET /v1/clubs?q=Malmö HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
      assert.match(answer, /^HTTP\/1\.1 400 /);
      assert.match(answer, /percent-encode its UTF-8 bytes, as in %C3%A9\./);
    });

    it('an unknown method on a known path is 405 with Allow', async () => {
      for (const method of ['PUT', 'PATCH', 'DELETE']) {
        const { status, headers, json } = await app.ask('/v1/clubs', { method });
        assert.equal(status, 405);
        assert.equal(json.code, 'method_not_allowed');
        assert.equal(headers.get('allow'), 'GET, HEAD, POST, OPTIONS');
      }
      const head = await app.ask('/v1/settings', { method: 'HEAD' });
      assert.equal(head.status, 405);
      assert.equal(head.headers.get('allow'), 'POST, OPTIONS');
      assert.match(
        await app.raw('TRACE /v1/clubs HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'),
        /^HTTP\/1.1 405 /,
      );
    });

    it('HEAD gets the same reply as GET without the body', async () => {
      const { status, headers, text } = await app.ask('/v1/card', { method: 'HEAD' });
      assert.equal(status, 200);
      assert.equal(text, '');
      assert.equal(headers.get('etag'), 'W/"v7"');
      const get = await app.ask('/v1/short');
      const head = await app.ask('/v1/short', { method: 'HEAD' });
      for (const name of ['content-type', 'content-length', 'etag', 'cache-control']) {
        assert.equal(head.headers.get(name), get.headers.get(name), name);
      }
      assert.equal((await app.ask('/v1/stream', { method: 'HEAD' })).status, 200);
      assert.equal((await app.ask('/v1/club/404', { method: 'HEAD' })).status, 404);
    });

    it('OPTIONS gets Allow and needs no key', async () => {
      const { status, headers, text } = await app.ask('/v1/club/5', { method: 'OPTIONS', key: null });
      assert.equal(status, 204);
      assert.equal(text, '');
      assert.equal(headers.get('allow'), 'GET, HEAD, DELETE, OPTIONS');
      assert.equal((await app.ask('/v1/nothing', { method: 'OPTIONS' })).status, 404);
      assert.match(
        await app.raw('OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'),
        /^HTTP\/1.1 204 /,
      );
    });

    it('two routes for one method and path are refused', () => {
      const keys = { wellFormed: () => false, find: async () => null };
      assert.throws(
        () => createApp([club1, club1], fakeDeps(db.pool), { keys }),
        /two routes for GET \/v1\/club\/\{id\}/,
      );
    });

    it('a reply without a body has the status of its route', async () => {
      const created = await app.ask('/v1/clubs', { method: 'POST', body: { name: 'a' } });
      assert.equal(created.status, 201);
      assert.equal(created.headers.get('cache-control'), 'no-store');
      assert.equal(created.headers.get('etag'), null);
      const removed = await app.ask('/v1/club/5', { method: 'DELETE' });
      assert.equal(removed.status, 204);
      assert.equal(removed.text, '');
    });

    it('a readable stream is sent as the body piece by piece', async () => {
      const { text, headers } = await app.ask('/v1/piped', { headers: { 'Accept-Encoding': 'gzip' } });
      assert.equal(text, 'a,b\n1,2\n');
      assert.equal(headers.get('content-type'), 'text/csv');
    });
  });

  describe('bad addresses', () => {
    const fault = async (path: string, parameter: string) => {
      const { status, json } = await app.ask(path);
      assert.equal(status, 422, path);
      assert.equal(json.code, 'invalid_parameter');
      assert.deepEqual(
        json.errors?.map((one) => one.parameter),
        [parameter],
        path,
      );
    };

    it('ids outside 1 to 2^53-1 are refused', async () => {
      for (const id of [
        '0',
        '-1',
        '9007199254740992',
        '9223372036854775808',
        'abc',
        '1.5',
        '1e3',
        '%2B1',
        '01',
        '%205',
        '5%0a',
        '５',
      ]) {
        await fault(`/v1/club/${encodeURI(decodeURIComponent(id))}`, 'id');
      }
      assert.equal((await app.ask('/v1/club/9007199254740991')).status, 200);
    });

    it('malformed encodings and NUL in the path are 400', async () => {
      for (const path of [
        '/v1/club/%',
        '/v1/club/%zz',
        '/v1/club/%ff',
        '/v1/club/%c3%28',
        '/v1/club/5%00',
        '/%00',
        '/v1/%ed%a0%80',
      ]) {
        const answer = await app.raw(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
        assert.match(answer, /^HTTP\/1.1 400 /, path);
        assert.match(answer, /"code":"bad_request"/);
      }
    });

    it('malformed encodings in the query are 400, and NUL is 422', async () => {
      for (const query of ['limit=%', 'limit=%ff', '%zz=1', 'x=%c3%28']) {
        const { status, json } = await app.ask(`/v1/clubs?${query}`);
        assert.equal(status, 400, query);
        assert.equal(json.code, 'bad_request');
      }
      await fault('/v1/club/search?q=a%00b', 'q');
    });

    it('request targets that are not paths still get a reply', async () => {
      for (const target of ['http://[::', 'http://', '?', 'x', 'http://localhost/v1/short', '/v1/short#x', '*']) {
        const answer = await app.raw(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
        assert.match(answer, /^HTTP\/1.1 (200|400|404) /, target);
        assert.doesNotMatch(answer, /at .*\.ts/);
      }
      assert.equal((await app.ask('/v1/short')).status, 200);
    });

    it('member names that every object has, such as constructor, are not parameters', async () => {
      assert.equal((await app.ask('/v1/clubs?__proto__=1&constructor=2&toString=3')).status, 200);
      assert.equal((await app.ask('/constructor')).status, 404);
      assert.equal((await app.ask('/v1/club/__proto__')).status, 422);
    });
  });

  describe('problems', () => {
    it('problems have the RFC 9457 members, for each code', async () => {
      for (const [code, { status, title }] of Object.entries(PROBLEMS)) {
        const answer = await app.ask(`/v1/fail?code=${code}`);
        assert.equal(answer.status, status);
        assert.equal(answer.headers.get('content-type'), 'application/problem+json; charset=utf-8');
        assert.equal(answer.headers.get('cache-control'), 'no-store');
        assert.deepEqual(answer.json, {
          type: `urn:touchline:problem:${code}`,
          title,
          status,
          detail: title,
          instance: '/v1/fail',
          code,
          request_id: answer.headers.get('x-request-id'),
          ...(code === 'cursor_expired' && { oldest_cursor: 5 }),
        });
      }
    });

    it('problems reveal no internals', async () => {
      for (const code of ['bug', 'thrown%20text']) {
        const { status, text } = await app.ask(`/v1/fail?code=${code}`);
        assert.equal(status, 500);
        assert.doesNotMatch(text, /secret detail|at |\.ts|stack/);
        assert.match(text, /"code":"internal"/);
      }
    });

    it('an unavailable store is 503 with Retry-After', async () => {
      const { status, headers, json } = await app.ask('/v1/fail?code=database');
      assert.equal(status, 503);
      assert.equal(json.code, 'unavailable');
      assert.match(headers.get('retry-after') ?? '', /^\d+$/);
    });

    it('problems have the detail text from the handler', async () => {
      assert.equal((await app.ask('/v1/club/404')).json.detail, 'There is no club 404.');
    });

    it('problems list every error in a query', async () => {
      const { json } = await app.ask('/v1/clubs?limit=abc&offset=-1&date=2024-02-30&top=yes&top=no');
      const byParameter = (a: { parameter: string }, b: { parameter: string }) =>
        a.parameter.localeCompare(b.parameter);
      assert.deepEqual(
        json.errors?.toSorted(byParameter).map(({ parameter, code }) => `${parameter} ${code}`),
        ['date invalid_format', 'limit invalid_format', 'offset too_small', 'top repeated'],
      );
      for (const { detail } of json.errors!) assert.ok(detail.length > 5);
    });

    it('problems name the missing resource', async () => {
      const { json } = await app.ask('/v1/club/search');
      assert.deepEqual(json.errors, [{ parameter: 'q', code: 'required', detail: 'is required' }]);
    });
  });

  describe('bodies', () => {
    const post = (body: unknown, headers: Record<string, string> = {}) =>
      app.ask('/v1/clubs', { method: 'POST', body, headers });
    const json = { 'Content-Type': 'application/json' };

    it('bodies must be JSON in UTF-8', async () => {
      for (const body of ['{', '', 'nul', '{"name":"a"}x', Buffer.from([0x7b, 0xff, 0x7d])]) {
        const { status, json: reply } = await post(body, json);
        assert.equal(status, 400);
        assert.equal(reply.code, 'bad_request');
      }
    });

    it('bodies must have a JSON media type', async () => {
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'application/json; charset=latin1',
        'jsonx',
      ]) {
        const { status, json: reply } = await post('{"name":"a"}', { 'Content-Type': type });
        assert.equal(status, 415, type);
        assert.equal(reply.code, 'unsupported_media_type');
      }
      assert.equal((await post('{"name":"a"}', { ...json, 'Content-Encoding': 'gzip' })).status, 415);
      for (const type of [
        'application/json',
        'Application/JSON; charset=UTF-8',
        'application/json;charset="utf-8"',
        'application/merge-patch+json',
      ]) {
        assert.equal((await post('{"name":"a"}', { 'Content-Type': type })).status, 201, type);
      }
      assert.match(
        await app.raw(
          `POST /v1/clubs HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${app.key}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
        ),
        /^HTTP\/1.1 415 /,
      );
    });

    it('text that cannot be stored (NUL or half a surrogate pair) is 422 with the path, even in a member name', async () => {
      for (const [body, ...parameters] of [
        ['{"name":"a\\ud800b"}', 'name'],
        ['{"name":"\\uDFFF\\uD800"}', 'name'],
        ['{"name":"a\\u0000b"}', 'name'],
        ['{"name":"a","tags":["x","\\udc00","\\ud83d"]}', 'tags.1', 'tags.2'],
        ['{"name":"a","\\ud800":1}', '\uFFFD'],
        ['{"name":"a","tags":[{"deep":["\\ud800"]}]}', 'tags.0.deep.0'],
        ['"\\ud800"', 'body'],
      ] as const) {
        const { status, json: reply } = await post(body, json);
        assert.equal(status, 422, body);
        assert.deepEqual(
          reply.errors!.map(({ parameter, code }) => [parameter, code]),
          parameters.map((parameter) => [parameter, 'invalid_text']),
          body,
        );
      }
      const pair = await post('{"name":"\\ud83d\\ude00 \\\\ud800"}', json);
      assert.deepEqual([pair.status, pair.json], [201, { name: '😀 \\ud800' }]);
    });

    it('a body with very deep nesting is refused before it is parsed', async () => {
      const note = (body: string) => app.ask('/v1/notes', { method: 'POST', body, headers: json });
      for (const body of ['['.repeat(1_000_000), '{"a":'.repeat(200_000), `${'['.repeat(65)}${']'.repeat(65)}`]) {
        const { status, json: reply } = await note(body);
        assert.deepEqual([status, reply.detail], [400, 'The body is nested too deeply.']);
      }
      const allowed = await note(`${'['.repeat(64)}${']'.repeat(64)}`);
      assert.deepEqual([allowed.status, allowed.json.code], [422, 'invalid_parameter']);
    });

    it('a body with hundreds of errors gets a reply with the first hundred', async function () {
      this.timeout(10_000);
      const unknown = Array.from({ length: 80_000 }, (_, index) => `"u${index}":0`).join();
      const { status, json: reply } = await app.ask('/v1/notes', {
        method: 'POST',
        body: `{"text":"a",${unknown}}`,
        headers: json,
      });
      assert.deepEqual([status, reply.errors!.length], [422, 100]);
      assert.deepEqual(reply.errors![99], { parameter: 'u99', code: 'unknown_parameter', detail: 'is unknown' });
      const texts = await app.ask('/v1/notes', {
        method: 'POST',
        body: `{"text":["${Array.from({ length: 500 }, () => '\\ud800').join('","')}"]}`,
        headers: json,
      });
      assert.deepEqual([texts.status, texts.json.errors!.length], [422, 100]);
    });

    it('a body that is too large gets 413, and the client can read that reply', async () => {
      for (const size of [10_001, 10_000_000]) {
        const { status, json: reply } = await post(JSON.stringify({ name: 'x'.repeat(size) }), json);
        assert.equal(status, 413);
        assert.equal(reply.code, 'payload_too_large');
      }
      const chunk = `${(8_000).toString(16)}\r\n${'x'.repeat(8_000)}\r\n`;
      const answer = await app.raw(
        `POST /v1/clubs HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${app.key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}${chunk}0\r\n\r\n`,
      );
      assert.match(answer, /^HTTP\/1.1 413 /);
    });

    it('a body may have 1 MiB if the route sets no limit', async () => {
      const statusOf = async (bytes: number) => {
        const frame = JSON.stringify({ text: '' }).length;
        const body = JSON.stringify({ text: 'x'.repeat(bytes - frame) });
        assert.equal(body.length, bytes);
        return (await app.ask('/v1/notes', { method: 'POST', body, headers: { 'Content-Type': 'application/json' } }))
          .status;
      };
      assert.equal(await statusOf(1_048_576), 200);
      assert.equal(await statusOf(1_048_577), 413);
    });

    it('an invalid body is 422 with the path of each error', async () => {
      const { status, json: reply } = await post({ name: '', tags: ['a', 5], other: 1 });
      assert.equal(status, 422);
      assert.deepEqual(reply.errors?.map(({ parameter, code }) => `${parameter} ${code}`).sort(), [
        'name too_small',
        'other unknown_parameter',
        'tags.1 invalid_type',
      ]);
      assert.equal((await post([])).status, 422);
      assert.equal((await post('null', json)).status, 422);
    });

    it('a raw body is streamed to the handler', async () => {
      const ask = (body: string, type: string) =>
        app.ask('/feed/v1/updates', {
          method: 'POST',
          body,
          headers: { 'Content-Type': type, Authorization: 'Bearer feed-token-of-the-tests' },
        });
      assert.deepEqual((await ask('x'.repeat(3_000_000), 'application/x-ndjson')).json, { bytes: 3_000_000 });
      assert.equal((await ask('x', 'text/plain')).status, 415);
    });
  });

  describe('request ids', () => {
    it('the client’s request id is used only if it is well-formed', async () => {
      for (const id of ['a', 'A-b_c.9', 'x'.repeat(128)]) {
        assert.equal((await app.ask('/v1/short', { headers: { 'X-Request-Id': id } })).headers.get('x-request-id'), id);
      }
      for (const id of ['', 'x'.repeat(129), 'a b', 'a,b', '<script>', 'é', '../x']) {
        const answer = (await app.ask('/v1/short', { headers: { 'X-Request-Id': id } })).headers.get('x-request-id');
        assert.match(answer ?? '', /^[0-9a-f-]{36}$/, id);
      }
    });

    it('a request id cannot inject headers', async () => {
      for (const id of ['a\r\n X: y', 'a\nX-Evil: y', 'a\x00']) {
        const answer = await app.raw(
          `GET /v1/short HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Request-Id: ${id}\r\n\r\n`,
        );
        assert.doesNotMatch(answer, /X-Evil|X: y/i);
      }
    });

    it('every response has a unique request id', async () => {
      const ids = new Set<string | null>();
      for (const path of ['/v1/short', '/nothing', '/v1/fail?code=bug', '/v1/clubs?limit=0', '/v1/short']) {
        ids.add((await app.ask(path)).headers.get('x-request-id'));
      }
      assert.equal(ids.size, 5);
      assert.ok(!ids.has(null));
    });
  });

  describe('entity tags', () => {
    const conditional = (path: string, condition: string) => app.ask(path, { headers: { 'If-None-Match': condition } });

    it('entity tags are weak and contain either the handler’s version or a hash', async () => {
      assert.equal((await app.ask('/v1/card')).headers.get('etag'), 'W/"v7"');
      const five = (await app.ask('/v1/club/5')).headers.get('etag');
      assert.match(five ?? '', /^W\/"[\w-]{27}"$/);
      assert.equal((await app.ask('/v1/club/5')).headers.get('etag'), five);
      assert.notEqual((await app.ask('/v1/club/6')).headers.get('etag'), five);
      assert.match((await app.ask('/v1/club/5/image')).headers.get('etag') ?? '', /^W\//);
    });

    it('a matching entity tag gives 304 without a body', async () => {
      for (const condition of ['W/"v7"', '"v7"', '*', ' * ', '"a", W/"v7"', 'W/"a","v7"', '"x,y" , "v7"']) {
        const { status, text, headers } = await conditional('/v1/card', condition);
        assert.equal(status, 304, condition);
        assert.equal(text, '');
        assert.equal(headers.get('etag'), 'W/"v7"');
        assert.equal(headers.get('cache-control'), 'private, max-age=5');
        assert.match(headers.get('vary') ?? '', /Accept-Encoding/);
        assert.equal(headers.get('content-type'), null);
      }
      const etag = (await app.ask('/v1/club/5')).headers.get('etag')!;
      assert.equal((await conditional('/v1/club/5', etag)).status, 304);
    });

    it('different or malformed entity tags give 200', async () => {
      for (const condition of [
        '"v8"',
        'v7',
        '"v7',
        'W/v7',
        '',
        '"V7"',
        '"*"',
        '*, "a"',
        ',,,',
        'W/"v77"',
        '"'.repeat(5_000),
      ]) {
        assert.equal((await conditional('/v1/card', condition)).status, 200, condition);
      }
    });

    it('errors have no entity tag', async () => {
      const { status, headers } = await conditional('/v1/club/404', '*');
      assert.equal(status, 404);
      assert.equal(headers.get('etag'), null);
    });
  });

  describe('caching', () => {
    it('Cache-Control is private, with max-age from the route or the reply', async () => {
      assert.equal((await app.ask('/v1/short')).headers.get('cache-control'), 'private, max-age=60');
      assert.equal((await app.ask('/v1/card')).headers.get('cache-control'), 'private, max-age=5');
    });

    it('every response varies by origin, encoding and language', async () => {
      for (const path of ['/v1/short', '/nothing', '/v1/card']) {
        assert.equal((await app.ask(path)).headers.get('vary'), 'Origin, Accept-Encoding, Accept-Language');
      }
    });

    it('a deprecated route sends the headers Deprecation, Sunset and Link', async () => {
      const { headers } = await app.ask('/v1/old');
      assert.equal(headers.get('deprecation'), '@1767225600');
      assert.equal(headers.get('sunset'), 'Fri, 01 Jan 2027 00:00:00 GMT');
      assert.equal(headers.get('link'), '<https://example.com/changes>; rel="deprecation"');
    });
  });

  describe('compression', () => {
    // Reads the bytes from the socket, because fetch would decompress them.
    const ask = async (path: string, accept: string) => {
      const answer = await app.raw(
        `GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${app.key}\r\nAccept-Encoding: ${accept}\r\nConnection: close\r\n\r\n`,
      );
      const end = answer.indexOf('\r\n\r\n');
      const head = answer.slice(0, end);
      let body = Buffer.from(answer.slice(end + 4), 'latin1');
      if (/transfer-encoding: chunked/i.test(head)) {
        const parts: Buffer[] = [];
        for (let at = 0; ; ) {
          const line = body.indexOf('\r\n', at);
          const size = Number.parseInt(body.toString('latin1', at, line), 16);
          if (size === 0) break;
          parts.push(body.subarray(line + 2, line + 2 + size));
          at = line + 2 + size + 2;
        }
        body = Buffer.concat(parts);
      }
      return { encoding: /content-encoding: (\S+)/i.exec(head)?.[1], head, body };
    };

    it('responses are compressed by gzip or br, whichever the client accepts', async () => {
      const gzip = await ask('/v1/card', 'gzip');
      assert.equal(gzip.encoding, 'gzip');
      assert.equal(gunzipSync(gzip.body).toString(), LONG_TEXT);
      assert.match(gzip.head, /etag: W\/"v7"/i);
      const br = await ask('/v1/card', 'gzip, deflate, br;q=1.0');
      assert.equal(br.encoding, 'br');
      assert.equal(brotliDecompressSync(br.body).toString(), LONG_TEXT);
      assert.equal((await ask('/v1/card', 'gzip;q=1, br;q=0.1')).encoding, 'gzip');
      assert.equal((await ask('/v1/card', '*')).encoding, 'gzip');
    });

    it('responses are not compressed if the client does not accept compression, or if they are small', async () => {
      for (const accept of ['identity', 'deflate', 'zstd', 'gzip;q=0', 'xyz', '', ';;q=,']) {
        const { encoding, body } = await ask('/v1/card', accept);
        assert.equal(encoding, undefined, accept);
        assert.equal(body.toString(), LONG_TEXT);
      }
      assert.equal((await ask('/v1/short', 'gzip')).encoding, undefined);
    });

    it('event streams are not compressed', async () => {
      const { encoding, head, body } = await ask('/v1/stream', 'gzip, br');
      assert.equal(encoding, undefined);
      assert.match(head, /content-type: text\/event-stream/i);
      assert.match(head, /cache-control: no-cache, no-transform/i);
      assert.match(body.toString(), /^: connected sk\n\ndata: x{2000}\n\n$/);
    });
  });

  describe('cross-origin requests', () => {
    const origin = { Origin: 'https://evil.example' };

    it('a preflight is allowed from any origin without a key', async () => {
      for (const path of ['/v1/clubs', '/nothing']) {
        const { status, headers } = await app.ask(path, {
          method: 'OPTIONS',
          key: null,
          headers: { ...origin, 'Access-Control-Request-Method': 'GET', 'Access-Control-Request-Headers': 'x-api-key' },
        });
        assert.equal(status, 204);
        assert.equal(headers.get('access-control-allow-origin'), '*');
        assert.equal(headers.get('access-control-allow-headers'), 'x-api-key');
        assert.match(headers.get('access-control-allow-methods') ?? '', /GET,HEAD,POST,PATCH,DELETE/);
        assert.equal(headers.get('access-control-max-age'), '86400');
        assert.equal(headers.get('access-control-allow-credentials'), null);
      }
    });

    it('any origin may read responses and headers, including errors', async () => {
      for (const path of ['/v1/clubs', '/v1/clubs?limit=0', '/nothing']) {
        const { headers } = await app.ask(path, { headers: origin });
        assert.equal(headers.get('access-control-allow-origin'), '*');
        const exposed = headers.get('access-control-expose-headers')?.split(',') ?? [];
        for (const name of ['RateLimit', 'RateLimit-Policy', 'Retry-After', 'ETag', 'X-Request-Id', 'Link']) {
          assert.ok(exposed.includes(name), name);
        }
      }
    });
  });

  describe('security headers', () => {
    it('responses with data have strict security headers', async () => {
      const { headers } = await app.ask('/v1/short');
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.equal(headers.get('content-security-policy'), "default-src 'none';frame-ancestors 'none'");
      assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin');
      assert.equal(headers.get('strict-transport-security'), null);
      assert.equal(headers.get('x-powered-by'), null);
    });

    it('pages may load only scripts from this service', async () => {
      const { headers } = await app.ask('/');
      const policy = headers.get('content-security-policy') ?? '';
      assert.match(policy, /default-src 'none'/);
      assert.match(policy, /script-src 'self';/);
      assert.doesNotMatch(policy, /unsafe|https?:/);
      assert.equal(headers.get('x-frame-options'), 'SAMEORIGIN');
    });

    it('a page may declare which sites may frame it', async () => {
      const { headers } = await app.ask('/widget');
      assert.equal(headers.get('content-security-policy'), 'frame-ancestors *');
      assert.equal(headers.get('x-frame-options'), null);
    });

    it('Strict-Transport-Security is sent if the public address is https', async () => {
      const config = { ...fakeDeps(db.pool).config, baseUrl: 'https://api.example.com' };
      const secure = await startApp(fakeRoutes, fakeDeps(db.pool, { config }));
      try {
        const { headers } = await secure.ask('/v1/short');
        assert.match(headers.get('strict-transport-security') ?? '', /max-age=\d+/);
      } finally {
        await secure.close();
      }
    });
  });

  describe('preferences', () => {
    it('unknown parameters are ignored unless handling is strict', async () => {
      const lenient = await app.ask('/v1/clubs?limt=5&utm=1&utm=2');
      assert.equal(lenient.status, 200);
      assert.equal(lenient.headers.get('preference-applied'), null);
      for (const prefer of ['handling=strict', 'respond-async, Handling="strict"', 'handling=strict; x=1']) {
        const strict = await app.ask('/v1/clubs?limt=5', { headers: { Prefer: prefer } });
        assert.equal(strict.status, 422, prefer);
        assert.equal(strict.headers.get('preference-applied'), 'handling=strict');
        assert.deepEqual(
          strict.json.errors?.map(({ parameter, code }) => [parameter, code]),
          [['limt', 'unknown_parameter']],
        );
      }
      const fine = await app.ask('/v1/clubs?limit=5', { headers: { Prefer: 'handling=strict' } });
      assert.equal(fine.status, 200);
      assert.equal(fine.headers.get('preference-applied'), 'handling=strict');
      assert.equal((await app.ask('/v1/clubs?limt=5', { headers: { Prefer: 'handling=lenient' } })).status, 200);
      assert.equal((await app.ask('/v1/clubs?limt=5', { headers: { Prefer: 'mishandling=strict' } })).status, 200);
    });

    it('a header names at most 20 ignored parameters, encoded, and is absent if all parameters are known', async () => {
      const named = async (query: string) => (await app.ask(`/v1/clubs?${query}`)).headers.get('x-ignored-parameters');
      assert.equal(await named('limt=5'), 'limt');
      assert.equal(
        await named('limit=5&limt=5&%D1%85%0D%0AX-Evil:%201=1&a=1&a=2'),
        'limt, %D1%85%0D%0AX-Evil%3A%201, a',
      );
      assert.equal(await named('limit=5'), null);
      assert.equal(await named(''), null);
      const many = await named(Array.from({ length: 50 }, (_, at) => `p${at}=1`).join('&'));
      assert.equal(many!.split(', ').length, 20);
      assert.ok((await named(`${'x'.repeat(5_000)}=1`))!.length <= 100);
    });

    it('the parameter `key` counts as known if the route accepts it', async () => {
      const headers = { Prefer: 'handling=strict' };
      assert.equal((await app.ask(`/v1/club/5/image?key=${app.key}`, { key: null, headers })).status, 200);
      assert.equal((await app.ask(`/v1/clubs?key=${app.key}`, { headers })).status, 422);
    });

    it('the language comes from the parameter, or else from the header', async () => {
      const language = async (path: string, accept?: string) => {
        const headers: Record<string, string> = accept === undefined ? {} : { 'Accept-Language': accept };
        const answer = await app.ask<{ lang: string }>(path, { headers });
        assert.equal(answer.headers.get('content-language'), answer.json.lang);
        return answer.json.lang;
      };
      assert.equal(await language('/v1/clubs'), 'en');
      assert.equal(await language('/v1/clubs', 'ru-RU,ru;q=0.9,en;q=0.8'), 'ru');
      assert.equal(await language('/v1/clubs', 'en;q=0.1, ru;q=0.2'), 'ru');
      assert.equal(await language('/v1/clubs', 'de'), 'en');
      assert.equal(await language('/v1/clubs', ';;;q=x'), 'en');
      assert.equal(await language('/v1/clubs?lang=en', 'ru'), 'en');
      assert.equal(await language('/v1/clubs?lang=ru'), 'ru');
      assert.equal((await app.ask('/v1/clubs?lang=de')).status, 422);
      assert.equal((await app.ask('/v1/short')).headers.get('content-language'), null);
    });
  });
});
