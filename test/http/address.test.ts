import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { createAddresses } from '../../src/http/address.ts';
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

  /**
   * Returns the address that a handler sees, or the status if the request is refused. `fetch` is not used, because it
   * does not allow setting Host.
   */
  async function seen(app: TestApp, host: string | null, headers = ''): Promise<string> {
    const version = host === null ? '1.0' : '1.1';
    const lines = `${host === null ? '' : `Host: ${host}\r\n`}X-API-Key: ${app.key}\r\nConnection: close\r\n${headers}`;
    const answer = await app.raw(`GET /v1/clubs HTTP/${version}\r\n${lines}\r\n`);
    return /"baseUrl":"([^"]*)"/.exec(answer)?.[1] ?? answer.split(' ')[1]!;
  }

  it('the public address comes from a Host that names this machine', () =>
    withApp({}, async (app) => {
      for (const host of ['localhost', 'localhost:8080', '127.0.0.1:1', '127.9.9.9', '[::1]', '[::1]:8080']) {
        assert.equal(await seen(app, host), `http://${host}`);
      }
      assert.equal(await seen(app, 'LOCALHOST:80'), 'http://localhost:80');
    }));

  it('a Host with another name is refused, because it may resolve to a loopback address', () =>
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

  it('a Host in ALLOWED_HOSTS is accepted with any port, or only with the port that the list gives', () =>
    withApp({ allowedHosts: ['Api.Example.com', 'b.example:8443'] }, async (app) => {
      assert.equal(await seen(app, 'api.example.com'), 'http://api.example.com');
      assert.equal(await seen(app, 'API.example.com:81'), 'http://api.example.com:81');
      assert.equal(await seen(app, 'b.example:8443'), 'http://b.example:8443');
      assert.equal(await seen(app, 'b.example'), '400');
      assert.equal(await seen(app, 'x.api.example.com'), '400');
    }));

  it('BASE_URL is the public address, whatever the Host header contains', () =>
    withApp({ baseUrl: 'https://sports.example.com/api' }, async (app) => {
      assert.equal(await seen(app, 'evil.example'), 'https://sports.example.com/api');
      assert.equal(await seen(app, null), 'https://sports.example.com/api');
    }));

  it('forwarded headers are accepted from trusted proxies only', async () => {
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

  it('a trusted proxy that is not an address is refused', async () => {
    for (const proxy of ['proxy.example', '10.0.0.0/33', '10.0.0.0/x', '']) {
      await assert.rejects(
        withApp({ trustedProxies: [proxy] }, async () => {}),
        /TRUSTED_PROXIES/,
      );
    }
  });
});

describe('the client address', () => {
  /**
   * Returns the client's address.
   * @param peer address at the other end of the connection
   */
  const clientIp = (trustedProxies: readonly string[], peer: string, forwarded?: string) => {
    const addresses = createAddresses({ baseUrl: undefined, allowedHosts: [], trustedProxies }, { warn() {} });
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
    return addresses.clientIp({ headers, socket: { remoteAddress: peer } } as unknown as IncomingMessage);
  };
  const PROXIES = ['10.0.0.0/8', '192.0.2.1', '2001:db8::/32'];

  it('the client is the peer if no proxy is trusted or the peer is not a trusted proxy', () => {
    assert.equal(clientIp([], '198.51.100.7', '203.0.113.9'), '198.51.100.7');
    assert.equal(clientIp(PROXIES, '198.51.100.7', '203.0.113.9'), '198.51.100.7');
    assert.equal(clientIp(PROXIES, '192.0.2.2', '203.0.113.9'), '192.0.2.2', 'beside the trusted address');
  });

  it('the client is the peer if a trusted proxy sends no X-Forwarded-For', () => {
    assert.equal(clientIp(PROXIES, '10.1.2.3'), '10.1.2.3');
    assert.equal(clientIp(PROXIES, '10.1.2.3', ''), '10.1.2.3');
  });

  it('X-Forwarded-For is read from its end, which trusted proxies write, whatever a client put at its start', () => {
    assert.equal(clientIp(PROXIES, '10.1.2.3', '203.0.113.9'), '203.0.113.9');
    assert.equal(clientIp(PROXIES, '10.1.2.3', '1.1.1.1, 203.0.113.9'), '203.0.113.9');
    assert.equal(clientIp(PROXIES, '10.1.2.3', '1.1.1.1,2.2.2.2 , 203.0.113.9,192.0.2.1, 10.9.9.9'), '203.0.113.9');
    assert.equal(clientIp(PROXIES, '10.1.2.3', '10.0.0.5, 203.0.113.9'), '203.0.113.9', 'a forged trusted address');
  });

  it('the client is the first address if every address in X-Forwarded-For is trusted', () => {
    assert.equal(clientIp(PROXIES, '10.1.2.3', '192.0.2.1, 10.9.9.9'), '192.0.2.1');
  });

  it('X-Forwarded-For is not read beyond an entry that is not an address', () => {
    assert.equal(clientIp(PROXIES, '10.1.2.3', '203.0.113.9, unknown'), '10.1.2.3');
    assert.equal(clientIp(PROXIES, '10.1.2.3', '203.0.113.9, unknown, 10.9.9.9'), '10.9.9.9');
    assert.equal(clientIp(PROXIES, '10.1.2.3', '203.0.113.9, , 10.9.9.9'), '10.9.9.9');
  });

  it('an address may be IPv6, and an IPv4-mapped address is written as IPv4', () => {
    assert.equal(clientIp(PROXIES, '::ffff:10.1.2.3', '::ffff:203.0.113.9'), '203.0.113.9');
    assert.equal(clientIp(PROXIES, '2001:db8::1', '2001:db9::7, 2001:db8::2'), '2001:db9::7');
    assert.equal(clientIp(PROXIES, '2001:db9::1', '203.0.113.9'), '2001:db9::1');
  });

  describe('with a proxy that TRUSTED_PROXIES does not name', () => {
    function warnings(trustedProxies: readonly string[], requests: readonly (readonly [peer: string, to?: string])[]) {
      const lines: string[] = [];
      const logger = { warn: (_facts: object, line: string) => void lines.push(line) };
      const addresses = createAddresses({ baseUrl: undefined, allowedHosts: [], trustedProxies }, logger as never);
      for (const [remoteAddress, forwarded] of requests) {
        const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
        addresses.clientIp({ headers, socket: { remoteAddress } } as unknown as IncomingMessage);
      }
      return lines;
    }

    it('one warning says that all clients appear to share an address, and names the setting to change', () => {
      for (const peer of ['10.1.2.3', '::ffff:10.1.2.3', '127.0.0.1', 'fd00::7', '100.64.0.1']) {
        const lines = warnings([], Array(100).fill([peer, '203.0.113.9']));
        assert.equal(lines.length, 1, peer);
        assert.match(lines[0]!, /TRUSTED_PROXIES is empty/);
        assert.ok(lines[0]!.includes(peer.replace('::ffff:', '')));
      }
    });

    it('the warning also appears if an untrusted client sent the header first', () => {
      const lines = warnings(
        [],
        [...Array(50).fill(['198.51.100.7', '1.1.1.1']), ...Array(50).fill(['10.1.2.3', '203.0.113.9'])],
      );
      assert.equal(lines.length, 2);
      assert.match(lines[1]!, /10\.1\.2\.3/);
    });

    it('no warning appears without the header, or if proxies are configured', () => {
      assert.deepEqual(warnings([], [['10.1.2.3'], ['198.51.100.7']]), []);
      assert.deepEqual(
        warnings(
          ['10.0.0.0/8'],
          [
            ['10.1.2.3', '203.0.113.9'],
            ['192.168.0.1', '203.0.113.9'],
          ],
        ),
        [],
      );
    });
  });
});
