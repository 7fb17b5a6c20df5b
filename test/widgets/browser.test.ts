import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Frame } from 'playwright-core';
import { launchChromium } from '../support/chromium.ts';
import type { TestApp } from '../support/http.ts';
import { LONG_FORMS } from '../support/long-forms.ts';
import { match, startWidgets, type WidgetSite } from './site.ts';

const READABILITY = readFileSync(new URL('../web/readability.js', import.meta.url), 'utf8');
const LONG = 'Union-of-very-long-names-without-a-single-space';

describe('widgets in frames of another site, in Chromium', function () {
  this.timeout(60_000);
  let site: WidgetSite;
  let browser: Browser;
  let foreign: Server;
  let league: number;
  before(async function () {
    const launched = await launchChromium();
    if (launched === null) this.skip();
    browser = launched;
    site = await startWidgets();
    league = await site.league(LONG, 'Лига с очень длинным названием');
    await site.service.matches(match(LONG, '2024-06-20', 'A', 'B'));
    await site.service.settle();
    foreign = createServer((request, response) => {
      const address = new URL(request.url!, 'http://x').searchParams.get('frame')!;
      response.setHeader('content-type', 'text/html');
      response.end(
        `<!doctype html><title>Blog</title><iframe src="${address}" width="100%" height="800" style="border:0"></iframe>`,
      );
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

  /** localhost and 127.0.0.1 are different sites. */
  const embed = async (address: string, width: number, scheme: 'light' | 'dark' = 'light') => {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme });
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    const { port } = foreign.address() as AddressInfo;
    await page.goto(`http://localhost:${port}/?frame=${encodeURIComponent(address)}`);
    return { page, complaints, frame: page.frames()[1]! };
  };
  const widget = (path: string) => `${site.app.url}/widget/${path}`;
  const grounds = (frame: Frame) =>
    frame.evaluate('getComputedStyle(document.body).backgroundColor') as Promise<string>;

  it('are shown, fit 320 pixels, and are readable in both themes, whatever the visitor prefers', async () => {
    for (const theme of ['light', 'dark'] as const) {
      // Width and theme are independent: the short form sees the dark theme at one width.
      for (const width of theme === 'light' || LONG_FORMS ? [320, 480, 900] : [320]) {
        for (const name of ['standings', 'trends']) {
          const where = `${name} ${theme} ${width}`;
          const { page, frame, complaints } = await embed(
            widget(`${name}?tournament=${league}&theme=${theme}`),
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

  it('show errors in the frame too', async () => {
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

  it('are refused to other sites if the operator names some', async () => {
    const { port } = foreign.address() as AddressInfo;
    for (const [widgetFrameAncestors, shown] of [
      [`http://localhost:${port}`, true],
      ['https://example.com', false],
      ["'none'", false],
    ] as const) {
      const app = await site.start({ widgetFrameAncestors });
      opened.push(app);
      const { page } = await embed(`${app.url}/widget/standings?tournament=${league}`, 320);
      // The browser replaces a refused frame by a page of its own.
      assert.equal(page.frames()[1]!.url().startsWith(app.url), shown, widgetFrameAncestors);
      await page.close();
    }
  });
});
