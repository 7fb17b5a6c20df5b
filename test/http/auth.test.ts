import assert from 'node:assert/strict';
import { generateKey, keyStore } from '../../src/accounts/keys/key-store.ts';
import type { Principal } from '../../src/http/auth.ts';
import type { ChargeRequest } from '../../src/http/charge.ts';
import { Problem } from '../../src/http/errors.ts';
import type { KeyStore } from '../../src/http/key-cache.ts';
import { createKey } from '../support/accounts.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type Answer, FEED_TOKEN, type ProblemReply, startApp, type TestApp, testConfig } from '../support/http.ts';
import { fakeDeps, fakeRoutes } from './fake-routes.ts';

describe('authentication', () => {
  let db: TestDatabase;
  let app: TestApp;
  let now = Date.parse('2026-03-01T12:00:00Z');
  let queries = 0;
  let databaseAway = false;
  const charged: [Principal, number][] = [];
  let refunds = 0;
  const clock = { now: () => now };
  const chargeRequest: ChargeRequest = (principal, cost) => {
    charged.push([principal, cost]);
    const refund = (): [string, string][] => {
      refunds += 1;
      return [['RateLimit', '"burst";r=20;t=0']];
    };
    return { headers: [['RateLimit', '"burst";r=19;t=1']], refund };
  };

  before(async () => {
    db = await createTestDatabase();
    const stored = keyStore(db.pool);
    const keys: KeyStore = {
      wellFormed: stored.wellFormed,
      find: (key) => {
        queries += 1;
        if (databaseAway) return Promise.reject(new Error('Connection terminated unexpectedly'));
        return stored.find(key);
      },
    };
    app = await startApp(fakeRoutes, fakeDeps(db.pool, { clock }), { keys, chargeRequest });
  });
  after(async () => {
    await app.close();
    await db.drop();
  });
  beforeEach(() => {
    // The key that the previous test has cached expires.
    now += 60_000;
    databaseAway = false;
    queries = 0;
    charged.length = 0;
    refunds = 0;
  });

  const make = (input: Partial<Parameters<typeof createKey>[2]> = {}) =>
    createKey(db.pool, clock, { email: 'auth@example.com', ...input });
  const revoke = (keyId: number) =>
    db.pool.query('UPDATE api_key SET revoked_at = $1 WHERE id = $2', [new Date(now), keyId]);
  const expectProblem = async (answer: Promise<Answer<ProblemReply>>, status: number, code: string) => {
    const { status: got, json, headers } = await answer;
    assert.deepEqual([got, json?.code], [status, code]);
    if (status === 401) assert.ok(headers.get('www-authenticate'));
  };

  describe('by key', () => {
    it('a key is required in the header', async () => {
      await expectProblem(app.ask('/v1/club/5', { key: null }), 401, 'key_missing');
      await expectProblem(app.ask('/v1/club/5', { key: '' }), 401, 'key_missing');
      await expectProblem(app.ask(`/v1/club/5?key=${app.key}`, { key: null }), 401, 'key_missing');
      assert.equal((await app.ask('/v1/club/5')).status, 200);
    });

    it('a key in the query is accepted if the route allows it', async () => {
      assert.equal((await app.ask(`/v1/club/5/image?key=${app.key}`, { key: null })).status, 200);
      await expectProblem(app.ask('/v1/club/5/image?key=', { key: null }), 401, 'key_missing');
      await expectProblem(app.ask('/v1/club/5/image?key=x', { key: null }), 401, 'key_invalid');
      await expectProblem(app.ask(`/v1/club/5/image?key=${app.key}&key=${app.key}`, { key: null }), 401, 'key_invalid');
    });

    it('malformed keys are refused without a database query', async () => {
      const wrongChecksum = app.key.slice(0, -1) + (app.key.endsWith('a') ? 'b' : 'a');
      for (const key of [wrongChecksum, 'x', `${app.key}, ${app.key}`, 'é', "' OR 1=1 --", 'x'.repeat(5_000)]) {
        await expectProblem(app.ask('/v1/club/5', { key }), 401, 'key_invalid');
      }
      await expectProblem(
        app.ask(`/v1/club/5/image?key=${encodeURIComponent('ключ\0')}`, { key: null }),
        401,
        'key_invalid',
      );
      const twice = await app.raw(
        `GET /v1/club/5 HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${app.key}\r\nX-API-Key: ${app.key}\r\nConnection: close\r\n\r\n`,
      );
      assert.match(twice, /^HTTP\/1.1 401 [\s\S]*key_invalid/);
      assert.equal(queries, 0);
    });

    it('a well-formed but unknown key is refused and looked up once in 5 s', async () => {
      const key = generateKey('sk');
      for (let i = 0; i < 5; i += 1) await expectProblem(app.ask('/v1/club/5', { key }), 401, 'key_invalid');
      assert.equal(queries, 1);
    });

    it('expired keys and revoked keys have different codes', async () => {
      const short = await make({ expiresAt: new Date(now + 1_000) });
      assert.equal((await app.ask('/v1/club/5', { key: short.key })).status, 200);
      now += 1_000;
      await expectProblem(app.ask('/v1/club/5', { key: short.key }), 401, 'key_expired');
      const { key, keyId } = await make();
      await revoke(keyId);
      await expectProblem(app.ask('/v1/club/5', { key }), 401, 'key_revoked');
    });

    it('a key in use is looked up only once, even for concurrent requests', async () => {
      const { key } = await make();
      const answers = await Promise.all(Array.from({ length: 10 }, () => app.ask('/v1/club/5', { key })));
      assert.deepEqual(
        answers.map(({ status }) => status),
        Array(10).fill(200),
      );
      assert.equal(queries, 1);
      now += 2_000;
      await app.ask('/v1/club/5', { key });
      assert.equal(queries, 1);
    });

    it('a revocation takes effect within 5 s', async () => {
      const { key, keyId } = await make();
      assert.equal((await app.ask('/v1/club/5', { key })).status, 200);
      await revoke(keyId);
      now += 4_999;
      await app.ask('/v1/club/5', { key });
      now += 1;
      await expectProblem(app.ask('/v1/club/5', { key }), 401, 'key_revoked');
    });

    it('a key that has not been used for 5 s is looked up before the reply', async () => {
      const { key, keyId } = await make();
      assert.equal((await app.ask('/v1/club/5', { key })).status, 200);
      await revoke(keyId);
      now += 5_000;
      await expectProblem(app.ask('/v1/club/5', { key }), 401, 'key_revoked');
    });

    it('a new key is accepted at once', async () => {
      await app.ask('/v1/club/5', { key: generateKey('sk') });
      const { key } = await make();
      assert.equal((await app.ask('/v1/club/5', { key })).status, 200);
    });

    it('known keys stay valid while the database is unavailable, and unknown keys are 503', async () => {
      const { key } = await make();
      assert.equal((await app.ask('/v1/club/5', { key })).status, 200);
      databaseAway = true;
      now += 9 * 60_000;
      assert.equal((await app.ask('/v1/club/5', { key })).status, 200);
      assert.equal((await app.ask('/v1/club/5', { key })).status, 200);
      assert.equal(queries, 2);
      await expectProblem(app.ask('/v1/club/5', { key: generateKey('sk') }), 503, 'unavailable');
      now += 2 * 60_000;
      await expectProblem(app.ask('/v1/club/5', { key }), 503, 'unavailable');
      databaseAway = false;
      assert.equal((await app.ask('/v1/club/5', { key })).status, 200);
    });

    it('authentication comes after the 404 and 405 checks, and before the rest', async () => {
      await expectProblem(app.ask('/v1/club/abc', { key: null }), 401, 'key_missing');
      await expectProblem(app.ask('/v1/nothing', { key: null }), 404, 'not_found');
      await expectProblem(app.ask('/v1/clubs', { key: null, method: 'PUT' }), 405, 'method_not_allowed');
    });
  });

  describe('by publishable key', () => {
    // The account matrix tests all routes about accounts.
    it('a publishable key reads what a secret key reads', async () => {
      const { key } = await make({ kind: 'pk' });
      for (const path of ['/v1/club/5', '/v1/clubs', '/v1/club/5/image'])
        assert.equal((await app.ask(path, { key })).status, 200, path);
    });

    it('a publishable key is accepted only from origins that it lists', async () => {
      const { key } = await make({ kind: 'pk', origins: ['https://a.example', 'https://b.example:8443'] });
      const from = (headers: Record<string, string>) => app.ask('/v1/club/5/image', { key, headers });
      assert.equal((await from({ Origin: 'https://a.example' })).status, 200);
      assert.equal((await from({ Origin: 'https://b.example:8443' })).status, 200);
      assert.equal((await from({ Referer: 'https://a.example/page?x=1' })).status, 200);
      for (const origin of [
        'https://c.example',
        'http://a.example',
        'https://a.example.evil',
        'https://b.example',
        'null',
      ]) {
        const answer = from({ Origin: origin });
        await expectProblem(answer, 403, 'origin_not_allowed');
        assert.equal((await answer).headers.get('access-control-allow-origin'), '*');
      }
      await expectProblem(from({}), 403, 'origin_not_allowed');
      await expectProblem(from({ Referer: 'nonsense' }), 403, 'origin_not_allowed');
      await expectProblem(
        from({ Origin: 'https://c.example', Referer: 'https://a.example/' }),
        403,
        'origin_not_allowed',
      );
    });
  });

  describe('by feed token', () => {
    const post = (authorization: string | null, key: string | null = null) =>
      app.ask('/feed/v1/updates', {
        method: 'POST',
        body: {},
        key,
        headers: authorization === null ? {} : { Authorization: authorization },
      });

    it('the feed accepts only the feed token', async () => {
      assert.equal((await post(`Bearer ${FEED_TOKEN}`)).status, 200);
      assert.equal((await post(`bearer ${FEED_TOKEN}`)).status, 200);
      await expectProblem(post(null), 401, 'key_missing');
      await expectProblem(post(null, app.key), 401, 'key_missing');
      await expectProblem(post('Basic eDp5'), 401, 'key_missing');
      for (const token of [`${FEED_TOKEN}x`, FEED_TOKEN.slice(0, -1), 'x', app.key]) {
        await expectProblem(post(`Bearer ${token}`), 401, 'key_invalid');
      }
    });

    it('the feed accepts no token if none is configured', async () => {
      const config = { ...testConfig, feedToken: undefined };
      const closed = await startApp(fakeRoutes, fakeDeps(db.pool, { clock, config }));
      try {
        const headers = { Authorization: 'Bearer undefined' };
        await expectProblem(closed.ask('/feed/v1/updates', { method: 'POST', body: {}, headers }), 401, 'key_invalid');
      } finally {
        await closed.close();
      }
    });
  });

  describe('by cookie', () => {
    it('no cookie opens a route that needs a key, and pages set no cookie', async () => {
      const page = await app.ask('/', { key: null });
      assert.equal(page.status, 200);
      assert.equal(page.headers.get('set-cookie'), null);
      for (const cookie of [
        'touchline_session=AAAAAAAAAAAAAAAAAAAAAA.1772366400.AAAAAAAAAAAAAAAAAAAAAAAAAAA',
        'a=b',
        '%00',
        ';;=',
      ]) {
        const headers = { Cookie: cookie, Origin: app.url };
        await expectProblem(app.ask('/v1/stream', { key: null, headers }), 401, 'key_missing');
        await expectProblem(
          app.ask('/v1/settings', { method: 'POST', body: {}, key: null, headers }),
          401,
          'key_missing',
        );
      }
    });
  });

  describe('quotas', () => {
    it('each authenticated request is charged once, with the route’s cost', async () => {
      const { headers } = await app.ask('/v1/club/5');
      assert.equal(headers.get('ratelimit'), '"burst";r=19;t=1');
      assert.equal(charged.length, 1);
      const [principal, cost] = charged[0]!;
      assert.equal(cost, 1);
      assert.ok(principal.kind === 'sk' && principal.plan === 'pro' && principal.accountId > 0);
      await app.ask('/v1/club/5', { key: null });
      await app.ask('/v1/club/5', { method: 'OPTIONS' });
      await app.ask('/v1/nothing');
      assert.equal(charged.length, 1);
      await app.ask('/v1/club/abc');
      assert.equal(charged.length, 2);
    });

    it('the charge for a reply with 304 is refunded', async () => {
      const etag = (await app.ask('/v1/club/5')).headers.get('etag')!;
      assert.equal(refunds, 0);
      const unchanged = await app.ask('/v1/club/5', { headers: { 'If-None-Match': etag } });
      assert.equal(unchanged.status, 304);
      assert.equal(refunds, 1);
      assert.equal(unchanged.headers.get('ratelimit'), '"burst";r=20;t=0');
    });

    it('a request whose charge is refused does not reach the handler', async () => {
      const deps = fakeDeps(db.pool, { clock });
      const spent: ChargeRequest = () => {
        throw new Problem('rate_limited', undefined, { headers: { 'Retry-After': '1' } });
      };
      const limited = await startApp(fakeRoutes, deps, { chargeRequest: spent });
      try {
        const answer = limited.ask('/v1/club/5');
        await expectProblem(answer, 429, 'rate_limited');
        assert.equal((await answer).headers.get('retry-after'), '1');
        assert.deepEqual(deps.calls, []);
      } finally {
        await limited.close();
      }
    });
  });
});
