/** The cache that k8s/nginx/touchline-cache.conf and touchline-cache.inc add to nginx. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Problem } from '../../src/http/index.ts';
import { page } from '../../src/web/page-route.ts';
import { canRunNginx, type Nginx, startNginx } from '../support/nginx.ts';
import { until } from '../support/until.ts';
import { createHarness, goal, type Harness, playing, type Site } from './site.ts';

const BASE_URL = 'https://sports.example.com';

interface Reply {
  status: number;
  headers: IncomingMessage['headers'];
  body: string;
  /** Names the request that the service has answered. Two replies with the same one are one reply that was kept. */
  id: string;
}

describe('the cache of nginx', function () {
  this.timeout(60_000);
  let harness: Harness;
  let site: Site;
  let nginx: Nginx;
  let match: number;
  before(async function () {
    if (!canRunNginx()) {
      console.warn('      skipped: nginx is not installed (Debian: apt-get install nginx), its cache is not checked');
      this.skip();
    }
    harness = await createHarness();
    site = await harness.start({ env: { PUBLIC_SITE: '1', BASE_URL, TRUSTED_PROXIES: '127.0.0.1' } });
    nginx = await startNginx({ api: [site.port], ingest: [site.port], stream: [site.port] }, { isCaching: true });
    match = await harness.apply('live', playing('Red Stars', 'Blue Moons', [0, 0], 10));
  });
  after(async () => {
    await nginx?.close();
    await harness?.drop();
  });

  function decoded(bytes: Buffer, coding: string | undefined): string {
    if (coding === 'br') return brotliDecompressSync(bytes).toString();
    return (coding === 'gzip' ? gunzipSync(bytes) : bytes).toString();
  }

  async function ask(path: string, headers: OutgoingHttpHeaders = {}, method = 'GET'): Promise<Reply> {
    // A connection for each request: the worker of before a reload closes its idle ones, perhaps under a new request.
    const sent = request(nginx.url + path, { method, headers, agent: false });
    sent.end();
    const [reply] = (await once(sent, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of reply) chunks.push(chunk);
    const body = method === 'HEAD' ? '' : decoded(Buffer.concat(chunks), reply.headers['content-encoding']);
    return { status: reply.statusCode!, headers: reply.headers, body, id: String(reply.headers['x-request-id']) };
  }

  const second = () => Math.floor(Date.now() / 1_000);

  /** Repeats `work` until it has begun and ended in the same second, in which nginx keeps a page. */
  async function withinSecond<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      const begun = second();
      const done = await work();
      if (second() === begun) return done;
    }
  }
  /** Asks twice within a second. */
  const twice = (path: string, one: OutgoingHttpHeaders = {}, two = one) =>
    withinSecond(async () => [await ask(path, one), await ask(path, two)] as const);

  it('answers anonymous readers from memory, with the service’s headers', async () => {
    for (const path of ['/', '/?live=1', `/match/${match}`, `/match/${match}/red-stars-blue-moons`, '/rankings']) {
      const [first, kept] = await twice(path);
      assert.equal(first.id, kept.id, path);
      assert.deepEqual([kept.status, kept.body, kept.headers['x-cache-status']], [200, first.body, 'HIT']);
      assert.equal(kept.headers['cache-control'], 'public, max-age=0, s-maxage=1, stale-while-revalidate=1');
      assert.equal(kept.headers['set-cookie'], undefined);
    }
  });

  it('keeps files and pictures for longer than a second', async () => {
    const { rows } = await harness.pool.query<{ home_id: number }>('SELECT home_id FROM match WHERE id = $1', [match]);
    const colours = '/sides.css?light=c8102e-111111&dark=cb1c38-ffffff';
    const picture = `/sides/${rows[0]!.home_id}/image`;
    for (const path of ['/assets/site.css', '/assets/site.js', picture, '/flags/FR', colours]) {
      const first = await ask(path);
      const begun = second();
      await until('a second has passed', () => second() > begun);
      assert.equal((await ask(path)).id, first.id, path);
    }
  });

  it('gives members and readers with a chosen language the files that it has kept, but keeps no reply to them', async () => {
    const { cookie, end } = await harness.signIn();
    for (const header of [cookie.replace(/^touchline/, '__Host-touchline'), 'touchline_lang=ru']) {
      const path = `/assets/match.css?${encodeURIComponent(header)}`;
      const own = await ask(path, { cookie: header });
      const kept = await ask(path);
      assert.notEqual(kept.id, own.id, header);
      assert.equal((await ask(path, { cookie: header })).id, kept.id, header);
    }
    await end();
  });

  it('keeps nothing on a site for members, and passes on the cookie that opens its pages and pictures', async () => {
    const closed = await harness.start({ env: { PUBLIC_SITE: '0', BASE_URL, TRUSTED_PROXIES: '127.0.0.1' } });
    await nginx.reload({ api: [closed.port], ingest: [closed.port], stream: [closed.port] });
    const { cookie, end } = await harness.signIn();
    const member = { cookie: cookie.replace(/^touchline/, '__Host-touchline') };
    for (const path of [`/match/${match}?closed`, `/match/${match}/share.png?closed`]) {
      const [one, two] = await twice(path, member);
      assert.deepEqual([one.status, two.status, one.id === two.id], [200, 200, false], path);
      const stranger = await ask(path);
      assert.ok(stranger.status === 303 || stranger.status === 404, `${path}: ${stranger.status}`);
    }
    await end();
    await nginx.reload({ api: [site.port], ingest: [site.port], stream: [site.port] });
    await closed.stop();
  });

  it('never answers a personal request from memory, and keeps no reply to one', async () => {
    const { cookie, end } = await harness.signIn();
    const personal: [string, OutgoingHttpHeaders][] = [
      ['', { cookie: cookie.replace(/^touchline/, '__Host-touchline') }],
      ['', { cookie: 'touchline_member=' }],
      ['', { cookie: 'a=b; touchline_lang=ru' }],
      ['', { cookie: ['a=b', 'touchline_lang=ru'] }],
      ['', { cookie: 'TOUCHLINE_LANG=ru' }],
      ['', { cookie: 'touchline_tz=UTC; touchline_device=1' }],
      ['', { authorization: 'Bearer x' }],
      ['', { 'x-api-key': 'sk_live_x' }],
      ['', { origin: BASE_URL }],
      ['', { prefer: 'handling=strict' }],
      ['?lang=ru', {}],
      ['?%6cang=ru', {}],
      ['?key=sk_live_x', {}],
      ['?key=', {}],
    ];
    for (const page of ['/', `/match/${match}`]) {
      for (const [query, headers] of personal) {
        const what = `${page}${query} ${JSON.stringify(headers)}`;
        const [stranger, own, next, after] = await withinSecond(async () => {
          const asked = [{}, headers, headers, {}];
          const replies: Reply[] = [];
          for (const one of asked) replies.push(await ask(page + query, one));
          return replies as [Reply, Reply, Reply, Reply];
        });
        assert.equal(own.status, 200, what);
        assert.equal(new Set([stranger.id, own.id, next.id]).size, 3, what);
        assert.ok(after.id !== own.id && after.id !== next.id, what);
        // With these headers only, the page of a stranger is public, and is still answered from memory.
        if (query === '') assert.equal(after.id, stranger.id, what);
      }
    }
    await end();
  });

  it('gives Russian and English readers the page in their language, and groups the headers of browsers', async () => {
    const english = [
      'en',
      'en-GB,en;q=0.9,ru;q=0.8',
      'de-DE,de;q=0.9,en;q=0.8',
      '*',
      'en, ru;q=0',
      'brucker',
      'x'.repeat(900),
    ];
    const russian = ['ru', 'ru-RU,ru;q=0.9,en-US;q=0.8', 'uk,ru;q=0.8,en;q=0.5', 'RU', 'de, ru;q=0.5'];
    for (const path of ['/', `/match/${match}`]) {
      await withinSecond(async () => {
        for (const [language, headers] of Object.entries({ en: english, ru: russian })) {
          const ids = new Set<string>();
          for (const header of headers) {
            const { id, body, headers: got } = await ask(path, { 'accept-language': header });
            assert.match(body, new RegExp(`<html lang="${language}"`), header);
            assert.equal(got['content-language'], language, header);
            ids.add(id);
          }
          if (ids.size > 1) assert.ok(ids.size <= 2, `${language}: ${ids.size} replies in at most two seconds`);
        }
      });
    }
    const none = await ask('/');
    assert.match(none.body, /<html lang="en"/);
  });

  it('keeps each encoding on its own', async () => {
    const headers = { br: 'gzip, deflate, br, zstd', gzip: 'gzip;q=1.0, br;q=0', none: 'identity' };
    await withinSecond(async () => {
      for (const coding of ['br', 'gzip', 'none', 'br', 'gzip', 'none'] as const) {
        const { headers: got, body } = await ask('/', { 'accept-encoding': headers[coding] });
        assert.equal(got['content-encoding'] ?? 'none', coding);
        assert.match(body, /<\/html>/);
      }
    });
  });

  it('keeps the front page and pages with months for each time zone, which the reader’s cookie names', async () => {
    const far = { cookie: 'touchline_tz=Pacific/Kiritimati; _ga=1' };
    const [one, two] = await twice('/?date=2026-03-01', far, { cookie: '_ga=2; touchline_tz=Pacific/Kiritimati' });
    assert.equal(one.id, two.id);
    for (const cookie of ['touchline_tz=America/Lima', 'touchline_tz="><x', 'touchline_tz=', '_ga=1']) {
      const other = await ask('/?date=2026-03-01', { cookie });
      assert.deepEqual([other.status, other.id === one.id], [200, false], cookie);
    }
    for (const query of ['?tz=Asia/Tokyo', '?tz=', '?live=1&tz=Asia/Tokyo'])
      assert.equal((await ask(`/${query}`, { cookie: 'touchline_tz=America/Lima' })).status, 200, query);
    const { rows } = await harness.pool.query<{ id: number }>('SELECT tournament_id AS id FROM match WHERE id = $1', [
      match,
    ]);
    const months = `/tournament/${rows[0]!.id}?month=2026-03`;
    const [tokyo, same] = await twice(months, { cookie: 'touchline_tz=Asia/Tokyo' });
    assert.deepEqual([tokyo.status, tokyo.id === same.id], [200, true]);
    assert.notEqual((await ask(months, far)).id, tokyo.id);
    // The page of a match does not depend on the zone.
    const [near, away] = await twice(`/match/${match}`, far, { cookie: 'touchline_tz=UTC' });
    assert.equal(near.id, away.id);
  });

  it('shows a goal from the next second on, without a purge', async () => {
    for (let score = 1; score <= 3; score += 1) {
      const goals = Array.from({ length: score }, (_, n) => goal(`g${n}`, 'home', 20 + n, `Scorer ${n}`, [n + 1, 0]));
      await ask(`/match/${match}`);
      await harness.apply('live', playing('Red Stars', 'Blue Moons', [score, 0], 20 + score, { incidents: goals }));
      const applied = second();
      await until('the second is over', () => second() > applied);
      const replies = await Promise.all(Array.from({ length: 20 }, () => ask(`/match/${match}`)));
      for (const { body } of replies) assert.match(body, new RegExp(`Scorer ${score - 1}`));
      assert.match((await ask('/')).body, new RegExp(`class="score"[^>]*>${score}<`));
    }
  });

  it('does not answer with a page from before an event that the page’s script has received', async () => {
    const [plain, after] = await twice(`/match/${match}`, {}, {});
    assert.equal(plain.id, after.id);
    const [one, two] = await withinSecond(async () => [
      await ask(`/match/${match}`),
      await ask(`/match/${match}?after=${second()}`),
    ]);
    assert.notEqual(one!.id, two!.id);
  });

  it('answers HEAD, conditional and range requests from what it has kept', async () => {
    const path = `/match/${match}`;
    await withinSecond(async () => {
      const head = await ask(path, {}, 'HEAD');
      const get = await ask(path);
      const unchanged = await ask(path, { 'if-none-match': get.headers.etag! });
      const other = await ask(path, { 'if-none-match': 'W/"x"' });
      assert.deepEqual([head.status, get.status, unchanged.status, other.status], [200, 200, 304, 200]);
      assert.deepEqual([unchanged.body, other.body], ['', get.body]);
      const range = await ask(path, { range: 'bytes=0-9' });
      assert.ok(range.status === 200 ? range.body === get.body : range.body === get.body.slice(0, 10));
    });
  });

  it('keeps no problem, redirect or search, and no reply to a POST', async () => {
    const paths = ['/match/999999', '/match/x', '/nothing', '/team/999999', '/search?q=stars', '/v1/events'];
    for (const path of paths) {
      const [one, two] = await twice(path);
      assert.notEqual(one.id, two.id, path);
    }
    const posted = await ask('/', {}, 'POST');
    assert.equal(posted.status, 405);
    assert.equal((await ask('/')).status, 200);
  });

  it('keeps neither a 429 nor a 503', async () => {
    const away = {
      ...page,
      path: '/away',
      summary: 'a page that needs a store that is away',
      handler: () => {
        throw new Problem('unavailable');
      },
    };
    // The clock stands still, so the bucket of an address does not fill up again.
    const still = await harness.start({
      more: [away],
      env: { PUBLIC_SITE: '1', BASE_URL, TRUSTED_PROXIES: '127.0.0.1' },
      clock: { now: () => Date.parse('2026-03-01T12:00:00Z') },
    });
    await nginx.reload({ api: [still.port], ingest: [still.port], stream: [still.port] });
    for (let n = 0; n < 601; n += 1) {
      const { status } = await ask(`/match/${match}?x=${n}`);
      assert.equal(status, n < 600 ? 200 : 429, `request ${n}`);
    }
    const refused = await twice(`/match/${match}?x=y`);
    assert.deepEqual(
      refused.map(({ status }) => status),
      [429, 429],
    );
    assert.notEqual(refused[0].id, refused[1].id);
    const [one, two] = await twice('/away');
    assert.deepEqual([one.status, two.status, one.id === two.id], [503, 503, false]);
    await still.stop();
    assert.equal((await ask(`/match/${match}?x=z`)).status, 502);
    await nginx.reload({ api: [site.port], ingest: [site.port], stream: [site.port] });
    assert.equal((await ask(`/match/${match}?x=z`)).status, 200);
  });

  it('keeps a page at an address of 8 KB, and refuses longer addresses', async () => {
    const fill = (length: number) => `/match/${match}?x=${'y'.repeat(length - `/match/${match}?x=`.length)}`;
    for (const length of [1_000, 2_000, 3_000, 4_000, 6_000, 8_000]) {
      const [one, two] = await twice(fill(length));
      assert.deepEqual([one.status, one.id], [200, two.id], `${length}`);
    }
    assert.equal((await ask(fill(9_000))).status, 414);
  });
});
