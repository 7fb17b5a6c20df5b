/** Sends every route that reads a secret in each place where it does not belong. No reply may show the secret. */
import assert from 'node:assert/strict';
import { request as open } from 'node:http';
import { connect } from 'node:net';
import { pino } from 'pino';
import { allRoutes } from '../../src/all-roles.ts';
import type { AnyRoute } from '../../src/http/route.ts';
import { createSecret, SECRETS, type SecretName } from '../../src/wire/secret-formats.ts';
import { type ClickHouseServer, startClickHouseServer } from '../support/clickhouse-server.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type SampleService, startSampleService } from '../support/sample-service.ts';

const NAMES = Object.keys(SECRETS) as SecretName[];
const HANDSHAKE = { 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==' };
/** Number of characters after the prefix. A reply that shows them has shown the secret. */
const SHOWN = 12;

/** Parameters that are meant to contain a secret, which a form passes on. */
const RIGHT_PLACES = new Set(['token', 'invitation']);

const parametersOf = ({ query }: AnyRoute): string[] =>
  Object.keys((query as { shape?: Record<string, unknown> } | undefined)?.shape ?? {});

describe('secrets that a client sends in a wrong place', function () {
  this.timeout(300_000);
  let db: TestDatabase;
  let clickhouse: ClickHouseServer;
  let service: SampleService;
  const lines: string[] = [];
  before(async () => {
    db = await createTestDatabase();
    clickhouse = await startClickHouseServer();
    service = await startSampleService(
      { DATABASE_URL: db.url, CLICKHOUSE_URL: clickhouse.url, TRUSTED_PROXIES: '127.0.0.1' },
      pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }),
    );
  });
  after(async () => {
    await service?.stop();
    await clickhouse?.stop();
    await db?.drop();
  });

  let asked = 0;
  /** @returns the reply's head and body */
  function ask(path: string, headers: Record<string, string>): Promise<string> {
    asked += 1;
    const address = `10.${(asked >> 8) & 255}.${asked & 255}.1`;
    return new Promise((resolve, reject) => {
      const sent = open(service.url + path, { headers: { 'x-forwarded-for': address, ...headers } }, (reply) => {
        if (reply.headers['content-type']?.startsWith('text/event-stream')) reply.destroy();
        let text = JSON.stringify(reply.headers);
        reply.on('data', (chunk) => {
          text += chunk;
        });
        reply.on('error', () => {});
        reply.on('close', () => resolve(text));
      });
      sent.on('error', reject);
      sent.end();
    });
  }
  /**
   * Requests a WebSocket.
   * @returns all bytes of the reply
   */
  function askForSocket(path: string, headers: Record<string, string>): Promise<string> {
    const { hostname, port, host } = new URL(service.url);
    const lines = Object.entries({ Host: host, Connection: 'Upgrade', Upgrade: 'websocket', ...HANDSHAKE, ...headers });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    return new Promise((resolve) => {
      let got = '';
      const socket = connect(Number(port), hostname, () => socket.write(`GET ${path} HTTP/1.1\r\n${head}\r\n`));
      socket.setTimeout(300, () => socket.destroy());
      socket.on('data', (chunk) => {
        got += chunk.toString('latin1');
      });
      socket.on('error', () => {});
      socket.on('close', () => resolve(got));
    });
  }
  const routes = allRoutes.filter(({ method, upgrade }) => method === 'GET' && upgrade === undefined);

  function expectHidden(what: string, text: string, secret: string): void {
    const start = secret.indexOf('_live_') === -1 ? 'whsec_'.length : 'xx_live_'.length;
    const shown = secret.slice(start, start + SHOWN);
    const at = text.indexOf(shown);
    assert.equal(at, -1, `${what}: ${text.slice(Math.max(0, at - 100), at + 40)}`);
  }

  it('reach no log and no reply from any route', async () => {
    const faults: string[] = [];
    for (const route of routes) {
      const { path } = route;
      const target = service.targetOf(route);
      const join = target.includes('?') ? '&' : '?';
      const places = [
        ...(path.includes('{') ? [(secret: string) => path.replaceAll(/\{\w+\}/g, encodeURIComponent(secret))] : []),
        (secret: string) => `${target}${join}${secret}=1`,
        ...['x', ...parametersOf(route).filter((name) => !RIGHT_PLACES.has(name))].map(
          (name) => (secret: string) => `${target.split('?')[0]}?${name}=${encodeURIComponent(secret)}`,
        ),
      ];
      for (const place of places) {
        const secret = createSecret(NAMES[asked % NAMES.length]!);
        lines.length = 0;
        const headers = {
          ...service.credentialsOf(route.access === 'visitor' ? { access: 'member', method: 'GET' } : route),
          'x-request-id': secret,
          referer: secret,
          'user-agent': secret,
        };
        const url = place(secret);
        const text = await ask(url, headers);
        try {
          expectHidden(`reply to ${url}`, text, secret);
          expectHidden(`log of ${url}`, lines.join(''), secret);
        } catch (error) {
          faults.push((error as Error).message);
        }
      }
    }
    assert.deepEqual(faults, []);
  });

  for (const name of NAMES)
    it(`reach no log and no reply from a WebSocket: ${name}`, async () => {
      const path = '/v1/stream/ws';
      const key = { 'X-API-Key': service.key };
      const secret = createSecret(name);
      const encoded = encodeURIComponent(secret);
      const base64 = Buffer.from(secret).toString('base64url');
      lines.length = 0;
      const replies = [
        await askForSocket(`${path}?x=${encoded}`, key),
        await askForSocket(`${path}?${encoded}=1`, key),
        await askForSocket(`${path}?sports=${encoded}`, key),
        await askForSocket(`${path}?client=${encoded}`, key),
        await askForSocket(`/v1/${encoded}/ws`, key),
        await askForSocket(path, { ...key, 'X-Request-Id': secret, Referer: secret, 'User-Agent': secret }),
        await askForSocket(path, { ...key, 'Sec-WebSocket-Protocol': secret.replaceAll(/[+/=]/g, '.') }),
        await askForSocket(path, { ...key, 'Sec-WebSocket-Protocol': `key.${base64}, touchline.v1` }),
        await askForSocket(path, { ...key, 'Sec-WebSocket-Protocol': `touchline.v1, ${base64}` }),
      ];
      for (const [index, text] of replies.entries()) {
        assert.match(text, /^HTTP\/1\.1 /, String(index));
        expectHidden(`reply ${index}`, text, secret);
        assert.ok(!text.includes(base64), `reply ${index}`);
      }
      assert.ok(lines.length >= replies.length, String(lines.length));
      expectHidden('log', lines.join(''), secret);
      assert.ok(!lines.join('').includes(base64.slice(0, -4)));
    });
});
