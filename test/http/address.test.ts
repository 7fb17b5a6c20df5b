import assert from 'node:assert/strict';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startApp, type TestApp, testConfig } from '../support/http.ts';
import { type FakeDeps, fakeDeps, fakeRoutes } from './fake-routes.ts';

describe('the public address', () => {
  let db: TestDatabase;
  before(async () => {
    db = await createTestDatabase();
  });
  after(() => db.drop());

  async function withApp(config: Partial<FakeDeps['config']>, work: (app: TestApp) => Promise<void>) {
    const app = await startApp(fakeRoutes, fakeDeps(db.pool, { config: { ...testConfig, ...config } }));
    try {
      await work(app);
    } finally {
      await app.close();
    }
  }

  /** The address that a handler sees, or the status of the refusal; `fetch` does not let Host be set. */
  async function seen(app: TestApp, host: string | null, headers = ''): Promise<string> {
    const version = host === null ? '1.0' : '1.1';
    const lines = `${host === null ? '' : `Host: ${host}\r\n`}X-API-Key: ${app.key}\r\nConnection: close\r\n${headers}`;
    const answer = await app.raw(`GET /v1/clubs HTTP/${version}\r\n${lines}\r\n`);
    return /"baseUrl":"([^"]*)"/.exec(answer)?.[1] ?? answer.split(' ')[1]!;
  }

  it('comes from a Host that names this machine', () =>
    withApp({}, async (app) => {
      for (const host of ['localhost', 'localhost:8080', '127.0.0.1:1', '127.9.9.9', '[::1]', '[::1]:8080']) {
        assert.equal(await seen(app, host), `http://${host}`);
      }
      assert.equal(await seen(app, 'LOCALHOST:80'), 'http://localhost:80');
    }));

  it('comes from no other Host: a stranger’s name may resolve to a loopback address', () =>
    withApp({}, async (app) => {
      for (const host of [
        'evil.example',
        'localhost.evil.example',
        '127.0.0.1.evil.example',
        '10.0.0.1',
        '0.0.0.0',
        'evil@localhost',
        'localhost:80:80',
        'localhost/x',
        '[::2]',
      ]) {
        assert.equal(await seen(app, host), '400', host);
      }
      assert.equal(await seen(app, null), '400');
      const answer = await app.raw('GET /v1/short HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n');
      assert.match(answer, /"code":"bad_request"/);
    }));

  it('comes from a Host in ALLOWED_HOSTS, with any port or with the one named', () =>
    withApp({ allowedHosts: ['Api.Example.com', 'b.example:8443'] }, async (app) => {
      assert.equal(await seen(app, 'api.example.com'), 'http://api.example.com');
      assert.equal(await seen(app, 'API.example.com:81'), 'http://api.example.com:81');
      assert.equal(await seen(app, 'b.example:8443'), 'http://b.example:8443');
      assert.equal(await seen(app, 'b.example'), '400');
      assert.equal(await seen(app, 'x.api.example.com'), '400');
    }));

  it('is BASE_URL where that is set, whatever Host says', () =>
    withApp({ baseUrl: 'https://sports.example.com/api' }, async (app) => {
      assert.equal(await seen(app, 'evil.example'), 'https://sports.example.com/api');
      assert.equal(await seen(app, null), 'https://sports.example.com/api');
    }));

  it('takes forwarded headers from trusted proxies alone', async () => {
    const forwarded = 'X-Forwarded-Proto: https\r\nX-Forwarded-Host: api.example.com\r\n';
    const allowedHosts = ['api.example.com'];
    await withApp({ allowedHosts }, async (app) => {
      assert.equal(await seen(app, 'localhost', forwarded), 'http://localhost');
    });
    await withApp({ allowedHosts, trustedProxies: ['10.0.0.0/8'] }, async (app) => {
      assert.equal(await seen(app, 'localhost', forwarded), 'http://localhost');
    });
    for (const trustedProxies of [['127.0.0.1'], ['127.0.0.0/8', '::1']]) {
      await withApp({ allowedHosts, trustedProxies }, async (app) => {
        assert.equal(await seen(app, 'localhost', forwarded), 'https://api.example.com');
        assert.equal(await seen(app, 'localhost', 'X-Forwarded-Host: evil.example\r\n'), '400');
        assert.equal(await seen(app, 'localhost', 'X-Forwarded-Proto: javascript\r\n'), 'http://localhost');
      });
    }
  });

  it('refuses a proxy that is no address', async () => {
    for (const proxy of ['proxy.example', '10.0.0.0/33', '10.0.0.0/x', '']) {
      await assert.rejects(
        withApp({ trustedProxies: [proxy] }, async () => {}),
        /TRUSTED_PROXIES/,
      );
    }
  });
});
