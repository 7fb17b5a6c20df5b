import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { z } from 'zod';
import { Problem, unavailable } from '../../src/http/errors.ts';
import { lang } from '../../src/http/query.ts';
import type { AnyRoute } from '../../src/http/route.ts';
import { html } from '../../src/site/html.ts';
import { document } from '../../src/site/layout.ts';
import { page } from '../../src/web/page-route.ts';
import { launchChromium } from '../support/chromium.ts';
import { until } from '../support/until.ts';
import { createHarness, type Harness, type Site } from '../web/site.ts';

describe('a page that is refused because the service is busy', function () {
  this.timeout(60_000);
  let harness: Harness;
  let site: Site;
  let refusals = 0;
  let refusal: () => Problem = () => unavailable();
  /** Queries of the requests that were received. */
  const asked: string[] = [];
  const busy = {
    ...page,
    path: '/busy',
    summary: 'A page that is refused some times',
    query: z.object({ q: z.string().default(''), lang }),
    handler: ({ query, lang: language }: { query: { q: string }; lang: 'en' | 'ru' }) => {
      asked.push(query.q);
      if (asked.length <= refusals) throw refusal();
      return { body: document({ lang: language, title: 'Shown', root: '', query: '', body: html`<h1>Shown</h1>` }) };
    },
  };
  const form = { ...busy, method: 'POST', path: '/busy-form', handler: () => Promise.reject(unavailable()) };

  before(async () => {
    harness = await createHarness();
    site = await harness.start({ more: [busy, form] as unknown as AnyRoute[] });
  });
  after(() => harness.drop());
  beforeEach(() => {
    asked.length = 0;
    refusals = Number.POSITIVE_INFINITY;
    refusal = () => unavailable();
  });

  const get = async (path: string, options: RequestInit = {}) => {
    const { status, headers, ...response } = await fetch(site.url + path, options).then(async (reply) => ({
      status: reply.status,
      headers: reply.headers,
      text: await reply.text(),
    }));
    const [, seconds, url] = /^(\d+); url=(.*)$/.exec(headers.get('refresh') ?? '') ?? [];
    return { status, headers, ...response, refresh: url === undefined ? null : { seconds: Number(seconds), url } };
  };

  it('loads itself again once, at a random time within five seconds after Retry-After', async () => {
    const waits = new Set<number>();
    for (let n = 0; n < 20; n += 1) {
      const { status, headers, refresh } = await get('/busy');
      assert.equal(status, 503);
      const after = Number(headers.get('retry-after'));
      assert.ok(refresh!.seconds >= after && refresh!.seconds <= after + 5);
      waits.add(refresh!.seconds);
    }
    assert.ok(waits.size > 3);
    const { refresh } = await get('/busy?q=a%26b+c&lang=ru');
    assert.equal(refresh!.url, '/busy?q=a%26b+c&lang=ru&retry=1');
    const again = await get(refresh!.url);
    assert.deepEqual([again.status, again.refresh], [503, null]);
    assert.match(again.text, /<a class="button" href="\/busy\?q=a%26amp;b\+c|href="\/busy\?q=a%26b\+c&amp;lang=ru"/);
    assert.deepEqual(asked.slice(-2), ['a&b c', 'a&b c']);
  });

  it('offers to try again in the reader’s language', async () => {
    const english = await get('/busy');
    assert.match(
      english.text,
      /loaded again by itself in \d+\ss[\s\S]*<a class="button" href="\/busy"[^>]*>Try again</,
    );
    const cookies = { headers: { Cookie: 'touchline_lang=ru' } };
    for (const russian of [
      await get('/busy?lang=ru'),
      await get('/busy', cookies),
      await get('/busy', { headers: { 'Accept-Language': 'ru' } }),
    ]) {
      assert.match(russian.text, /<html lang="ru">[\s\S]*>Попробовать снова</);
      assert.doesNotMatch(russian.text, /Temporarily|at the moment/);
    }
  });

  it('also loads itself again after too many requests, unless the wait is long', async () => {
    refusal = () => new Problem('rate_limited', undefined, { headers: { 'Retry-After': '3' } });
    const { status, text, refresh } = await get('/busy');
    assert.equal(status, 429);
    assert.match(text, /Too many requests[\s\S]*Try again/);
    assert.ok(refresh!.seconds >= 3);
    refusal = () => new Problem('rate_limited', undefined, { headers: { 'Retry-After': '3600' } });
    assert.equal((await get('/busy')).refresh, null);
  });

  it('does not repeat a form, or a request that would fail again', async () => {
    const sent = await get('/busy-form', { method: 'POST', headers: { Origin: site.url } });
    assert.deepEqual([sent.status, sent.refresh], [503, null]);
    assert.doesNotMatch(sent.text, /Try again/);
    assert.equal((await get('/match/999999')).refresh, null);
    refusal = () => new Problem('internal');
    assert.equal((await get('/busy')).refresh, null);
  });

  describe('in Chromium', () => {
    let browser: Browser;
    before(async function () {
      const launched = await launchChromium();
      if (launched === null) this.skip();
      browser = launched;
    });
    after(() => browser?.close());

    it('loads itself again without JavaScript, shows the page, and stops after a second refusal', async () => {
      const context = await browser.newContext({ javaScriptEnabled: false });
      const tab = await context.newPage();
      refusals = 1;
      await tab.goto(`${site.url}/busy`);
      await tab.locator('h1', { hasText: 'Shown' }).waitFor({ timeout: 20_000 });
      asked.length = 0;
      refusals = Number.POSITIVE_INFINITY;
      await tab.goto(`${site.url}/busy`);
      await until('it has tried again', async () => asked.length === 2, 20_000);
      await tab.getByText('still cannot be made').waitFor();
      await tab.waitForTimeout(3_000);
      assert.equal(asked.length, 2);
      refusals = 2;
      await tab.getByRole('link', { name: 'Try again' }).click();
      await tab.locator('h1', { hasText: 'Shown' }).waitFor();
      assert.equal(tab.url(), `${site.url}/busy`);
      await context.close();
    });

    it('leaves no trace in the address, and fits a phone', async () => {
      const context = await browser.newContext({ viewport: { width: 375, height: 700 }, colorScheme: 'dark' });
      const tab = await context.newPage();
      refusals = 1;
      await tab.goto(`${site.url}/busy?lang=ru&q=x`);
      const width = await tab.evaluate<number>('document.documentElement.scrollWidth');
      assert.equal(width, 375);
      if (process.env.SCREENSHOTS !== undefined) await tab.screenshot({ path: `${process.env.SCREENSHOTS}/busy.png` });
      await tab.locator('h1', { hasText: 'Shown' }).waitFor({ timeout: 20_000 });
      await until('the address is clean', async () => tab.url() === `${site.url}/busy?lang=ru&q=x`, 5_000);
      await context.close();
    });
  });
});
