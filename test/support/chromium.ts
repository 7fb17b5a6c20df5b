/** Debian's Chromium, for tests of behaviour that only a browser has. */
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

/** Returns null, and prints a message, if Chromium is missing. */
export async function launchChromium(): Promise<Browser | null> {
  if (existsSync(CHROMIUM)) return chromium.launch({ executablePath: CHROMIUM, args: ARGS });
  console.warn(`      skipped: ${CHROMIUM} is not there (apt-get install chromium)`);
  return null;
}

export interface PageSource {
  /** Returns the events' envelopes in the order of arrival. */
  events(): Promise<string[]>;
  /** Returns the data in the gap frames, each with the page's last event id at that time. */
  gaps(): Promise<{ from: number; to: number; reason: string; id: string }[]>;
  /** Returns the number of connections. */
  opens(): Promise<number>;
  /** Returns whether the browser has given up and will not reconnect. */
  closed(): Promise<boolean>;
}

/** Follows a stream with the browser's EventSource, in a new page. */
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
