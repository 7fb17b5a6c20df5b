/** The columns of the front page beside its list: favourites on the left, and a selected match with the league's table on the right. */
import assert from 'node:assert/strict';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { launchChromium } from '../support/chromium.ts';
import { LEAGUE } from './sample-league.ts';
import { createHarness, goal, type Harness, playing, type Site } from './site.ts';

const LAPTOP = { viewport: { width: 1_280, height: 900 } };
const TABLET = { viewport: { width: 1_000, height: 800 } };
const PHONE = { viewport: { width: 375, height: 812 }, isMobile: true, hasTouch: true };

describe('the columns of the front page', function () {
  this.timeout(60_000);
  let harness: Harness;
  let site: Site;
  let browser: Browser;
  let complaints: string[] = [];
  const ids: Record<string, number> = {};
  const early = goal('g1', 'home', 5, 'A. Early', [1, 0]);
  before(async function () {
    const launched = await launchChromium();
    if (launched === null) this.skip();
    browser = launched;
    harness = await createHarness();
    site = await harness.start();
    const one = playing('Swifts', 'Terns', [1, 0], 6, { tournament: LEAGUE, incidents: [early] });
    ids.first = await harness.apply('first', one);
    ids.second = await harness.apply('second', playing('Ducks', 'Geese', [0, 0], 6));
    const { rows } = await harness.pool.query<{ id: number; name: string }>(
      "SELECT id, name FROM participant WHERE name IN ('Swifts', 'Geese') UNION SELECT id, name FROM tournament",
    );
    for (const { id, name } of rows) ids[name] = id;
  });
  after(async () => {
    await browser?.close();
    await harness?.drop();
  });

  async function view(path: string, options: BrowserContextOptions, look: (page: Page) => Promise<void>) {
    const context = await browser.newContext({ locale: 'en-GB', ...options });
    try {
      const page = await context.newPage();
      complaints = [];
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(error.message));
      await page.goto(site.url + path);
      await look(page);
      assert.deepEqual(complaints, []);
    } finally {
      await context.close();
    }
  }
  const row = (page: Page, id: number) => page.locator(`#day .league [data-match="${id}"]`);
  const readText = async (page: Page, selector: string) =>
    (await page.locator(selector).textContent())!.replaceAll(/\s+/g, ' ').trim();
  const get = async (path: string) => {
    const reply = await fetch(site.url + path);
    return { status: reply.status, text: await reply.text() };
  };

  for (const options of [LAPTOP, PHONE])
    it(`without a script, a link shows the details of a match, and hides them again (${options.viewport.width} px)`, async () => {
      await view('/', { ...options, javaScriptEnabled: false }, async (page) => {
        assert.equal(await page.locator('#favourites').isVisible(), false);
        await row(page, ids.first!).locator('.more-about').click();
        await page.waitForURL(`**/?match=${ids.first}`);
        assert.match(
          await readText(page, '#selected'),
          /^Premier League Swifts 1:0 6′ Terns A\. Early 5′.*Everything about the match$/,
        );
        assert.ok(await page.locator('#selected').isVisible());
        assert.equal(await page.locator('.match:has([aria-current])').getAttribute('data-match'), String(ids.first));
        await row(page, ids.first!).locator('.more-about').click();
        await page.waitForURL(`${site.url}/`);
        assert.equal(await page.locator('#selected > *').count(), 0);
      });
    });

  for (const options of [LAPTOP, TABLET])
    it(`with a script, a click shows the details beside the list, and follows the match (${options.viewport.width} px)`, async () => {
      await view('/', options, async (page) => {
        await page.evaluate('window.sameDocument = true');
        await row(page, ids.second!).locator('.more-about').click();
        await page.locator('#selected .summary').waitFor();
        assert.match(await readText(page, '#selected'), /Ducks 0:0 6′ Geese/);
        assert.equal(page.url(), `${site.url}/?match=${ids.second}`);
        await row(page, ids.first!).locator('.more-about').click();
        await page.locator(`#selected [data-match="${ids.first}"]`).waitFor();
        assert.equal(await page.locator('.match:has([aria-current])').getAttribute('data-match'), String(ids.first));
        await page.locator('#connection[data-state="open"]').waitFor();
        const home = options === LAPTOP ? 2 : 3;
        const goals = [early, goal('g2', 'home', 9, 'B. Later', [2, 0]), goal('g3', 'home', 9, 'C. Last', [3, 0])];
        const incidents = goals.slice(0, home);
        const next = playing('Swifts', 'Terns', [home, 0], 10, { tournament: LEAGUE, incidents });
        await harness.apply('first', next);
        await page.locator('#selected .score[data-side="home"]', { hasText: String(home) }).waitFor();
        await row(page, ids.first!).locator('.more-about').click();
        await page.locator('#selected .summary').waitFor({ state: 'detached' });
        assert.equal(page.url(), `${site.url}/`);
        assert.equal(await page.evaluate("'sameDocument' in window"), true);
      });
    });

  it('on a phone, a tap at the end of a row opens a sheet with the scorers, and a tap elsewhere in the row the match', async () => {
    await view('/', PHONE, async (page) => {
      const link = row(page, ids.first!).locator('.more-about');
      const box = (await link.boundingBox())!;
      assert.ok(box.width >= 24 && box.height >= 24, `${box.width} × ${box.height}`);
      await link.tap();
      await page.locator('#sheet .summary').waitFor();
      assert.match(await readText(page, '#sheet'), /Swifts.*Terns.*A\. Early 5′/);
      const sheet = (await page.locator('#sheet').boundingBox())!;
      const menu = (await page.locator('.sections').boundingBox())!;
      assert.ok(sheet.x >= 0 && sheet.x + sheet.width <= 375 && sheet.y + sheet.height <= menu.y);
      await page.getByRole('button', { name: 'Close' }).tap();
      await page.locator('#sheet').waitFor({ state: 'hidden' });
      assert.equal(page.url(), `${site.url}/`);
      await link.tap();
      await page.locator('#sheet').waitFor();
      await page.keyboard.press('Escape');
      await page.locator('#sheet').waitFor({ state: 'hidden' });
      const names = (await row(page, ids.first!).locator('.teams').boundingBox())!;
      await page.touchscreen.tap(names.x + names.width / 2, names.y + names.height / 2);
      await page.waitForURL(`**/match/${ids.first}/**`);
    });
  });

  it('the details of an unknown match are a page with 404, and a bad id is refused', async () => {
    for (const path of ['/?match=999999', '/match-summary?match=999999']) {
      const { status, text } = await get(path);
      assert.equal(status, 404, path);
      assert.match(text, /Page not found/);
    }
    for (const bad of ['/?match=x', '/?match=0', '/match-summary', '/match-summary?match=1.5'])
      assert.equal((await get(bad)).status, 422, bad);
  });

  it('the left column names the favourites in the page’s language, once for each choice', async () => {
    await view('/', LAPTOP, async (page) => {
      let asked = 0;
      page.on('request', (request) => {
        if (request.url().includes('/favourites?')) asked += 1;
      });
      const list = page.locator('#favourites');
      assert.match((await list.textContent())!, /Mark teams and leagues with ☆/);
      await page.locator(`[data-tournament="${ids[LEAGUE.name]}"] .star`).click();
      await list.getByRole('link', { name: LEAGUE.name }).waitFor();
      await page.goto(`${site.url}/team/${ids.Geese}`);
      await page.locator('h1 .star').click();
      await page.goto(`${site.url}/`);
      await list.getByRole('link', { name: 'Geese' }).waitFor();
      assert.deepEqual(await list.getByRole('link').allTextContents(), [` ${LEAGUE.name}`, ' Geese']);
      assert.equal(asked, 2);
      await page.reload();
      await list.getByRole('link', { name: 'Geese' }).waitFor();
      assert.equal(asked, 2, 'a reload does not ask again');
      await page.goto(`${site.url}/?lang=ru`);
      await list.getByRole('link', { name: LEAGUE.name_ru }).waitFor();
      await list.getByRole('link', { name: 'Geese' }).click();
      await page.waitForURL('**/team/*/geese');
    });
  });

  it('favourites that do not exist are left out, and more than 100 are refused', async () => {
    assert.deepEqual(await get('/favourites'), { status: 200, text: '' });
    assert.deepEqual(await get('/favourites?team=999999&tournament=999999'), { status: 200, text: '' });
    const { text } = await get(`/favourites?team=${ids.Geese},999999,${ids.Swifts}`);
    assert.deepEqual(text.match(/>[^<>]+</g), ['> Geese<', '> Swifts<']);
    const many = (count: number) => Array.from({ length: count }, (_, index) => index + 1).join();
    assert.equal((await get(`/favourites?team=${many(100)}`)).status, 200);
    for (const bad of [`team=${many(101)}`, 'team=x', 'tournament=1,,2', `tournament=${many(101)}`])
      assert.equal((await get(`/favourites?${bad}`)).status, 422, bad);
  });
});
