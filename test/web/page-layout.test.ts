/** How much of a page fits on a screen, and where its parts are, in Chromium. */
import assert from 'node:assert/strict';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { launchChromium } from '../support/chromium.ts';
import { feedLeague } from './sample-league.ts';
import { createHarness, type Harness, playing, type Site } from './site.ts';

const LAPTOP = { viewport: { width: 1_280, height: 900 } };
const PHONE = { viewport: { width: 375, height: 812 }, isMobile: true, hasTouch: true };

interface Box {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

describe('the layout of the pages', function () {
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
    for (const league of ['Upper League', 'Lower League'])
      for (let match = 0; match < 12; match++)
        await harness.apply(
          `${league} ${match}`,
          playing(`Borussia Mönchengladbach ${match}`, `Wolverhampton Wanderers ${match}`, [match, 1], 30 + match, {
            tournament: { name: league, country: 'GB-ENG' },
          }),
        );
    await harness.apply(
      'long status',
      playing('Eintracht Braunschweig', 'Blackburn Rovers', [2, 2], 120, {
        tournament: { name: 'Lower League', country: 'GB-ENG' },
        status: 'finished',
        status_detail: 'after_penalties',
        period_scores: [
          { period: '2H', home: 2, away: 2 },
          { period: 'PEN', home: 4, away: 2 },
        ],
      }),
    );
  });
  after(async () => {
    await browser?.close();
    await harness?.drop();
  });

