import assert from 'node:assert/strict';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import sharp from 'sharp';
import { launchChromium } from '../support/chromium.ts';
import { createHarness, type Harness, playing, type Site } from './site.ts';

interface Manifest {
  lang: string;
  name: string;
  start_url: string;
  scope: string;
  display: string;
  icons: { src: string; sizes: string; type: string; purpose: string }[];
}

describe('the installable app', function () {
  this.timeout(60_000);
  let harness: Harness;
  let site: Site;
  before(async () => {
    harness = await createHarness();
    site = await harness.start();
  });
  after(() => harness.drop());

  it('has a manifest in both languages, whose icons have the size and the kind that it says', async () => {
    const page = await (await fetch(`${site.url}/leagues?lang=ru`)).text();
    const [, href] = /<link rel="manifest" href="([^"]+)">/.exec(page)!;
    const address = new URL(href!, `${site.url}/leagues`);
    const response = await fetch(address);
    assert.match(response.headers.get('content-type')!, /^application\/manifest\+json/);
    const manifest = (await response.json()) as Manifest;
    assert.deepEqual([manifest.lang, manifest.name, manifest.display], ['ru', 'Touchline', 'standalone']);
    assert.equal(new URL(manifest.start_url, address).href, `${site.url}/`);
    assert.equal(new URL(manifest.scope, address).href, `${site.url}/`);
    const icons = manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`);
    assert.deepEqual(icons, ['192x192 any', '512x512 any', '512x512 maskable']);
    for (const { src, sizes, type, purpose } of manifest.icons) {
      const icon = await fetch(new URL(src, address));
      assert.equal(icon.headers.get('content-type'), type);
      const image = sharp(Buffer.from(await icon.arrayBuffer()));
      const { width, height, format } = await image.metadata();
      assert.deepEqual([`${width}x${height}`, format], [sizes, 'png']);
      const corner = (await image.extract({ left: 0, top: 0, width: 1, height: 1 }).ensureAlpha().raw().toBuffer())[3];
      assert.equal(corner, purpose === 'maskable' ? 255 : 0, 'only a maskable icon fills its corners');
    }
    assert.equal((await fetch(`${site.url}/app/other.png`)).status, 404);
    const english = (await (await fetch(`${site.url}/app/manifest.webmanifest?lang=en`)).json()) as Manifest;
    assert.equal(english.lang, 'en');
  });

  it('has links that also work if the service has a path', async () => {
    const at = await harness.start({ env: { BASE_URL: 'https://touchline.example/sports', PUBLIC_SITE: '1' } });
    const text = await (await fetch(`${at.url}/offline/en`)).text();
    assert.match(text, /src="\/sports\/assets\/offline\.js"/);
    assert.match(text, /href="\/sports\/assets\/site\.css"/);
    await at.stop();
  });

  describe('in Chromium', () => {
    let browser: Browser;
    let context: BrowserContext;
    let complaints: string[];
    before(async function () {
      const launched = await launchChromium();
      if (launched === null) this.skip();
      browser = launched;
    });
    after(() => browser?.close());
    afterEach(() => context?.close());

    async function installed(path: string): Promise<Page> {
      context = await browser.newContext({ locale: 'en-GB' });
      const page = await context.newPage();
      complaints = [];
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      await page.goto(site.url + path);
      // The worker controls the page once it is active.
      await page.evaluate(`navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller ??
        new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve)))`);
      return page;
    }

    it('says without a connection that there is none, in the language of the last page, and shows no old score', async () => {
      const id = await harness.apply('kept', playing('Robins', 'Wrens', [3, 2], 60));
      const page = await installed(`/match/${id}?lang=ru`);
      await page.goto(`${site.url}/match/${id}`);
      assert.match((await page.locator('#head').textContent())!, /3.*2/s);
      await context.setOffline(true);
      await page.goto(`${site.url}/match/${id}`);
      await page.locator('h1', { hasText: 'Нет соединения' }).waitFor();
      assert.doesNotMatch(await page.content(), /Robins/);
      const colour = await page.evaluate(`getComputedStyle(document.querySelector('#again')).backgroundColor`);
      assert.notEqual(colour, 'rgba(0, 0, 0, 0)', 'the page has its style sheet');
      assert.equal(page.url(), `${site.url}/match/${id}`);
    });

    it('loads the page that the reader wanted as soon as there is a connection', async () => {
      const page = await installed('/leagues');
      await context.setOffline(true);
      await page.goto(`${site.url}/rankings`);
      await page.locator('h1', { hasText: 'No connection' }).waitFor();
      await context.setOffline(false);
      await page.locator('nav.sections').waitFor({ timeout: 20_000 });
      assert.equal(page.url(), `${site.url}/rankings`);
    });

    it('keeps only the page without a connection and its files', async () => {
      const page = await installed('/');
      await page.goto(`${site.url}/leagues`);
      const kept = await page.evaluate<string[]>(`(async () => {
        const found = [];
        for (const name of await caches.keys())
          for (const { url } of await (await caches.open(name)).keys()) found.push(url.slice(location.origin.length));
        return found.sort();
      })()`);
      assert.deepEqual(kept, [
        '/assets/icon.svg',
        '/assets/offline.js',
        '/assets/site.css',
        '/offline/en',
        '/offline/last-language',
        '/offline/ru',
      ]);
      const cookies = (await context.cookies()).map(({ name }) => name);
      assert.deepEqual(cookies, ['touchline_tz'], 'no language is stored as the reader’s choice');
      assert.deepEqual(complaints, []);
    });
  });
});
