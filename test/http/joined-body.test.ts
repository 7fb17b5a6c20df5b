import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { JoinedBody } from '../../src/http/joined-body.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startApp, type TestApp } from '../support/http.ts';
import { fakeDeps, fakeRoutes } from './fake-routes.ts';

const MEGABYTE = 1024 * 1024;
const bodyOf = (letter: string, bytes = MEGABYTE) =>
  new JoinedBody([Buffer.from(letter.repeat(bytes / 2)), Buffer.from(''), Buffer.from(letter.repeat(bytes / 2))]);

async function request(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<IncomingMessage> {
  const sent = get(url, { agent: false, headers, method });
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}
async function read(response: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

describe('a body in parts', () => {
  describe('for many responses', () => {
    let server: Server;
    let url: string;
    before(async () => {
      server = createServer((asked, response) => {
        const [letter, bytes] = asked.url!.slice(1).split('-');
        response.end(bodyOf(letter!, bytes === undefined ? MEGABYTE : Number(bytes)).bytesFor(response));
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    });
    after(() => {
      server.closeAllConnections();
      server.close();
    });

    it('is not mixed with other bodies, however slowly clients read, and whether or not they leave', async () => {
      for (let round = 0; round < 3; round += 1) {
        const letters = [...'abcdefgh'];
        const slow = await Promise.all(letters.map((letter) => request(url + letter)));
        const gone = await request(`${url}x`);
        gone.destroy();
        for (const letter of 'ijkl')
          assert.ok((await read(await request(url + letter))).equals(bodyOf(letter).toBuffer()));
        for (const [index, response] of slow.entries())
          assert.ok((await read(response)).equals(bodyOf(letters[index]!).toBuffer()), letters[index]);
      }
    });

    it('may be larger than a buffer', async () => {
      const bytes = 3 * MEGABYTE;
      assert.ok((await read(await request(`${url}a-${bytes}`))).equals(bodyOf('a', bytes).toBuffer()));
    });
  });

  describe('from a route', () => {
    let db: TestDatabase;
    let app: TestApp;
    before(async () => {
      db = await createTestDatabase();
      const bytes = fakeRoutes.find(({ path }) => path === '/v1/bytes')!;
      const tagged = bodyOf('t');
      const routes = [
        { ...bytes, path: '/v1/tagged', handler: () => ({ body: tagged, etag: 'one' }) },
        { ...bytes, path: '/v1/hashed', handler: () => ({ body: tagged }) },
      ];
      app = await startApp([...fakeRoutes, ...routes], fakeDeps(db.pool));
    });
    after(async () => {
      await app.close();
      await db.drop();
    });

    it('is sent whole, compressed, or not at all, as a buffer would be', async () => {
      const whole = bodyOf('t').toBuffer();
      for (const path of ['/v1/tagged', '/v1/hashed']) {
        const plain = await request(app.url + path);
        assert.equal(plain.headers['content-length'], String(MEGABYTE));
        assert.ok((await read(plain)).equals(whole));
        for (const [encoding, decode] of [
          ['gzip', gunzipSync],
          ['br', brotliDecompressSync],
        ] as const) {
          const response = await request(app.url + path, { 'Accept-Encoding': encoding });
          assert.equal(response.headers['content-encoding'], encoding);
          assert.ok(decode(await read(response)).equals(whole));
        }
        const head = await request(app.url + path, {}, 'HEAD');
        assert.deepEqual([head.headers['content-length'], (await read(head)).length], [String(MEGABYTE), 0]);
        const unchanged = await request(app.url + path, { 'If-None-Match': plain.headers.etag! });
        assert.deepEqual([unchanged.statusCode, (await read(unchanged)).length], [304, 0]);
      }
    });
  });
});
