/**
 * Makes the pictures in README.md from the demo: `make readme-pictures`. It starts the service with the demo on free ports and in an empty
 * folder, waits until the match page shows a goal, and writes each page in a light and a dark form to docs/images. It needs Chromium.
 */
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { openStream } from '../src/client/stream.ts';
import { html } from '../src/site/html.ts';
import { launchChromium } from '../test/support/chromium.ts';
import { type Demo, startDemo } from '../test/support/demo-service.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = join(ROOT, 'docs/images');
const VIEW = { width: 1_280, height: 800 };
/** Larger pictures would make README slow. */
const MAX_BYTES = 150 * 1024;
/** How long the demo plays before the pictures are taken, so that several sports are live. */
const PLAY_MS = 20_000;
const EVENTS = 5;
const EVENT_TYPES = ['match.goal', 'match.card'];
const THEMES = ['light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

async function shoot(page: Page, name: string): Promise<void> {
  const taken = await page.screenshot();
  const file = join(FOLDER, `${name}.png`);
  writeFileSync(file, await sharp(taken).png({ palette: true, effort: 10, compressionLevel: 9 }).toBuffer());
  const { size } = statSync(file);
  if (size > MAX_BYTES) throw new Error(`${file} has ${size} bytes, and at most ${MAX_BYTES} are allowed.`);
  console.log(`${file}: ${(size / 1024).toFixed(0)} KB`);
}

/** Takes a picture of the page in both themes, of the same moment. */
async function picturePage(browser: Browser, name: string, prepare: (page: Page) => Promise<unknown>): Promise<void> {
  const page = await browser.newPage({ viewport: VIEW, locale: 'en-GB', timezoneId: 'Europe/London' });
  await prepare(page);
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme });
    await page.waitForLoadState('networkidle', { timeout: 2_000 }).catch(() => {});
    await shoot(page, `${name}-${colorScheme}`);
  }
  await page.close();
}

interface StreamedEvent {
  id: number;
  type: string;
  data: string;
}

/** Follows the stream until it has sent some events. */
function readStream({ url, key }: Demo): Promise<StreamedEvent[]> {
  const events: StreamedEvent[] = [];
  return new Promise((resolve) => {
    const stream = openStream({
      url,
      key,
      filters: { event_type: EVENT_TYPES },
      onEvent: ({ cursor, type, data }) => {
        events.push({ id: cursor, type, data: JSON.stringify(data) });
        if (events.length < EVENTS) return;
        stream.close();
        resolve(events);
      },
    });
  });
}

const INKS: Record<Theme, Record<'paper' | 'text' | 'soft' | 'mark', string>> = {
  light: { paper: '#f6f8f7', text: '#101828', soft: '#475467', mark: '#0b7a4b' },
  dark: { paper: '#101613', text: '#f2f4f7', soft: '#9fb0a7', mark: '#34d399' },
};

/** Shows events as a terminal shows what curl receives. */
function terminal(events: readonly StreamedEvent[]): string {
  const inks = (theme: Theme) =>
    Object.entries(INKS[theme])
      .map(([name, value]) => `--${name}: ${value};`)
      .join('');
  return html`<!doctype html><html lang="en"><title>Stream</title><style>:root { ${inks('light')} }
@media (prefers-color-scheme: dark) { :root { ${inks('dark')} } }
body { margin: 0; padding: 28px 32px; background: var(--paper); color: var(--text); font: 15px/1.5 monospace; }
p { margin: 0 0 18px; } b { color: var(--mark); } .soft { color: var(--soft); }
.data { display: -webkit-box; -webkit-line-clamp: 3; -webkit-box-orient: vertical; overflow: hidden; word-break: break-all; }
</style><p><span class="soft">$</span> curl -N -H "X-API-Key: $KEY" "http://127.0.0.1:8080/v1/stream?event_type=${EVENT_TYPES.join()}"</p>
${events.map(({ id, type, data }) => html`<p><span class="soft">id: ${id}</span><br>event: <b>${type}</b><br><span class="data">data: ${data}</span></p>`)}`
    .text;
}

async function showEvents(page: Page, events: readonly StreamedEvent[]): Promise<void> {
  await page.setContent(terminal(events));
  const height = await page.evaluate<number>('document.documentElement.offsetHeight');
  await page.setViewportSize({ ...VIEW, height });
}

async function main(): Promise<void> {
  const browser = await launchChromium();
  if (browser === null) throw new Error('The pictures are taken with Chromium, which is not installed.');
  mkdirSync(FOLDER, { recursive: true });
  const demo = await startDemo();
  try {
    const events = readStream(demo);
    await sleep(PLAY_MS);
    await picturePage(browser, 'site', (page) => page.goto(demo.url, { waitUntil: 'load' }));
    await picturePage(browser, 'match', async (page) => {
      await page.goto(demo.url, { waitUntil: 'load' });
      const match = await page
        .locator('.match[data-status="live"] a.open', { hasText: 'Argentina' })
        .first()
        .getAttribute('href');
      if (match === null) throw new Error('The final is not live.');
      await page.goto(new URL(match, demo.url).href, { waitUntil: 'load' });
    });
    const streamed = await events;
    await picturePage(browser, 'stream', (page) => showEvents(page, streamed));
  } finally {
    await demo.stop();
    await browser.close();
  }
}

await main();
