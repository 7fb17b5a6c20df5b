/** Which replies caches in front of the service may keep: Cache-Control, Vary and Cache-Tag. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { createHarness, type Harness, playing, type Site } from './site.ts';

const PUBLIC = 'public, max-age=0, s-maxage=1, stale-while-revalidate=1';
const BASE_URL = 'https://sports.example.com';

describe('replies for caches in front', () => {
  let harness: Harness;
  let site: Site;
  let id: number;
  let tournament: number;
  let sides: number[];
  before(async () => {
    harness = await createHarness();
    site = await harness.start({ env: { PUBLIC_SITE: '1', BASE_URL } });
    id = await harness.apply('live', playing('Red Stars', 'Blue Moons', [2, 1], 34));
    const { rows } = await harness.pool.query<{ tournament_id: number; home: number; away: number }>(
      'SELECT tournament_id, home_id AS home, away_id AS away FROM match WHERE id = $1',
      [id],
    );
    tournament = rows[0]!.tournament_id;
    sides = [rows[0]!.home, rows[0]!.away];
  });
  after(() => harness.drop());

  async function ask(path: string, headers: OutgoingHttpHeaders = {}, { method = 'GET', at = site } = {}) {
    const sent = request(at.url + path, { method, headers });
    sent.end();
    const [reply] = (await once(sent, 'response')) as [IncomingMessage];
    let body = '';
    for await (const chunk of reply.setEncoding('utf8')) body += chunk;
    return { status: reply.statusCode, headers: reply.headers, body };
  }
  const cacheControl = async (path: string, headers: OutgoingHttpHeaders = {}) =>
    (await ask(path, headers)).headers['cache-control'];

  it('an anonymous reader’s pages may be kept for a second, with the tags of what they show', async () => {
    const participants = sides.map((side) => `participant-${side}`);
    const tags: Record<string, string[]> = {
      '/': ['matches'],
      [`/match/${id}`]: [`match-${id}`, `tournament-${tournament}`, ...participants],
      [`/match/${id}/any-name`]: [`match-${id}`, `tournament-${tournament}`, ...participants],
      [`/tournament/${tournament}`]: [`tournament-${tournament}`],
      [`/team/${sides[0]}`]: [participants[0]!],
      '/rankings': [],
      '/leagues': [],
    };
    for (const [path, own] of Object.entries(tags)) {
      const { status, headers } = await ask(path);
      assert.deepEqual(
        [status, headers['cache-control'], headers['cache-tag'], headers.vary, headers['set-cookie']],
        [200, PUBLIC, ['touchline', ...own].join(','), 'Origin, Accept-Encoding, Accept-Language, Cookie', undefined],
        path,
      );
      assert.ok(own.length < 16);
    }
  });

  it('files and pictures of pages may be kept as long as browsers keep them', async () => {
    const expected = {
      '/assets/site.css': ['public, max-age=300', 'touchline'],
      [`/sides/${sides[0]}/image`]: ['public, max-age=604800', `touchline,participant-${sides[0]}`],
      [`/match/${id}/share.png`]: ['public, max-age=3600', `touchline,match-${id}`],
      '/docs/leagues.html': ['public, max-age=60, s-maxage=1, stale-while-revalidate=1', 'touchline'],
      '/robots.txt': ['public, max-age=3600', 'touchline'],
    };
    for (const [path, [control, tag]] of Object.entries(expected)) {
      const { headers } = await ask(path);
      assert.deepEqual([headers['cache-control'], headers['cache-tag']], [control, tag], path);
    }
  });

  it('a request that may be answered personally gets a reply that no cache keeps', async () => {
    const { cookie, end } = await harness.signIn();
    const requests: [string, OutgoingHttpHeaders][] = [
      ['/', { cookie }],
      ['/', { cookie: '__Host-touchline_member=' }],
      ['/', { cookie: 'a=b; touchline_lang=ru; c=d' }],
      ['/', { cookie: 'touchline_lang="ru"' }],
      ['/', { cookie: ['a=b', 'touchline_lang=ru'] }],
      ['/', { cookie: 'TOUCHLINE_LANG=ru' }],
      ['/', { cookie: 'touchline_device=1' }],
      ['/?lang=ru', {}],
      ['/?%6cang=ru', {}],
      ['/?key=', {}],
      ['/?key=sk_live_x', {}],
      ['/', { 'x-api-key': 'sk_live_x' }],
      ['/', { 'x-api-key': '' }],
      ['/', { authorization: 'Basic dTpw' }],
      ['/', { origin: BASE_URL }],
      ['/', { prefer: 'handling=strict' }],
    ];
    for (const [path, headers] of requests) {
      for (const page of [path, path.replace('/', `/match/${id}`)]) {
        const reply = await ask(page, headers);
        const what = `${page} ${JSON.stringify(headers)}`;
        assert.equal(reply.status, 200, what);
        assert.equal(reply.headers['cache-control'], 'no-store', what);
        assert.equal(reply.headers['cache-tag'], undefined, what);
      }
    }
    // The front page depends on the time zone.
    for (const cookie of ['touchline_tz=Asia/Tokyo', 'a=b;touchline_tz='])
      assert.equal(await cacheControl('/?live=1', { cookie }), 'no-store', cookie);
    await end();
  });

  it('cookies that do not change a page leave it public', async () => {
    for (const cookie of ['_ga=GA1.2.3; consent=yes', 'lang=ru', 'xyz=touchline_lang', '', ';;=', 'touchline_member'])
      assert.equal(await cacheControl('/', { cookie }), PUBLIC, cookie);
    for (const path of [`/match/${id}`, `/team/${sides[0]}`, '/rankings'])
      assert.equal(await cacheControl(path, { cookie: 'touchline_tz=Asia/Tokyo' }), PUBLIC, path);
  });

  it('a page with months is public for a time zone in the address, and not for one in the cookie', async () => {
    const { rows } = await harness.pool.query<{ id: number }>('SELECT tournament_id AS id FROM match WHERE id = $1', [
      id,
    ]);
    const cookie = 'touchline_tz=Asia/Tokyo';
    const path = `/tournament/${rows[0]!.id}?month=2026-03`;
    assert.equal(await cacheControl(path, { cookie }), 'no-store');
    assert.equal(await cacheControl(`${path}&tz=Asia/Tokyo`, { cookie }), PUBLIC);
    assert.equal(await cacheControl(path, {}), PUBLIC);
    assert.equal(await cacheControl(`${path}&tab=table`, { cookie }), PUBLIC, 'a tab without months');
  });

  it('a time zone in the address gives the same page as one in the cookie, and leaves it public', async () => {
    const at = (zone: string) => ask('/', { cookie: `touchline_tz=${zone}` });
    for (const zone of ['Pacific/Kiritimati', 'Etc/GMT+5', 'UTC']) {
      const inAddress = await ask(`/?tz=${zone}`, { cookie: 'touchline_tz=Europe/Berlin' });
      assert.equal(inAddress.headers['cache-control'], PUBLIC, zone);
      assert.equal(inAddress.headers['x-ignored-parameters'], undefined);
      assert.equal(inAddress.body, (await at(zone)).body, zone);
    }
    const plain = await ask('/');
    for (const zone of ['', 'Nowhere/Land', '..%2f..', '%00', '"><script>']) {
      const { status, body } = await ask(`/?tz=${encodeURIComponent(zone)}`);
      assert.deepEqual([status, body], [200, plain.body], zone);
    }
    assert.equal((await ask(`/?tz=${'x'.repeat(81)}`)).status, 422);
    // Without a zone in the address, the cookie counts.
    assert.equal(await cacheControl('/?tz=', { cookie: 'touchline_tz=Asia/Tokyo' }), 'no-store');
  });

  it('the cursor of the last event, and parameters that we do not know, change nothing', async () => {
    const { body } = await ask(`/match/${id}`);
    for (const query of ['after=12', 'after=0', 'utm_source=x', `x=${'y'.repeat(4_000)}`]) {
      const reply = await ask(`/match/${id}?${query}`);
      assert.deepEqual([reply.status, reply.headers['cache-control'], reply.body], [200, PUBLIC, body], query);
    }
    assert.equal((await ask(`/match/${id}?after=x`)).status, 422);
    assert.equal((await ask(`/?after=12`)).body, (await ask('/')).body);
  });

  it('the page in Russian and in English differ, and each names Accept-Language in Vary', async () => {
    for (const language of ['ru', 'en']) {
      const { headers, body } = await ask('/', { 'accept-language': `${language}-XX,xx;q=0.5` });
      assert.equal(headers['cache-control'], PUBLIC);
      assert.match(body, new RegExp(`<html lang="${language}"`));
      assert.match(headers.vary!, /Accept-Language/);
    }
  });

  it('a HEAD and a 304 have the same headers; a range is not cut out', async () => {
    const get = await ask(`/match/${id}`);
    const head = await ask(`/match/${id}`, {}, { method: 'HEAD' });
    const unchanged = await ask(`/match/${id}`, { 'if-none-match': get.headers.etag! });
    assert.deepEqual([head.status, head.body, unchanged.status, unchanged.body], [200, '', 304, '']);
    for (const name of ['cache-control', 'cache-tag', 'vary', 'etag'])
      assert.deepEqual([head.headers[name], unchanged.headers[name]], [get.headers[name], get.headers[name]], name);
    const range = await ask(`/match/${id}`, { range: 'bytes=0-9' });
    assert.deepEqual([range.status, range.body], [200, get.body]);
  });

  it('redirects, problems, searches and pages of accounts are never kept', async () => {
    const paths = [`/team/${sides[0]! + 1_000_000}`, `/match/999999`, `/player/${sides[0]}`, '/match/x', '/nothing'];
    for (const path of [...paths, '/search?q=stars', '/search/suggestions?q=stars']) {
      const { status, headers } = await ask(path);
      assert.match(headers['cache-control'] ?? 'no-store', /^(no-store|private)/, `${path}: ${status}`);
      assert.equal(headers['cache-tag'], undefined, path);
    }
  });

  it('no page is public on a site for members, nor without BASE_URL, whose links depend on the Host header', async () => {
    const forMembers = await harness.start({ env: { PUBLIC_SITE: '0', BASE_URL } });
    const withoutAddress = await harness.start({ env: { PUBLIC_SITE: '1' } });
    const { cookie, end } = await harness.signIn();
    const asked: [Site, OutgoingHttpHeaders][] = [
      [forMembers, {}],
      [forMembers, { cookie: cookie.replace(/^touchline/, '__Host-touchline') }],
      [withoutAddress, {}],
    ];
    for (const [at, headers] of asked) {
      for (const path of ['/', `/match/${id}`, `/sides/${sides[0]}/image`, '/docs/leagues.html', '/rankings']) {
        const reply = await ask(path, headers, { at });
        assert.doesNotMatch(reply.headers['cache-control'] ?? '', /public/, path);
        assert.equal(reply.headers['cache-tag'], undefined, path);
      }
    }
    await end();
    await Promise.all([forMembers.stop(), withoutAddress.stop()]);
  });
});
