import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chromium, type Page } from 'playwright-core';
import type { RouteValue } from '../../src/http/route.ts';
import { files as pageFiles } from '../../src/web/assets/asset-routes.ts';
import { findViolations } from '../support/accessibility.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startApp, type TestApp } from '../support/http.ts';
import { type FakeDeps, fakeDeps, fakeRoutes } from './fake-routes.ts';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

describe('the docs page', () => {
  let db: TestDatabase;
  let app: TestApp;
  before(async () => {
    db = await createTestDatabase();
    app = await startApp([...fakeRoutes, ...(pageFiles as unknown as RouteValue<FakeDeps>[])], fakeDeps(db.pool));
  });
  after(async () => {
    await app.close();
    await db.drop();
  });

  it('loads nothing from elsewhere and has no inline script or style', async () => {
    const { status, headers, text } = await app.ask('/docs', { key: null });
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
    assert.doesNotMatch(text, /https?:|<style|\sstyle=|\son\w+=|<script>/);
    const named = [...text.matchAll(/(?:src|href)="((?:docs\/)?assets\/[^"]+)"/g)].map(([, file]) => file!);
    const files = [...new Set(named)];
    assert.equal(files.length, 5);
    for (const file of files) {
      const asset = await app.ask(`/${file}`, { key: null });
      assert.equal(asset.status, 200, file);
      assert.ok(asset.bytes.length > 50);
      assert.match(
        asset.headers.get('content-type') ?? '',
        /^((text\/(css|javascript)|image\/svg\+xml); charset=utf-8)$/,
      );
      const again = await app.ask(`/${file}`, { key: null, headers: { 'If-None-Match': asset.headers.get('etag')! } });
      assert.equal(again.status, 304);
    }
  });

  it('lists the operations without scripts, and loads Swagger UI only for somebody who opens one', async function () {
    if (!existsSync(CHROMIUM)) this.skip();
    this.timeout(60_000);
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    try {
      const still = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
      await still.goto(`${app.url}/docs`);
      const listed = still.getByRole('link', { name: 'GET /v1/club/{id}', exact: true });
      assert.equal(await listed.count(), 1);
      assert.equal(await still.getByRole('button').filter({ hasText: 'operations' }).count(), 0);

      const page = await browser.newPage({ serviceWorkers: 'block' });
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      await page.goto(`${app.url}/docs`, { waitUntil: 'networkidle' });
      assert.deepEqual(
        asked.filter((path) => path.includes('swagger') || path.includes('openapi')),
        [],
      );
      const checked = await (await browser.newContext({ bypassCSP: true })).newPage();
      await checked.goto(`${app.url}/docs`);
      assert.deepEqual(await findViolations(checked), []);
      await page.getByRole('link', { name: 'GET /v1/club/{id}', exact: true }).click();
      await page.waitForSelector('.opblock-body', { timeout: 30_000 });
      assert.equal(await page.locator('.opblock.is-open .opblock-summary-path').textContent(), '/v1/club/{id}');
      assert.equal(await page.locator('.operations').count(), 0, 'the list is replaced');
    } finally {
      await browser.close();
    }
  });

  it('forgets a key when the page is closed', async () => {
    const { text } = await app.ask('/docs/assets/start.js', { key: null });
    assert.doesNotMatch(text, /persistAuthorization/);
  });

  it('does not make the rest of the package public', async () => {
    for (const file of [
      'package.json',
      '..%2fpackage.json',
      '%2e%2e%2f%2e%2e%2fpackage.json',
      'index.html',
      '__proto__',
    ]) {
      assert.equal((await app.ask(`/docs/assets/${file}`, { key: null })).status, 404, file);
    }
  });

  async function openAll(page: Page): Promise<void> {
    await page.goto(`${app.url}/docs`);
    await page.getByRole('button', { name: 'Open all operations' }).click();
    await page.waitForSelector('.opblock', { timeout: 30_000 });
  }

  /** Fails unless the filter finds operations by words in path and summary, whatever is typed. */
  async function filters(page: Page): Promise<void> {
    const filter = page.getByLabel('Filter the operations');
    const all = await page.locator('.opblock').count();
    const shown = async (text: string) => {
      await filter.fill(text);
      return page.locator('.opblock').count();
    };
    const found = await shown('/v1/CLUB/ GET');
    assert.ok(found > 0 && found < all, `${found} of ${all}`);
    for (const text of ['no such operation', '[(*+\\', '<img src=x onerror=alert(1)>'])
      assert.equal(await shown(text), 0, text);
    for (const text of ['true', 'false']) assert.equal(await shown(text), 0, text);
    assert.equal(await shown(''), all);
  }

  it('has the operations before the error table, copies examples, and is accessible', async function () {
    if (!existsSync(CHROMIUM)) this.skip();
    this.timeout(60_000);
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    try {
      const context = await browser.newContext({ bypassCSP: true, permissions: ['clipboard-read', 'clipboard-write'] });
      const page = await context.newPage();
      await openAll(page);
      const isBefore =
        '(a, b) => Boolean(document.querySelector(a).compareDocumentPosition(document.querySelector(b)) & 4)';
      assert.ok(await page.evaluate<boolean>(`(${isBefore})('.opblock', '.errors table')`));
      assert.equal(await page.locator('.renderedMarkdown table').count(), 1);
      await page.locator('.opblock-summary-control').first().click();
      const copied = page.locator('.copied').first();
      await copied.getByRole('button', { name: 'Copy' }).click();
      await copied.getByRole('button', { name: 'Copied' }).waitFor();
      const text = await page.evaluate<string>('navigator.clipboard.readText()');
      assert.equal(text, await copied.locator('pre').textContent());
      assert.ok(text.length > 5);
      for (const colorScheme of ['light', 'dark'] as const) {
        // Loads the page again, because after a change of scheme the colours are animated for a moment.
        await page.emulateMedia({ colorScheme });
        await page.goto('about:blank');
        await openAll(page);
        await page.locator('.opblock-summary-control').first().click();
        await page.waitForSelector('.opblock-body');
        assert.deepEqual(await findViolations(page, { onlyColors: colorScheme === 'dark' }), [], colorScheme);
      }
    } finally {
      await browser.close();
    }
  });

  it('reports that the OpenAPI document cannot be loaded', async function () {
    if (!existsSync(CHROMIUM)) this.skip();
    this.timeout(60_000);
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    try {
      const page = await browser.newPage();
      await page.route('**/v1/openapi.json', (route) => route.fulfill({ status: 503, body: '' }));
      await page.goto(`${app.url}/docs`);
      await page.getByRole('button', { name: 'Open all operations' }).click();
      await page.getByText('The document cannot be loaded: the service answered 503.').waitFor();
      assert.ok((await page.locator('.operations li').count()) > 0, 'the list stays');
    } finally {
      await browser.close();
    }
  });

  it('shows the routes in a browser, within the content security policy', async function () {
    if (!existsSync(CHROMIUM)) {
      console.warn(`      no Chromium at ${CHROMIUM}: the docs page is not tried in a browser`);
      this.skip();
    }
    this.timeout(60_000);
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    try {
      // These routes have no worker for the time without a connection.
      const page = await browser.newPage({ serviceWorkers: 'block' });
      const complaints: string[] = [];
      const asked = new Set<string>();
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('request', (request) =>
        asked.add(new URL(request.url()).protocol === 'data:' ? 'data:' : new URL(request.url()).origin),
      );
      await openAll(page);
      const paths = await page.locator('.opblock-summary-path').allTextContents();
      assert.ok(paths.some((path) => path.replaceAll('\u200b', '') === '/v1/club/{id}'));
      await page.setViewportSize({ width: 375, height: 800 });
      const fits = (selector: string) =>
        page.evaluate<boolean>(`(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(${selector})`);
      assert.ok(await fits('document.documentElement'), 'the page fits a phone');
      assert.ok(await fits("document.querySelector('.renderedMarkdown table')"), 'and its table of errors');
      const links = await page
        .locator('.sections a')
        .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
      assert.deepEqual(links, ['./', 'leagues', 'rankings', 'docs', 'docs/guides', 'account']);
      const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
      const light = await background();
      await page.emulateMedia({ colorScheme: 'dark' });
      // The page's script is told about the change a moment later.
      await page.waitForSelector('html.dark-mode', { state: 'attached' });
      assert.notEqual(await background(), light);
      await page.locator('.opblock-summary-control').first().click();
      await page.waitForSelector('.opblock-body');
      await filters(page);
      assert.deepEqual(complaints, []);
      assert.deepEqual(
        [...asked].filter((origin) => origin !== 'data:'),
        [app.url],
      );
    } finally {
      await browser.close();
    }
  });
});
