import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Frame, Page } from 'playwright-core';
import { findViolations } from '../support/accessibility.ts';
import { launchChromium } from '../support/chromium.ts';
import type { TestApp } from '../support/http.ts';
import { LONG_FORMS } from '../support/long-forms.ts';
import { until } from '../support/until.ts';
import { match, startWidgets, type WidgetSite } from './site.ts';

const READABILITY = readFileSync(new URL('../web/readability.js', import.meta.url), 'utf8');
/** The example in the documentation, which sites copy. */
const EXAMPLE = /```html\n(.*?)```/s.exec(readFileSync(new URL('../../docs/widgets.md', import.meta.url), 'utf8'))![1]!;
const LONG = 'Union-of-very-long-names-without-a-single-space';

describe('widgets framed by another site, in Chromium', function () {
  this.timeout(60_000);
  let site: WidgetSite;
  let browser: Browser;
  let foreign: Server;
  let league: number;
  let played: number;
  let team: number;
  before(async function () {
    const launched = await launchChromium();
    if (launched === null) this.skip();
    browser = launched;
    site = await startWidgets();
    league = await site.league(LONG, 'Лига с очень длинным названием');
    [played] = (await site.service.matches(live(0, 0), match(LONG, '2024-06-20', 'A', 'B'))) as [number];
    team = await site.service.idOf('participant', `${LONG} A`);
    await site.service.settle();
    foreign = createServer((request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(`<!doctype html><title>Blog</title>${new URL(request.url!, 'http://x').searchParams.get('body')}`);
    });
    await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
  });
  const opened: TestApp[] = [];
  after(async () => {
    for (const app of opened) await app.close();
    foreign?.close();
    await browser?.close();
    await site?.close();
  });

  const live = (home: number, away: number) =>
    match(LONG, '2024-06-01', 'A', 'B', {
      status: 'live',
      status_detail: 'in_play',
      minute: 17,
      score: { home, away },
      incidents: Array.from({ length: home }, (_, goal) => ({
        id: `g${goal}`,
        kind: 'goal',
        minute: 10 + goal,
        side: 'home' as const,
        player: { name: 'Scorer' },
        payload: { score: { home: goal + 1, away: 0 } },
      })),
    });
  /** Opens a page on a different site. localhost and 127.0.0.1 count as different sites. */
  const openForeign = async (body: string, width: number, scheme: 'light' | 'dark' = 'light', setClock = false) => {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme });
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    if (setClock) await page.clock.install();
    const { port } = foreign.address() as AddressInfo;
    await page.goto(`http://localhost:${port}/?body=${encodeURIComponent(body)}`);
    return { page, complaints, frame: page.frames()[1]! };
  };
  const embed = (address: string, width: number, scheme?: 'light' | 'dark', setClock?: boolean) =>
    openForeign(
      `<iframe src="${address}" width="100%" height="800" style="border:0"></iframe>`,
      width,
      scheme,
      setClock,
    );
  const sees = (frame: Frame | Page, condition: string) => until(condition, () => frame.evaluate(condition));
  const paths = () => ({
    standings: `standings?tournament=${league}`,
    trends: `trends?tournament=${league}`,
    live: 'live?',
    match: `match?event=${played}`,
    fixtures: `fixtures?tournament=${league}`,
    results: `fixtures?team=${team}&season=1`,
  });
  const widget = (path: string) => `${site.app.url}/widget/${path}`;
  const grounds = (frame: Frame) =>
    frame.evaluate('getComputedStyle(document.body).backgroundColor') as Promise<string>;

  it('are shown, fit 320 pixels, and are readable in both themes, whatever the visitor prefers', async () => {
    for (const theme of ['light', 'dark'] as const) {
      // Width and theme do not influence each other, so the short form checks the dark theme at one width only.
      for (const width of theme === 'light' || LONG_FORMS ? [320, 480, 900] : [320]) {
        for (const [name, path] of Object.entries(paths())) {
          // Skips other widgets, whose layout does not depend on the width and whose colours axe checks.
          if ((theme === 'dark' || width > 320) && name !== 'standings' && name !== 'trends') continue;
          const where = `${name} ${theme} ${width}`;
          const { page, frame, complaints } = await embed(
            widget(`${path}&theme=${theme}`),
            width,
            theme === 'light' ? 'dark' : 'light',
          );
          assert.equal(await frame.locator('h1').count(), 1, where);
          assert.equal(await grounds(frame), theme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(21, 29, 25)', where);
          const [inner, needed] = (await frame.evaluate('[innerWidth, document.documentElement.scrollWidth]')) as [
            number,
            number,
          ];
          assert.ok(needed <= inner, `${where}: ${needed} > ${inner}`);
          assert.deepEqual(await frame.evaluate(READABILITY), [], where);
          assert.deepEqual(complaints, [], where);
          await page.close();
        }
      }
    }
  });

  it('have no violation that axe finds, even with links', async () => {
    const app = await site.start({ publicSite: true });
    opened.push(app);
    const context = await browser.newContext({ bypassCSP: true, viewport: { width: 320, height: 900 } });
    const page = await context.newPage();
    for (const [name, path] of Object.entries({ ...paths(), wrong: 'live?limit=x' }))
      for (const theme of ['light', 'dark']) {
        await page.goto(`${app.url}/widget/${path}&theme=${theme}&lang=${theme === 'light' ? 'ru' : 'en'}`);
        assert.equal((await page.locator('a').count()) > 0, name !== 'wrong', name);
        assert.deepEqual(await findViolations(page, { onlyColors: theme === 'dark' }), [], `${name} ${theme}`);
      }
    await context.close();
  });

  it('show a goal without a reload and without a key, and say when their data may be outdated', async () => {
    const { page, frame, complaints } = await embed(widget(`match?event=${played}&lang=en`), 320, 'light', true);
    const { page: list, frame: listed } = await embed(widget('live?'), 320, 'light', true);
    await frame.evaluate('window.sameDocument = true');
    assert.equal(await frame.locator('.numbers').textContent(), '0:0');
    await site.service.matches(live(1, 0));
    site.service.deps.changes.publish([played]);
    await page.clock.fastForward(20_000);
    await sees(frame, `document.querySelector('.numbers').textContent === '1:0'`);
    assert.equal(await frame.locator('.score.scored').textContent(), '1');
    assert.match((await frame.locator('.news').textContent())!, /10′\s+Goal 1:0\s+Scorer/);
    assert.equal(await frame.evaluate('window.sameDocument'), true);
    await list.clock.fastForward(20_000);
    await sees(listed, `document.querySelector('[data-match="${played}"] .score').textContent === '1'`);
    await page.route('**/widget/**', (route) => route.abort());
    await page.clock.fastForward(20_000);
    await frame.locator('#stale').waitFor();
    assert.equal(await frame.locator('.numbers').textContent(), '1:0');
    assert.equal(await frame.locator('.scored').count(), 0);
    await page.unroute('**/widget/**');
    await page.clock.fastForward(20_000);
    await frame.locator('#stale').waitFor({ state: 'hidden' });
    assert.deepEqual(
      complaints.filter((text) => !text.includes('ERR_FAILED')),
      [],
    );
    await page.close();
    await list.close();
  });

  it('tell the framing page their height, by the script in the documentation', async () => {
    const framed = (path: string, host = site.app.url) =>
      EXAMPLE.replaceAll('https://sports.example.com', site.app.url).replace(
        `${site.app.url}/widget/live?theme=dark`,
        `${host}/widget/${path}`,
      );
    const { page, frame, complaints } = await openForeign(framed(`fixtures?team=${team}&season=1`), 320);
    const fits = 'document.documentElement.scrollHeight === innerHeight && innerHeight !== 480';
    await sees(frame, fits);
    const tall = (await frame.evaluate('innerHeight')) as number;
    await page.setViewportSize({ width: 1_000, height: 900 });
    await sees(frame, `innerHeight < ${tall} && ${fits}`);
    // Messages from others are ignored: from the page itself, and from a frame with a different origin.
    await page.evaluate(
      `dispatchEvent(new MessageEvent('message', { origin: ${JSON.stringify(site.app.url)}, source: window, data: { type: 'touchline.height', height: 77 } }))`,
    );
    await page.evaluate(
      `dispatchEvent(new MessageEvent('message', { origin: 'https://evil.example', source: frames[0], data: { type: 'touchline.height', height: 77 } }))`,
    );
    assert.notEqual(await page.evaluate(`document.querySelector('iframe').style.height`), '77px');
    assert.deepEqual(complaints, []);
    await page.close();
    const heard = await openForeign(
      `<script>addEventListener('message', ({ data }) => { window.heard = data; });</script><iframe src="${widget('live?')}"></iframe>`,
      320,
    );
    await sees(heard.page, 'window.heard !== undefined');
    assert.deepEqual(Object.keys((await heard.page.evaluate('window.heard')) as object), ['type', 'height']);
    await heard.page.close();
  });

  it('are complete without scripts, show times in UTC, and show the reader’s time zone if scripts run', async () => {
    for (const [javaScriptEnabled, time] of [
      [false, '20 июн., 15:00 UTC'],
      [true, '20 июн., 18:00'],
    ] as const) {
      const context = await browser.newContext({ javaScriptEnabled, timezoneId: 'Europe/Moscow', locale: 'en-US' });
      const page = await context.newPage();
      await page.clock.setFixedTime('2024-06-01T12:00:00Z');
      await page.goto(widget(paths().fixtures));
      await page.getByText(time, { exact: true }).waitFor();
      assert.equal(await page.locator('.matches li').count(), 2);
      await context.close();
    }
  });

  it('show errors within the frame', async () => {
    const { page, frame } = await embed(widget('standings?tournament=none&theme=dark'), 320);
    assert.equal(await frame.locator('h1').textContent(), 'Виджет настроен неверно');
    assert.equal(await grounds(frame), 'rgb(21, 29, 25)');
    await page.close();
  });

  it('run no script from a parameter or a name', async () => {
    const script = encodeURIComponent(
      '"><script>parent.postMessage("hacked","*")</script><img src=x onerror=alert(1)>',
    );
    for (const query of [
      `tournament=${league}&title=${script}`,
      `tournament=${script}`,
      `tournament=${league}&theme=${script}`,
    ]) {
      const { page, frame } = await embed(widget(`standings?${query}`), 320);
      assert.equal(await frame.locator('script:not([src="../assets/widget.js"]), img').count(), 0);
      await page.close();
    }
  });

  it('are refused on sites that the operator’s list of sites does not name', async () => {
    const { port } = foreign.address() as AddressInfo;
    for (const [widgetFrameAncestors, shown] of [
      [`http://localhost:${port}`, true],
      ['https://example.com', false],
      ["'none'", false],
    ] as const) {
      const app = await site.start({ widgetFrameAncestors });
      opened.push(app);
      const { page } = await embed(`${app.url}/widget/standings?tournament=${league}`, 320);
      // If a frame is refused, the browser shows an error page instead.
      assert.equal(page.frames()[1]!.url().startsWith(app.url), shown, widgetFrameAncestors);
      await page.close();
    }
  });
});
