import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../../support/chromium.ts';
import { createHarness, goal, type Harness, playing, type Site } from '../site.ts';
import { sampleCard } from './analytics-card.ts';

const READABILITY = readFileSync(new URL('../readability.js', import.meta.url), 'utf8');
const NAMES = { home: 'A-club-with-a-very-long-name-without-a-single-space', away: 'Wolverhampton Wanderers Reserves' };

describe('the match page with analytics in Chromium', function () {
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

  it('fits 320, 375 and 1280 pixels, and is readable, in light and dark, before and after the match', async () => {
    const sides = { home: { name: NAMES.home }, away: { name: NAMES.away } };
    const scheduled = { ...sides, scheduled_start: new Date(Date.now() + 86_400_000).toISOString() };
    const goals = { incidents: [goal('g1', 'home', 11, 'A. Scorer', [1, 0])] };
    const pages = {
      before: await harness.apply('ahead', scheduled),
      after: await harness.apply('over', {
        ...playing(NAMES.home, NAMES.away, [2, 0], 90, goals),
        season: { label: '2025' },
        status: 'finished',
        status_detail: 'ended',
      }),
    };
    for (const [stage, id] of Object.entries(pages)) {
      for (const lang of ['en', 'ru'] as const) {
        const html = await harness.matchPage(id, lang, sampleCard(lang, NAMES));
        for (const colorScheme of ['light', 'dark'] as const) {
          const page = await browser.newPage({ colorScheme });
          // Uses the page's address, so that its files are found.
          await page.route(`**/match/${id}`, (route) =>
            route.fulfill({ body: html, contentType: 'text/html; charset=utf-8' }),
          );
          await page.goto(`${site.url}/match/${id}`);
          assert.equal(await page.locator('#forecast .outcomes li').count(), 3);
          for (const width of [320, 375, 1_280]) {
            const where = `${stage} ${lang} ${colorScheme} ${width}`;
            await page.setViewportSize({ width, height: 800 });
            const widths = await page.evaluate<number[]>('[document.documentElement.scrollWidth, window.innerWidth]');
            assert.ok(widths[0]! <= widths[1]!, `${where}: ${widths[0]} wide`);
            const outside = await page.evaluate<string[]>(OUTSIDE);
            assert.deepEqual(outside, [], where);
            assert.deepEqual(await page.evaluate(READABILITY), [], where);
          }
          await page.close();
        }
      }
    }
  });
});

/** Returns analytics texts that overflow their panel. */
const OUTSIDE = `[...document.querySelectorAll('.analytics .panel')].flatMap((panel) => {
  const { left, right } = panel.getBoundingClientRect();
  return [...panel.querySelectorAll('li, dt, dd, td, th, p, h2, h3, time')]
    .filter((element) => {
      const box = element.getBoundingClientRect();
      return box.left < left - 0.5 || box.right > right + 0.5 || element.scrollWidth > Math.ceil(box.width) + 1;
    })
    .map((element) => panel.id + ': ' + element.textContent.trim());
})`;
