import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { routes as catalogueRoutes } from '../../src/catalogue/routes.ts';
import { ApiError } from '../../src/client/problem.ts';
import { type ClientOptions, createClient } from '../../src/client/rest.ts';
import { openStream } from '../../src/client/stream.ts';
import { routes as matchRoutes } from '../../src/matches/routes.ts';
import { routes as streamRoutes } from '../../src/stream/routes.ts';
import { clientTypes } from '../support/client-types.ts';
import { type Service, startService } from '../support/service.ts';

interface Asked {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}
type Answer = (response: ServerResponse, asked: Asked) => void;

const problem =
  (status: number, code: string, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response
      .writeHead(status, { 'Content-Type': 'application/problem+json', ...headers })
      .end(JSON.stringify({ status, code, detail: 'why', title: code, request_id: 'r1' }));
const json =
  (body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(200, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));

describe('the REST client', () => {
  const closing: (() => void)[] = [];
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });

  /** Starts a server that answers each request with the next answer in the list, and then repeats the last one. */
  async function server(...answers: Answer[]) {
    const asked: Asked[] = [];
    const listening = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const one = { method: request.method!, url: request.url!, headers: request.headers, body };
      asked.push(one);
      answers[Math.min(asked.length, answers.length) - 1]!(response, one);
    }).listen(0, '127.0.0.1');
    await once(listening, 'listening');
    closing.push(() => {
      listening.close();
      listening.closeAllConnections();
    });
    const url = `http://127.0.0.1:${(listening.address() as AddressInfo).port}/below`;
    return {
      asked,
      client: (options: Partial<ClientOptions> = {}) => createClient({ url, key: 'sk_live_x', ...options }),
    };
  }
  const refused = async (work: Promise<unknown>): Promise<ApiError> => {
    const error = await work.then(
      () => null,
      (one: unknown) => one,
    );
    assert.ok(error instanceof ApiError, String(error));
    return error;
  };

  it('sends the key as a header, parameters in path and query, and lists separated by commas', async () => {
    const { asked, client } = await server(json({ id: 1 }));
    assert.deepEqual(await client().get('/v1/event/{id}', { id: 7, blocks: ['incidents', 'weather'] }), { id: 1 });
    await client().get('/v1/events', { sport: 'football', date: undefined });
    await client().get('/v1/events', { sport: ['football', 'tennis'] });
    assert.deepEqual(
      asked.map(({ method, url, headers }) => [method, url, headers['x-api-key']]),
      [
        ['GET', '/below/v1/event/7?blocks=incidents%2Cweather', 'sk_live_x'],
        ['GET', '/below/v1/events?sport=football', 'sk_live_x'],
        ['GET', '/below/v1/events?sport=football%2Ctennis', 'sk_live_x'],
      ],
    );
  });

  it('does not let a path parameter change the path', async () => {
    const { asked, client } = await server(json({}));
    const get = (delivery_id: string) =>
      client().get('/v1/account/webhooks/{id}/deliveries/{delivery_id}', { id: 1, delivery_id });
    for (const bad of ['', '.', '..']) await assert.rejects(get(bad), /needs a value for delivery_id/);
    await get('../../keys?x=1#y');
    assert.deepEqual(
      asked.map(({ url }) => url),
      ['/below/v1/account/webhooks/1/deliveries/..%2F..%2Fkeys%3Fx%3D1%23y'],
    );
  });

  it('sends a write with a JSON body and a unique Idempotency-Key, which is the same for each attempt', async () => {
    const { asked, client } = await server(problem(429, 'rate_limited', { 'Retry-After': '0' }), json({ id: 3 }));
    const body = { url: 'https://fans.example/hook' };
    await client().post('/v1/account/webhooks', { body });
    await client().post('/v1/account/webhooks', { body }, { idempotencyKey: 'own' });
    await client().patch('/v1/account/webhooks/{id}', { id: 3, body: { paused: true } });
    const keys = asked.map(({ headers }) => headers['idempotency-key']);
    assert.equal(keys[0], keys[1]);
    assert.match(keys[0] as string, /^[0-9a-f]{24}$/);
    assert.deepEqual(keys.slice(2), ['own', undefined]);
    assert.deepEqual(asked.map((one) => [one.method, one.headers['content-type'], JSON.parse(one.body)]).slice(1), [
      ['POST', 'application/json', body],
      ['POST', 'application/json', body],
      ['PATCH', 'application/json', { paused: true }],
    ]);
  });

  it('refuses a key with surrounding characters at once, without the key in the message', () => {
    for (const key of ['', 'sk_live_x\n', ' sk_live_x', '"sk_live_x"', 'sk_live_…', 'sk_live_ж']) {
      for (const make of [
        () => createClient({ url: 'http://127.0.0.1:1', key }),
        () => openStream({ url: 'http://127.0.0.1:1', key, onEvent: () => {} }),
      ])
        assert.throws(make, { name: 'TypeError', message: /^The API key is empty, or has characters that no key has/ });
    }
  });

  it('reports a missing or invalid address at once', () => {
    const make = [
      (url: unknown) => createClient({ url: url as string, key: 'sk_live_x' }),
      (url: unknown) => openStream({ url: url as string, key: 'sk_live_x', onEvent: () => {} }),
    ];
    for (const one of make) {
      for (const url of [undefined, null, ''])
        assert.throws(() => one(url), { name: 'TypeError', message: /^The option url is missing: the address of / });
      for (const url of ['sports.example.com', '/v1', 'ws://sports.example.com', 'localhost:8080', 7])
        assert.throws(() => one(url), {
          name: 'TypeError',
          message: `The option url is not an address that starts with http:// or https://: ${url}`,
        });
    }
  });

  it('resolves a deletion without a value', async () => {
    const { client } = await server((response) => response.writeHead(204).end());
    assert.equal(await client().delete('/v1/account/webhooks/{id}', { id: 3 }), undefined);
  });

  it('throws an error with the problem, or with status and text if the error came from a proxy', async () => {
    const { client } = await server(problem(404, 'not_found', { 'X-Request-Id': 'r1' }), (response) =>
      response.writeHead(413).end('<h1>too large</h1>'),
    );
    const error = await refused(client().get('/v1/event/{id}', { id: 1 }));
    assert.deepEqual(
      [error.status, error.code, error.message, error.requestId, error.problem?.title, error.retryAfterMs],
      [404, 'not_found', '404 not_found: why', 'r1', 'not_found', null],
    );
    const other = await refused(client().get('/v1/sports'));
    assert.deepEqual([other.status, other.code, other.message], [413, null, '413 <h1>too large</h1>']);
  });

  it('waits and tries again only after a rate limit or a restart, and not for a quota that lasts hours', async () => {
    const soon = { 'Retry-After': '0' };
    const restart = await server(
      problem(503, 'unavailable', soon),
      problem(429, 'rate_limited', soon),
      json({ sports: [] }),
    );
    assert.deepEqual(await restart.client().get('/v1/sports'), { sports: [] });
    const down = await server(problem(503, 'unavailable', soon));
    assert.equal((await refused(down.client({ attempts: 2 }).get('/v1/sports'))).status, 503);
    assert.equal(down.asked.length, 2);
    for (const [status, code, headers] of [
      [429, 'quota_exceeded', { 'Retry-After': '3600' }],
      [503, 'unavailable', { 'Retry-After': new Date(Date.now() + 3_600_000).toUTCString() }],
      [500, 'internal', {}],
      [401, 'key_invalid', {}],
    ] as const) {
      const { asked, client } = await server(problem(status, code, headers));
      const error = await refused(client().get('/v1/sports'));
      assert.deepEqual([error.code, asked.length], [code, 1]);
      if ('Retry-After' in headers) assert.ok(error.retryAfterMs! > 3_500_000);
    }
  });

  it('tries again after a lost reply only if the request was a read', async () => {
    const lost: Answer = (response) => response.destroy();
    const read = await server(lost, (response) => response.writeHead(502).end(), json({ sports: [] }));
    assert.deepEqual(await read.client().get('/v1/sports'), { sports: [] });
    for (const answer of [lost, ((response) => response.writeHead(504).end()) as Answer]) {
      const { asked, client } = await server(answer);
      await assert.rejects(client().post('/v1/account/webhooks/{id}/test', { id: 1 }));
      assert.equal(asked.length, 1);
    }
  });

  it('reports a timeout if the service is silent, and the caller can abort too, even during a wait', async () => {
    const silent = await server(() => {});
    await assert.rejects(silent.client({ timeoutMs: 20, attempts: 1 }).get('/v1/sports'), /no answer within 20 ms/);
    const caller = new AbortController();
    const pending = silent.client().get('/v1/sports', {}, { signal: caller.signal });
    caller.abort();
    await assert.rejects(pending, { name: 'AbortError' });
    const busy = await server(problem(503, 'unavailable', { 'Retry-After': '20' }));
    const waiter = new AbortController();
    const waiting = refused(
      busy
        .client()
        .get('/v1/sports', {}, { signal: waiter.signal })
        .catch((error) => Promise.reject(error)),
    );
    while (busy.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    waiter.abort();
    await Promise.race([
      waiting.catch(() => {}),
      new Promise((_, reject) => setTimeout(() => reject(new Error('it still waits')), 5_000).unref()),
    ]);
  });

  it('revalidates a cached reply by entity tag, and a caller cannot change that reply', async () => {
    const { asked, client } = await server((response, { headers }) => {
      if (headers['if-none-match'] === 'W/"1"') response.writeHead(304).end();
      else json({ sports: [1] }, { ETag: 'W/"1"' })(response, { method: '', url: '', headers: {}, body: '' });
    });
    const one = client({ remember: 1 });
    const first = await one.get('/v1/sports');
    first.sports.length = 0;
    assert.deepEqual(await one.get('/v1/sports'), { sports: [1] });
    await one.get('/v1/countries');
    await one.get('/v1/sports');
    assert.deepEqual(
      asked.map(({ headers }) => headers['if-none-match']),
      [undefined, 'W/"1"', undefined, undefined],
    );
    const none = await server(json({ sports: [] }, { ETag: 'W/"1"' }));
    const forgetful = none.client();
    await forgetful.get('/v1/sports');
    await forgetful.get('/v1/sports');
    assert.equal(none.asked[1]!.headers['if-none-match'], undefined);
  });

  it('sends the furthest position that the service has named, and none before', async () => {
    const at = (position: string): Answer => json({}, { 'Touchline-Position': position });
    const positions = ['1-FF', '1-A0', 'nonsense', '1-100', '2-1', '1-FFF'];
    const { asked, client } = await server(...positions.map(at), problem(404, 'not_found'));
    const one = client();
    for (const _ of positions) await one.get('/v1/sports');
    await refused(one.get('/v1/sports'));
    assert.deepEqual(
      asked.map(({ headers }) => headers['touchline-position']),
      [undefined, '1-FF', '1-FF', '1-FF', '1-100', '2-1', '2-1'],
    );
  });

  describe('for pages', () => {
    const follow = async (path: '/v1/events' | '/v1/tournaments' | '/v1/sync', params: object, ...pages: object[]) => {
      const { asked, client } = await server(...pages.map((page) => json(page)));
      let count = 0;
      for await (const _ of client().pages(path as '/v1/events', params)) count += 1;
      assert.equal(count, asked.length);
      return asked.map(({ url }) => url.slice(url.indexOf('?')));
    };

    it('follows next_after, next_cursor or the offset to the last page', async () => {
      assert.deepEqual(
        await follow(
          '/v1/events',
          { sport: 'football', offset: 0 },
          { count: 1, total: 3, next_after: 'a' },
          { count: 0, total: 3, next_after: null },
        ),
        ['?sport=football&offset=0', '?sport=football&after=a'],
      );
      assert.deepEqual(
        await follow(
          '/v1/sync',
          { limit: 1 },
          { next_cursor: 'b', has_more: true },
          { next_cursor: 'c', has_more: false },
        ),
        ['?limit=1', '?limit=1&cursor=b'],
      );
      assert.deepEqual(
        await follow('/v1/tournaments', { q: 'x', offset: 5 }, { count: 2, total: 9 }, { count: 2, total: 9 }),
        ['?q=x&offset=5', '?q=x&offset=7'],
      );
      assert.equal((await follow('/v1/tournaments', { q: 'y' }, { count: 0, total: 9 })).length, 1);
    });
  });

  describe('against the service', () => {
    let service: Service;
    before(async () => {
      service = await startService({ routes: [...catalogueRoutes, ...matchRoutes, ...streamRoutes] });
    });
    after(() => service.close());

    it('reads sync, replay and lists to the end, and an entity tag saves sending a body again', async () => {
      await service.publish({}, {}, { type: 'match.card' });
      const api = createClient({ url: service.app.url, key: service.app.key, remember: 10 });
      const events: string[] = [];
      for await (const page of api.pages('/v1/stream/replay', { since: 0, limit: 2 }))
        events.push(...page.events.map(({ type }) => type));
      assert.deepEqual(events, ['match.goal', 'match.goal', 'match.card']);
      for await (const page of api.pages('/v1/sync')) assert.equal(page.has_more, false);
      assert.deepEqual(await api.get('/v1/sports'), await api.get('/v1/sports'));
      assert.equal((await refused(api.get('/v1/events', { limit: 100_000 }))).problem?.errors?.[0]?.parameter, 'limit');
    });
  });

  it('has types for every operation that a key can call and that returns JSON', () => {
    const text = clientTypes();
    for (const operation of [
      'GET /v1/events',
      'GET /v1/sync',
      'POST /v1/account/webhooks',
      'DELETE /v1/account/webhooks/{id}',
    ])
      assert.ok(text.includes(`'${operation}': {`), operation);
    for (const other of ['/feed/v1', 'image', '/v1/account/keys', '/widget', "/v1/stream'", '/docs'])
      assert.ok(!text.includes(`GET ${other}`) && !text.includes(`POST ${other}`), other);
  });
});
