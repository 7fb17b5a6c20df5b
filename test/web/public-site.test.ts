import assert from 'node:assert/strict';
import Keygrip from 'keygrip';
import { allRoutes, ROLES } from '../../src/all-roles.ts';
import { openStream } from '../support/stream-client.ts';
import { openWebSocket } from '../support/websocket-client.ts';
import { createHarness, type Harness, playing, type Site } from './site.ts';

const keyRoutes = allRoutes.filter(({ access }) => access === 'key');

describe('a public site whose API needs keys', () => {
  let harness: Harness;
  let site: Site;
  let id: number;
  before(async () => {
    harness = await createHarness();
    site = await harness.start({ env: { DEMO: '1', PUBLIC_SITE: '1' }, more: allRoutes });
    id = await harness.apply('live', playing('Red Stars', 'Blue Moons', [2, 1], 34));
  });
  after(() => harness.drop());

  /** Returns every cookie that a browser may have after visiting our pages, including those from an earlier version. */
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

  it('the role stream serves the pages’ stream, and the chart and the proxies send requests for this stream there', () => {
    const roles = Object.values(ROLES).filter(({ routes }) => routes.some(({ path }) => path === '/live'));
    assert.deepEqual(
      roles.map(({ name }) => name),
      ['stream'],
    );
  });

  it('a key gives a page’s stream no additional access', async () => {
    const stream = await openStream(`${site.url}/live?match=999999`, { 'X-API-Key': 'sk_live_x' });
    assert.equal(stream.status, 404);
  });

  describe('requests for pages', () => {
    // The clock does not advance, so that no bucket refills.
    const clock = { now: () => Date.parse('2026-03-01T12:00:00Z') };
    let still: Site;
    before(async () => {
      still = await harness.start({ clock, env: { TRUSTED_PROXIES: '127.0.0.1' } });
    });
    const from = (address: string, path: string) =>
      fetch(still.url + path, { headers: { 'X-Forwarded-For': address, 'Accept-Language': 'ru' } });
    async function statuses(count: number, ask: (n: number) => Promise<Response>): Promise<number[]> {
      const seen: number[] = [];
      for (let n = 0; n < count; n += 50) {
        const some = await Promise.all(Array.from({ length: 50 }, (_, k) => ask(n + k)));
        for (const response of some) {
          await response.arrayBuffer();
          seen.push(response.status);
        }
      }
      return seen;
    }
    const ok = (seen: readonly number[]) => seen.filter((status) => status === 200).length;

    it('let a class of thirty behind one address load a page with all files twice', async () => {
      const page = await (await from('198.51.100.1', '/')).text();
      const files = [...page.matchAll(/(?:src|href)="((?:assets|sides)\/[^"]+)"/g)].map(([, file]) => `/${file}`);
      assert.ok(files.length >= 5);
      for (let reader = 0; reader < 60; reader += 1)
        for (const path of ['/', ...files]) assert.equal((await from('198.51.100.1', path)).status, 200, path);
    }).timeout(30_000);

    it('get the page in 600 of 2,000 cases from one address, and otherwise a page that asks the visitor to wait', async () => {
      assert.equal(ok(await statuses(2_000, () => from('198.51.100.2', `/match/${id}`))), 600);
      const refused = await from('198.51.100.2', `/match/${id}?lang=ru`);
      assert.equal(refused.status, 429);
      assert.match(refused.headers.get('retry-after')!, /^\d+$/);
      assert.match(refused.headers.get('content-type')!, /^text\/html/);
      assert.match(await refused.text(), /Слишком много запросов/);
      assert.equal((await from('198.51.100.3', `/match/${id}`)).status, 200);
    }).timeout(30_000);

    it('get the page in 1,000 of 2,000 cases from 2,000 addresses, including addresses that came earlier', async () => {
      const address = (n: number) => `2001:db8:${n.toString(16)}::1`;
      const asked = 601;
      assert.equal(ok(await statuses(2_000, (n) => from(address(n), `/match/${id}`))), 1_000 - asked);
    }).timeout(60_000);
  });
});
