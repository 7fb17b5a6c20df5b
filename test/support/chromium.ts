/** Debian's Chromium, for behaviour that only a browser shows. */
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

/** Returns null with a message if there is none. */
export async function launchChromium(): Promise<Browser | null> {
  if (existsSync(CHROMIUM)) return chromium.launch({ executablePath: CHROMIUM, args: ARGS });
  console.warn(`      skipped: ${CHROMIUM} is not there (apt-get install chromium)`);
  return null;
}

export interface PageSource {
  /** Returns envelopes of the events in order of arrival. */
  events(): Promise<string[]>;
  /** Returns data of the gap frames, each with the page's last event id at that time. */
  gaps(): Promise<{ from: number; to: number; reason: string; id: string }[]>;
  /** Returns the number of connections. */
  opens(): Promise<number>;
  /** Returns whether it has given up for good. */
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
