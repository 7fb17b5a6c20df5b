import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { launchChromium } from '../support/chromium.ts';
import { createHarness, goal, type Harness, playing, type Site } from './site.ts';

/** Script that checks the page for readability and returns the problems found. */
const READABILITY = readFileSync(new URL('./readability.js', import.meta.url), 'utf8');

describe('the service’s pages in Chromium', function () {
  this.timeout(60_000);
  let harness: Harness;
  let site: Site;
  let browser: Browser;
  before(async function () {
    const launched = await launchChromium();
    if (launched === null) this.skip();
    browser = launched;
    harness = await createHarness();
    site = await harness.start();
  });
  after(async () => {
    await browser?.close();
    await harness?.drop();
  });

  const contexts: BrowserContext[] = [];
  /** The browser's errors, and the requested URLs. */
  let complaints: string[] = [];
  let addresses: string[] = [];
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
  });

  async function open(
    path: string,
    options: BrowserContextOptions = {},
    prepare = async (_page: Page) => {},
  ): Promise<Page> {
    complaints = [];
    addresses = [];
    const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'Europe/London', ...options });
    contexts.push(context);
    const page = await context.newPage();
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('dialog', (dialog) => complaints.push(`dialog ${dialog.message()}`));
    page.on('request', (request) => addresses.push(request.url()));
    await prepare(page);
    await page.goto(site.url + path);
    return page;
  }
  const isLive = (page: Page) => page.locator('#connection[data-state="open"]').waitFor({ timeout: 10_000 });
  const card = (page: Page, id: number) => page.locator(`#day .league [data-match="${id}"]`);
  const scoreOf = async (page: Page, id: number) =>
    (await card(page, id).locator('.score').allTextContents()).join(':');
  async function until(what: string, check: () => Promise<boolean>, ms = 8_000): Promise<void> {
    const end = Date.now() + ms;
    while (!(await check())) {
      assert.ok(Date.now() < end, `not seen within ${ms} ms: ${what}`);
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
  }

  it('a goal appears on the front page without a reload, and is announced to screen readers', async () => {
    const id = await harness.apply('goal', playing('Red Stars', 'Blue Moons', [0, 0], 10));
    const page = await open('/');
    await isLive(page);
    await page.evaluate('window.sameDocument = true');
    assert.equal(await scoreOf(page, id), '0:0');
    await harness.apply(
      'goal',
      playing('Red Stars', 'Blue Moons', [1, 0], 11, { incidents: [goal('g1', 'home', 11, 'A. Scorer', [1, 0])] }),
    );
    await until('the goal', async () => (await scoreOf(page, id)) === '1:0', 3_000);
    await until('the highlight', async () => (await card(page, id).getAttribute('class'))!.includes('scored'));
    assert.equal(await card(page, id).locator('.clock').textContent(), '11′');
    await until(
      'the announcement',
      async () => (await page.locator('#announcement').textContent()) === 'Goal! Red Stars 1:0 Blue Moons',
    );
    assert.equal(await page.evaluate("'sameDocument' in window"), true);
    assert.deepEqual(complaints, []);
    assert.ok(
      addresses.every((address) => address.startsWith(site.url)),
      addresses.join(),
    );
  });

  it('a match is added to the list when it starts, and shows when it has ended', async () => {
    const page = await open('/');
    await isLive(page);
    const id = await harness.apply('begins', playing('Larks', 'Wrens', [0, 0], 1));
    await card(page, id).waitFor({ timeout: 8_000 });
    await harness.apply(
      'begins',
      playing('Larks', 'Wrens', [0, 0], 90, { status: 'finished', status_detail: 'ended' }),
    );
    await page.locator(`#day [data-match="${id}"][data-status="finished"]`).waitFor({ timeout: 8_000 });
    assert.equal(await card(page, id).locator('.clock').textContent(), 'Full time');
    assert.deepEqual(complaints, []);
  });

  it('the match page updates score, timeline, statistics and momentum picture', async () => {
    const graph = (minutes: number) => ({
      graphPoints: Array.from({ length: minutes }, (_, index) => ({ minute: index + 1, value: 40 })),
    });
    const possession = (home: number) => [
      {
        period: 'ALL',
        group_name: null,
        stat_name: 'Ball possession',
        home_value: home,
        away_value: 100 - home,
        home_text: `${home}%`,
        away_text: `${100 - home}%`,
      },
    ];
    const id = await harness.apply('grows', playing('Owls', 'Rooks', [0, 0], 20, { momentum: graph(20) }));
    const statistics = await open(`/match/${id}?tab=statistics`);
    await isLive(statistics);
    assert.equal(await statistics.locator('#none').textContent(), 'No source has told this yet.');
    const page = await open(`/match/${id}`);
    await isLive(page);
    const picture = (what: string) => page.evaluate(`document.querySelector('#momentum img').${what}`);
    const address = await picture('currentSrc');
    await until('the picture', async () => Number(await picture('naturalWidth')) > 0);
    assert.equal(await page.locator('#timeline li').count(), 0);
    assert.equal(await page.getByRole('link', { name: 'Statistics' }).count(), 0);
    await harness.apply(
      'grows',
      playing('Owls', 'Rooks', [0, 1], 21, {
        momentum: graph(21),
        statistics: possession(55),
        incidents: [goal('g1', 'away', 21, 'B. Striker', [0, 1])],
      }),
    );
    await until(
      'the score',
      async () => (await page.locator('#head .score').allTextContents()).join(':') === '0:1',
      3_000,
    );
    await page.locator('#timeline [data-kind="goal"].fresh').waitFor({ timeout: 5_000 });
    assert.match((await page.locator('#timeline li').first().textContent())!, /B\. Striker/);
    await until(
      'the statistics',
      async () => (await statistics.locator('#statistics .home').first().textContent()) === '55%',
    );
    assert.equal(await statistics.locator('#none').isHidden(), true);
    await until('the tab', async () => (await page.getByRole('link', { name: 'Statistics' }).count()) === 1);
    await until('a new picture', async () => (await picture('currentSrc')) !== address);
    assert.deepEqual(complaints, []);
    assert.ok(addresses.every((one) => one.startsWith(site.url)));
  });

  it('a row shows its scorers while the mouse rests on it or the keyboard is there, and asks again after a goal', async () => {
    const [first, second] = [goal('g1', 'home', 5, 'A. Early', [1, 0]), goal('g2', 'away', 9, 'B. Later', [1, 1])];
    const id = await harness.apply('scorers', playing('Swifts', 'Terns', [1, 0], 6, { incidents: [first] }));
    const none = await harness.apply('goalless', playing('Ducks', 'Geese', [0, 0], 6));
    const page = await open('/');
    await isLive(page);
    const asked = () =>
      addresses.filter((address) => new RegExp(`/match-summary\\?match=(${id}|${none})$`).test(address)).length;
    const before = asked();
    const shown = page.locator('#scorers');
    await card(page, id).locator('.clock').hover();
    await until(
      'the scorer',
      async () => (await shown.isVisible()) && (await shown.textContent())!.includes('A. Early 5′'),
    );
    assert.equal(asked(), before + 1);
    const [row, box] = [(await card(page, id).boundingBox())!, (await shown.boundingBox())!];
    assert.ok(box.y >= row.y + row.height - 1 || box.y + box.height <= row.y + 1, 'the row stays visible');
    await card(page, none).locator('.clock').hover();
    await until('no scorers', async () => !(await shown.isVisible()));
    await harness.apply('scorers', playing('Swifts', 'Terns', [1, 1], 10, { incidents: [first, second] }));
    await until('the goal', async () => (await scoreOf(page, id)) === '1:1');
    await page.keyboard.press('Tab');
    await card(page, id).locator('.open').focus();
    await until(
      'both',
      async () => (await shown.isVisible()) && /A\. Early 5′.*B\. Later 9′/.test((await shown.textContent())!),
    );
    await page.keyboard.press('Escape');
    assert.equal(await shown.isVisible(), false);
    assert.equal(asked(), before + 2, 'the goalless match was not asked for');
    assert.deepEqual(complaints, []);
  });

  it('the front page shows a red card without a reload', async () => {
    const id = await harness.apply('cards', playing('Larks', 'Wrens', [0, 0], 30));
    const page = await open('/');
    await isLive(page);
    const mark = card(page, id).locator('[data-side="away"] .sent-off');
    assert.equal(await mark.count(), 0);
    const red = {
      kind: 'card',
      side: 'away',
      minute: 31,
      player: { name: 'A. Back' },
      payload: { card_type: 'red' },
    } as const;
    await harness.apply('cards', playing('Larks', 'Wrens', [0, 0], 31, { incidents: [red] }));
    await mark.waitFor({ timeout: 8_000 });
    assert.equal(await mark.getAttribute('aria-label'), 'Red cards: 1');
  });

  it('a page shows that the connection is lost, reconnects by itself and shows what it missed', async () => {
    const id = await harness.apply('missed', playing('Hawks', 'Kites', [0, 0], 30));
    const page = await open('/');
    await isLive(page);
    const { port } = site;
    await site.stop();
    await page.locator('#connection[data-state="offline"]').waitFor({ timeout: 10_000 });
    assert.equal(await page.locator('#connection').textContent(), 'Reconnecting');
    // A changed round name causes no event. Only a refreshed page shows it.
    await harness.apply('missed', playing('Hawks', 'Kites', [2, 0], 40, { round_name: 'Round of meanwhile' }));
    site = await harness.start({ port });
    await isLive(page);
    await until('the score of meanwhile', async () => (await scoreOf(page, id)) === '2:0');
    await until('what made no event', async () =>
      (await card(page, id).locator('.where').textContent())!.includes('Round of meanwhile'),
    );
    await harness.apply(
      'missed',
      playing('Hawks', 'Kites', [2, 1], 41, { incidents: [goal('g3', 'away', 41, 'C. Late', [2, 1])] }),
    );
    await until('the next goal', async () => (await scoreOf(page, id)) === '2:1', 3_000);
  });

  it('a page whose stream is refused says so, reloads for as long as it is refused, and gets the stream when a slot is free', async () => {
    const id = await harness.apply('refused', playing('Swifts', 'Swans', [0, 0], 5));
    let refused = 0;
    const page = await open('/', {}, async (before) => {
      await before.route('**/live', async (route) => {
        refused += 1;
        if (refused > 2) return route.continue();
        return route.fulfill({ status: 429, headers: { 'Retry-After': '1' }, contentType: 'text/plain', body: 'full' });
      });
    });
    await page.locator('#connection[data-state="offline"]').waitFor({ timeout: 10_000 });
    await harness.apply('refused', playing('Swifts', 'Swans', [1, 0], 6));
    await until('the score, without a stream', async () => (await scoreOf(page, id)) === '1:0', 6_000);
    assert.ok(refused <= 2);
    await page.locator('#connection[data-state="open"]').waitFor({ timeout: 20_000 });
    assert.equal(refused, 3);
    await harness.apply(
      'refused',
      playing('Swifts', 'Swans', [2, 0], 7, { incidents: [goal('g1', 'home', 7, 'D. Quick', [2, 0])] }),
    );
    await until('the goal', async () => (await scoreOf(page, id)) === '2:0', 4_000);
  });

  it('a page that was told to wait sends no request before that time has passed', async () => {
    const id = await harness.apply('told', playing('Terns', 'Gulls', [0, 0], 5));
    const page = await open('/');
    await isLive(page);
    let asked = 0;
    await page.route(
      ({ pathname }) => pathname === '/',
      (route) => {
        asked += 1;
        return route.fulfill({
          status: 429,
          headers: { 'Retry-After': '60' },
          contentType: 'text/plain',
          body: 'wait',
        });
      },
    );
    // A new round name changes the list, so the page is fetched again each time.
    for (let minute = 6; minute < 10; minute += 1) {
      const started = playing('Petrels', `Skuas ${minute}`, [0, 0], 1);
      await harness.apply(`told-${minute}`, started);
      await harness.apply('told', playing('Terns', 'Gulls', [minute, 0], minute));
      await until('the score', async () => (await scoreOf(page, id)) === `${minute}:0`);
    }
    await until('the first refusal', async () => asked > 0);
    await page.waitForTimeout(2_500);
    assert.equal(asked, 1);
  });

  it('the page for a match that is not in progress opens no stream', async () => {
    const id = await harness.apply('over', { status: 'finished', status_detail: 'ended', score: { home: 1, away: 0 } });
    const page = await open(`/match/${id}`);
    await page.locator('.facts time[title]').waitFor();
    assert.equal(await page.locator('#connection').isVisible(), false);
    assert.ok(!addresses.some((address) => address.includes('/live')), addresses.join());
    assert.deepEqual(complaints, []);
  });

  it('a name from the server or from an event is never run as script', async () => {
    const name = `<img src=x onerror="alert(1)"><script>alert(2)</script>`;
    const id = await harness.apply('bad-name', playing(name, 'Good', [0, 0], 5));
    const page = await open('/');
    await isLive(page);
    await harness.apply(
      'bad-name',
      playing(name, 'Good', [1, 0], 6, { incidents: [goal('g1', 'home', 6, name, [1, 0])] }),
    );
    await until('the goal', async () => (await scoreOf(page, id)) === '1:0');
    assert.equal(await card(page, id).locator('.name').first().textContent(), name);
    await page.goto(`${site.url}/match/${id}`);
    assert.equal(await page.locator('main img[src="x"], main script').count(), 0);
    assert.deepEqual(complaints, []);
  });

  it('the pages fit a 375-pixel phone, in light and dark', async () => {
    const id = await harness.apply(
      'phone',
      playing('A-club-with-a-very-long-name-without-a-single-space', 'Wolverhampton Wanderers Reserves', [10, 11], 30, {
        incidents: [goal('g1', 'home', 11, 'Somebody-Withaverylong Doublebarrelledname', [1, 0])],
      }),
    );
    const grounds = new Set<string>();
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const path of ['/', `/match/${id}`]) {
        const page = await open(path, { viewport: { width: 375, height: 812 }, colorScheme });
        await isLive(page);
        const widths = await page.evaluate<number[]>('[document.documentElement.scrollWidth, window.innerWidth]');
        assert.ok(widths[0]! <= widths[1]!, `${path} is ${widths[0]} wide`);
        grounds.add(await page.evaluate<string>('getComputedStyle(document.body).backgroundColor'));
      }
    }
    assert.equal(grounds.size, 2);
  });

  it('the front page without matches fits a 320-pixel phone and is readable, in both languages', async () => {
    const closed = await harness.start({ env: { PUBLIC_SITE: '0', SIGNUP: 'invite' } });
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const lang of ['en', 'ru']) {
        const page = await open('/', { viewport: { width: 320, height: 700 }, colorScheme });
        await page.goto(`${closed.url}/?lang=${lang}`);
        const widths = await page.evaluate<number[]>('[document.documentElement.scrollWidth, window.innerWidth]');
        assert.ok(widths[0]! <= widths[1]!, `${lang} is ${widths[0]} wide`);
        assert.deepEqual(await page.evaluate(READABILITY), [], `${lang} ${colorScheme}`);
        assert.deepEqual(complaints, []);
      }
    }
    await closed.stop();
  });

  it('an empty column on the match page gives its width to the next column', async () => {
    const statistics = [
      {
        period: 'ALL',
        group_name: null,
        stat_name: 'Shots',
        home_value: 1,
        away_value: 2,
        home_text: '1',
        away_text: '2',
      },
    ];
    const shot = { minute: 4, xg: 0.1, shotType: 'save', situation: null, bodyPart: null, x: 10, y: 50 };
    const shotmap = [{ ...shot, side: 'home' as const, player: { name: 'A. Scorer' } }];
    const id = await harness.apply('one-column', playing('Storks', 'Herons', [1, 0], 30, { shotmap }));
    const page = await open(`/match/${id}?tab=statistics`, { viewport: { width: 1_280, height: 800 } });
    await isLive(page);
    const widthOf = async (part: string) => (await page.locator(part).boundingBox())!.width;
    const whole = await widthOf('#head');
    assert.ok((await widthOf('#shots')) > whole - 2, 'the shots have the whole width');
    await harness.apply('one-column', playing('Storks', 'Herons', [1, 0], 31, { shotmap, statistics }));
    // While a part is being replaced, it has no bounding box.
    const shots = page.locator('#shots');
    await until('two columns', async () => ((await shots.boundingBox())?.width ?? whole) < whole / 2);
    assert.ok(Math.abs((await widthOf('#shots')) - (await widthOf('#statistics'))) < 2);
  });

  it('a date shows the year, except in the current year', async () => {
    const year = new Date().getFullYear();
    const at = (day: string) =>
      harness.apply(`on-${day}`, {
        scheduled_start: `${day}T12:00:00Z`,
        status: 'finished',
        score: { home: 0, away: 0 },
      });
    const old = await at('2019-05-04');
    const recent = await at(`${year}-01-02`);
    const text = async (id: number) => {
      const page = await open(`/match/${id}`);
      await page.locator('.facts time[title]').waitFor();
      return page.locator('.facts time').textContent();
    };
    assert.equal(await text(old), '4 May 2019, 13:00');
    assert.equal(await text(recent), '2 Jan, 12:00');
  });

  it('the pages have enough contrast, name their controls and pictures, and have headings in order', async () => {
    const id = await harness.apply(
      'read',
      playing('Finches', 'Tits', [1, 0], 30, { momentum: { graphPoints: [{ minute: 1, value: 5 }] } }),
    );
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const path of ['/', `/match/${id}`]) {
        const page = await open(path, { colorScheme });
        await isLive(page);
        const faults = await page.evaluate(READABILITY);
        assert.deepEqual(faults, [], `${path} ${colorScheme}`);
      }
    }
  });

  it('the pages are complete without JavaScript', async () => {
    const id = await harness.apply('plain', playing('Geese', 'Ducks', [4, 2], 70));
    const page = await open('/', { javaScriptEnabled: false });
    assert.equal(await scoreOf(page, id), '4:2');
    assert.equal(await page.locator('#connection').isVisible(), false);
    await card(page, id).locator('a.open').click({ force: true });
    await page.waitForURL(`**/match/${id}/**`);
    assert.equal((await page.locator('#head .score').allTextContents()).join(':'), '4:2');
  });
});