  async function view<T>(path: string, options: BrowserContextOptions, look: (page: Page) => Promise<T>): Promise<T> {
    const context = await browser.newContext({ locale: 'en-GB', ...options });
    try {
      const page = await context.newPage();
      await page.goto(site.url + path);
      return await look(page);
    } finally {
      await context.close();
    }
  }
  const boxes = (page: Page, selector: string) =>
    page.evaluate<Box[]>(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((element) => {
      const { top, bottom, left, right } = element.getBoundingClientRect();
      return { top, bottom, left, right };
    })`);

  for (const lang of ['en', 'ru'] as const) {
    it(`a laptop shows 16 matches, each in one line of at most 44 pixels (${lang})`, async () => {
      await view(`/?lang=${lang}`, LAPTOP, async (page) => {
        const rows = await boxes(page, '#day .match');
        assert.equal(rows.length, 25);
        for (const { top, bottom } of rows) assert.ok(bottom - top <= 44, `${bottom - top} px`);
        const shown = rows.filter(({ bottom }) => bottom <= 900).length;
        assert.ok(shown >= 16, `${shown} matches`);
        // Both sides and their scores are in the same line.
        const parts = await boxes(page, '#day .league:first-child .match:first-child :is(.name, .score)');
        const middles = parts.map(({ top, bottom }) => (top + bottom) / 2);
        assert.ok(Math.max(...middles) - Math.min(...middles) <= 4, middles.join());
      });
    });

    it(`on a phone, the first match begins within 240 pixels, and each takes at most 44 (${lang})`, async () => {
      await view(`/?lang=${lang}`, PHONE, async (page) => {
        const rows = await boxes(page, '#day .match');
        assert.ok(rows[0]!.top <= 240, `the first match begins at ${rows[0]!.top}`);
        for (const { top, bottom } of rows) assert.ok(bottom - top <= 44, `${bottom - top} px`);
        assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 375);
      });
    });
  }

  it('the front page has three columns on a laptop, two on a tablet, and one on a phone', async () => {
    const now = Date.now();
    await feedLeague(harness, now);
    const path = `/?date=${new Date(now + 86_400_000).toISOString().slice(0, 10)}`;
    const shown = (page: Page) =>
      page.evaluate<string[]>(
        `['leagues', 'day', 'table'].filter((id) => document.getElementById(id).checkVisibility())`,
      );
    await view(path, LAPTOP, async (page) => {
      assert.deepEqual(await shown(page), ['leagues', 'day', 'table']);
      await page.locator('#table table').waitFor();
      const [leagues, day, table] = await boxes(page, '#leagues, #day, #table');
      assert.ok(leagues!.right < day!.left && day!.right < table!.left);
      assert.match(
        (await page.locator('#leagues').textContent())!,
        /Premier League\s*England.*Upper League\s*England/s,
      );
      const text = (await page.locator('#table').textContent())!.replaceAll(/\s+/g, ' ');
      assert.match(text, /^ ?Premier League 2024\/25 .*1 Arsenal 220040.*Leaders ?Bukayo Saka Arsenal 4/);
    });
    await view(path, { viewport: { width: 1_000, height: 800 } }, async (page) => {
      assert.deepEqual(await shown(page), ['day', 'table']);
    });
    await view(path, PHONE, async (page) => {
      assert.deepEqual(await shown(page), ['day']);
      assert.equal(await page.locator('#table table').count(), 0, 'a phone loads no table');
    });
    await view(path, { ...LAPTOP, javaScriptEnabled: false }, async (page) => {
      assert.match((await page.locator('#table a').getAttribute('href'))!, /^tournament\/\d+\/premier-league$/);
    });
  });

  it('a table beside the matches is that of the first league that has one, and bad questions are refused', async () => {
    const ask = async (wanted: string) => {
      const reply = await fetch(`${site.url}/league-table?wanted=${encodeURIComponent(wanted)}`);
      return { status: reply.status, text: await reply.text() };
    };
    const { rows } = await harness.pool.query<{ key: string; league: string }>(
      "SELECT t.id || '.' || s.id AS key, t.name || ' ' || s.season_label AS league FROM season s JOIN tournament t ON t.id = s.tournament_id",
    );
    const key = (league: RegExp) => rows.find((row) => league.test(row.league))!.key;
    const [cup, league] = [key(/Upper League/), key(/Premier League 2023/)];
    assert.match((await ask(`${cup},${league}`)).text, /Premier League<\/a>\s*<small>2023\/24<\/small>/);
    for (const none of [cup, '999999.999999', `${league.split('.')[0]}.999999`])
      assert.deepEqual(await ask(none), { status: 200, text: '' }, none);
    for (const bad of ['', '1', '1.2.3', '1.2,3.4,5.6', '-1.2', `1.${'9'.repeat(16)}`, "1.2'--"])
      assert.equal((await ask(bad)).status, 422, bad);
    assert.equal((await fetch(`${site.url}/league-table`)).status, 422);
  });

  it('on a past day, and if the clock is set, the table is that of the day', async () => {
    const ask = async (query: string) => {
      const reply = await fetch(`${site.url}/league-table?${query}`);
      return { status: reply.status, text: (await reply.text()).replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ') };
    };
    const { rows } = await harness.pool.query<{ wanted: string; days: string[]; days_in_tokyo: string[] }>(
      `SELECT m.tournament_id || '.' || m.season_id AS wanted,
         array_agg(DISTINCT to_char(m.scheduled_start AT TIME ZONE 'UTC', 'YYYY-MM-DD')) AS days,
         array_agg(DISTINCT to_char(m.scheduled_start AT TIME ZONE 'Asia/Tokyo', 'YYYY-MM-DD')) AS days_in_tokyo
       FROM match m JOIN season s ON s.id = m.season_id WHERE s.season_label = '2023/24' GROUP BY 1`,
    );
    const { wanted, days, days_in_tokyo: daysInTokyo } = rows[0]!;
    const [first, second] = days.sort();
    assert.match(
      (await ask(`wanted=${wanted}&date=${first}`)).text,
      /2023\/24 · after .* 1 Arsenal 1 1 0 0 2 0 \+2 3 /,
    );
    assert.match(
      (await ask(`wanted=${wanted}&date=${second}`)).text,
      / 1 Arsenal 2 2 0 0 4 0 \+4 6 .*Leaders of the season/,
    );
    assert.match((await ask(`wanted=${wanted}`)).text, /2023\/24 (?!·).* 1 Arsenal 3 3 /);
    assert.equal((await ask(`wanted=${wanted}&date=${Number(first!.slice(0, 4)) - 1}-01-01`)).text, '', 'no match yet');
    for (const bad of ['date=yesterday', `date=${first}&tz=Mars`])
      assert.equal((await ask(`wanted=${wanted}&${bad}`)).status, 422, bad);
    await view(`/?date=${daysInTokyo.sort()[1]}&tz=Asia/Tokyo`, LAPTOP, async (page) => {
      await page.locator('#table table').waitFor();
      assert.match((await page.locator('#table h2').textContent())!, /Premier League 2023\/24 · after /);
    });
    await view('/', LAPTOP, async (page) => {
      assert.equal(await page.locator('#table').getAttribute('data-date'), null);
    });
    const set = await harness.start({ clock: { now: () => Date.parse(`${second}T23:00:00Z`), isSet: true } });
    assert.match(await (await fetch(`${set.url}/`)).text(), new RegExp(`id="table"[^>]* data-date="${second}"`));
  });

  it('a phone shows a player’s figures without scrolling, and the team below the competition', async () => {
    const { rows } = await harness.pool.query<{ id: number }>("SELECT id FROM participant WHERE name = 'Bukayo Saka'");
    for (const tab of ['overview', 'statistics'])
      await view(`/player/${rows[0]!.id}?tab=${tab}`, PHONE, async (page) => {
        const goals = await boxes(page, 'table.list tbody tr:first-child td:nth-child(6)');
        assert.ok(goals.length > 0 && goals.every(({ right }) => right <= 375), JSON.stringify(goals));
        assert.equal(await page.locator('table.list .below').first().textContent(), 'Arsenal');
        assert.ok(await page.locator('table.list .below').first().isVisible());
      });
    await view(`/player/${rows[0]!.id}`, LAPTOP, async (page) => {
      assert.equal(await page.locator('table.list .below').first().isVisible(), false);
    });
  });

  it('the heads of a table are aligned like the cells below them', async () => {
    const one = async (sql: string) => (await harness.pool.query<{ id: number }>(sql)).rows[0]!.id;
    const league = await one("SELECT tournament_id AS id FROM season WHERE season_label = '2024/25'");
    const team = await one("SELECT id FROM participant WHERE name = 'Arsenal'");
    const player = await one("SELECT id FROM participant WHERE name = 'Bukayo Saka'");
    for (const [path, least] of [
      [`/tournament/${league}`, 2],
      [`/team/${team}?tab=squad`, 1],
      [`/team/${team}?tab=statistics`, 1],
      [`/player/${player}?tab=statistics`, 1],
    ] as const) {
      const tables = await view(path, LAPTOP, (page) =>
        page.evaluate<
          { heads: string[]; cells: string[] }[]
        >(`[...document.querySelectorAll('table.list')].map((table) => {
          const [heads, cells] = ['thead tr', 'tbody tr'].map((row) => [...table.querySelector(row).children]
            .map((cell) => getComputedStyle(cell).textAlign));
          return { heads, cells };
        })`),
      );
      assert.ok(tables.length >= least, `${path}: ${tables.length} tables`);
      for (const { heads, cells } of tables) assert.deepEqual(heads, cells, path);
    }
  });

  it('a name in a list leads to its team on a laptop, and to the match on a phone, where a finger would miss it', async () => {
    for (const [options, address] of [
      [LAPTOP, /\/team\/\d+/],
      [PHONE, /\/match\/\d+/],
    ] as const)
      await view(`/`, options, async (page) => {
        const box = (await page.locator('.rows .name').first().boundingBox())!;
        await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
        await page.waitForURL(address);
      });
  });

  it('a team page shows the names of its matches in full', async () => {
    const { rows } = await harness.pool.query<{ id: number }>("SELECT id FROM participant WHERE name = 'Arsenal'");
    for (const options of [LAPTOP, PHONE])
      await view(`/team/${rows[0]!.id}`, options, async (page) => {
        const names = await page.evaluate<{ text: string; isCut: boolean; height: number }[]>(
          `[...document.querySelectorAll('.rows .name')].map((name) => ({ text: name.textContent,
            isCut: name.scrollWidth > name.clientWidth, height: name.closest('.match').offsetHeight }))`,
        );
        assert.ok(names.length >= 8);
        for (const { text, isCut } of names) assert.ok(!isCut, text);
        if (options === LAPTOP) for (const { height } of names) assert.ok(height <= 44, `${height} px`);
      });
  });

  it('a phone has the menu at the bottom, and nothing below it', async () => {
    await view('/', PHONE, async (page) => {
      const links = await boxes(page, '.sections a:not(.for-developers)');
      assert.deepEqual(
        links.map(({ bottom }) => Math.round(bottom)),
        [812, 812, 812, 812],
      );
      await page.evaluate('scrollTo(0, document.body.scrollHeight)');
      const [menu] = await boxes(page, '.sections');
      for (const { bottom } of await boxes(page, '.foot a')) assert.ok(bottom <= menu!.top, `${bottom} > ${menu!.top}`);
    });
  });

  it('the search box and the content stay in one place on all pages', async () => {
    const row = await harness.pool.query<{ id: number; home_id: number; tournament_id: number }>(
      'SELECT id, home_id, tournament_id FROM match ORDER BY id LIMIT 1',
    );
    const { id, home_id, tournament_id } = row.rows[0]!;
    const paths = [
      '/',
      `/match/${id}`,
      `/team/${home_id}`,
      `/tournament/${tournament_id}`,
      '/rankings',
      '/search?q=bo',
    ];
    for (const options of [LAPTOP, PHONE]) {
      const seen = new Set<string>();
      for (const path of paths)
        await view(path, options, async (page) => {
          const [search, brand] = [await boxes(page, '.search'), await boxes(page, '.brand')];
          const { left } = (await boxes(page, 'main'))[0]!;
          assert.equal(brand[0]!.left, left + 16, `${path}: the header is not on the grid of the content`);
          seen.add(JSON.stringify(search));
        });
      assert.equal(seen.size, 1, [...seen].join('\n'));
    }
  });

  it('a league’s name with a long word does not make the leagues page wider than a phone', async () => {
    for (const name of ['Donaudampfschifffahrtsgesellschaftsliga', 'Zweite Donaudampfschifffahrtsliga'])
      await harness.apply(name, playing('Sailors', 'Stokers', [1, 0], 30, { tournament: { name, country: 'INT' } }));
    await view('/leagues', PHONE, async (page) => {
      assert.equal(await page.locator('.cards li', { hasText: 'Donau' }).count(), 2);
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 375);
    });
  });

  it('the state of a match is never cut, and a league has its words in whole on a phone', async () => {
    for (const [path, selector] of [
      ['/?lang=en', '.rows .clock'],
      ['/leagues?lang=ru', '.cards b'],
    ] as const)
      for (const options of [LAPTOP, PHONE])
        await view(path, options, async (page) => {
          const cut = await page.evaluate<string[]>(
            `[...document.querySelectorAll('${selector}')].filter((one) => one.scrollWidth > one.clientWidth && one.clientWidth > 0)
              .map((one) => one.textContent)`,
          );
          assert.deepEqual(cut, [], path);
        });
    await view('/leagues', PHONE, async (page) => {
      const [card] = await boxes(page, '.cards a');
      assert.ok(card!.right - card!.left > 320, 'a league is one line');
    });
  });
});
