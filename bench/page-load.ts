/**
 * Measures how pages load on a slow phone, in Chromium: `make bench-page-load`. The processor is four times slower, and the network has
 * 1.6 Mbit/s and a round trip of 150 ms. Each page is loaded RUNS times with an empty cache, and the fastest run counts, since other work
 * on this machine only adds time. ONLY='front page,match' names the pages, by default all. SITE=address measures a running service with a demo or a catalogue; otherwise, the demo is started.
 */
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../test/support/chromium.ts';
import { startDemo } from '../test/support/demo-service.ts';

const RUNS = Number(process.env.RUNS ?? 3);
const PHONE = { viewport: { width: 375, height: 812 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true } as const;
const SLOWER = 4;
const ROUND_TRIP_MS = 150;
const BYTES_PER_SECOND = 1_600_000 / 8;
/** Time in which late parts, such as a table that a script fetches, may still move the page. */
const SETTLE_MS = 1_000;
const MOST = { bytes: 60 * 1_024, lcp: 1_500, shift: 0.02 };

const OBSERVE = `window.measured = { lcp: 0, fcp: 0, shift: 0 };
new PerformanceObserver((list) => { for (const { startTime } of list.getEntries()) measured.lcp = startTime; })
  .observe({ type: 'largest-contentful-paint', buffered: true });
new PerformanceObserver((list) => { for (const { startTime, name } of list.getEntries())
  if (name === 'first-contentful-paint') measured.fcp = startTime; }).observe({ type: 'paint', buffered: true });
new PerformanceObserver((list) => { for (const one of list.getEntries()) if (!one.hadRecentInput) measured.shift += one.value; })
  .observe({ type: 'layout-shift', buffered: true });`;

/** Returns the pictures that a reader sees without scrolling. Browsers load those below as well, far ahead on a slow network. */
const IN_VIEW = `[...document.images].filter((one) => one.getBoundingClientRect().top < innerHeight && one.checkVisibility())
  .map((one) => one.currentSrc)`;

interface Load {
  /** Of the first view, with headers: the page, its styles and scripts, and the pictures that are seen without scrolling. */
  bytes: number;
  fcp: number;
  lcp: number;
  shift: number;
}

/** Loads a page with an empty cache. */
async function load(browser: Browser, address: string): Promise<Load> {
  const context = await browser.newContext({ ...PHONE, locale: 'en-GB', serviceWorkers: 'block' });
  try {
    const page = await context.newPage();
    await page.addInitScript(OBSERVE);
    const session = await context.newCDPSession(page);
    const sent = new Map<string, { url: string; isPicture: boolean; bytes: number }>();
    session.on('Network.responseReceived', ({ requestId, type, response: { url } }) =>
      sent.set(requestId, { url, isPicture: type === 'Image', bytes: 0 }),
    );
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const one = sent.get(requestId);
      if (one !== undefined) one.bytes = encodedDataLength;
    });
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: ROUND_TRIP_MS,
      downloadThroughput: BYTES_PER_SECOND,
      uploadThroughput: BYTES_PER_SECOND,
    });
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    await page.goto(address, { waitUntil: 'load' });
    await page.waitForTimeout(SETTLE_MS);
    const seen = new Set(await page.evaluate<string[]>(IN_VIEW));
    const first = [...sent.values()].filter(({ url, isPicture }) => !isPicture || seen.has(url));
    return {
      bytes: first.reduce((sum, { bytes }) => sum + bytes, 0),
      ...(await page.evaluate<Omit<Load, 'bytes'>>('measured')),
    };
  } finally {
    await context.close();
  }
}

/** Follows links on the front page and the pages behind it to a page of each kind. */
async function findPages(page: Page, site: string): Promise<[string, string][]> {
  const link = async (from: string, selector: string) => {
    await page.goto(from);
    const href = await page.locator(selector).first().getAttribute('href');
    return new URL(href!, page.url()).href;
  };
  const front = process.env.DAY === undefined ? site : `${site}/?date=${process.env.DAY}`;
  const match = await link(front, '.rows .open');
  const league = await link(front, '.league h2 a');
  const team = await link(match, '.crest');
  const player = await link(`${league}?tab=leaders`, '#leaders a[href*="player/"]').catch(() => null);
  return [
    ['front page', front],
    ['with details', await link(front, '.rows .more-about')],
    ['match', match],
    ['league', league],
    ['league table', `${league}?tab=table`],
    ['team', team],
    ...(player === null ? [] : ([['player', player]] as [string, string][])),
    ['leagues', `${site}/leagues`],
    ['rankings', `${site}/rankings`],
    ['search', `${site}/search?q=a`],
    ['settings', `${site}/settings`],
    ['sign-in', `${site}/account/sign-in`],
    // Swagger UI has 480 KB, which are loaded only when a reader opens an operation.
    ['API reference', `${site}/docs`],
    ['guides', `${site}/docs/guides`],
  ];
}

async function measure(browser: Browser, site: string): Promise<boolean> {
  const finder = await browser.newPage();
  finder.setDefaultTimeout(5_000);
  const only = process.env.ONLY?.split(',');
  const pages = (await findPages(finder, site)).filter(([name]) => only?.includes(name) ?? true);
  if (pages.length === 0) throw new Error(`ONLY=${process.env.ONLY} names no page.`);
  await finder.close();
  let isMet = true;
  const row = (...cells: string[]) =>
    console.log(cells.map((cell, index) => (index === 0 ? cell.padEnd(16) : cell.padStart(12))).join(''));
  row('page', 'KB', 'first paint', 'largest', 'shift', '');
  for (const [name, address] of pages) {
    const loads: Load[] = [];
    for (let run = 0; run < RUNS; run++) loads.push(await load(browser, address));
    const best = loads.reduce((one, other) => (other.lcp < one.lcp ? other : one));
    const missed = [
      best.bytes > MOST.bytes && 'bytes',
      best.lcp > MOST.lcp && 'paint',
      best.shift > MOST.shift && 'shift',
    ].filter((one) => one !== false);
    if (missed.length > 0) isMet = false;
    row(
      name,
      (best.bytes / 1_024).toFixed(1),
      `${best.fcp.toFixed(0)} ms`,
      `${best.lcp.toFixed(0)} ms`,
      best.shift.toFixed(3),
      missed.length > 0 ? `MISSED ${missed.join()}` : 'met',
    );
  }
  return isMet;
}

const browser = await launchChromium();
if (browser === null) throw new Error('Pages are measured with Chromium, which is not installed.');
const given = process.env.SITE?.replace(/\/$/, '');
const demo = given === undefined ? await startDemo() : null;
try {
  if (!(await measure(browser, given ?? demo!.url)))
    console.log(`Bounds: ${MOST.bytes / 1_024} KB, ${MOST.lcp} ms, a shift of ${MOST.shift}.`);
} finally {
  await browser.close();
  await demo?.stop();
}
