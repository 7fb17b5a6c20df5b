/**
 * What fans come for, as tasks that begin on the front page and are done by clicks and by typing alone, in both languages. A task that
 * gets stuck fails, and names the step.
 */
import assert from 'node:assert/strict';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { FRONT_PAGE, MEETINGS, SETTINGS, TEXTS } from '../../src/site/texts/index.ts';
import { launchChromium } from '../support/chromium.ts';
import { feedLeague, LEAGUE, STAR } from './sample-league.ts';
import { createHarness, goal, type Harness, playing, type Site } from './site.ts';

const NOW = Date.parse('2025-05-24T12:00:00Z');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Longest time for a step. A step that is stuck never ends by itself. */
const STEP_MS = 10_000;

const LANGUAGES = ['en', 'ru'] as const;
const NAMES = {
  en: {
    league: LEAGUE.name,
    cup: 'City Cup',
    arsenal: 'Arsenal',
    chelsea: 'Chelsea',
    star: 'Bukayo Saka',
    country: 'England',
  },
  ru: {
    league: LEAGUE.name_ru,
    cup: 'Кубок города',
    arsenal: 'Арсенал',
    chelsea: 'Челси',
    star: 'Букайо Сака',
    country: 'Англия',
  },
} as const;

const CALENDAR = { en: 'Add to calendar', ru: 'Добавить в календарь' } as const;

interface Task {
  page: Page;
  names: (typeof NAMES)['en' | 'ru'];
  text: (typeof TEXTS)['en'];
  lang: 'en' | 'ru';
}

const readText = async (page: Page, selector: string) =>
  (await page.locator(selector).first().textContent())!.replaceAll(/\s+/g, ' ').trim();
const link = (page: Page, name: string, within = 'main') =>
  page.locator(within).getByRole('link', { name, exact: true }).first();

async function findTeam({ page, names }: Task, name: 'arsenal' | 'chelsea' = 'arsenal'): Promise<void> {
  await page.locator('form.search input').fill(names[name]);
  await page.locator('#suggestions [role="option"]').first().click();
  await page.waitForURL('**/team/**');
}
async function findLeague({ page, names, text }: Task): Promise<void> {
  await link(page, text.pages.tomorrow, '.strip').click();
  await link(page, names.league, '#day').click();
  await page.waitForURL('**/tournament/**');
}
async function openFinal({ page, text }: Task): Promise<void> {
  await link(page, text.pages.yesterday, '.strip').click();
  await page.locator('#day .match .open').first().click();
  await page.waitForURL('**/match/**');
}
async function openLeagueMatch({ page, text }: Task): Promise<void> {
  await link(page, text.pages.tomorrow, '.strip').click();
  await page.locator('#day .match .open').first().click();
  await page.waitForURL('**/match/**');
}
const openTab = async ({ page, text }: Task, tab: keyof Task['text']['tabs']['names']) => {
  await link(page, text.tabs.names[tab], '.page-tabs').click();
  await page.locator('.page-tabs [aria-current]', { hasText: text.tabs.names[tab] }).waitFor();
};

