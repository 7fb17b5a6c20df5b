/**
 * Takes pictures of the most important pages from the demo: `make page-pictures`. Each page is taken as a desktop and as a phone shows it,
 * in dark colours, and in Russian, and written to docs/images/pages. SITE=address takes them from a running service, and NAME=former
 * writes them to another folder, for a comparison with an earlier version; pages that this version does not have are left out.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';
import { launchChromium } from '../test/support/chromium.ts';
import { startDemo } from '../test/support/demo-service.ts';

const FOLDER = fileURLToPath(new URL(`../docs/images/pages/${env.NAME ?? 'current'}`, import.meta.url));
/** Largest picture, and all pictures together, in bytes. */
const MAX_BYTES = 80 * 1024;
const MAX_SUM = 1.5 * 1024 * 1024;
const QUALITY = 60;
/** How long the demo plays before the pictures are taken, so that several sports are live. */
const PLAY_MS = 20_000;
/** Time for parts that scripts fetch. */
const SETTLE_MS = 1_500;

const FORMS: Record<string, BrowserContextOptions> = {
  desktop: { viewport: { width: 1_280, height: 800 } },
  phone: { viewport: { width: 375, height: 720 }, isMobile: true, hasTouch: true },
  dark: { viewport: { width: 1_280, height: 800 }, colorScheme: 'dark' },
  russian: { viewport: { width: 375, height: 720 }, isMobile: true, hasTouch: true, locale: 'ru-RU' },
};

/** Returns the addresses of the pages by name, which it finds by links from the front page. Unknown pages are undefined. */
async function findPages(page: Page, site: string): Promise<Record<string, string | undefined>> {
  page.setDefaultTimeout(5_000);
  const link = async (from: string | undefined, selector: string) => {
    if (from === undefined) return undefined;
    await page.goto(from);
    const href = await page
      .locator(selector)
      .first()
      .getAttribute('href')
      .catch(() => null);
    return href === null ? undefined : new URL(href, page.url()).href;
  };
  const final = '.match:has-text("Argentina")';
  const match = await link(site, `${final} .open`);
  const league = await link(site, 'a[href*="/touchline-demo-league"]');
  const team = await link(league, '#table th a');
  const tab = (address: string | undefined, name: string) => address && `${address}?tab=${name}`;
  return {
    front: site,
    details: await link(site, `${final} .more-about`),
    match,
    lineups: tab(match, 'lineups'),
    statistics: tab(match, 'statistics'),
    league,
    outlook: tab(league, 'outlook'),
    team,
    player: await link(league, '#leaders a[href*="player/"]'),
    leagues: `${site}leagues`,
    settings: `${site}settings`,
    reference: `${site}docs`,
  };
}

async function takeAll(browser: Browser, site: string): Promise<void> {
  const finder = await browser.newPage();
  const pages = Object.entries(await findPages(finder, site));
  await finder.close();
  let sum = 0;
  for (const [form, options] of Object.entries(FORMS)) {
    const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'Europe/London', ...options });
    const page = await context.newPage();
    for (const [name, address] of pages) {
      const reply = address === undefined ? null : await page.goto(address, { waitUntil: 'load' });
      if (reply?.ok() !== true) {
        console.log(`${name}: this version has no such page`);
        continue;
      }
      await sleep(SETTLE_MS);
      const picture = await sharp(await page.screenshot())
        .webp({ quality: QUALITY, effort: 6 })
        .toBuffer();
      const file = join(FOLDER, `${name}-${form}.webp`);
      if (picture.length > MAX_BYTES)
        throw new Error(`${file} has ${picture.length} bytes, and at most ${MAX_BYTES} are allowed.`);
      writeFileSync(file, picture);
      sum += picture.length;
      console.log(`${file}: ${(picture.length / 1024).toFixed(0)} KB`);
    }
    await context.close();
  }
  if (sum > MAX_SUM) throw new Error(`The pictures have ${sum} bytes together, and at most ${MAX_SUM} are allowed.`);
}

const browser = await launchChromium();
if (browser === null) throw new Error('The pictures are taken with Chromium, which is not installed.');
mkdirSync(FOLDER, { recursive: true });
const demo = env.SITE === undefined ? await startDemo() : null;
try {
  if (demo !== null) await sleep(PLAY_MS);
  await takeAll(browser, `${(env.SITE ?? demo!.url).replace(/\/$/, '')}/`);
} finally {
  await browser.close();
  await demo?.stop();
}
