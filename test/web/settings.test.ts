import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../support/chromium.ts';
import { createHarness, type Harness, type Site } from './site.ts';

const NOW = Date.parse('2026-05-24T12:00:00Z');

describe('the reader’s settings', function () {
  this.timeout(60_000);
  let harness: Harness;
  let site: Site;
  let match: number;
  before(async () => {
    harness = await createHarness();
    site = await harness.start({ clock: { now: () => NOW } });
    match = await harness.apply('late', {
      home: { name: 'Owls' },
      away: { name: 'Bats' },
      scheduled_start: '2026-05-24T15:30:00Z',
      status: 'finished',
      status_detail: 'ended',
      score: { home: 1, away: 0 },
      momentum: { graphPoints: [{ minute: 1, value: 5 }] },
    });
  });
  after(() => harness.drop());

  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(site.url + path, {
      headers: { 'Accept-Language': 'en', ...headers },
      redirect: 'manual',
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const post = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(`${site.url}/settings`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      redirect: 'manual',
      headers: { origin: site.url, 'Accept-Language': 'en', ...headers },
    });

  it('are saved in cookies, and lead back to the page', async () => {
    const shown = await get('/settings', { referer: `${site.url}/match/${match}?lang=en` });
    assert.match(shown.text, new RegExp(`name="next" value="/match/${match}\\?lang=en"`));
    assert.equal(shown.headers.get('referrer-policy'), 'same-origin');
    const saved = await post({ theme: 'dark', zone: 'Asia/Tokyo', next: `/match/${match}` });
    assert.equal(saved.status, 303);
    assert.equal(saved.headers.get('location'), `${site.url}/match/${match}`);
    assert.deepEqual(saved.headers.getSetCookie(), [
      'touchline_theme=dark; Path=/; Max-Age=31536000; SameSite=Lax',
      'touchline_zone=Asia%2FTokyo; Path=/; Max-Age=31536000; SameSite=Lax',
    ]);
    const forgotten = await post({ theme: 'auto', zone: '', next: '/' });
    assert.deepEqual(forgotten.headers.getSetCookie(), [
      'touchline_theme=; Path=/; Max-Age=0; SameSite=Lax',
      'touchline_zone=; Path=/; Max-Age=0; SameSite=Lax',
    ]);
    const again = await get('/settings', { cookie: 'touchline_theme=dark; touchline_zone=Asia%2FTokyo' });
    assert.match(again.text, /<option value="dark" selected>/);
    assert.match(again.text, /<option value="Asia\/Tokyo" selected>/);
  });

  it('refuse an unknown zone or theme, and keep the rest of the form', async () => {
    for (const [fields, message] of [
      [{ theme: 'dark', zone: 'Mars/Base' }, /Time zone: must be one of the time zones in the list/],
      [{ theme: 'dark', zone: '+03:00' }, /Time zone: must be/],
      [{ theme: 'pink', zone: '' }, /Theme: must be auto, light or dark/],
      [{}, /Theme: must be auto, light or dark/],
    ] as const) {
      const reply = await post({ ...fields, next: '/rankings' });
      const text = await reply.text();
      assert.equal(reply.status, 400);
      assert.match(text, message);
      assert.match(text, /name="next" value="\/rankings"/);
      assert.deepEqual(reply.headers.getSetCookie(), []);
    }
    assert.match(await (await post({ theme: 'dark', zone: 'x' })).text(), /<option value="dark" selected>/);
  });

  it('lead only to pages of this service', async () => {
    for (const next of [
      '//evil.example',
      'https://evil.example/',
      '/\\evil.example',
      'javascript:alert(1)',
      '\n//evil.example',
    ])
      assert.equal((await post({ theme: 'auto', zone: '', next })).headers.get('location'), `${site.url}/`, next);
  });

  it('cannot be changed by another site', async () => {
    assert.equal((await post({ theme: 'dark', zone: '' }, { origin: 'https://evil.example' })).status, 403);
    const link = await get('/settings/theme?choose=dark', { 'sec-fetch-site': 'cross-site' });
    assert.equal(link.status, 403);
    assert.equal(link.headers.get('set-cookie'), null);
  });

  it('have a theme that a link chooses at once', async () => {
    const { status, headers } = await get('/settings/theme?choose=dark', {
      'sec-fetch-site': 'same-origin',
      referer: `${site.url}/rankings?page=2`,
    });
    assert.deepEqual([status, headers.get('location')], [303, `${site.url}/rankings?page=2`]);
    assert.match(headers.get('set-cookie')!, /^touchline_theme=dark;/);
    assert.equal((await get('/settings/theme?choose=pink')).status, 422);
  });

  it('decide when a day begins on the front page, before the zone of the browser and of the address', async () => {
    const cookie = 'touchline_tz=Europe/London; touchline_zone=Asia%2FTokyo';
    for (const path of ['/?date=2026-05-25', '/?date=2026-05-25&tz=Europe/London']) {
      const { text } = await get(path, { cookie });
      assert.match(text, /Owls/, path);
      assert.match(text, /data-part="time">00:30</, 'the server writes the time in the zone');
    }
    const wrong = await get('/?date=2026-05-25', { cookie: 'touchline_tz=Europe/London; touchline_zone=Mars' });
    assert.match(wrong.text, /No matches on Monday,? 25 May 2026/, 'a zone that is not valid is ignored');
  });

  it('make a page that no cache in front keeps, with an entity tag of its own', async () => {
    const at = await harness.start({
      clock: { now: () => NOW },
      env: { PUBLIC_SITE: '1', BASE_URL: 'https://touchline.example' },
    });
    const ask = async (cookie?: string) => {
      const { headers } = await fetch(`${at.url}/match/${match}`, { headers: cookie === undefined ? {} : { cookie } });
      return [headers.get('cache-control'), headers.get('cache-tag'), headers.get('etag')];
    };
    const [control, , etag] = await ask();
    assert.match(control!, /^public/);
    const [own, tag, ownEtag] = await ask('touchline_theme=dark');
    assert.deepEqual([own, tag], ['no-store', null]);
    assert.notEqual(ownEtag, etag);
    await at.stop();
  });

  describe('in Chromium', () => {
    let browser: Browser;
    before(async function () {
      const launched = await launchChromium();
      if (launched === null) this.skip();
      browser = launched;
    });
    after(() => browser?.close());

    for (const javaScriptEnabled of [true, false])
      it(`change colours, charts and times ${javaScriptEnabled ? 'with' : 'without'} JavaScript, against the device`, async () => {
        const context = await browser.newContext({
          javaScriptEnabled,
          colorScheme: 'light',
          locale: 'en-GB',
          timezoneId: 'Europe/London',
        });
        const page = await context.newPage();
        const complaints: string[] = [];
        page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
        await page.goto(`${site.url}/match/${match}`);
        await page.locator('.settings summary').click();
        await page.locator('[data-choose="dark"]').click();
        await page.waitForURL(`**/match/${match}`);
        assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
        await page.locator('.settings summary').click();
        await page.locator('.settings div > a').click();
        await page.locator('#zone').selectOption('Asia/Tokyo');
        await page.locator('main form button').click();
        await page.waitForURL(`**/match/${match}`);
        assert.match((await page.locator('.facts time').first().textContent())!, /25 May.* 00:30$/);
        assert.match((await page.locator('[data-zone-name]').textContent())!, /Asia\/Tokyo/);
        const screen = await page.screenshot({ clip: { x: 0, y: 0, width: 10, height: 10 } });
        await page.emulateMedia({ colorScheme: 'dark' });
        assert.deepEqual(await page.screenshot({ clip: { x: 0, y: 0, width: 10, height: 10 } }), screen);
        assert.deepEqual(complaints, []);
        if (javaScriptEnabled) {
          const state = await page.evaluate<{ body: string; picture: string; side: string }>(`({
            body: getComputedStyle(document.body).backgroundColor,
            picture: document.querySelector('#momentum img').currentSrc,
            side: getComputedStyle(document.querySelector('#momentum')).colorScheme,
          })`);
          assert.equal(state.body, 'rgb(12, 18, 15)');
          assert.match(state.picture, /theme=dark/);
          assert.equal(state.side, 'dark');
        }
        await context.close();
      });
  });
});