const TASKS: Record<string, (task: Task) => Promise<void>> = {
  async 'who scored in yesterday’s final'(task) {
    await openFinal(task);
    assert.match(await readText(task.page, '#head .scorers'), /A\. Early 5′\s?B\. Late 88′/);
  },
  async 'who scored in yesterday’s final, without leaving the list'({ page, text }) {
    await link(page, text.pages.yesterday, '.strip').click();
    await page.locator('#day .more-about').first().click();
    await page.locator('#selected .scorers').waitFor();
    assert.match(await readText(page, '#selected'), /2 : 0|2:0/);
    assert.match(await readText(page, '#selected .scorers'), /A\. Early 5′\s?B\. Late 88′/);
  },
  async 'how long the live match has been played, and its score'({ page, text }) {
    await link(page, text.pages.liveOnly, '.strip').click();
    await page.waitForURL('**/?live=1');
    assert.match(await readText(page, '#day .match'), /63′ (Everton|Эвертон)1(Fulham|Фулхэм)1/);
  },
  async 'when my team plays next'(task) {
    await findTeam(task);
    assert.match(await readText(task.page, '#next .match .state'), /25/);
  },
  async 'how my team has played lately'(task) {
    await findTeam(task);
    const results = await task.page.locator('#last .match').count();
    assert.ok(results >= 2, `${results} results`);
  },
  async 'the table of the league'(task) {
    await findLeague(task);
    assert.match(await readText(task.page, '#table tbody tr'), new RegExp(`1 ?${task.names.arsenal}`));
  },
  async 'the table of the league three seasons ago'(task) {
    await findLeague(task);
    await task.page.locator('select[name="season"]').selectOption({ label: '2021/22' });
    await task.page.locator('.subject').getByRole('button', { name: task.text.catalogue.show }).click();
    await task.page.waitForURL(/season=/);
    assert.match(await readText(task.page, '#table tbody tr'), new RegExp(`1 ?${task.names.chelsea}`));
  },
  async 'the table of away matches'(task) {
    await findLeague(task);
    await link(task.page, task.text.catalogue.types.away, '#table').click();
    await task.page.waitForURL(/table=away/);
    assert.equal(await readText(task.page, '#table [aria-current]'), task.text.catalogue.types.away);
  },
  async 'who leads the scorers'(task) {
    await findLeague(task);
    await openTab(task, 'leaders');
    assert.match(await readText(task.page, '#leaders tbody tr'), new RegExp(`${task.names.star}.*4`));
  },
  async 'the results of the first matchday'(task) {
    await findLeague(task);
    await openTab(task, 'matches');
    for (let back = 0; back < 2; back++) {
      const former = task.page.url();
      await task.page.locator('#fixtures').getByRole('link', { name: task.text.catalogue.previousRound }).click();
      await task.page.waitForURL((url) => url.href !== former);
    }
    assert.equal(await task.page.locator('#fixtures .match').count(), 2);
  },
  async 'the line-up of the final'(task) {
    await openFinal(task);
    await openTab(task, 'lineups');
    assert.match(await readText(task.page, '#lineups'), /David Raya/);
  },
  async 'how much of the ball each side had'(task) {
    await openFinal(task);
    await openTab(task, 'statistics');
    assert.match(await readText(task.page, '#statistics'), /61%.*39%/);
  },
  async 'who was the referee, and where the final was played'(task) {
    await openFinal(task);
    assert.match(await readText(task.page, '#head .facts'), /City Park.*M\. Whistle/);
  },
  async 'who was sent off'(task) {
    await openFinal(task);
    assert.match(await readText(task.page, '#timeline [data-kind="card"]'), /70′ C\. Rough/);
  },
  async 'all meetings of two teams'(task) {
    await findTeam(task);
    await task.page.getByRole('link', { name: MEETINGS[task.lang].withOther }).click();
    await task.page.locator('input[name="second_name"]').pressSequentially(task.names.chelsea.slice(0, 3));
    await task.page.locator('#found a', { hasText: task.names.chelsea }).click();
    await task.page.locator('#list .match').first().waitFor();
  },
  async 'who won the world cup, and how'({ page }) {
    await page.locator('form.search input').fill('world cup');
    await page.locator('#suggestions [role="option"]').first().click();
    await page.waitForURL('**/tournament/**');
    const final = page.locator('#bracket .round').last();
    await final.locator('.more a').first().click();
    await page.waitForURL('**/match/**');
    assert.match(await readText(page, '#head .result'), /3 ?: ?3.*4:2/);
  },
  async 'how many goals a player has this season'(task) {
    await findLeague(task);
    await link(task.page, task.names.star, '#leaders').click();
    await task.page.waitForURL('**/player/**');
    await openTab(task, 'statistics');
    assert.match(await readText(task.page, 'main tbody'), /4/);
  },
  async 'for which club a player plays'(task) {
    await findLeague(task);
    await link(task.page, task.names.star, '#leaders').click();
    await task.page.waitForURL('**/player/**');
    await link(task.page, task.names.arsenal).click();
    await task.page.waitForURL('**/team/*/arsenal');
  },
  async 'who plays for my team'(task) {
    await findTeam(task);
    await openTab(task, 'squad');
    await task.page.locator('select[name="season"]').selectOption({ label: '2024/25' });
    await task.page.locator('#squad').getByRole('button', { name: task.text.catalogue.show }).click();
    await task.page.waitForURL(/season=/);
    assert.match(await readText(task.page, '#squad'), new RegExp(task.names.star));
  },
  async 'the table behind a match'(task) {
    await openLeagueMatch(task);
    await openTab(task, 'table');
    assert.match(await readText(task.page, '#table tbody'), new RegExp(task.names.arsenal));
  },
  async 'a calendar with my team’s matches'(task) {
    await findTeam(task);
    const calendar = task.page.getByRole('link', { name: CALENDAR[task.lang] });
    assert.match((await calendar.getAttribute('href'))!, /^webcal:.*\/calendar\/team\/\d+\.ics/);
  },
  async 'my team first on the front page'(task) {
    const { page, names, lang } = task;
    await findTeam(task);
    await page.locator('h1 .star').click();
    await page.locator('.brand').click();
    await link(page, names.arsenal, '#favourites').waitFor();
    assert.equal(await readText(page, '#favourites h2'), FRONT_PAGE[lang].favourites);
    await link(page, task.text.pages.yesterday, '.strip').click();
    assert.match(await readText(page, '#my-teams .match'), new RegExp(names.arsenal));
  },
  async 'a league of a country'({ page, names, text }) {
    await link(page, text.pages.leagues, 'header').click();
    await page.waitForURL('**/leagues');
    await page.locator('form.choice input[name="q"]').pressSequentially(names.country.toLowerCase());
    await page.locator('#found [role="status"]').waitFor();
    await page.locator('#found a', { hasText: names.league }).first().click();
    await page.waitForURL('**/tournament/*/premier-league');
  },
  async 'the matches of tomorrow'({ page, text, names }) {
    await link(page, text.pages.tomorrow, '.strip').click();
    await page.waitForURL('**/?date=2025-05-25');
    assert.match(await readText(page, '#day'), new RegExp(names.league));
  },
  async 'a dark page, and times of another zone'({ page, lang }) {
    const open = () => page.locator('.settings summary').click();
    await open();
    await link(page, SETTINGS[lang].themes.dark, '.settings').click();
    await page.locator('html[data-theme="dark"]').waitFor({ state: 'attached' });
    await open();
    await page.locator('.settings a', { hasText: SETTINGS[lang].zone }).click();
    await page.waitForURL('**/settings');
    await page.locator('[name="zone"]').selectOption('Asia/Tokyo');
    await page.locator('main form button').last().click();
    await page.locator('html[data-zone="Asia/Tokyo"]').waitFor({ state: 'attached' });
  },
};

