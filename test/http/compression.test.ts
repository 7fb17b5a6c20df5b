import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { compressBytes, encodingFor, markFile } from '../../src/http/compression.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startApp, type TestApp } from '../support/http.ts';
import { fakeDeps, fakeRoutes, LONG_BYTES } from './fake-routes.ts';

/** Reads a response without decompressing it. */
function raw(url: string, encoding: string): Promise<{ encoding: string | undefined; body: Buffer }> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'Accept-Encoding': encoding }, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => resolve({ encoding: response.headers['content-encoding'], body: Buffer.concat(parts) }));
    }).on('error', reject);
  });
}

/** Counts compressions and decompressions during `work`. */
async function compressions(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const hook = createHook({
    init(_id, type) {
      if (type === 'ZLIB') count += 1;
    },
  }).enable();
  await work();
  hook.disable();
  return count;
}

describe('compression of static replies', () => {
  let db: TestDatabase;
  let app: TestApp;
  before(async () => {
    db = await createTestDatabase();
    const bytes = fakeRoutes.find(({ path }) => path === '/v1/bytes')!;
    const picture = { ...bytes, path: '/v1/picture', response: { contentType: 'image/png' } };
    app = await startApp([...fakeRoutes, picture], fakeDeps(db.pool));
  });
  after(async () => {
    await app.close();
    await db.drop();
  });

  const STATIC = ['/v1/openapi.json', '/docs/assets/swagger-ui-bundle.js', '/docs/assets/swagger-ui.css', '/v1/bytes'];

  it('a static reply is compressed once for each encoding, however many clients ask at the same time or later', async () => {
    for (const path of STATIC) {
      const url = app.url + path;
      assert.equal(
        await compressions(() => Promise.all(Array.from({ length: 20 }, () => raw(url, 'gzip, br')))),
        1,
        path,
      );
      assert.equal(await compressions(() => Promise.all(Array.from({ length: 20 }, () => raw(url, 'gzip')))), 1, path);
      const again = async () => {
        for (const accepted of ['gzip, deflate, br, zstd', 'gzip', 'br', 'identity']) await raw(url, accepted);
      };
      assert.equal(await compressions(again), 0, path);
    }
  });

  it('every encoding decodes to the same text', async () => {
    const url = `${app.url}/v1/bytes`;
    const [plain, br, gzip] = [await raw(url, 'identity'), await raw(url, 'br'), await raw(url, 'gzip')];
    assert.deepEqual([plain.encoding, br.encoding, gzip.encoding], [undefined, 'br', 'gzip']);
    assert.ok(plain.body.equals(LONG_BYTES));
    assert.ok(brotliDecompressSync(br.body).equals(LONG_BYTES));
    assert.ok(gunzipSync(gzip.body).equals(LONG_BYTES));
  });

  it('a small drawing is compressed, and a small text is not', () => {
    const small = Buffer.from('<path d="M0 6 2 0 4 6M.8 4H3.2"/>'.repeat(20));
    assert.ok(small.length > 256 && small.length < 1_024);
    assert.equal(compressBytes(small, 'image/svg+xml', 'br')?.encoding, 'br');
    assert.equal(compressBytes(small, 'application/json', 'br'), null);
    assert.equal(compressBytes(small.subarray(0, 255), 'image/svg+xml', 'br'), null);
  });

  it('a file is compressed better than a reply', async () => {
    const style = readFileSync(new URL('../../src/site/assets/home.css', import.meta.url));
    const [reply, file] = [Buffer.from(style), Buffer.from(style)];
    markFile(file);
    const [short, long] = [
      await compressBytes(file, 'text/css', 'br')!.bytes,
      await compressBytes(reply, 'text/css', 'br')!.bytes,
    ];
    assert.ok(short.length < long.length, `${short.length} < ${long.length}`);
    assert.ok(brotliDecompressSync(short).equals(style));
  });

  it('a picture is not compressed', async () => {
    assert.equal(await compressions(() => raw(`${app.url}/v1/picture`, 'gzip, br')), 0);
  });

  it('the client chooses the encoding', () => {
    const chosen: [string, string | null][] = [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip', 'gzip'],
      ['GZIP', 'gzip'],
      ['gzip;q=1, br;q=0.1', 'gzip'],
      ['br;q=0.5, gzip;q=0.5', 'br'],
      ['br ; q=0, *', 'gzip'],
      ['*', 'br'],
      ['identity, br;q=0.5', null],
      ['identity;q=0.1, br;q=0.5', 'br'],
      ['*;q=0', null],
      ['br;q=0, gzip;q=0', null],
      ['deflate, zstd', null],
      ['', null],
      [';;q=,', null],
      ['br;q=x', null],
      ['br;q=2', null],
      [`${'br;q=1;'.repeat(2_000)}`, null],
    ];
    for (const [accepted, encoding] of chosen) assert.equal(encodingFor(accepted), encoding, accepted.slice(0, 40));
  });
});
