/** Walks through the site in Chromium as a reader does, only by clicking, in both languages. */
import assert from 'node:assert/strict';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { findViolations, VIEWS } from '../support/accessibility.ts';
import { launchChromium } from '../support/chromium.ts';
import { feedLeague } from './sample-league.ts';
import { createHarness, type Harness, type Site } from './site.ts';

const NOW = Date.parse('2025-05-24T12:00:00Z');
/** Largest share of the view that may move after the first paint. Core Web Vitals call up to 0.1 "good". */
const MAX_SHIFT = 0.02;
/** Maximum number of bytes sent for the first page, with all its files. */
const MAX_BYTES = 60 * 1024;

const WORDS = {
  en: {
    yesterday: 'Yesterday',
    league: 'Premier League',
    show: 'Show',
    player: 'Bukayo Saka',
    team: 'Arsenal',
    cup: 'FIFA World Cup',
    final: 'Final',
    calendar: 'Add to calendar',
  },
  ru: {
    yesterday: 'Вчера',
    league: 'Английская Премьер-лига',
    show: 'Показать',
    player: 'Букайо Сака',
    team: 'Арсенал',
    cup: 'Чемпионат мира',
    final: 'Финал',
    calendar: 'Добавить в календарь',
  },
} as const;

describe('a walk through the site', function () {
  this.timeout(90_000);
  let harness: Harness;
  let site: Site;
  let browser: Browser;
  let context: BrowserContext | undefined;
  let complaints: string[] = [];
  before(async function () {
    const launched = await launchChromium();
    if (launched === null) this.skip();
    browser = launched;
    harness = await createHarness();
    site = await harness.start({ clock: { now: () => NOW } });
    await feedLeague(harness, NOW);
    await harness.pool.query(`UPDATE participant SET name_ru = 'Букайо Сака' WHERE name = 'Bukayo Saka'`);
  });
  after(async () => {
    await browser?.close();
    await harness?.drop();
  });
  afterEach(async () => {
    await context?.close();
  });

  async function open(path: string, options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
    context = await browser.newContext({ timezoneId: 'UTC', viewport: { width: 1_280, height: 900 }, ...options });
    const page = await context.newPage();
    complaints = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(site.url + path);
    return page;
  }
  const idOf = async (table: 'participant' | 'tournament', name: string) => {
    const { rows } = await harness.pool.query<{ id: number }>(
      `SELECT id FROM ${table} WHERE name = $1 ORDER BY id LIMIT 1`,
      [name],
    );
    return rows[0]!.id;
  };

  for (const lang of ['en', 'ru'] as const) {
    it(`reaches yesterday, a league and its season, a player, a team, a bracket and a calendar by clicks alone (${lang})`, async () => {
      const words = WORDS[lang];
      const page = await open('/', { locale: lang === 'en' ? 'en-GB' : 'ru-RU' });
      await page.locator('.strip').getByRole('link', { name: words.yesterday }).click();
      await page.waitForURL('**/?date=2025-05-23');
      await page.goBack();
      await page.getByRole('link', { name: words.league }).first().click();
      await page.waitForURL('**/tournament/*/premier-league');
      await page.locator('select[name="season"]').selectOption({ label: '2023/24' });
      await page.locator('.subject').getByRole('button', { name: words.show }).click();
      await page.waitForURL(/season=\d+/);
      assert.match((await page.locator('#table tbody tr').first().textContent())!, new RegExp(words.team));
      await page.locator('#leaders').getByRole('link', { name: words.player }).click();
      await page.waitForURL('**/player/*/bukayo-saka');
      assert.equal(
        await page
          .locator('h1')
          .textContent()
          .then((text) => text!.replace(/[☆★]/, '')),
        words.player,
      );
      await page.locator('.crumbs').getByRole('link', { name: words.team }).click();
      await page.waitForURL('**/team/*/arsenal');
      assert.ok((await page.locator('#next .match').count()) > 0);
      assert.ok((await page.locator('#last .match').count()) > 0);
      const calendar = page.getByRole('link', { name: words.calendar });
      assert.match((await calendar.getAttribute('href'))!, /^webcal:\/\/.*\/calendar\/team\/\d+\.ics/);
      await page.locator('input[name="q"]').fill('world cup');
      await page.locator('#suggestions [role="option"]').first().waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/tournament/*/fifa-world-cup');
      const final = page.locator('#bracket .round').last();
      assert.match((await final.textContent())!, new RegExp(`^${words.final}`));
      await final.locator('.more a').click();
      await page.waitForURL('**/match/*/argentina-france');
      await page.locator('.crest').first().click();
      await page.waitForURL('**/team/*/argentina');
      assert.deepEqual(complaints, []);
    });
  }

  it('stays on the same page when the language is switched, and keeps that language', async () => {
    const page = await open(`/team/${await idOf('participant', 'Arsenal')}/arsenal`, { locale: 'en-GB' });
    await page.getByRole('link', { name: 'Русский' }).click();
    await page.locator('h1', { hasText: 'Арсенал' }).waitFor();
    await page.goto(`${site.url}/`);
    assert.equal(await page.locator('html').getAttribute('lang'), 'ru');
  });

  it('shows favourite leagues and teams first, and stores the favourites in the browser', async () => {
    const page = await open('/?date=2025-05-25', { locale: 'en-GB' });
    const star = page.locator('.league .star').first();
    await star.click();
    assert.equal(await star.getAttribute('aria-pressed'), 'true');
    await page.goto(`${site.url}/team/${await idOf('participant', 'Fulham')}`);
    await page.locator('h1 .star').click();
    await page.goto(`${site.url}/?date=2025-05-25`);
    await page.locator('#my-teams .match').first().waitFor();
    assert.match((await page.locator('#my-teams').textContent())!, /Fulham/);
    assert.equal(await page.locator('.league .star').first().getAttribute('aria-pressed'), 'true');
    assert.deepEqual(complaints, []);
  });

  it('chooses two teams while the reader types, and by the button without scripts', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const page = await open(`/team/${await idOf('participant', 'Arsenal')}`, { locale: 'en-GB', javaScriptEnabled });
      await page.getByRole('link', { name: 'Meetings with another team' }).click();
      await page.waitForURL('**/meetings?first=*');
      await page.locator('input[name="second_name"]').pressSequentially('chel');
      if (!javaScriptEnabled) await page.locator('form.pair button').click();
      await page.locator('#found a', { hasText: 'Chelsea' }).click();
      await page.locator('h1', { hasText: 'Arsenal – Chelsea' }).waitFor();
      assert.ok((await page.locator('#list .match').count()) > 0);
      assert.deepEqual(complaints, []);
      await context!.close();
    }
  });

  it('finds leagues while the reader types, and by the button without scripts', async () => {
    const page = await open('/leagues', { locale: 'en-GB' });
    await page.locator('form.choice input').pressSequentially('worl');
    // A reader who pauses while typing sees earlier results first.
    await page.waitForURL('**/leagues?q=worl');
    await page.locator('#found [role="status"]').waitFor();
    assert.deepEqual(await page.locator('#found li a').allTextContents(), ['FIFA World Cup']);
    await page.locator('form.choice input').fill('qqqq');
    await page.getByText('No league fits “qqqq”.').waitFor();
    await page.locator('form.choice input').fill('');
    await page.locator('#found .cards').waitFor();
    assert.deepEqual(complaints, []);
    await context!.close();
    const plain = await open('/leagues', { javaScriptEnabled: false });
    await plain.locator('form.choice input').fill('worl');
    await plain.locator('form.choice button').click();
    await plain.waitForURL('**/leagues?q=worl');
    await plain.locator('#found li a').click();
    await plain.waitForURL('**/tournament/*/fifa-world-cup');
  });

  it('finds that every page fits from 320 to 1920 pixels, has no axe violations, and does not shift', async () => {
    const paths = [
      '/',
      '/?date=2025-05-25',
      `/tournament/${await idOf('tournament', 'Premier League')}`,
      `/tournament/${await idOf('tournament', 'FIFA World Cup')}`,
      `/team/${await idOf('participant', 'Arsenal')}`,
      `/player/${await idOf('participant', 'Bukayo Saka')}`,
      '/rankings',
      '/leagues',
      '/leagues?q=league',
      '/settings',
      '/offline/en',
      `/meetings?first=${await idOf('participant', 'Arsenal')}&second=${await idOf('participant', 'Chelsea')}`,
      `/meetings?first=${await idOf('participant', 'Arsenal')}&second_name=chel`,
      '/search?q=arsenal',
    ];
    for (const [index, { width, colorScheme }] of VIEWS.entries()) {
      const page = await open('/', { colorScheme, bypassCSP: true, viewport: { width, height: 900 } });
      await page.addInitScript(`
        window.shift = 0;
        new PerformanceObserver((list) => { for (const one of list.getEntries()) shift += one.value; })
          .observe({ type: 'layout-shift', buffered: true });`);
      for (const path of paths) {
        await page.goto(site.url + path);
        await page.waitForTimeout(150);
        const found = await findViolations(page, { onlyColors: index > 0 });
        assert.deepEqual(found, [], `${path} ${width} ${colorScheme}`);
        const shift = await page.evaluate<number>('shift');
        assert.ok(shift <= MAX_SHIFT, `${path} shifts by ${shift}`);
        for (const wide of [320, 375, 1_280, 1_920]) {
          await page.setViewportSize({ width: wide, height: 900 });
          const needed = await page.evaluate<number>('document.documentElement.scrollWidth');
          assert.ok(needed <= wide, `${path} needs ${needed} of ${wide}`);
        }
        await page.setViewportSize({ width, height: 900 });
      }
      await context!.close();
    }
  });

  it('finds that the first view takes at most 60 KB, and works without scripts', async () => {
    const page = await open('/', { javaScriptEnabled: false });
    let bytes = 0;
    page.on('response', async (response) => {
      const { responseBodySize, responseHeadersSize } = await response.request().sizes();
      bytes += responseBodySize + responseHeadersSize;
    });
    await page.goto(`${site.url}/tournament/${await idOf('tournament', 'Premier League')}`, {
      waitUntil: 'networkidle',
    });
    assert.ok(bytes > 5_000 && bytes <= MAX_BYTES, `${bytes} bytes`);
    await page.locator('input[name="q"]').fill('chelsea');
    await page.locator('form.search button').click();
    await page.waitForURL('**/search?q=chelsea');
    await page.locator('.hits a').first().click();
    await page.waitForURL('**/team/*/chelsea');
  });

  it('finds no Latin words on Russian pages except proper names', async () => {
    const { rows } = await harness.pool.query<{ name: string }>(
      'SELECT name FROM participant UNION SELECT name FROM tournament UNION SELECT name FROM venue',
    );
    const names = rows.map(({ name }) => name);
    // Latin words that Russian pages may contain: formats, products, an API address, and groups' letters.
    const known = /^(Touchline|API|REST|SSE|WebSocket|OpenAPI|GET|v|tournaments|id|ics|UTC|English|[A-H]|[IVX]+)$/;
    const match = await harness.pool.query<{ id: number }>('SELECT id FROM match ORDER BY id');
    const page = await open('/', { locale: 'ru-RU' });
    for (const path of [
      '/',
      '/?date=1850-01-01',
      '/?live=1',
      '/docs/leagues.html',
      '/leagues',
      '/leagues?q=щщщщщ',
      `/meetings?first=${await idOf('participant', 'Arsenal')}&second=${await idOf('participant', 'Chelsea')}`,
      `/meetings?first=${await idOf('participant', 'Arsenal')}&second_name=чел`,
      '/meetings?first_name=щщщщщ',
      `/tournament/${await idOf('tournament', 'Premier League')}`,
      `/tournament/${await idOf('tournament', 'FIFA World Cup')}`,
      `/team/${await idOf('participant', 'Arsenal')}`,
      `/player/${await idOf('participant', 'Bukayo Saka')}`,
      '/rankings',
      '/search?q=Арсенал',
      '/search?q=щщщщщ',
      ...match.rows.slice(0, 3).map(({ id }) => `/match/${id}`),
      '/match/999999',
    ]) {
      await page.goto(site.url + path);
      let text = await page.evaluate<string>(`(() => {
        for (const one of document.querySelectorAll('[lang="en"], script, style, noscript')) if (one !== document.documentElement) one.remove();
        const labels = [...document.querySelectorAll('[aria-label], [title], [placeholder], [alt]')]
          .flatMap((one) => ['aria-label', 'title', 'placeholder', 'alt'].map((name) => one.getAttribute(name) ?? ''));
        return [document.title, document.body.textContent, ...labels].join(' ');
      })()`);
      for (const name of names) text = text.replaceAll(name, ' ');
      text = text.replace(/\d{4}-\d\d-\d\dT[\d:]+Z/g, ' ');
      const words = [...new Set(text.match(/[A-Za-z]{1,}[A-Za-z'-]*/g) ?? [])].filter((word) => !known.test(word));
      assert.deepEqual(words, [], path);
    }
  });
});
