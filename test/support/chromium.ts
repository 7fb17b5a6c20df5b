/** Debian's Chromium, for what only a browser shows. */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** @returns null, and says so, where there is none */
export async function launchChromium(): Promise<Browser | null> {
  if (existsSync(CHROMIUM)) return chromium.launch({ executablePath: CHROMIUM, args: ARGS });
  console.warn(`      skipped: ${CHROMIUM} is not there (apt-get install chromium)`);
  return null;
}

export interface PageSource {
  /** Envelopes of the events, in the order in which they came. */
  events(): Promise<string[]>;
  /** Data of the gap frames, each with the last event id that the page had then. */
  gaps(): Promise<{ from: number; to: number; reason: string; id: string }[]>;
  /** How often it was connected. */
  opens(): Promise<number>;
  /** It has given up for good. */
  closed(): Promise<boolean>;
}

/** Follows a stream by the browser's own EventSource, in a page of its own. */
export async function followInPage(browser: Browser, url: string): Promise<PageSource> {
  const page = await browser.newPage();
  await page.evaluate(`
    window.events = []; window.gaps = []; window.opens = 0;
    window.source = new EventSource(${JSON.stringify(url)});
    source.onopen = () => { opens += 1; };
    for (const type of ['match.goal', 'match.finished']) source.addEventListener(type, ({ data }) => events.push(data));
    source.addEventListener('stream.gap', ({ data, lastEventId }) => gaps.push({ ...JSON.parse(data), id: lastEventId }));
  `);
  return {
    events: () => page.evaluate('events'),
    gaps: () => page.evaluate('gaps'),
    opens: () => page.evaluate('opens'),
    closed: () => page.evaluate('source.readyState === EventSource.CLOSED'),
  };
}
