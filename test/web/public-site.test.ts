import assert from 'node:assert/strict';
import Keygrip from 'keygrip';
import { allRoutes } from '../../src/main.ts';
import { openStream } from '../support/stream-client.ts';
import { openWebSocket } from '../support/websocket-client.ts';
import { createHarness, type Harness, playing, type Site } from './site.ts';

const keyRoutes = allRoutes.filter(({ access }) => access === 'key');

describe('a public site beside an API that needs keys', () => {
  let harness: Harness;
  let site: Site;
  let id: number;
  before(async () => {
    harness = await createHarness();
    site = await harness.start({ env: { DEMO: '1', PUBLIC_SITE: '1' }, more: allRoutes });
    id = await harness.apply('live', playing('Red Stars', 'Blue Moons', [2, 1], 34));
  });
  after(() => harness.drop());

  /** Whatever a browser may have after it has seen our pages, now or before an upgrade. */
  async function cookies(): Promise<string[]> {
    const given: string[] = [];
    for (const path of ['/', `/match/${id}`, '/docs', '/docs/leagues.html', '/account/sign-in', '/live']) {
      const abort = new AbortController();
      const { headers } = await fetch(site.url + path, { signal: abort.signal });
      given.push(...headers.getSetCookie().map((cookie) => cookie.split(';')[0]!));
      abort.abort();
    }
    const formerly = `touchline_session=${'A'.repeat(22)}.${Math.floor(Date.now() / 1_000)}`;
    const signature = new Keygrip([harness.secret], 'sha256').sign(formerly);
    return ['', ...given, `${formerly}.${signature}`, (await harness.signIn()).cookie];
  }

  it('no cookie opens any route that needs a key', async () => {
    assert.ok(keyRoutes.length >= 26);
    for (const cookie of await cookies()) {
      for (const { method, path } of keyRoutes) {
        const target = path.replaceAll(/\{\w+\}/g, String(id));
        const response = await fetch(site.url + target, {
          method,
          headers: { cookie, origin: site.url, ...(method !== 'GET' && { 'content-type': 'application/json' }) },
          ...(method !== 'GET' && { body: '{}' }),
        });
        const { code } = (await response.json()) as { code: string };
        assert.deepEqual([response.status, code], [401, 'key_missing'], `${method} ${path} with ${cookie}`);
      }
      const socket = openWebSocket(`${site.url}/v1/stream/ws`, { cookie, origin: site.url });
      assert.equal((await socket.closed).code, 4401);
    }
  });

  it('a key does not make more of the stream of a page', async () => {
    const stream = await openStream(`${site.url}/live?match=999999`, { 'X-API-Key': 'sk_live_x' });
    assert.equal(stream.status, 404);
  });
});