describe('tasks of fans', function () {
  this.timeout(60_000);
  let harness: Harness;
  let site: Site;
  let browser: Browser;
  let context: BrowserContext;
  before(async function () {
    const launched = await launchChromium();
    if (launched === null) this.skip();
    browser = launched;
    harness = await createHarness();
    site = await harness.start({ clock: { now: () => NOW } });
    await feedLeague(harness, NOW);
    await harness.pool.query('UPDATE participant SET name_ru = $2 WHERE name = $1', [STAR.name, NAMES.ru.star]);
    await feedMore(harness);
  });
  after(async () => {
    await browser?.close();
    await harness?.drop();
  });
  afterEach(async () => {
    await context?.close();
  });

  assert.equal(Object.keys(TASKS).length, 25);
  for (const lang of LANGUAGES)
    for (const [name, solve] of Object.entries(TASKS))
      it(`${name} (${lang})`, async () => {
        const locale = lang === 'en' ? 'en-GB' : 'ru-RU';
        context = await browser.newContext({ locale, timezoneId: 'UTC', viewport: { width: 1_280, height: 900 } });
        const page = await context.newPage();
        page.setDefaultTimeout(STEP_MS);
        const complaints: string[] = [];
        page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
        page.on('pageerror', (error) => complaints.push(error.message));
        await page.goto(`${site.url}/`);
        await solve({ page, lang, names: NAMES[lang], text: TEXTS[lang] });
        assert.deepEqual(complaints, []);
      });
});

/** Feeds former seasons, a final that was played yesterday, and a match that is being played. */
async function feedMore(harness: Harness): Promise<void> {
  const at = (ms: number) => new Date(NOW + ms).toISOString();
  const club = (name: string, name_ru: string) => ({ name, name_ru, country: 'GB-ENG' });
  const [arsenal, chelsea] = [club('Arsenal', 'Арсенал'), club('Chelsea', 'Челси')];
  const everton = club('Everton', 'Эвертон');
  for (const [label, years] of [
    ['2021/22', 3],
    ['2022/23', 2],
  ] as const)
    for (const [home, away] of [
      [chelsea, arsenal],
      [chelsea, everton],
      [arsenal, everton],
    ] as const)
      await harness.apply(`${label} ${home.name} ${away.name}`, {
        tournament: LEAGUE,
        season: { label },
        home,
        away,
        scheduled_start: at(-years * 365 * DAY_MS),
        status: 'finished',
        status_detail: 'ended',
        score: { home: 1, away: 0 },
      });
  await harness.apply('final', {
    tournament: { name: 'City Cup', name_ru: NAMES.ru.cup, country: 'GB-ENG' },
    season: { label: '2025' },
    round_name: 'Final',
    home: arsenal,
    away: chelsea,
    scheduled_start: at(-17 * HOUR_MS),
    status: 'finished',
    status_detail: 'ended',
    score: { home: 2, away: 0 },
    referee: 'M. Whistle',
    venue: { name: 'City Park', city: 'London', country: 'GB-ENG' },
    incidents: [
      goal('g1', 'home', 5, 'A. Early', [1, 0]),
      {
        id: 'c1',
        kind: 'card',
        side: 'away',
        minute: 70,
        period: '2H',
        player: { name: 'C. Rough' },
        payload: { card_type: 'red' },
      },
      { ...goal('g2', 'home', 88, 'B. Late', [2, 0]), period: '2H' },
    ],
    lineups: [
      { side: 'home', player: { name: 'David Raya' }, position: 'GK', shirt_number: '22', is_substitute: false },
      { side: 'away', player: { name: 'C. Rough' }, position: 'DF', shirt_number: '5', is_substitute: false },
    ],
    statistics: [
      {
        period: 'ALL',
        group_name: null,
        stat_name: 'Ball possession',
        home_value: 61,
        away_value: 39,
        home_text: '61%',
        away_text: '39%',
      },
    ],
  });
  await harness.apply(
    'live',
    playing('Everton', 'Fulham', [1, 1], 63, {
      tournament: { name: 'City Cup', name_ru: NAMES.ru.cup, country: 'GB-ENG' },
      scheduled_start: at(-HOUR_MS),
      period_scores: [
        { period: '1H', home: 1, away: 0 },
        { period: '2H', home: 0, away: 1 },
      ],
    }),
  );
}
